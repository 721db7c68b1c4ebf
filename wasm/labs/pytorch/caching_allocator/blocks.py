"""Segments, which the device gave, and the blocks into which they are cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

SMALLEST = 512
"""Every request is rounded up to a multiple of this many bytes."""
MIB = 1 << 20
SMALL_REQUEST, SMALL_SEGMENT = MIB, 2 * MIB
LARGE_REQUEST, LARGE_SEGMENT = 10 * MIB, 20 * MIB
ROUND = 2 * MIB
"""A segment for one large request is a multiple of this."""
FREE, ALLOCATED, WAITING, UNMAPPED = range(4)


@dataclass(eq=False)
class Block:
    start: int
    size: int
    state: int = FREE
    owner: int = -1
    """The number of the request that has it."""
    asked: int = 0
    ready: int = 0
    """The operation after which the device is done with a block that waits."""
    used_by: tuple[int, ...] = ()
    """Streams other than its own that use it."""
    counted: int = 0
    """How often its pool had been searched when the block became free."""

    @property
    def end(self) -> int:
        return self.start + self.size


@dataclass(eq=False)
class Segment:
    start: int
    small: bool
    stream: int
    expandable: bool
    blocks: list[Block] = field(default_factory=list)

    @property
    def mapped(self) -> int:
        return sum(block.size for block in self.blocks if block.state != UNMAPPED)

    @property
    def page(self) -> int:
        return SMALL_SEGMENT if self.small else LARGE_SEGMENT

    def split(self, block: Block, size: int) -> Block:
        """Cut a block after so many bytes. Returns the rest, in the state of the block."""
        rest = Block(block.start + size, block.size - size, block.state, counted=block.counted)
        self.blocks.insert(self.blocks.index(block) + 1, rest)
        block.size = size
        return rest

    def merge(self, block: Block) -> Block:
        """Join a block with neighbours in the same state."""
        n = self.blocks.index(block)
        if n + 1 < len(self.blocks) and self.blocks[n + 1].state == block.state:
            block.size += self.blocks.pop(n + 1).size
        if n and self.blocks[n - 1].state == block.state:
            gone = self.blocks.pop(n - 1)
            block.start, block.size = gone.start, block.size + gone.size
        return block


def rounded(asked: int) -> int:
    return max(SMALLEST, up(asked, SMALLEST))


def segment_size(size: int) -> int:
    """What the device is asked for, where no free block is large enough."""
    if size <= SMALL_REQUEST:
        return SMALL_SEGMENT
    return LARGE_SEGMENT if size < LARGE_REQUEST else up(size, ROUND)


def up(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def total(blocks: Iterable[Block], state: int) -> int:
    return sum(block.size for block in blocks if block.state == state)
