"""Four ways to serve requests for memory from memory that is kept: where each buffer lies, and what is reserved.

A pool asks the system when it has nothing that fits, and never returns anything to it: what is given back waits for
the next request. Addresses count from the first byte that the pool was ever given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal, Protocol

from labs.tensors.buffer_pool.trace import LINE, Buffer

Policy = Literal["no reuse", "powers of two", "best fit", "arena"]
POLICIES: tuple[Policy, ...] = ("no reuse", "powers of two", "best fit", "arena")


@dataclass(frozen=True)
class Place:
    start: int
    held: int
    """Bytes that nobody else can have meanwhile, at least as many as were asked for."""
    hit: bool
    """Served from what the pool had."""


class Pool(Protocol):
    reserved: int
    """Bytes that the system has given."""

    def take(self, number: int, size: int) -> Place: ...

    def give(self, number: int, place: Place) -> None: ...


class NoReuse:
    """Takes new memory for each request."""

    def __init__(self) -> None:
        self.reserved = 0

    def take(self, number: int, size: int) -> Place:
        start, self.reserved = self.reserved, self.reserved + size
        return Place(start, size, hit=False)

    def give(self, number: int, place: Place) -> None:
        """Nobody ever has it again."""


class PowersOfTwo(NoReuse):
    """Rounds each request up to a power of two, and keeps a stack of free blocks for each."""

    def __init__(self) -> None:
        super().__init__()
        self.free: dict[int, list[int]] = {}

    def take(self, number: int, size: int) -> Place:
        held = 1 << (size - 1).bit_length()
        if starts := self.free.get(held):
            return Place(starts.pop(), held, hit=True)
        return super().take(number, held)

    def give(self, number: int, place: Place) -> None:
        self.free.setdefault(place.held, []).append(place.start)


class BestFit:
    """Takes the smallest free block that is large enough; what it does not need of it stays free, if it ``splits``.

    Free blocks that lie side by side become one, unless the system gave them at different times.
    """

    def __init__(self, splits: bool = True) -> None:
        self.reserved = 0
        self.splits = splits
        self.free: dict[int, int] = {}  # sizes by starts
        self.borders: set[int] = {0}

    def take(self, number: int, size: int) -> Place:
        fitting = [(held, start) for start, held in self.free.items() if held >= size]
        if not fitting:
            start, self.reserved = self.reserved, self.reserved + size
            self.borders.add(self.reserved)
            return Place(start, size, hit=False)
        held, start = min(fitting)
        del self.free[start]
        if self.splits and held > size:
            self.free[start + size] = held - size
            held = size
        return Place(start, held, hit=True)

    def give(self, number: int, place: Place) -> None:
        self.free[place.start] = place.held
        if not self.splits:
            return
        for right, left in pairwise(sorted(self.free, reverse=True)):  # from the end: what was joined is joined on
            if left + self.free[left] == right and right not in self.borders:
                self.free[left] += self.free.pop(right)


class Arena:
    """Knows all lifetimes beforehand, and asks the system once.

    The largest buffers are placed first, each at the lowest address where it meets none that lives at the same
    time: "greedy by size" of Pisarchyk and Lee (2020).
    """

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.starts = plan(buffers)
        self.reserved = max((self.starts[n] + each.size for n, each in enumerate(buffers)), default=0)

    def take(self, number: int, size: int) -> Place:
        return Place(self.starts[number], size, hit=number > 0)

    def give(self, number: int, place: Place) -> None:
        """It was planned who comes next."""


def plan(buffers: Sequence[Buffer]) -> list[int]:
    """[buffers] where each begins, bytes."""
    starts: dict[int, int] = {}
    for n in sorted(range(len(buffers)), key=lambda n: (-buffers[n].size, buffers[n].born)):
        start = 0
        taken = sorted((starts[other], buffers[other].size) for other in starts if buffers[n].meets(buffers[other]))
        for begin, size in taken:
            if start + buffers[n].size <= begin:
                break
            start = max(start, begin + size)
        starts[n] = start
    return [starts[n] for n in range(len(buffers))]


def pool(policy: Policy, buffers: Sequence[Buffer], splits: bool) -> Pool:
    match policy:
        case "no reuse":
            return NoReuse()
        case "powers of two":
            return PowersOfTwo()
        case "best fit":
            return BestFit(splits)
        case "arena":
            return Arena(buffers)


@dataclass(frozen=True)
class Served:
    """All requests, served by one pool."""

    places: list[Place]
    reserved: list[int]
    """[requests] bytes after each"""


def serve(pool: Pool, buffers: Sequence[Buffer]) -> Served:
    """``buffers`` in the order in which they are asked for."""
    places: list[Place] = []
    reserved: list[int] = []
    given_back = by_death(buffers)
    for n, buffer in enumerate(buffers):
        for gone in given_back[n]:
            pool.give(gone, places[gone])
        places.append(pool.take(n, buffer.size))
        reserved.append(pool.reserved)
    return Served(places, reserved)


def by_death(buffers: Sequence[Buffer]) -> defaultdict[int | None, list[int]]:
    """Those that are given back just before the request of each moment."""
    gone = defaultdict[int | None, list[int]](list)
    for n, each in enumerate(buffers):
        gone[each.died].append(n)
    return gone


def live(buffers: Sequence[Buffer]) -> list[int]:
    """[requests] bytes alive after each. The largest is a bound: no pool can do with less."""
    given_back = by_death(buffers)
    change = (each.size - sum(buffers[gone].size for gone in given_back[n]) for n, each in enumerate(buffers))
    return [*accumulate(change)]


assert LINE & (LINE - 1) == 0  # else a power of two could be smaller than what it is rounded from
