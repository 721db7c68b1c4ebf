"""How many probes a table needs on average: of one table as it stands, and of many with other keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from labs.bits.hash_table.make import make
from labs.bits.hash_table.script import draw
from labs.bits.hash_table.table import Mistakes, Table
from labs.bits.hash_table.theory import Scheme
from labs.models.hashing.functions import Name, choose
from labs.models.hashing.keys import Key, Pattern

Floats = NDArray[np.float64]

SURVEYED = 1280  # slots of the many tables, all together
POINTS = 12  # loads at which many tables are measured
FEW = 8  # absent keys that are looked for in each of many tables


def hits(table: Table) -> float:
    """The mean number of probes to find a stored key, over all of them."""
    probes = [stored.probes for stored in table.entries()]
    return sum(probes) / len(probes) if probes else float("nan")


def misses(table: Table, absent: list[Key]) -> float:
    """The mean number of probes to learn that a key is not there."""
    probes = [looks for key in absent if (looks := table.to_miss(key))]
    return sum(probes) / len(probes) if probes else float("nan")


@dataclass(frozen=True)
class Kind:
    """What tables have in common whose keys and functions are drawn by different seeds."""

    scheme: Scheme
    slots: int
    mistakes: Mistakes
    hash: Name
    reduced: bool
    pattern: Pattern
    count: int
    """Of the keys."""

    def table(self, seed: int) -> Table:
        return make(self.scheme, self.slots, choose(self.hash, seed, self.reduced), self.mistakes)

    def keys(self, seed: int) -> tuple[list[Key], list[Key]]:
        return draw(self.pattern, self.scheme, self.slots, self.count, seed)


@lru_cache  # another seed, and a run that is repeated, have the same tables to be compared with
def many(kind: Kind) -> tuple[int, Floats, Floats, Floats]:
    """The number of tables; and at some counts of insertions the means over them: of the keys that are stored, of
    hits and of misses."""
    tables = SURVEYED // kind.slots
    at = sorted({max(1, round(kind.count * point / POINTS)) for point in range(1, POINTS + 1)})
    found = np.full((3, tables, len(at)), np.nan)
    for seed in range(tables):
        table, (stored, absent) = kind.table(seed), kind.keys(seed)
        done = 0
        for column, until in enumerate(at):
            for key in stored[done:until]:
                table.insert(key, 0)
            done = until
            found[:, seed, column] = table.count, hits(table), misses(table, absent[:FEW])
    filled, hit, miss = found.mean(axis=1)
    return tables, filled, hit, miss
