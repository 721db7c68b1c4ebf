"""How many probes a table needs on average: of one table as it stands, and of many with other keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from labs.bits.hash_table.table import Table
from labs.models.hashing.keys import Key

POINTS = 12  # loads at which many tables are measured
FEW = 8  # absent keys that are looked for in each of many tables


def hits(table: Table) -> float:
    """The mean number of probes to find a stored key, over all of them."""
    probes = [stored.probes for stored in table.entries()]
    return sum(probes) / len(probes) if probes else float("nan")


def misses(table: Table, absent: list[Key]) -> float:
    """The mean number of probes to learn that a key is not there."""
    probes = [len(trace.probes) for key in absent if (trace := table.search(key)).probes]
    return sum(probes) / len(probes) if probes else float("nan")


def many(
    new: Callable[[int], Table],
    keys: Callable[[int], tuple[list[Key], list[Key]]],
    count: int,
    tables: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Over several tables, at some counts of insertions: [counts] how many keys are stored on average, and
    [tables, counts] the means of hits and of misses."""
    at = sorted({max(1, round(count * point / POINTS)) for point in range(1, POINTS + 1)})
    filled, found, missed = (np.full((tables, len(at)), np.nan) for _ in range(3))
    for seed in range(tables):
        table, (stored, absent) = new(seed), keys(seed)
        done = 0
        for column, until in enumerate(at):
            for key in stored[done:until]:
                table.insert(key, 0)
            done = until
            filled[seed, column] = table.count
            found[seed, column], missed[seed, column] = hits(table), misses(table, absent[:FEW])
    return filled.mean(axis=0), found, missed
