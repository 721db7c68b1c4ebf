"""How taken slots stand together."""

from __future__ import annotations

import itertools

from labs.bits.hash_table.chained import Chained
from labs.bits.hash_table.table import Table
from labs.contract import Int32
from labs.models.arrays import ints


def clusters(table: Table) -> Int32:
    """For each slot the length of the run of taken slots around it, which may go over the end of the table; of a
    table with chains, the length of its chain."""
    if isinstance(table, Chained):
        return ints(map(len, table.chains))
    taken = [False] * table.slots
    for slot in [*table.tombstones, *(stored.slot for stored in table.entries())]:
        taken[slot] = True
    start = 0 if all(taken) else taken.index(False)  # a free slot, so that no run goes over the end
    runs: list[int] = []
    for busy, group in itertools.groupby(taken[start:] + taken[:start]):
        length = len([*group])
        runs += [length * busy] * length
    return ints(runs[-start:] + runs[:-start])
