"""What a picture says of the allocator: its segments and blocks as arrays, and what happened as a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labs.contract import Sentence, joined, say
from labs.models.allocator.blocks import FREE, MIB, SMALLEST, UNMAPPED, WAITING, Did, Segment, total
from labs.models.allocator.traces import Request


@dataclass
class Since:
    """What was done since the last picture."""

    served: int = 0
    freed: int = 0
    splits: int = 0
    merges: int = 0
    waiting: int = 0
    got: int = 0
    returned: int = 0
    collected: int = 0
    taken: int = -1
    """Where the last block that was taken begins, in units of 512 bytes"""
    last: Request = field(default_factory=lambda: Request(0, 0))

    def add(self, request: Request, did: Did) -> None:
        self.last = request
        self.served += bool(request.size)
        self.freed += not request.size
        self.splits += did.split
        self.merges += did.merged
        self.waiting += did.waits
        self.got += did.got
        self.returned += did.returned
        self.collected += did.collected
        if request.size:
            self.taken = did.block.start // SMALLEST if did.block else -1


def arrays(given: list[Segment], living: dict[int, Request]) -> dict[str, Any]:
    """The fields of an event that draw segments and blocks; what is not mapped is left out."""
    segments = [segment for segment in given if segment.mapped]
    blocks = [(n, b) for n, segment in enumerate(segments) for b in segment.blocks if b.state != UNMAPPED]
    owners = [living.get(b.owner) for _, b in blocks]
    return {
        "segments": [name(segment) for segment in segments],
        "streams": np.array([segment.stream for segment in segments], np.uint8),
        "segment_sizes": np.array([segment.mapped // SMALLEST for segment in segments], np.int32),
        "segment_of": np.array([n for n, _ in blocks], np.uint8),
        "starts": np.array([b.start // SMALLEST for _, b in blocks], np.int32),
        "sizes": np.array([b.size // SMALLEST for _, b in blocks], np.int32),
        "state": np.array([b.state for _, b in blocks], np.uint8),
        "group": np.array([owner.group if owner else 0 for owner in owners], np.uint8),
        "owners": [owner.name if owner else "" for owner in owners],
    }


def name(segment: Segment) -> str:
    if segment.expandable:
        return "expandable, small" if segment.small else "expandable"
    return "small" if segment.small else f"{mib(segment.mapped)} MiB"


def mib(size: int) -> str:
    return f"{size / MIB:,.2f}".rstrip("0").rstrip(".")


def free_blocks(segments: list[Segment]) -> list[int]:
    """Sizes of what can be reused at once, in both pools."""
    return [block.size for segment in segments for block in segment.blocks if block.state == FREE]


def waiting(segments: list[Segment]) -> int:
    return sum(total(segment.blocks, WAITING) for segment in segments)


def told(since: Since, failed: bool, largest: int, free: int) -> Sentence:
    request = since.last
    asked = say("{} needs {} MiB", request.name, mib(request.size))
    if failed:
        return say(
            "{}, and the request fails: {} MiB are free in segments, but the largest free block has {} MiB.",
            asked,
            mib(free),
            mib(largest),
        )
    if since.got:
        got = say("{}, and no free block is large enough: the device gives {} MiB", asked, mib(since.got))
        if since.collected:
            return say("{}, after getting back {} MiB of old free segments.", got, mib(since.collected))
        if since.returned:
            return say("{}, after getting back {} MiB of free segments.", got, mib(since.returned))
        return say("{}.", got)
    parts = [
        (since.served, say("1 request served from a free block"), "{} requests served from free blocks"),
        (since.freed, say("1 block freed"), "{} blocks freed"),
        (since.splits, say("1 split"), "{} splits"),
        (since.merges, say("1 merge"), "{} merges"),
        (since.waiting, say("1 block waits for another stream"), "{} blocks wait for another stream"),
    ]
    return say(
        "{}.", joined(", ", [one if count == 1 else say(many, count) for count, one, many in parts if count])
    )
