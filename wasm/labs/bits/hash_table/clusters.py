"""How taken slots stand together."""

from __future__ import annotations

import numpy as np

from labs.bits.hash_table.chained import Chained
from labs.bits.hash_table.table import Table
from labs.contract import Int32


def clusters(table: Table) -> Int32:
    """For each slot the length of the run of taken slots around it, which may go over the end of the table; of a
    table with chains, the length of its chain."""
    taken = np.zeros(table.slots, np.int32)
    for stored in table.entries():
        taken[stored.slot] += 1
    if isinstance(table, Chained):
        return taken
    taken[table.tombstones] = 1
    if taken.all():
        return np.full(table.slots, table.slots, np.int32)
    start = int(np.argmin(taken))  # a free slot, so that no run goes over the end
    line = np.roll(taken, -start)
    edges = np.diff(np.concatenate(([0], line, [0])))
    for begin, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        line[begin:end] = end - begin
    return np.roll(line, start)
