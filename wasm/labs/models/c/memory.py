"""A byte-addressed memory that knows which bytes are whose, and which have been written.

Blocks stand where a Linux program would have them: text constants, variables, heap, stack. A pointer remembers the
block that it was made from, as the standard has it, so a step too far is found even where another block lies there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from labs.models.c.trouble import Place
from labs.models.c.types import Type, round_up

Segment = Literal["constants", "variables", "heap", "stack"]
BASES = {"constants": 0x402000, "variables": 0x404000, "heap": 0x10002A0, "stack": 0x7FFFFFFFE000}
MOST = {"constants": 1 << 16, "variables": 1 << 20, "heap": 1 << 20, "stack": 1 << 20}
HEADER = 16  # bytes between two blocks of the heap, where an allocator keeps its books


class Fault(Exception):  # noqa: N818 - the field's word
    """What a sanitizer would stop the program for. ``kind`` is its short name."""

    def __init__(self, kind: str, message: str, block: Block | None = None) -> None:
        super().__init__(message)
        self.kind, self.message, self.block = kind, message, block
        self.place: Place | None = None


@dataclass(eq=False)
class Block:
    """One variable, one string or one piece of the heap."""

    number: int
    segment: Segment
    start: int
    size: int
    name: str
    type: Type | None
    state: Literal["live", "freed", "ended"] = "live"
    made: Place | None = None
    gone: Place | None = None
    frame: int = -1
    """For a variable of a function, the number of its call."""
    data: bytearray = field(default_factory=bytearray, repr=False)
    known: bytearray = field(default_factory=bytearray, repr=False)
    """For each byte, whether it was ever written."""

    @property
    def end(self) -> int:
        return self.start + self.size

    def words(self) -> str:
        return f"the {count(self.size)} from malloc" if self.segment == "heap" else self.name


class Pointer(int):
    """An address that remembers its block; None if it came from nowhere."""

    block: Block | None

    def __new__(cls, address: int, block: Block | None) -> Pointer:
        made = super().__new__(cls, address)
        made.block = block
        return made


first = attrgetter("start")


def last(block: Block) -> int:
    """The last byte that is taken; a block of no bytes has an address of its own, too."""
    return max(block.end, block.start + 1) - 1


class Memory:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        """By start, without overlaps: a block that is gone stays until another takes its place."""
        self.origins: dict[int, Block] = {}  # of the pointers that lie in memory, by their address
        self.tops: dict[str, int] = dict(BASES)
        self.count = 0

    def add(
        self, segment: Segment, size: int, align: int, name: str, kind: Type | None, place: Place | None
    ) -> Block:
        """A new block, whose bytes nobody knows. Raises ``Fault`` when the segment is full."""
        if segment == "stack":
            start = (self.tops[segment] - size) // align * align
            used = BASES[segment] - start
            self.tops[segment] = start
        elif segment == "heap":
            start = self.free_place(size)
            used = start + size - BASES[segment]
        else:
            start = round_up(self.tops[segment], align)
            self.tops[segment] = start + size
            used = start + size - BASES[segment]
        if used > MOST[segment]:
            raise Fault("overflow", f"the {segment} has {MOST[segment]:,} bytes, and they are used up")
        self.count += 1
        block = Block(self.count, segment, start, size, name, kind, made=place)
        block.data, block.known = bytearray(size), bytearray(size)
        at = bisect_left(self.blocks, start, key=last)
        beyond = bisect_left(self.blocks, max(start + size, start + 1), key=first)
        self.blocks[at:beyond] = [block]
        return block

    def free_place(self, size: int) -> int:
        """First fit among what was freed, else at the end: an address is given out again, as in a real heap."""
        living = self.living("heap")
        at = BASES["heap"]
        for block in living:
            if block.start - at >= round_up(max(size, 16), 16) + HEADER:
                break
            at = block.start + round_up(max(block.size, 16), 16) + HEADER
        return at

    def release(self, block: Block, state: Literal["freed", "ended"], place: Place | None) -> None:
        block.state, block.gone = state, place

    def block_at(self, address: int) -> Block | None:
        """The block that holds this byte, or that last did."""
        n = bisect_right(self.blocks, address, key=first)
        block = self.blocks[n - 1] if n else None
        return block if block and address < block.end else None

    def check(self, pointer: int, size: int, doing: str) -> tuple[Block, int]:
        """The block and the place in it. Raises ``Fault`` if these bytes are not the pointer's to touch."""
        block = pointer.block if isinstance(pointer, Pointer) else None
        if 0 <= pointer < 4096 and block is None:
            raise Fault(
                "null", f"{doing} through a null pointer" if not pointer else f"{doing} at {pointer:#x}, near null"
            )
        block = block or self.block_at(pointer)
        if block is None:
            raise Fault("wild", f"{doing} at {pointer:#x}, where nothing is")
        if block.state == "freed":
            raise Fault("use after free", f"{doing} into {block.words()}, after free", block)
        if block.state == "ended":
            raise Fault("use after end", f"{doing} into {block.name}, whose block or call has ended", block)
        offset = int(pointer) - block.start
        if offset < 0 or offset + size > block.size:
            raise Fault(
                "out of bounds",
                f"{doing} of {count(size)} {where(offset, block)}",
                block,
            )
        return block, offset

    def read(self, pointer: int, size: int, uninitialised: bool = False) -> bytes:
        block, offset = self.check(pointer, size, "read")
        if not uninitialised and not all(block.known[offset : offset + size]):
            raise Fault("uninitialised", f"read of {block.words()} before anything was written there", block)
        return bytes(block.data[offset : offset + size])

    def write(self, pointer: int, data: bytes) -> None:
        block, offset = self.check(pointer, len(data), "write")
        if block.segment == "constants":
            raise Fault(
                "constant", "write into a string constant, which lies in memory that cannot be written", block
            )
        block.data[offset : offset + len(data)] = data
        block.known[offset : offset + len(data)] = b"\1" * len(data)
        if self.origins:
            for at in range(int(pointer) - 7, int(pointer) + len(data)):
                self.origins.pop(at, None)

    def read_pointer(self, pointer: int) -> Pointer:
        address = int.from_bytes(self.read(pointer, 8), "little")
        return Pointer(address, self.origins.get(int(pointer)) or (self.block_at(address) if address else None))

    def write_pointer(self, pointer: int, value: int) -> None:
        self.write(pointer, (int(value) % (1 << 64)).to_bytes(8, "little"))
        if isinstance(value, Pointer) and value.block:
            self.origins[int(pointer)] = value.block

    def copy(self, to: int, source: int, size: int) -> None:
        """Bytes, known or not, with the origins of pointers among them. Overlapping is right."""
        if not size:
            return
        block, offset = self.check(source, size, "read")
        known = bytes(block.known[offset : offset + size])
        origins = {
            at - int(source): found for at, found in self.origins.items() if 0 <= at - int(source) <= size - 8
        }
        data = bytes(block.data[offset : offset + size])
        self.write(to, data)
        target, place = self.check(to, size, "write")
        target.known[place : place + size] = known
        self.origins |= {int(to) + at: found for at, found in origins.items()}

    def living(self, segment: Segment) -> list[Block]:
        return [block for block in self.blocks if block.segment == segment and block.state == "live"]


def where(offset: int, block: Block) -> str:
    if offset < 0:
        return f"{count(-offset)} before the start of {block.words()}"
    if offset < block.size:
        return f"at offset {offset} of {block.words()}, which has {count(block.size)}"
    beyond = f"{count(offset - block.size)} behind" if offset > block.size else "right behind"
    return f"{beyond} the end of {block.words()}"


def count(size: int) -> str:
    return f"{size} {'byte' if size == 1 else 'bytes'}"
