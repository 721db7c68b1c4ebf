"""Robin Hood hashing: linear probing in which who has come further takes the slot, and the other moves on.

In a run of taken slots the entries then stand in the order of their homes. A search may stop as soon as it meets an
entry nearer to home than it has come itself, and a delete shifts the rest of the run back instead of leaving a
tombstone.
"""

from __future__ import annotations

from labs.bits.hash_table.table import Entry, Mistakes, Probe, Stored, Table, Trace
from labs.models.hashing.functions import HashFunction
from labs.models.hashing.keys import Key


class RobinHood(Table):
    def __init__(self, slots: int, function: HashFunction, mistakes: Mistakes | None = None) -> None:
        super().__init__(slots, function, mistakes)
        self.cells: list[Entry | None] = [None] * slots

    def distance(self, entry: Entry, slot: int) -> int:
        return (slot - entry.home) % self.slots

    def walk(self, key: Key, compare: bool = True) -> tuple[Trace, int | None]:
        """To the key, or to the slot that would be its own; none where every slot was looked at in vain."""
        trace = Trace()
        home = self.home(key)
        if why := self.outside(home):
            return trace.refuse(why), None
        for away in range(self.slots):
            slot = (home + away) % self.slots
            cell = self.cells[slot]
            if cell is None:
                trace.probes.append(Probe(slot, "free"))
                return trace, slot
            if compare and cell.key.number == key.number:
                trace.probes.append(Probe(slot, "match", cell.key.name))
                return trace, slot
            if self.distance(cell, slot) < away:
                trace.probes.append(Probe(slot, "nearer", cell.key.name))
                return trace, slot
            trace.probes.append(Probe(slot, "other", cell.key.name))
        return trace, None

    def insert(self, key: Key, value: int) -> Trace:
        trace, slot = self.walk(key, compare=not self.mistakes.blind)
        if trace.outcome == "refused":
            return trace
        if trace.probes[-1].saw == "match" and slot is not None and (same := self.cells[slot]):
            same.value = value
            return trace.end("updated", slot)
        if slot is None or self.count == self.slots:
            return trace.end("dropped" if self.mistakes.drop else "full")
        self.count += 1
        carried: Entry | None = Entry(key, value, self.home(key))
        at = slot
        while carried:  # entries from here on give way by one slot each, up to the first free one
            carried, self.cells[at] = self.cells[at], carried
            if carried:
                trace.moved += 1
            at = (at + 1) % self.slots
        return trace.end("stored", slot)

    def search(self, key: Key) -> Trace:
        trace, slot = self.walk(key)
        if trace.outcome == "refused" or slot is None or trace.probes[-1].saw != "match":
            return trace
        cell = self.cells[slot]
        return trace.end("found", slot, cell.value if cell else None)

    def to_miss(self, key: Key) -> int:
        home = self.home(key)
        if self.outside(home):
            return 0
        for away in range(self.slots):
            slot = (home + away) % self.slots
            cell = self.cells[slot]
            if cell is None or self.distance(cell, slot) < away:
                return away + 1
        return self.slots

    def delete(self, key: Key) -> Trace:
        trace, slot = self.walk(key)
        if trace.outcome == "refused" or slot is None or trace.probes[-1].saw != "match":
            return trace
        self.count -= 1
        self.cells[slot] = None
        if not self.mistakes.forget:
            trace.moved = self.shift_back(slot)
        return trace.end("removed", slot)

    def shift_back(self, hole: int) -> int:
        """Each entry after the hole that is not at home moves one slot back; the count of them."""
        moved = 0
        after = (hole + 1) % self.slots
        while (cell := self.cells[after]) and self.distance(cell, after):
            self.cells[hole], self.cells[after] = cell, None
            hole, after = after, (after + 1) % self.slots
            moved += 1
        return moved

    def entries(self) -> list[Stored]:
        return [Stored(cell, slot, self.distance(cell, slot) + 1) for slot, cell in enumerate(self.cells) if cell]
