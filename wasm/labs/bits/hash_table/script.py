"""What is done to a table: fill it, write one key again, look for keys that are there and for some that are not,
delete, and look again where a deletion could do harm. A plain ``dict`` goes along and knows every right answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labs.bits.hash_table.make import grown
from labs.bits.hash_table.table import Table, Trace
from labs.bits.hash_table.theory import Scheme
from labs.models.hashing.keys import Key, Pattern, stream

Stage = Literal["insert", "grow", "update", "find", "miss", "delete", "again", "reuse"]

ABSENT = 16  # keys that are never inserted while the table fills
LOOKS = 4  # keys looked for in each stage
DELETES = 3
ENOUGH = 3  # keys that were not stored: no more of them are tried
SMALLEST = 8  # slots of a table that is to grow


@dataclass(frozen=True)
class Done:
    """One operation: on which key, what came of it, and what a ``dict`` says."""

    stage: Stage
    key: Key | None
    trace: Trace
    before: Table
    table: Table
    right: bool
    truth: int | None


class Script:
    """Plays the operations on a table. ``limit`` is the load, in percent, above which it grows."""

    def __init__(self, table: Table, scheme: Scheme, keys: list[Key], absent: list[Key], limit: int | None) -> None:
        self.table, self.scheme, self.limit = table, scheme, limit
        self.keys, self.missing = keys, absent
        self.truth: dict[int, int] = {}
        self.value = 0

    def fill(self) -> Iterator[Done]:
        failures = 0
        for key in self.keys:
            for done in self.insert("insert", key):
                yield done
                failures += done.trace.outcome in ("full", "dropped", "refused")
            if failures == ENOUGH:
                break

    def work(self) -> Iterator[Done]:
        """What comes after the filling."""
        there = self.present()
        if there:
            yield from self.insert("update", there[len(there) // 2])
        for key in spread(there, LOOKS):
            yield self.search("find", key)
        for key in self.missing[:LOOKS]:
            yield self.search("miss", key)
        doomed = self.crossed(DELETES)
        behind = self.behind(doomed)
        for key in doomed:
            yield self.delete(key)
        for key in [*behind[:LOOKS], *doomed[:1]]:
            yield self.search("again", key)
        if self.missing:
            yield from self.insert("reuse", max(self.missing, key=self.tombstones_on_the_way))

    def present(self) -> list[Key]:
        return list({key.number: key for key in self.keys if key.number in self.truth}.values())

    def insert(self, stage: Stage, key: Key) -> Iterator[Done]:
        if self.must_grow(key):
            before, self.table = self.table, grown(self.table, self.scheme, 2 * self.table.slots)
            yield Done("grow", None, Trace(outcome="stored"), before, self.table, True, None)
        self.value += 1
        trace = self.table.insert(key, self.value)
        if trace.outcome in ("stored", "updated"):
            self.truth[key.number] = self.value
        right = trace.outcome != "dropped"
        yield Done(stage, key, trace, self.table, self.table, right, None)
        if trace.outcome == "dropped":  # nobody was told, so the caller believes that it is there
            self.truth[key.number] = self.value

    def must_grow(self, key: Key) -> bool:
        if self.limit is None or key.number in self.truth:
            return False
        taken = self.table.count + len(self.table.tombstones) + 1
        return 100 * taken > self.limit * self.table.slots

    def search(self, stage: Stage, key: Key) -> Done:
        trace = self.table.search(key)
        truth = self.truth.get(key.number)
        return Done(stage, key, trace, self.table, self.table, trace.value == truth, truth)

    def delete(self, key: Key) -> Done:
        trace = self.table.delete(key)
        truth = self.truth.pop(key.number, None)
        return Done("delete", key, trace, self.table, self.table, trace.outcome == "removed", truth)

    def tombstones_on_the_way(self, key: Key) -> int:
        return sum(probe.saw == "tombstone" for probe in self.table.search(key).probes)

    def crossed(self, count: int) -> list[Key]:
        """The keys whose slots the most other keys must pass."""
        slots = {stored.entry.key.number: stored.slot for stored in self.table.entries()}
        there = [key for key in self.present() if key.number in slots]
        passed: dict[int, int] = {}
        for key in there:
            for probe in self.table.search(key).probes[:-1]:
                passed[probe.slot] = passed.get(probe.slot, 0) + 1
        return sorted(there, key=lambda key: -passed.get(slots[key.number], 0))[:count]

    def behind(self, doomed: list[Key]) -> list[Key]:
        """The keys that a search finds only by passing one of the doomed, and some others if they are few."""
        gone = {key.number for key in doomed}
        slots = {stored.slot for stored in self.table.entries() if stored.entry.key.number in gone}
        rest = [key for key in self.present() if key.number not in gone]
        return sorted(
            rest, key=lambda key: not any(probe.slot in slots for probe in self.table.search(key).probes[:-1])
        )


def spread(keys: list[Key], count: int) -> list[Key]:
    """Some keys, evenly out of all."""
    return [keys[len(keys) * i // count] for i in range(min(count, len(keys)))]


def draw(pattern: Pattern, scheme: Scheme, slots: int, count: int, seed: int) -> tuple[list[Key], list[Key]]:
    """The keys to insert, and as many as are needed that are not among them."""
    source = stream(pattern, slots, seed)
    keys = list(itertools.islice(source, count))
    if scheme == "direct":  # an underscore is not among a to z, and two below a
        below = Key(-2, "_" if pattern == "letters" else "-2")
        return keys, [below, *(Key(slots + more, str(slots + more)) for more in (0, 7))]
    if pattern == "zipf":
        source = stream("random", slots, seed + 1)
    there = {key.number for key in keys}
    return keys, list(itertools.islice((key for key in source if key.number not in there), ABSENT))
