"""The dynamic symbols of a shared library and the libraries that it asks for, read from the file (ELF, 64 bits).

An object file, which is yet to be linked, has no dynamic ones: of its own those that others may see are read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
ENTRY = struct.Struct("<qQ")
PLACE = struct.Struct("<QQq")
WANTED = struct.Struct("<HHIII")
VERSION = struct.Struct("<IHHII")
OFFERED = struct.Struct("<HHHHIII")
DYNSYM, DYNAMIC, NEEDED, RELA = 11, 6, 1, 4
OBJECT_FILE, SYMTAB, LOCAL = 1, 2, 0
VERSIONS_OFFERED, VERSIONS_WANTED, VERSION_OF = 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
FUNCTION, OBJECT = 2, 1


@dataclass(frozen=True)
class Library:
    needed: list[str]
    """Symbols that somebody else has to define"""
    provided: list[str]
    """Functions and objects that it defines for others"""
    libraries: list[str]
    """That the loader is to look in, by name"""
    versions: dict[str, str] = field(default_factory=dict)
    """Of each symbol that has one, such as GLIBC_2.38; of several, the last"""


def read(path: Path) -> Library:
    """Raises ``ValueError`` if the file is no such library."""
    data, kind, sections = _opened(path)
    symbols = SYMTAB if kind == OBJECT_FILE else DYNSYM
    needed, provided, libraries, numbers = [], [], [], dict[str, int]()
    for _, kind, _, _, offset, size, link, *_ in sections:
        if kind not in (symbols, DYNAMIC):
            continue
        names = sections[link][4]
        if kind == DYNAMIC:
            entries = (ENTRY.unpack_from(data, at) for at in range(offset, offset + size, ENTRY.size))
            libraries += [_name(data, names + value) for tag, value in entries if tag == NEEDED]
        else:
            for at, (name, info, section) in enumerate(_symbols(data, offset, size, names), 1):
                numbers[name] = at
                if symbols == SYMTAB and info >> 4 == LOCAL:
                    continue
                if not section:
                    needed.append(name)
                elif info & 15 in (FUNCTION, OBJECT):
                    provided.append(name)
    return Library(sorted(needed), sorted(provided), libraries, _versions(data, sections, numbers))


def places(path: Path) -> dict[str, int]:
    """Where, from its beginning, a library keeps the address of each symbol that others define."""
    data, _, sections = _opened(path)
    found = {}
    for _, kind, _, _, offset, size, link, *_ in sections:
        if kind != RELA:
            continue
        symbols, names = sections[link][4], sections[sections[link][6]][4]
        for place, info, _ in PLACE.iter_unpack(data[offset : offset + size]):
            name, _, _, section, *_ = SYMBOL.unpack_from(data, symbols + (info >> 32) * SYMBOL.size)
            if info >> 32 and not section:
                found[_name(data, names + name)] = place
    return found


def _opened(path: Path) -> tuple[mmap, int, list[tuple[int, ...]]]:
    """Its bytes, what kind of file it is, and its sections."""
    with path.open("rb") as file:
        data = mmap(file.fileno(), 0, access=ACCESS_READ)  # a library may have hundreds of megabytes
    if data[:5] != b"\x7fELF\x02":
        raise ValueError(f"{path.name} is no ELF file of 64 bits")
    head = HEADER.unpack_from(data)
    return data, head[1], [SECTION.unpack_from(data, head[6] + at * head[11]) for at in range(head[12])]


def _versions(data: mmap, sections: list[tuple[int, ...]], places: dict[str, int]) -> dict[str, str]:
    """A number for each symbol says which of the versions, wanted or offered, is its own; 0 and 1 say none."""
    called, of = dict[int, str](), 0
    for _, kind, _, _, offset, _, link, count, *_ in sections:
        if kind not in (VERSIONS_OFFERED, VERSIONS_WANTED, VERSION_OF):
            continue
        names = sections[link][4]
        if kind == VERSION_OF:
            of = offset
            continue
        for _ in range(count):
            if kind == VERSIONS_WANTED:  # of one library, several
                _, several, _, first, on = WANTED.unpack_from(data, offset)
                at = offset + first
                for _ in range(several):
                    _, _, number, name, step = VERSION.unpack_from(data, at)
                    called[number] = _name(data, names + name)
                    at += step
            else:
                _, flags, number, _, _, first, on = OFFERED.unpack_from(data, offset)
                if not flags & 1:  # the library's own name
                    called[number] = _name(data, names + struct.unpack_from("<I", data, offset + first)[0])
            offset += on
    if not of:
        return {}
    numbers = {name: struct.unpack_from("<H", data, of + 2 * at)[0] & 0x7FFF for name, at in places.items()}
    return {name: called[number] for name, number in numbers.items() if number in called}


def _symbols(data: mmap, offset: int, size: int, names: int) -> Iterator[tuple[str, int, int]]:
    """Name, kind and section of each but the first, which stands for none."""
    for at in range(offset + SYMBOL.size, offset + size, SYMBOL.size):
        name, info, _, section, _, _ = SYMBOL.unpack_from(data, at)
        yield _name(data, names + name), info, section


def _name(data: mmap, at: int) -> str:
    return data[at : data.find(b"\0", at)].decode()
