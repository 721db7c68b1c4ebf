"""One sentence for each look at a slot and for each end of an operation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from labs.bits.hash_table.script import Done
from labs.bits.hash_table.table import Probe, Table
from labs.contract import Sentence, joined, say

VERBS = {
    "insert": "insert",
    "update": "insert again",
    "find": "look for",
    "miss": "look for",
    "delete": "delete",
    "again": "look again for",
    "reuse": "insert",
}


def look(done: Done, number: int) -> Sentence:
    """The sentence of a probe on the way, the first of them with the hash."""
    probe = done.trace.probes[number]
    return say("{}: {} probe, {}, so it goes on.", begin(done), ordinal(number), seen(probe))


def begin(done: Done) -> Sentence:
    key = done.key.name if done.key else ""
    return say("To {} {}", VERBS[done.stage], key)


def seen(probe: Probe) -> Sentence:
    place = say("slot {}{}", probe.slot, say(", entry {} of its chain,", probe.depth + 1) if probe.depth else "")
    if probe.saw == "tombstone":
        return say("{} holds a tombstone", place)
    return say("{} holds {}", place, probe.name)


def end(done: Done) -> Sentence:
    """How an operation ended, after how many probes, and what it says of the table."""
    trace, looks = done.trace, count(len(done.trace.probes), "probe")
    if done.stage == "grow":
        return grown(done.before, done.table)
    said = say("{}: {}, ", begin(done), looks)
    if trace.outcome == "refused":
        return say("{}: refused, since {}.", begin(done), trace.why)
    if trace.outcome == "full":
        free = done.table.slots - done.table.count - len(done.table.tombstones)
        if free:
            return say(
                "{}and none of them at a free slot, though {} are free: not stored.", said, count(free, "slot")
            )
        return say("{}every slot is taken: the table is full and says so.", said)
    if trace.outcome == "dropped":
        return say("{}every slot is taken, and the table says nothing: the key is lost.", said)
    if trace.outcome == "stored":
        return say("{}stored in slot {}{}{}.", said, trace.slot, moved(trace.moved, "one slot on"), duplicate(done))
    if trace.outcome == "updated":
        return say("{}the key is in slot {} already and gets its new value{}.", said, trace.slot, mistaken(done))
    if trace.outcome == "found":
        return say("{}found in slot {} with the value {}{}.", said, trace.slot, trace.value, mistaken(done))
    if trace.outcome == "removed":
        left = (
            say(", which leaves a tombstone in slot {}", trace.slot) if trace.slot in done.table.tombstones else ""
        )
        return say("{}removed from slot {}{}{}.", said, trace.slot, left, moved(trace.moved, "one slot back"))
    return say("{}{}{}.", said, stop(done), mistaken(done))


def stop(done: Done) -> Sentence:
    """Why the search knows that the key is not there."""
    last = done.trace.probes[-1]
    if last.saw == "free":
        return say("slot {} is empty: the key is not there", last.slot)
    if last.saw == "nearer":
        return say("{} in slot {} is nearer to its own home: the key is not there", last.name, last.slot)
    if len(done.trace.probes) >= done.table.slots:
        return say("every slot has been probed: the key is not there")
    return say("the chain ends: the key is not there")


def mistaken(done: Done) -> Sentence:
    if done.right:
        return say("")
    says = say("has it with the value {}", done.truth) if done.truth is not None else "does not have it"
    return say(", but a dict {}", says)


def duplicate(done: Done) -> Sentence:
    if done.key is None or done.stage not in ("update", "insert"):
        return say("")
    same = sum(stored.entry.key.number == done.key.number for stored in done.table.entries())
    return say(", and is now in the table {}", count(same, "time")) if same > 1 else say("")


def grown(before: Table, table: Table) -> Sentence:
    """How many entries were inserted again, and how many of them into a slot of another number."""
    old = {stored.entry.key.number: stored.slot for stored in before.entries()}
    stayed = sum(old.get(stored.entry.key.number) == stored.slot for stored in table.entries())
    return say(
        "The limit is reached: from {} to {} slots, and of {} inserted again, {} change slots.",
        before.slots,
        table.slots,
        count(table.count, "entry"),
        table.count - stayed,
    )


def moved(entries: int, where: str) -> Sentence:
    return say(", and {} moved {}", count(entries, "entry"), where) if entries else say("")


def count(number: int, noun: str) -> Sentence:
    if number == 1:
        return say("1 {}", noun)
    return say("{} {}ies", number, noun[:-1]) if noun.endswith("y") else say("{} {}s", number, noun)


@cache
def ordinal(number: int) -> Sentence:
    ending = "th" if 10 <= (number + 1) % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get((number + 1) % 10, "th")
    return say("{}{}", number + 1, ending)


def means(found: Iterable[tuple[float, str, float | None]]) -> Sentence:
    """Each mean number of probes, for what, and what theory says of it; without those that nobody measured."""
    return joined(
        " and ",
        (
            say("{:.2f} probes to {}{}", mean, verb, "" if want is None else say(" (theory {:.2f})", want))
            for mean, verb, want in found
            if not math.isnan(mean)
        ),
    )
