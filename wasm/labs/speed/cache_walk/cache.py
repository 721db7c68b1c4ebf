"""A cache of sets and ways that throws out what was used longest ago, and why each of its misses happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from labs.contract import Int32


class Touch(IntEnum):
    """How a line was found, after Hill: what an endless, then a fully associative cache would have missed, too."""

    HIT = 0
    COMPULSORY = 1
    """It was never here before."""
    CAPACITY = 2
    """Lines that may lie anywhere would have thrown it out as well."""
    CONFLICT = 3
    """There was room, but not in its set."""


@dataclass
class Cache:
    """Lines are numbered by their place in memory; a line belongs to the set of its number modulo the sets."""

    sets: int
    ways: int
    rows: list[dict[int, int]] = field(init=False)
    """[sets] the way of each line, in order of its last use"""

    def __post_init__(self) -> None:
        self.rows = [{} for _ in range(self.sets)]

    def __contains__(self, line: int) -> bool:
        return line in self.rows[line % self.sets]

    def touch(self, line: int) -> bool:
        """Whether it was here; now it is."""
        row = self.rows[line % self.sets]
        way = row.pop(line, None)
        hit = way is not None
        if way is None:
            way = len(row) if len(row) < self.ways else row.pop(next(iter(row)))
        row[line] = way
        return hit

    def held(self) -> Int32:
        """[sets, ways] the line in each place, -1 where none is."""
        lines = np.full((self.sets, self.ways), -1, np.int32)
        for number, row in enumerate(self.rows):
            for line, way in row.items():
                lines[number, way] = line
        return lines

    def ages(self) -> Int32:
        """[sets, ways] 0 for the line of a set that was used last, 1 for the one before; -1 where none is."""
        ages = np.full((self.sets, self.ways), -1, np.int32)
        for number, row in enumerate(self.rows):
            for age, way in enumerate(reversed(row.values())):
                ages[number, way] = age
        return ages


@dataclass
class Judge:
    """A cache that says why it misses: it is compared with one of the same size whose lines may lie anywhere."""

    cache: Cache
    seen: set[int] = field(default_factory=set)
    anywhere: Cache = field(init=False)

    def __post_init__(self) -> None:
        self.anywhere = Cache(1, self.cache.sets * self.cache.ways)

    def touch(self, line: int) -> Touch:
        hit, fits = self.cache.touch(line), self.anywhere.touch(line)
        if hit:
            return Touch.HIT
        if line not in self.seen:
            self.seen.add(line)
            return Touch.COMPULSORY
        return Touch.CONFLICT if fits else Touch.CAPACITY


def hits(lines: Iterable[int], sets: int, ways: int) -> list[bool]:
    """Whether each touch of an empty cache finds its line."""
    return [*map(Cache(sets, ways).touch, lines)]
