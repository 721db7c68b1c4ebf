"""Which buffers between kernels share memory: those that are not wanted at the same time.

In one pass over their lifetimes, as registers are allocated (Poletto and Sarkar, Linear Scan Register Allocation,
1999). There are as few rooms as can be; each is as large as the largest that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Wanted(NamedTuple):
    place: int
    """Of its address in the list that kernels get."""
    size: int
    """Bytes."""
    first: int
    """The kernel that writes it,"""
    last: int
    """and the last one that reads it."""


@dataclass
class Room:
    places: tuple[int, ...]
    size: int
    until: int


def rooms(buffers: Iterable[Wanted]) -> list[Room]:
    found: list[Room] = []
    for each in sorted(buffers, key=lambda it: it.first):
        if free := [room for room in found if room.until < each.first]:
            room = min(free, key=lambda it: abs(it.size - each.size))
            room.places, room.size, room.until = (*room.places, each.place), max(room.size, each.size), each.last
        else:
            found.append(Room((each.place,), each.size, each.last))
    return found
