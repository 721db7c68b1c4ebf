"""A byte-addressed memory that knows which bytes are whose, and which have been written.

Blocks stand where a Linux program would have them: text constants, variables, heap, stack. A pointer remembers the
block that it was made from, as the standard has it, so a step too far is found even where another block lies there.
Unchecked, memory is what the hardware has: bytes at addresses, without owners.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from labs.models.c.trouble import Place, count
from labs.models.c.types import Type, a, round_up

Segment = Literal["constants", "variables", "heap", "stack"]
BASES = {"constants": 0x402000, "variables": 0x414000, "heap": 0x10002A0, "stack": 0x7FFFFFFFE000}
MOST = {"constants": 1 << 16, "variables": 1 << 20, "heap": 1 << 20, "stack": 1 << 20}
LOWS: dict[Segment, int] = {
    "constants": BASES["constants"],
    "variables": BASES["variables"],
    "heap": BASES["heap"] // 4096 * 4096,
    "stack": BASES["stack"] - MOST["stack"],
}
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
    constant: bool = False
    """A variable that has its value, and is const."""
    frame: int = -1
    """For a variable of a function, the number of its call."""
    data: memoryview = field(default=memoryview(b""), repr=False)
    """Its bytes, in the memory of the segment."""
    known: bytearray = field(default_factory=bytearray, repr=False)
    """For each byte, whether it was ever written."""
    origins: dict[int, Block] = field(default_factory=dict, repr=False)
    """Where pointers lie in it: offset, and the block that the pointer was made from."""

    @property
    def end(self) -> int:
        return self.start + self.size

    def written(self, low: int, high: int) -> None:
        """These bytes are known now, and none of them is part of a pointer any more."""
        self.known[low:high] = b"\1" * (high - low)
        if self.origins:
            for at in range(low - 7, high):
                self.origins.pop(at, None)

    def words(self) -> str:
        return f"the {count(self.size)} from malloc" if self.segment == "heap" else self.name


class Pointer(int):
    """An address that remembers its block; None if it came from nowhere."""

    block: Block | None

    def __new__(cls, address: int, block: Block | None) -> Pointer:
        made = super().__new__(cls, address)
        made.block = block
        return made


def moved(pointer: int, by: int) -> Pointer:
    """A pointer some bytes further, into the same block."""
    return Pointer(int(pointer) + by, pointer.block if isinstance(pointer, Pointer) else None)


first = attrgetter("start")


def last(block: Block) -> int:
    """The last byte that is taken; a block of no bytes has an address of its own, too."""
    return max(block.end, block.start + 1) - 1


class Memory:
    def __init__(self, checked: bool = True) -> None:
        self.checked = checked
        self.ram = {segment: bytearray(MOST[segment] + base % 4096) for segment, base in BASES.items()}
        self.blocks: list[Block] = []
        """By start, without overlaps: a block that is gone stays until another takes its place."""
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
        block = Block(self.count, segment, start, size, name, kind, made=place, constant=segment == "constants")
        low = start - LOWS[segment]
        block.data, block.known = memoryview(self.ram[segment])[low : low + size], bytearray(size)
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

    def refuse_misaligned(self, pointer: int, size: int, doing: str, kind: Type) -> None:
        """Raises ``Fault`` for an address that the type does not allow, if it is the pointer's to touch."""
        if self.checked:
            block, _ = self.check(pointer, size, doing)
            place = f"{int(pointer):#x}, which is not a multiple of {kind.align}"
            raise Fault("misaligned", f"{doing} of {a(kind)} at {place}", block)

    def raw(self, pointer: int, size: int, doing: str) -> memoryview:
        """The bytes at an address, of any owner. Raises ``Fault`` where the processor finds no memory."""
        for segment, low in LOWS.items():
            if low <= pointer and pointer + size <= low + len(self.ram[segment]):
                if segment == "constants" and doing == "write":
                    raise Fault("segmentation", f"the page at {pointer & ~4095:#x} may be read, and not be written")
                return memoryview(self.ram[segment])[pointer - low : pointer - low + size]
        raise Fault("segmentation", f"{doing} at {pointer:#x}, where the program has no memory")

    def read(self, pointer: int, size: int) -> bytes:
        if not self.checked:
            return bytes(self.raw(int(pointer), size, "read"))
        block, offset = self.check(pointer, size, "read")
        if unknown := block.known[offset : offset + size].count(0):
            what = block.words() if unknown == size else f"{count(size)} of {block.words()}"
            when = (
                "before anything was written there" if unknown == size else f"of which {unknown} were never written"
            )
            raise Fault("uninitialised", f"read of {what}{', ' * (unknown < size) or ' '}{when}", block)
        return bytes(block.data[offset : offset + size])

    def write(self, pointer: int, data: bytes) -> None:
        if self.checked:
            block, offset = self.check(pointer, len(data), "write")
            if block.segment == "constants":
                what = "a string constant" if block.name.startswith('"') else f"{block.name}, a constant"
                raise Fault("constant", f"write into {what}, which lies in memory that cannot be written", block)
            if block.constant:
                raise Fault("constant", f"write into {block.name}, which is const", block)
            block.data[offset : offset + len(data)] = data
            block.written(offset, offset + len(data))
        else:
            at = int(pointer)
            self.raw(at, len(data), "write")[:] = data
            for block in self.touched(at, len(data)):
                block.written(max(at - block.start, 0), min(at + len(data) - block.start, block.size))

    def fill(self, pointer: int, byte: int, size: int) -> None:
        """Write a byte so many times, once all of these places are known to be there."""
        if not size:
            return
        if self.checked:
            self.check(pointer, size, "write")
        else:
            self.raw(int(pointer), size, "write")
        self.write(pointer, bytes([byte]) * size)

    def touched(self, at: int, size: int) -> list[Block]:
        """The blocks that hold any of these bytes."""
        low = bisect_right(self.blocks, at, key=first) - 1
        high = bisect_left(self.blocks, at + size, key=first)
        return [block for block in self.blocks[max(low, 0) : high] if at < block.end]

    def text(self, pointer: int, most: int | None = None) -> bytes:
        """The characters up to the final zero, at most so many. Raises ``Fault`` where one cannot be read."""
        block = pointer.block if isinstance(pointer, Pointer) else self.block_at(pointer)
        if block is not None and block.start <= pointer:
            offset = int(pointer) - block.start
            end = bytes(block.data).find(0, offset)
            if end >= 0 and block.state == "live" and 0 not in block.known[offset : end + 1]:
                return bytes(block.data[offset:end][:most])
        found = bytearray()
        while len(found) != most and (byte := self.read(moved(pointer, len(found)), 1)[0]):
            found.append(byte)
        return bytes(found)

    def read_pointer(self, pointer: int) -> Pointer:
        address = int.from_bytes(self.read(pointer, 8), "little")
        holds = pointer.block if self.checked and isinstance(pointer, Pointer) else self.block_at(pointer)
        origin = holds.origins.get(int(pointer) - holds.start) if holds else None
        return Pointer(address, origin or (self.block_at(address) if address else None))

    def write_pointer(self, pointer: int, value: int) -> None:
        self.write(pointer, (int(value) % (1 << 64)).to_bytes(8, "little"))
        if isinstance(value, Pointer) and value.block:
            self.note(pointer, value.block)

    def note(self, pointer: int, origin: Block) -> None:
        holds = pointer.block if self.checked and isinstance(pointer, Pointer) else self.block_at(pointer)
        if holds:
            holds.origins[int(pointer) - holds.start] = origin

    def copy(self, to: int, source: int, size: int) -> None:
        """Bytes, known or not, with the origins of pointers among them. Overlapping is right."""
        if not size:
            return
        block: Block | None
        if self.checked:
            block, offset = self.check(source, size, "read")
            data, known = bytes(block.data[offset : offset + size]), bytes(block.known[offset : offset + size])
        else:
            data, known = self.read(source, size), b"\1" * size
            block = self.block_at(source)
            offset = int(source) - block.start if block else 0
        origins = {at - offset: of for at, of in block.origins.items()} if block else {}
        self.write(to, data)
        for target in self.touched(int(to), size):
            low, high = max(int(to), target.start), min(int(to) + size, target.end)
            target.known[low - target.start : high - target.start] = known[low - int(to) : high - int(to)]
        for at, origin in origins.items():
            if 0 <= at <= size - 8:
                self.note(moved(to, at), origin)

    def living(self, segment: Segment) -> list[Block]:
        return [block for block in self.blocks if block.segment == segment and block.state == "live"]


def where(offset: int, block: Block) -> str:
    if offset < 0:
        return f"{count(-offset)} before the start of {block.words()}"
    if offset < block.size:
        return f"at offset {offset} of {block.words()}, which has {count(block.size)}"
    beyond = f"{count(offset - block.size)} behind" if offset > block.size else "right behind"
    return f"{beyond} the end of {block.words()}"
