"""Who defines what a library needs, as the loader would find out, and what the loader has found already."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable
from pathlib import Path

from native.models import elf
from native.pytorch.cpp_extension.build import TORCH

PLACES = 4
"""Sections that say where an address is to be written"""
PLACE = struct.Struct("<QQq")


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


def places(library: Path) -> dict[str, int]:
    """Where, from its beginning, a library keeps the address of each symbol that others define."""
    data = library.read_bytes()
    head = elf.HEADER.unpack_from(data)
    sections = [elf.SECTION.unpack_from(data, head[6] + at * head[11]) for at in range(head[12])]
    found = {}
    for _, kind, _, _, offset, size, link, *_ in sections:
        if kind != PLACES:
            continue
        symbols, names = sections[link][4], sections[sections[link][6]][4]
        for place, info, _ in PLACE.iter_unpack(data[offset : offset + size]):
            name, _, _, section, *_ = elf.SYMBOL.unpack_from(data, symbols + (info >> 32) * elf.SYMBOL.size)
            if info >> 32 and not section:
                found[data[names + name : data.index(b"\0", names + name)].decode()] = place
    return found


def bound(library: Path, at: int) -> list[bool]:
    """Of each symbol needed, whether its address is known in this process, where the library was loaded ``at``.

    Until then that place leads back into the library, to the code that asks the loader.
    """
    of = places(library)
    return [_outside(library, ctypes.c_void_p.from_address(at + of[name])) for name in elf.read(library).needed]


def _outside(library: Path, address: ctypes.c_void_p) -> bool:
    found = Found()
    known = address.value and ctypes.CDLL(None).dladdr(address, ctypes.byref(found))
    return bool(known) and Path(found.file.decode()).name != library.name
