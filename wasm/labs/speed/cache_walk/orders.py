"""How often a cache misses with the loops in each order, over the whole walk at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from labs.contract import Int32
from labs.models.arrays import ints
from labs.models.matmul import Memory, Order, nest
from labs.speed.cache_walk.cache import hits


@dataclass(frozen=True)
class Compared:
    """What the cache misses with the loops in one order."""

    order: Order
    misses: Int32
    """[3] of A, B and C"""
    tiled: Int32
    """[3] the same in tiles"""


def compare(order: Order, tile: int, memory: Memory, sets: int, ways: int) -> Compared:
    whole, tiled = (misses(order, edge, memory, sets, ways) for edge in (memory.n, tile))
    return Compared(order, ints(whole), ints(tiled))


@lru_cache  # they are the same whichever order is shown, and however
def misses(order: Order, edge: int, memory: Memory, sets: int, ways: int) -> list[int]:
    """Of A, B and C."""
    walk = nest(order, memory.n, edge)
    found = hits(memory.lines_of(memory.places(walk)).ravel(), sets, ways)
    missed: list[int] = np.count_nonzero(~found.reshape(-1, 3), axis=0).tolist()
    return missed
