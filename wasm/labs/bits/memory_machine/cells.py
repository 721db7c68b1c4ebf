"""What a block holds, cell by cell: each number, pointer or run of characters with its name, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.models.c import types
from labs.models.c.access import form
from labs.models.c.memory import Block

MOST_CHARACTERS = 24  # of a string in one cell
ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


@dataclass(frozen=True)
class Cell:
    name: str
    """As an expression: ``a[2]``, ``p->next`` is ``next`` of its block. Without one it is a gap."""
    offset: int
    type: types.Type
    size: int


def scalars(name: str, kind: types.Type, offset: int = 0) -> Iterator[Cell]:
    """The scalars of a type, in order of their addresses, with the gaps that alignment leaves."""
    if isinstance(kind, types.Array) and kind.of.size == 1:
        yield Cell(name, offset, kind, kind.size)
    elif isinstance(kind, types.Array):
        for n in range(kind.length):
            yield from scalars(f"{name}[{n}]", kind.of, offset + n * kind.of.size)
    elif isinstance(kind, types.Struct):
        at = 0
        for each in kind.members:
            if each.offset > at:
                yield Cell("", offset + at, types.VOID, each.offset - at)
            yield from scalars(f"{name}.{each.name}".removeprefix("."), each.type, offset + each.offset)
            at = max(at, each.offset + each.type.size)
        if kind.size > at:
            yield Cell("", offset + at, types.VOID, kind.size - at)
    else:
        yield Cell(name, offset, kind, kind.size)


def known(block: Block, cell: Cell) -> bool:
    return 0 not in block.known[cell.offset : cell.offset + cell.size]


def value(block: Block, cell: Cell) -> str:
    """What a reader is shown; "?" where nobody has written yet."""
    data = bytes(block.data[cell.offset : cell.offset + cell.size])
    if isinstance(cell.type, types.Void):
        return f"{cell.size} {'byte' if cell.size == 1 else 'bytes'} unused"
    if isinstance(cell.type, types.Array):
        return characters(data, bytes(block.known[cell.offset : cell.offset + cell.size]))
    if not known(block, cell):
        return "?"
    (found,) = form(cell.type).unpack(data)
    if isinstance(cell.type, types.Pointer):
        return f"{found:#x}" if found else "NULL"
    if isinstance(cell.type, types.Floating):
        return f"{found:.9g}" if cell.type == types.FLOAT else f"{found:.15g}"
    if cell.type == types.CHAR:
        return f"{found} '{character(found % 256)}'"
    return str(found)


def characters(data: bytes, known: bytes) -> str:
    shown = "".join(
        character(byte) if is_known else "·" for byte, is_known in zip(data[:MOST_CHARACTERS], known, strict=False)
    )
    return f'"{shown}"' + "…" * (len(data) > MOST_CHARACTERS)


def character(byte: int) -> str:
    return ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}")
