"""Separate chaining: a slot holds a list of all entries that hash there."""

from __future__ import annotations

from labs.bits.hash_table.table import Entry, Mistakes, Probe, Stored, Table, Trace
from labs.models.hashing.functions import HashFunction
from labs.models.hashing.keys import Key


class Chained(Table):
    def __init__(self, slots: int, function: HashFunction, mistakes: Mistakes | None = None) -> None:
        super().__init__(slots, function, mistakes)
        self.chains: list[list[Entry]] = [[] for _ in range(slots)]

    def walk(self, key: Key) -> tuple[Trace, Entry | None]:
        """Along the chain to the key, or to its end. An empty chain costs one look as well."""
        trace = Trace()
        home = self.home(key)
        if why := self.outside(home):
            return trace.refuse(why), None
        for depth, entry in enumerate(self.chains[home]):
            match = entry.key.number == key.number
            trace.probes.append(Probe(home, "match" if match else "other", entry.key.name, depth))
            if match:
                return trace, entry
        if not trace.probes:
            trace.probes.append(Probe(home, "free"))
        return trace, None

    def insert(self, key: Key, value: int) -> Trace:
        home = self.home(key)
        trace, entry = (Trace(), None) if self.mistakes.blind and not self.outside(home) else self.walk(key)
        if trace.outcome == "refused":
            return trace
        if entry:
            entry.value = value
            return trace.end("updated", home)
        if not trace.probes:
            trace.probes.append(Probe(home, "end"))
        self.chains[home].append(Entry(key, value, home))
        self.count += 1
        return trace.end("stored", home)

    def search(self, key: Key) -> Trace:
        trace, entry = self.walk(key)
        return trace.end("found", self.home(key), entry.value) if entry else trace

    def to_miss(self, key: Key) -> int:
        home = self.home(key)
        return 0 if self.outside(home) else max(1, len(self.chains[home]))

    def delete(self, key: Key) -> Trace:
        trace, entry = self.walk(key)
        if entry is None:
            return trace
        home = self.home(key)
        self.chains[home].remove(entry)
        self.count -= 1
        return trace.end("removed", home)

    def entries(self) -> list[Stored]:
        return [
            Stored(entry, slot, depth + 1)
            for slot, chain in enumerate(self.chains)
            for depth, entry in enumerate(chain)
        ]
