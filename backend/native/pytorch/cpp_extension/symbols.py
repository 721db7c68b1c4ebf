"""Who defines what a library needs, as the loader would find out, and what the loader has found already."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path

from native.models import elf
from native.models.loaded import file_of
from native.pytorch.cpp_extension.build import TORCH


def provider(symbol: str, libraries: Iterable[str]) -> str:
    """The library that defines a symbol; empty if none does.

    The loader looks through what the program has for everyone, and then through the libraries that the extension
    asks for, with what those ask for themselves.
    """
    for name in (None, *(str(TORCH / "lib" / each) for each in libraries)):
        try:
            at = ctypes.cast(getattr(ctypes.CDLL(name), symbol), ctypes.c_void_p)
        except AttributeError:
            continue
        if file := file_of(at):
            return file.name
    return ""


def bound(library: Path, at: int) -> list[bool]:
    """Of each symbol needed, whether its address is known in this process, where the library was loaded ``at``.

    Until then that place leads back into the library, to the code that asks the loader.
    """
    of = elf.places(library)
    return [_outside(library, ctypes.c_void_p.from_address(at + of[name])) for name in elf.read(library).needed]


def _outside(library: Path, address: ctypes.c_void_p) -> bool:
    file = file_of(address)
    return file is not None and file.name != library.name
