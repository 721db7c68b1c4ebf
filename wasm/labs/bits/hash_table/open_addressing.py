"""Open addressing: entries stand in the slots themselves, and a taken slot sends the search on.

The three kinds differ only in where it goes next. Linear: to the neighbour. Quadratic: 1, then 2, then 3 further,
in all 1, 3, 6, …, which visits every slot if their number is a power of two. Double: by a step that a second
function takes from the key, made coprime to the number of slots, so that it too visits every slot.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Literal

from labs.bits.hash_table.table import Entry, Mistakes, Probe, Stored, Table, Trace
from labs.models.hashing.functions import HashFunction
from labs.models.hashing.keys import Key

Probing = Literal["linear", "quadratic", "double"]
TOMBSTONE = "tombstone"


class OpenAddressing(Table):
    def __init__(
        self, slots: int, function: HashFunction, mistakes: Mistakes | None = None, probing: Probing = "linear"
    ) -> None:
        super().__init__(slots, function, mistakes)
        self.probing = probing
        self.cells: list[Entry | str | None] = [None] * slots

    @property
    def tombstones(self) -> list[int]:
        return [slot for slot, cell in enumerate(self.cells) if cell is TOMBSTONE]

    def step(self, key: Key) -> int:
        """Of double hashing: from what the home slot leaves out of the key, where division is used."""
        step = 1 + key.number // self.slots % (self.slots - 1)
        while math.gcd(step, self.slots) > 1:
            step += 1
        return step

    def path(self, key: Key, home: int) -> Iterator[int]:
        """The slots to look at, one after the other."""
        away: Iterable[int] = range(self.slots)
        if self.probing == "quadratic":
            away = itertools.accumulate(away)
        elif self.probing == "double":
            step = self.step(key)
            away = range(0, step * self.slots, step)
        return ((home + each) % self.slots for each in away)

    def walk(self, key: Key) -> tuple[Trace, int | None]:
        """Along the key's slots to the key or a free slot; and the first slot where it could be put."""
        trace, room = Trace(), None
        home = self.home(key)
        if why := self.outside(home):
            return trace.refuse(why), None
        for slot in self.path(key, home):
            cell = self.cells[slot]
            if cell is None:
                trace.probes.append(Probe(slot, "free"))
                return trace, slot if room is None else room
            if cell is TOMBSTONE:
                trace.probes.append(Probe(slot, "tombstone"))
                room = slot if room is None else room
            elif isinstance(cell, Entry):
                match = cell.key.number == key.number
                trace.probes.append(Probe(slot, "match" if match else "other", cell.key.name))
                if match:
                    return trace, slot
        return trace, room

    def insert(self, key: Key, value: int) -> Trace:
        trace, slot = self.walk_blindly(key) if self.mistakes.blind else self.walk(key)
        if trace.outcome == "refused":
            return trace
        if slot is None:
            return trace.end("dropped" if self.mistakes.drop else "full")
        cell = self.cells[slot]
        if isinstance(cell, Entry):
            cell.value = value
            return trace.end("updated", slot)
        probes = 1 + [probe.slot for probe in trace.probes].index(slot)
        self.cells[slot] = Entry(key, value, self.home(key), probes)
        self.count += 1
        return trace.end("stored", slot)

    def walk_blindly(self, key: Key) -> tuple[Trace, int | None]:
        """Mistake: to the first slot with room, whether or not the key is there already."""
        trace = Trace()
        home = self.home(key)
        if why := self.outside(home):
            return trace.refuse(why), None
        for slot in self.path(key, home):
            cell = self.cells[slot]
            if not isinstance(cell, Entry):
                trace.probes.append(Probe(slot, "tombstone" if cell is TOMBSTONE else "free"))
                return trace, slot
            trace.probes.append(Probe(slot, "other", cell.key.name))
        return trace, None

    def search(self, key: Key) -> Trace:
        trace, slot = self.walk(key)
        cell = None if slot is None else self.cells[slot]
        return trace.end("found", slot, cell.value) if isinstance(cell, Entry) else trace

    def to_miss(self, key: Key) -> int:
        home = self.home(key)
        if self.outside(home):
            return 0
        for probes, slot in enumerate(self.path(key, home), 1):
            if self.cells[slot] is None:
                return probes
        return self.slots

    def delete(self, key: Key) -> Trace:
        trace, slot = self.walk(key)
        if slot is None or not isinstance(self.cells[slot], Entry):
            return trace
        self.cells[slot] = None if self.mistakes.forget else TOMBSTONE
        self.count -= 1
        return trace.end("removed", slot)

    def entries(self) -> list[Stored]:
        return [Stored(cell, slot, cell.probes) for slot, cell in enumerate(self.cells) if isinstance(cell, Entry)]
