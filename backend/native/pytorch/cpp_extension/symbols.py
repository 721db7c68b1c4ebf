"""Who defines what a library needs, as the loader would find out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path

from native.pytorch.cpp_extension.build import TORCH


class Found(ctypes.Structure):
    """Of dladdr: the file in which an address lies, and the symbol there."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


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
        found = Found()
        if ctypes.CDLL(None).dladdr(at, ctypes.byref(found)) and found.file:
            return Path(found.file.decode()).name
    return ""
