"""One sentence for each look at a slot and for each end of an operation."""

from __future__ import annotations

from labs.bits.hash_table.script import Done
from labs.bits.hash_table.table import Probe, Table

VERBS = {
    "insert": "insert",
    "update": "insert again",
    "find": "look for",
    "miss": "look for",
    "delete": "delete",
    "again": "look again for",
    "reuse": "insert",
}


def look(done: Done, number: int) -> str:
    """The sentence of a probe on the way, the first of them with the hash."""
    probe = done.trace.probes[number]
    return f"{begin(done)}: {ordinal(number)} probe, {seen(probe)}, so it goes on."


def begin(done: Done) -> str:
    key = done.key.name if done.key else ""
    return f"To {VERBS[done.stage]} {key}"


def seen(probe: Probe) -> str:
    place = f"slot {probe.slot}" + (f", entry {probe.depth + 1} of its chain," if probe.depth else "")
    if probe.saw == "tombstone":
        return f"{place} holds a tombstone"
    return f"{place} holds {probe.name}"


def end(done: Done) -> str:
    """How an operation ended, after how many probes, and what it says of the table."""
    trace, looks = done.trace, count(len(done.trace.probes), "probe")
    if done.stage == "grow":
        return grown(done.before, done.table)
    said = f"{begin(done)}: {looks}, "
    if trace.outcome == "refused":
        return f"{begin(done)} is refused, for {trace.why}."
    if trace.outcome == "full":
        free = done.table.slots - done.table.count - len(done.table.tombstones)
        if free:
            return f"{said}and none of them at a free slot, though {count(free, 'slot')} are free: not stored."
        return f"{said}every slot is taken: the table is full and says so."
    if trace.outcome == "dropped":
        return f"{said}every slot is taken, and the table says nothing: the key is lost."
    if trace.outcome == "stored":
        return f"{said}stored in slot {trace.slot}{moved(trace.moved, 'one slot on')}{duplicate(done)}."
    if trace.outcome == "updated":
        return f"{said}it is in slot {trace.slot} already and gets its new value{mistaken(done)}."
    if trace.outcome == "found":
        return f"{said}found in slot {trace.slot} with the value {trace.value}{mistaken(done)}."
    if trace.outcome == "removed":
        left = f", which leaves a tombstone in slot {trace.slot}" if trace.slot in done.table.tombstones else ""
        return f"{said}removed from slot {trace.slot}{left}{moved(trace.moved, 'one slot back')}."
    return f"{said}{stop(done)}{mistaken(done)}."


def stop(done: Done) -> str:
    """Why the search knows that the key is not there."""
    last = done.trace.probes[-1]
    if last.saw == "free":
        return f"slot {last.slot} is empty: it is not there"
    if last.saw == "nearer":
        return f"{last.name} in slot {last.slot} is nearer to its home: it is not there"
    if len(done.trace.probes) >= done.table.slots:
        return "every slot has been looked at: it is not there"
    return "the chain ends: it is not there"


def mistaken(done: Done) -> str:
    if done.right:
        return ""
    says = f"has it with the value {done.truth}" if done.truth is not None else "does not have it"
    return f", but a dict {says}"


def duplicate(done: Done) -> str:
    if done.key is None or done.stage not in ("update", "insert"):
        return ""
    same = sum(stored.entry.key.number == done.key.number for stored in done.table.entries())
    return f", and is now in the table {count(same, 'time')}" if same > 1 else ""


def grown(before: Table, table: Table) -> str:
    """How many entries were put in anew, and how many of them into a slot of another number."""
    old = {stored.entry.key.number: stored.slot for stored in before.entries()}
    stayed = sum(old.get(stored.entry.key.number) == stored.slot for stored in table.entries())
    return (
        f"The limit is reached: from {before.slots} to {table.slots} slots, and of {count(table.count, 'entry')} "
        f"put in anew {table.count - stayed} change their slot."
    )


def moved(entries: int, where: str) -> str:
    return f", and {count(entries, 'entry')} moved {where}" if entries else ""


def count(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def ordinal(number: int) -> str:
    ending = "th" if 10 <= (number + 1) % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get((number + 1) % 10, "th")
    return f"{number + 1}{ending}"
