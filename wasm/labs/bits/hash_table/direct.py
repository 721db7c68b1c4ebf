"""Direct addressing: the key is the slot. No function, no collision, and a slot for every key that could come."""

from __future__ import annotations

from labs.bits.hash_table.table import Entry, Mistakes, Probe, Stored, Table, Trace
from labs.models.hashing.functions import HashFunction
from labs.models.hashing.keys import Key


class Direct(Table):
    def __init__(self, slots: int, function: HashFunction, mistakes: Mistakes | None = None) -> None:
        super().__init__(slots, function, mistakes)
        self.cells: list[Entry | None] = [None] * slots

    def home(self, key: Key) -> int:
        """A Python list takes a negative index for one from the end: without a check, −2 is the last but one."""
        if self.mistakes.unchecked and -self.slots <= key.number < 0:
            return key.number + self.slots
        return key.number

    def look(self, key: Key) -> tuple[Trace, int]:
        """One look. Nothing is compared: whatever is in the slot is taken for the key."""
        trace = Trace()
        home = self.home(key)
        if self.outside(home):
            return trace.refuse(f"there is no slot {key.number}: the table has the slots 0 to {self.slots - 1}"), 0
        entry = self.cells[home]
        trace.probes.append(Probe(home, "match", entry.key.name) if entry else Probe(home, "free"))
        return trace, home

    def insert(self, key: Key, value: int) -> Trace:
        trace, home = self.look(key)
        if trace.outcome == "refused":
            return trace
        before = self.cells[home]
        self.cells[home] = Entry(key, value, home)
        self.count += before is None
        return trace.end("updated" if before else "stored", home)

    def search(self, key: Key) -> Trace:
        trace, home = self.look(key)
        if trace.outcome == "refused" or (entry := self.cells[home]) is None:
            return trace
        return trace.end("found", home, entry.value)

    def to_miss(self, key: Key) -> int:
        return 0 if self.outside(self.home(key)) else 1

    def delete(self, key: Key) -> Trace:
        trace, home = self.look(key)
        if trace.outcome == "refused" or self.cells[home] is None:
            return trace
        self.cells[home] = None
        self.count -= 1
        return trace.end("removed", home)

    def entries(self) -> list[Stored]:
        return [Stored(entry, slot, 1) for slot, entry in enumerate(self.cells) if entry]
