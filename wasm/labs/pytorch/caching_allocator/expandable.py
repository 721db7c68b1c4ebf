"""Segments that grow: addresses for more than the whole device, of which as many pages are mapped as are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.models.allocator.blocks import FREE, UNMAPPED, Block, Did, Segment, up

if TYPE_CHECKING:
    from labs.pytorch.caching_allocator.allocator import Allocator


def grow(allocator: Allocator, size: int, small: bool, stream: int, did: Did) -> tuple[Segment, Block] | None:
    """A free block of at least this size, made by mapping pages at the lowest address where it fits."""
    found = _place(allocator, size, small, stream)
    if not found:
        page = 2 << 20 if small else 20 << 20
        segment = allocator.new_segment(small, stream, up(allocator.limit + allocator.limit // 8, page))
        found = segment, segment.blocks[0]
    segment, block = found
    while block.state == UNMAPPED or block.size < size:
        n = segment.blocks.index(block)
        missing = size if block.state == UNMAPPED else size - block.size
        unmapped = block if block.state == UNMAPPED else segment.blocks[n + 1]
        pages = min(up(missing, segment.page), unmapped.size)
        if allocator.reserved + pages > allocator.limit:
            return None
        if pages < unmapped.size:
            segment.split(unmapped, pages)
        unmapped.state = FREE
        unmapped.counted = allocator.searches[small]
        block = segment.merge(unmapped)
        allocator.reserved += pages
        did.got += pages
    return segment, block


def _place(allocator: Allocator, size: int, small: bool, stream: int) -> tuple[Segment, Block] | None:
    """Where free and unmapped blocks lie beside one another and have room together."""
    for segment in allocator.segments:
        if (segment.small, segment.stream, segment.expandable) != (small, stream, True):
            continue
        for n, block in enumerate(segment.blocks):
            if block.state != UNMAPPED:
                continue
            first = n - 1 if n and segment.blocks[n - 1].state == FREE else n
            room = 0
            for each in segment.blocks[first:]:
                if each.state not in (FREE, UNMAPPED) or room >= size:
                    break
                room += each.size
            if room >= size:
                return segment, segment.blocks[first]
    return None


def shrink(segment: Segment) -> int:
    """Unmap the pages that lie in free blocks, and say how many bytes that was."""
    given = 0
    for block in [block for block in segment.blocks if block.state == FREE]:
        begin = segment.start + up(block.start - segment.start, segment.page)
        end = block.end - (block.end - segment.start) % segment.page
        if begin >= end:
            continue
        if begin > block.start:
            block = segment.split(block, begin - block.start)
        if end < block.end:
            segment.split(block, end - block.start)
        block.state = UNMAPPED
        given += block.size
        segment.merge(block)
    return given
