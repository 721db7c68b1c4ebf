"""Where segments begin: by a rule, as the reader says, or by dynamic programming over what the layers take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from native.models import chain_pieces
from native.pytorch.checkpointing.pictures import Policy, Segment


@dataclass(frozen=True)
class Sizes:
    """Of a chain whose layer n makes z[n], and of this h[n]. What is given counts zero bytes."""

    z: list[int]
    """[layers + 1] bytes; a gradient is as large as what it is the gradient of"""
    h: list[int]
    """[layers + 1] bytes; h[0] is the input"""
    work: list[int]
    """[layers + 1] operations of a layer's matrix product in forward"""

    @property
    def layers(self) -> int:
        return len(self.z) - 1

    def inside(self, start: int, stop: int) -> int:
        """What the layers of a segment save besides its input."""
        return sum(self.z[start + 1 : stop + 1]) + sum(self.h[start + 1 : stop])

    def held(self, segment: Segment) -> int:
        """What is left of it for backward."""
        inside = 0 if segment.checkpointed else self.inside(segment.start, segment.stop)
        return self.h[segment.start] + inside

    def most(self, segment: Segment) -> int:
        """The most bytes during its passes, besides what the segments before it hold."""
        start, stop = segment.start, segment.stop
        found = 0
        for n in range(start + 1, stop + 1):
            before = self.h[n - 1] if n - 1 > start else 0
            if segment.checkpointed:
                found = max(found, before + self.z[n], self.z[n] + self.h[n])
            else:
                found = max(found, self.inside(start, n) + self.h[n])
            left = self.h[-1] + self.inside(start, n)  # the result stays alive until backward ends
            arrives = self.h[n] if n < self.layers else 0  # the first gradient is given
            found = max(found, left + arrives + self.z[n])
            found = max(found, left + self.h[n - 1])  # dz has taken the place of z
        return self.h[start] + found


def sizes(widths: Sequence[int], rows: int, item: int) -> Sizes:
    bytes_ = [0, *(rows * width * item for width in widths[1:])]
    work = [0, *(2 * rows * a * b for a, b in pairwise(widths))]
    return Sizes(bytes_, bytes_, work)


def peak(plan: Sequence[Segment], of: Sizes) -> int:
    held = most = 0
    for each in plan:
        most = max(most, held + of.most(each))
        held += of.held(each)
    return most


def again(plan: Sequence[Segment], of: Sizes) -> int:
    """Operations that are done again: all products of a checkpointed segment."""
    return sum(sum(of.work[each.start + 1 : each.stop + 1]) for each in plan if each.checkpointed)


def every(layers: int, length: int) -> list[Segment]:
    return [Segment(at, min(at + length, layers), checkpointed=True) for at in range(0, layers, length)]


def chosen(text: str, layers: int) -> list[Segment]:
    """See ``chain_pieces.chosen``: lengths, with a k before those that keep everything."""
    found = chain_pieces.chosen(text, layers, {"": "input", "k": "all"}, "3 2 k2")
    return [Segment(each.start, each.stop, checkpointed=each.keeps == "input") for each in found]


def planned(policy: Policy, of: Sizes, length: int, segments: str = "") -> list[Segment]:
    match policy:
        case "yours":
            return chosen(segments, of.layers)
        case "every" | "selective":
            return every(of.layers, length)
        case "sqrt":
            return every(of.layers, round(math.sqrt(of.layers)))
        case "best":
            return best(of)
    return [Segment(0, of.layers, checkpointed=False)]


def best(of: Sizes) -> list[Segment]:
    """The lowest peak of all choices of segments, and of those with this peak one that computes least again."""
    steps = [Step(each, of.most(each), of.held(each), again([each], of)) for each in pieces(of.layers)]
    low, high = 0, peak([Segment(0, of.layers, checkpointed=False)], of)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if within(steps, of.layers, middle) else (middle + 1, high)
    found = within(steps, of.layers, low)
    assert found is not None
    return joined(found)


def pieces(layers: int) -> Iterator[Segment]:
    """What a plan is made of, by where it ends: any checkpoint, and a layer that keeps everything."""
    for stop in range(1, layers + 1):
        yield from (Segment(at, stop, True) for at in range(stop))
        yield Segment(stop - 1, stop, False)


@dataclass(frozen=True)
class Step:
    """A segment and what it takes, whatever the limit."""

    segment: Segment
    most: int
    held: int
    work: int


def within(steps: Sequence[Step], layers: int, limit: int) -> list[Segment] | None:
    """Segments that compute least again while no moment takes more than the limit. For each number of layers, it
    keeps the ways to get there that no other beats both in bytes held and in work done again."""
    ways: list[list[tuple[int, int, list[Segment]]]] = [[(0, 0, [])], *([] for _ in range(layers))]
    for stop, ending in groupby(steps, lambda step: step.segment.stop):
        found = []
        for step in ending:
            for before, done, plan in ways[step.segment.start]:
                if before + step.most <= limit:
                    found.append((done + step.work, before + step.held, [*plan, step.segment]))
        least = math.inf
        for done, held, plan in sorted(found, key=lambda each: each[:2]):
            if held < least:
                ways[stop].append((held, done, plan))
                least = held
    return min(ways[-1], key=lambda each: each[1])[2] if ways[-1] else None


def joined(plan: Sequence[Segment]) -> list[Segment]:
    """Neighbours that keep everything are one segment."""
    found: list[Segment] = []
    for each in plan:
        if found and not each.checkpointed and not found[-1].checkpointed:
            found[-1] = Segment(found[-1].start, each.stop, False)
        else:
            found.append(each)
    return found
