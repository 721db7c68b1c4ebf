"""The whole memory of a machine as a reader sees it: calls, blocks, their cells, and where each pointer leads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from labs.bits.memory_machine.cells import Cell, scalars, value
from labs.bits.memory_machine.cells import known as is_known
from labs.models.c import types
from labs.models.c.machine import Frame, Machine
from labs.models.c.memory import Block, Segment

CALLS, PIECES, CELLS, CELLS_OF_ONE, BYTES = 10, 80, 140, 16, 64  # the most that one picture lists

Leads = Literal["live", "freed", "ended", "past the end", "outside", "nowhere"]


@dataclass(frozen=True)
class Arrow:
    """Where a pointer leads."""

    leads: Leads
    block: int
    """The block that it was made from, by number; -1 if none is drawn there."""
    cell: int
    """The cell of it that holds the address."""


@dataclass(frozen=True)
class Seen:
    """One cell."""

    name: str
    address: int
    size: int
    type: str
    value: str
    known: bool
    changed: bool
    """Since the picture before."""
    arrow: Arrow | None


@dataclass(frozen=True)
class Piece:
    """One variable, string or piece of the heap."""

    number: int
    segment: Segment
    name: str
    type: str
    address: int
    size: int
    state: Literal["live", "freed", "ended", "leaked"]
    made: int
    """The line that made it."""
    gone: int
    """The line that ended it; 0 while it lives."""
    bytes: str
    """In hexadecimal, at most 64 of them; ".." was never written."""
    cells: list[Seen]
    more: int
    """Cells that are not listed."""


@dataclass(frozen=True)
class Call:
    name: str
    number: int
    returns_to: int
    """The line that called it; 0 for main."""
    skipped: int
    """Calls between this one and the one before that are not listed."""
    pieces: list[Piece]


@dataclass(frozen=True)
class Portrait:
    calls: list[Call]
    globals: list[Piece]
    heap: list[Piece]
    gone: list[Piece]
    """Variables that are no more, and that a pointer still leads to."""
    hidden: int
    """Blocks that are not listed."""


class Painter:
    """Paints one machine again and again; it remembers what was there, to tell what changed."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.types: dict[int, types.Type] = {}
        """Of pieces of the heap, by number: what the pointers to them say."""
        self.before: dict[int, bytes] = {}
        self.painted = self.room = 0

    def paint(self, leaked: frozenset[int] = frozenset()) -> Portrait:
        frames = self.machine.frames
        shown = frames if len(frames) <= CALLS else [*frames[:2], *frames[2 - CALLS :]]
        blocks = self.machine.memory.blocks
        heap = [block for block in blocks if block.segment == "heap"]
        outer = [block for block in blocks if block.segment in ("constants", "variables")]
        wanted = [block for frame in reversed(shown) for block in named(frame)]
        wanted += sorted(heap, key=lambda block: -block.number) + outer
        drawn = {block.number: block for block in wanted[:PIECES]}
        self.learn_types(drawn)
        ghosts = self.ghosts(drawn)
        drawn |= ghosts
        self.room = CELLS
        made = {number: self.piece(block, drawn, number in leaked) for number, block in drawn.items()}
        self.before = {number: look(block) for number, block in drawn.items()}
        self.painted += 1

        def pieces(those: Iterable[Block]) -> list[Piece]:
            return [made[block.number] for block in those if block.number in made]

        calls = [
            Call(
                name=frame.routine.name,
                number=frame.number,
                returns_to=frame.called_from.place.line if frame.called_from else 0,
                skipped=len(frames) - len(shown) if n == 2 else 0,
                pieces=pieces(named(frame)),
            )
            for n, frame in enumerate(shown)
        ]
        hidden = len(wanted) - len(wanted[:PIECES])
        return Portrait(calls, pieces(outer), pieces(heap), pieces(ghosts.values()), hidden)

    def learn_types(self, drawn: dict[int, Block]) -> None:
        """What lies in the heap is said by the pointers to it, those in the heap among them."""
        todo = list(drawn.values())
        while todo:
            block = todo.pop()
            for cell in self.cells(block):
                target = block.origins.get(cell.offset)
                if not isinstance(cell.type, types.Pointer) or target is None or target.segment != "heap":
                    continue
                to = cell.type.to
                if to.size and target.number not in self.types and read_pointer(block, cell) == target.start:
                    self.types[target.number] = to
                    todo.append(target)

    def ghosts(self, drawn: dict[int, Block]) -> dict[int, Block]:
        """Variables that have ended, where something drawn still points to."""
        found = {}
        for block in drawn.values():
            for offset, to in block.origins.items():
                address = int.from_bytes(block.data[offset : offset + 8], "little")
                there = self.machine.memory.block_at(address) if to.state == "ended" else None
                if block.state == "live" and there and there.state == "ended":
                    found[there.number] = there
        return found

    def cells(self, block: Block) -> list[Cell]:
        return laid_out(*self.typed(block))

    def typed(self, block: Block) -> tuple[str, types.Type]:
        """The name and the type that the cells of a block begin with."""
        if block.segment != "heap":
            return ("" if block.segment == "constants" else block.name), block.type or types.VOID
        of = self.types.get(block.number, types.CHAR)
        count = block.size // of.size
        if of.size == 1 or count > 1:
            return "", types.Array(of, count)
        if not count:
            return "", types.Array(types.CHAR, block.size)
        return "", of

    def piece(self, block: Block, drawn: dict[int, Block], leaked: bool) -> Piece:
        all_cells = self.cells(block)
        listed = all_cells[: min(CELLS_OF_ONE, max(self.room, 1))]
        self.room -= len(listed)
        data, known = bytes(block.data[:BYTES]), bytes(block.known[:BYTES])
        before = self.before.get(block.number, look(block)[:0])
        now = look(block)
        kind = self.typed(block)[1] if block.segment != "heap" or block.number in self.types else None
        return Piece(
            number=block.number,
            segment=block.segment,
            name=block.name if block.segment != "constants" else "",
            type=str(kind) if kind else "",
            address=block.start,
            size=block.size,
            state="leaked" if leaked else block.state,
            made=block.made.line if block.made and block.segment != "constants" else 0,
            gone=block.gone.line if block.gone else 0,
            bytes="".join(f"{byte:02x}" if is_known else ".." for byte, is_known in zip(data, known, strict=True)),
            cells=[
                Seen(
                    name=cell.name,
                    address=block.start + cell.offset,
                    size=cell.size,
                    type=str(cell.type),
                    value=self.value(block, cell),
                    known=is_known(block, cell),
                    changed=self.painted > 0 and part(now, cell) != part(before, cell),
                    arrow=self.arrow(block, cell, drawn),
                )
                for cell in listed
            ],
            more=len(all_cells) - len(listed),
        )

    def value(self, block: Block, cell: Cell) -> str:
        if types.points_to_function(cell.type) and is_known(block, cell):
            at = read_pointer(block, cell)
            names = (name for name, low in self.machine.lows.items() if low == at)
            return next(names, value(block, cell))
        return value(block, cell)

    def arrow(self, block: Block, cell: Cell, drawn: dict[int, Block]) -> Arrow | None:
        if not isinstance(cell.type, types.Pointer) or not is_known(block, cell) or block.state != "live":
            return None
        if types.points_to_function(cell.type):
            return None
        address = read_pointer(block, cell)
        if not address:
            return None
        origin = block.origins.get(cell.offset) or self.machine.memory.block_at(address)
        if origin is None:
            return Arrow("nowhere", -1, -1)
        leads: Leads = "live"
        if origin.state != "live":
            leads = origin.state
        elif address == origin.end:
            leads = "past the end"
        elif not origin.start <= address < origin.end:
            leads = "outside"
        there = self.machine.memory.block_at(address) if leads != "past the end" else origin
        target = drawn.get(there.number if there else -1) or drawn.get(origin.number)
        if target is None:
            return Arrow(leads, -1, -1)
        inside = [n for n, each in enumerate(self.cells(target)) if each.offset <= address - target.start]
        return Arrow(leads, target.number, min(inside[-1] if inside else 0, CELLS_OF_ONE - 1))


@lru_cache(maxsize=256)
def laid_out(name: str, kind: types.Type) -> list[Cell]:
    return list(scalars(name, kind))


def named(frame: Frame) -> list[Block]:
    """The variables of a call that the program has given names, as far as they exist."""
    return [block for block in frame.blocks.values() if block.name and block.state == "live"]


def look(block: Block) -> bytes:
    """What can be seen of a block: its bytes, and after them which are known."""
    return bytes(block.data) + bytes(block.known)


def part(look: bytes, cell: Cell) -> bytes:
    middle = len(look) // 2
    low, high = cell.offset, cell.offset + cell.size
    return look[low:high] + look[middle + low : middle + high]


def read_pointer(block: Block, cell: Cell) -> int:
    return int.from_bytes(block.data[cell.offset : cell.offset + cell.size], "little")
