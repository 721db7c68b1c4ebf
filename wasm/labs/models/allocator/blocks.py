"""Segments, which the device gave, the blocks into which they are cut, and an allocator that does it."""

from __future__ import annotations

from abc import ABC, abstractmethod
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


@dataclass
class Did:
    """What one request or free made the allocator do."""

    block: Block | None = None
    split: bool = False
    merged: int = 0
    waits: bool = False
    got: int = 0
    """Bytes that the device gave"""
    returned: int = 0
    """Bytes that the device got back"""
    collected: int = 0
    """Those of them that the garbage collection gave back"""


@dataclass
class Memory(ABC):
    """What an allocator makes of a device: a model of PyTorch's does it, or PyTorch's own on a GPU."""

    limit: int
    """Bytes that it may take"""
    segments: list[Segment] = field(default_factory=list, kw_only=True)

    @property
    def reserved(self) -> int:
        return sum(segment.mapped for segment in self.segments)

    @property
    def allocated(self) -> int:
        return sum(total(segment.blocks, ALLOCATED) for segment in self.segments)

    @abstractmethod
    def malloc(self, asked: int, owner: int, stream: int = 0) -> Did:
        """Serve a request. Where the device has no more, the result has no block."""

    @abstractmethod
    def free(self, owner: int) -> Did: ...

    @abstractmethod
    def record_stream(self, owner: int, stream: int) -> None:
        """Another stream uses the block, too."""

    @abstractmethod
    def says(self, asked: int) -> str:
        """What torch says of a request that was not served."""


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
