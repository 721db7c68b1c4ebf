"""A table by the name of its scheme, and the same table with more slots."""

from __future__ import annotations

from labs.bits.hash_table.chained import Chained
from labs.bits.hash_table.direct import Direct
from labs.bits.hash_table.open_addressing import OpenAddressing
from labs.bits.hash_table.robin_hood import RobinHood
from labs.bits.hash_table.table import Mistakes, Table
from labs.bits.hash_table.theory import Scheme
from labs.models.hashing.functions import HashFunction


def make(scheme: Scheme, slots: int, function: HashFunction, mistakes: Mistakes | None = None) -> Table:
    if scheme == "direct":
        return Direct(slots, function, mistakes)
    if scheme == "chaining":
        return Chained(slots, function, mistakes)
    if scheme == "robin_hood":
        return RobinHood(slots, function, mistakes)
    return OpenAddressing(slots, function, mistakes, scheme)


def grown(table: Table, scheme: Scheme, slots: int) -> Table:
    """Another number of slots is another slot for nearly every key: each entry is inserted again."""
    larger = make(scheme, slots, table.function, table.mistakes)
    for stored in table.entries():
        larger.insert(stored.entry.key, stored.entry.value)
    return larger
