"""PyTorch's allocator for CUDA, as c10/cuda/CUDACachingAllocator.cpp (2.13) has it, over a device of bytes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from labs.models.allocator.blocks import (
    ALLOCATED,
    FREE,
    LARGE_SEGMENT,
    SMALL_REQUEST,
    SMALLEST,
    UNMAPPED,
    WAITING,
    Block,
    Did,
    Memory,
    Segment,
    rounded,
    segment_size,
    total,
)
from labs.pytorch.caching_allocator.expandable import grow, shrink

LAG = 40
"""Requests and frees by which the device is behind the processor: an event on another stream takes so long."""


@dataclass
class Allocator(Memory):
    expandable: bool = False
    max_split: int | None = None
    """Blocks of at least so many bytes are never split, and serve large requests alone"""
    threshold: float = 0.0
    """The share of the device above which blocks that were not used for long are given back; 0 for never"""
    clock: int = 0
    top: int = 0
    """The next address that the device gives"""
    searches: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    allocated: int = 0
    reserved: int = 0
    """Both are kept: to add up all blocks at each request takes longer than to serve it"""
    held: dict[int, tuple[Segment, Block]] = field(default_factory=dict)
    """What each owner has"""
    waiting: deque[tuple[Segment, Block]] = field(default_factory=deque)
    """Blocks that wait for another stream, those first that were freed first"""

    def malloc(self, asked: int, owner: int, stream: int = 0) -> Did:
        self.clock += 1
        self._process_events()
        did, size = Did(), rounded(asked)
        small = size <= SMALL_REQUEST
        found = self._search(size, small, stream)
        if not found:
            if self.threshold:
                self._collect(did)
            found = self._ask(size, small, stream, did)
        if not found and self.max_split is not None and self._release_oversize(size, small, stream, did):
            found = self._ask(size, small, stream, did)
        if not found:
            self._release_all(did)
            found = self._ask(size, small, stream, did)
        if not found:
            return did
        segment, block = found
        rest = block.size - size
        if small or self.expandable:
            did.split = rest >= SMALLEST
        else:
            did.split = rest > SMALL_REQUEST and not self._oversize(size)
        if did.split:
            segment.split(block, size).counted = self.searches[small]
        block.state, block.owner, block.asked, block.used_by = ALLOCATED, owner, asked, ()
        self.held[owner] = found
        self.allocated += block.size
        did.block = block
        return did

    def free(self, owner: int) -> Did:
        """Raises ``KeyError`` if the owner has nothing."""
        self.clock += 1
        segment, block = self.held.pop(owner)
        self.allocated -= block.size
        if block.used_by:
            block.state, block.ready = WAITING, self.clock + LAG
            self.waiting.append((segment, block))
            return Did(block, waits=True)
        return self._put_back(segment, block)

    def record_stream(self, owner: int, stream: int) -> None:
        """Another stream uses the block, so that it has to wait for that stream once it is freed."""
        segment, block = self.held[owner]
        if stream != segment.stream:
            block.used_by = (*block.used_by, stream)

    def says(self, asked: int) -> str:
        """What torch would say of a request that it cannot serve, without the advice that follows."""
        return (
            f"CUDA out of memory. Tried to allocate {amount(segment_size(rounded(asked)))}. GPU 0 has a total "
            f"capacity of {amount(self.limit)} of which {amount(self.limit - self.reserved)} is free. "
            f"Of the allocated memory {amount(self.allocated)} is allocated by PyTorch, and "
            f"{amount(self.reserved - self.allocated)} is reserved by PyTorch but unallocated."
        )

    def _oversize(self, size: int) -> bool:
        return self.max_split is not None and size >= self.max_split

    def _put_back(self, segment: Segment, block: Block) -> Did:
        count = len(segment.blocks)
        block.state, block.owner, block.asked, block.used_by = FREE, -1, 0, ()
        segment.merge(block).counted = self.searches[segment.small]
        return Did(block, merged=count - len(segment.blocks))

    def _process_events(self, everything: bool = False) -> None:
        while self.waiting and (everything or self.waiting[0][1].ready <= self.clock):
            self._put_back(*self.waiting.popleft())

    def _search(self, size: int, small: bool, stream: int) -> tuple[Segment, Block] | None:
        """The smallest free block of the pool and the stream that is large enough; the lowest of several."""
        self.searches[small] += 1
        fits = [each for each in self._pool(small, stream) if each[1].size >= size]
        if not fits:
            return None
        fits.sort(key=lambda each: (each[1].size, each[1].start))
        chosen = fits[0]
        for other in fits[1:]:  # a block that can grow counts with what it can grow into
            if not chosen[0].expandable or _room(*other) >= _room(*chosen):
                break
            chosen = other
        block = chosen[1]
        if self._oversize(block.size) and not self._oversize(size):
            return None
        if self._oversize(size) and block.size >= size + LARGE_SEGMENT:
            return None
        return chosen

    def _pool(self, small: bool, stream: int | None = None) -> list[tuple[Segment, Block]]:
        return [
            (segment, block)
            for segment in self.segments
            if segment.small == small and stream in (None, segment.stream)
            for block in segment.blocks
            if block.state == FREE
        ]

    def _ask(self, size: int, small: bool, stream: int, did: Did) -> tuple[Segment, Block] | None:
        if self.expandable:
            return grow(self, size, small, stream, did)
        wanted = segment_size(size)
        if self.reserved + wanted > self.limit:
            return None
        segment = self.new_segment(small, stream, wanted)
        self.reserved += wanted
        did.got += wanted
        return segment, segment.blocks[0]

    def new_segment(self, small: bool, stream: int, size: int) -> Segment:
        state = UNMAPPED if self.expandable else FREE
        segment = Segment(self.top, small, stream, self.expandable, [Block(self.top, size, state)])
        self.segments.append(segment)
        self.top += size
        return segment

    def _give_back(self, segment: Segment, did: Did) -> int:
        self.segments.remove(segment)
        return self._returned(segment.mapped, did)

    def _returned(self, size: int, did: Did) -> int:
        self.reserved -= size
        did.returned += size
        return size

    def _release_oversize(self, size: int, small: bool, stream: int, did: Did) -> bool:
        """One cached block that is large enough, or several that are never split, the largest first."""
        wanted = max(size, self.max_split or 0)
        whole = [
            (segment, block)
            for segment, block in self._pool(small, stream)
            if self._oversize(block.size) and len(segment.blocks) == 1
        ]
        whole.sort(key=lambda each: (each[1].size, each[1].start))
        fits = [segment for segment, block in whole if block.size >= wanted and not segment.expandable]
        if fits:
            self._give_back(fits[0], did)
            return True
        released = 0
        while released < wanted and whole and not whole[-1][0].expandable:
            released += self._give_back(whole.pop()[0], did)
        return released >= wanted

    def _release_all(self, did: Did) -> None:
        """Wait for the device, and give it back every segment that is one free block, and every free page."""
        self._process_events(everything=True)
        for segment in [*self.segments]:
            if segment.expandable:
                self._returned(shrink(segment), did)
                if len(segment.blocks) == 1 and segment.blocks[0].state == UNMAPPED:
                    self.segments.remove(segment)
            elif len(segment.blocks) == 1 and segment.blocks[0].state == FREE:
                self._give_back(segment, did)

    def _collect(self, did: Did) -> None:
        """Above the threshold, give back whole free segments of the large pool that are older than the average."""
        target = self.reserved - int(self.threshold * self.limit)
        ages = {
            segment: self.searches[False] - block.counted
            for segment, block in self._pool(small=False)
            if len(segment.blocks) == 1 and not segment.expandable
        }
        collected, before = 0, -1
        while target > 0 and collected < target and ages and collected != before:
            before, oldest = collected, sum(ages.values()) / len(ages)
            for segment in [segment for segment, age in ages.items() if age >= oldest]:
                collected += self._give_back(segment, did)
                del ages[segment]
        did.collected += collected


def _room(segment: Segment, block: Block) -> int:
    after = segment.blocks[segment.blocks.index(block) + 1 :][:1]
    return block.size + total(after, UNMAPPED)


def amount(size: int) -> str:
    """As torch's ``format_size`` writes it."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size > unit:
            return f"{size / unit:.2f} {name}"
    return f"{size} bytes"
