"""The dynamic symbols of a shared library and the libraries that it asks for, read from the file (ELF, 64 bits)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
ENTRY = struct.Struct("<qQ")
DYNSYM, DYNAMIC, NEEDED = 11, 6, 1
FUNCTION, OBJECT = 2, 1


@dataclass(frozen=True)
class Library:
    needed: list[str]
    """Symbols that somebody else has to define"""
    provided: list[str]
    """Functions and objects that it defines for others"""
    libraries: list[str]
    """That the loader is to look in, by name"""


def read(path: Path) -> Library:
    """Raises ``ValueError`` if the file is no such library."""
    data = path.read_bytes()
    if data[:5] != b"\x7fELF\x02":
        raise ValueError(f"{path.name} is no ELF file of 64 bits")
    head = HEADER.unpack_from(data)
    sections = [SECTION.unpack_from(data, head[6] + at * head[11]) for at in range(head[12])]
    needed, provided, libraries = [], [], []
    for _, kind, _, _, offset, size, link, *_ in sections:
        if kind not in (DYNSYM, DYNAMIC):
            continue
        names = sections[link][4]
        if kind == DYNAMIC:
            entries = (ENTRY.unpack_from(data, at) for at in range(offset, offset + size, ENTRY.size))
            libraries += [_name(data, names + value) for tag, value in entries if tag == NEEDED]
        else:
            for name, info, section in _symbols(data, offset, size, names):
                if not section:
                    needed.append(name)
                elif info & 15 in (FUNCTION, OBJECT):
                    provided.append(name)
    return Library(sorted(needed), sorted(provided), libraries)


def _symbols(data: bytes, offset: int, size: int, names: int) -> Iterator[tuple[str, int, int]]:
    """Name, kind and section of each but the first, which stands for none."""
    for at in range(offset + SYMBOL.size, offset + size, SYMBOL.size):
        name, info, _, section, _, _ = SYMBOL.unpack_from(data, at)
        yield _name(data, names + name), info, section


def _name(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()
