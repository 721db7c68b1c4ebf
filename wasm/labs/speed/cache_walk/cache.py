"""A cache of sets and ways that throws out what was used longest ago, and why each of its misses happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labs.contract import Int32, Uint8


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

    def touch(self, line: int) -> None:
        """Wherever it was, now it is here, and the last one that was used."""
        row = self.rows[line % self.sets]
        way = row.pop(line, None)
        if way is None:
            way = len(row) if len(row) < self.ways else row.pop(next(iter(row)))
        row[line] = way

    def held(self) -> Int32:
        """[sets, ways] the line in each place, -1 where none is."""
        lines = [[-1] * self.ways for _ in range(self.sets)]
        for places, row in zip(lines, self.rows, strict=True):
            for line, way in row.items():
                places[way] = line
        return np.array(lines, np.int32)

    def ages(self) -> Int32:
        """[sets, ways] 0 for the line of a set that was used last, 1 for the one before; -1 where none is."""
        ages = [[-1] * self.ways for _ in range(self.sets)]
        for places, row in zip(ages, self.rows, strict=True):
            for age, way in enumerate(reversed(row.values())):
                places[way] = age
        return np.array(ages, np.int32)


def judged(lines: ArrayLike, sets: int, ways: int) -> Uint8:
    """[touches] how an empty cache finds each line, as a ``Touch``: one of the same size whose lines may lie where
    they like tells why it misses."""
    first = before(np.asarray(lines, np.int16)) < 0
    how = [hits(lines, sets, ways), first, hits(lines, 1, sets * ways)]
    return np.select(how, [Touch.HIT, Touch.COMPULSORY, Touch.CONFLICT], Touch.CAPACITY).astype(np.uint8)


def stirring(lines: NDArray[np.integer], sets: int) -> NDArray[np.intp]:
    """The touches that change a cache: those of another line than the set was last touched for."""
    touches = np.argsort(lines % sets, kind="stable")
    other = np.diff(lines[touches], prepend=-1) != 0
    return np.sort(touches[other])


def hits(lines: ArrayLike, sets: int, ways: int) -> NDArray[np.bool]:
    """Whether each touch of an empty cache finds its line, as a ``Cache`` would say, but of all touches at once.

    Sorted by their sets, touches are known by their places. Think of the lines of a set in the order of their last
    touches: a touch brings its line to the front and pushes back, by one, each that was touched since it was. It
    hits unless the last line that there is room for was touched since, too. What an earlier set has left behind
    was touched before, so it does no harm.
    """
    lines = np.asarray(lines, np.int16)  # NumPy sorts so few bits by counting
    touches = np.argsort(lines % sets, kind="stable")
    since = before(lines[touches])
    last = np.arange(-1, len(lines) - 1)  # when the first line in that order was touched, as each touch finds it
    for _ in range(ways - 1):  # then the second, …
        pushed = np.where(last > since, last, -1)
        last = np.append(-1, np.maximum.accumulate(pushed)[:-1])
    found = np.empty(len(lines), bool)
    found[touches] = (since >= 0) & (since >= last)
    return found


def before(lines: NDArray[Any]) -> NDArray[np.intp]:
    """When each line was touched the time before; -1 at its first touch."""
    by_line = np.argsort(lines, kind="stable")
    again = np.diff(lines[by_line]) == 0
    found = np.full(len(lines), -1)
    found[by_line[1:][again]] = by_line[:-1][again]
    return found
