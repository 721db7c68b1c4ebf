"""A race on this processor: threads of C add to one counter, in eight ways, and what is lost and what it costs.

Each thread adds one, the same number of times, beginning together, each on a core of its own as far as there are
cores. A compiler adds to a plain int all at once; one that is looked at each time loses what another thread wrote
between its read and its write. Then two threads each write one and read what the other wrote: both may read 0, as a
processor puts aside what it writes and reads on (x86-TSO: https://doi.org/10.1145/1785414.1785443).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES, summary

from native.speed.race_real.kernel import LINE, MOST, Way, buffered, count

MEASURES = True
NUMBER = 8  # bytes of a counter
WAYS: dict[str, tuple[Way, int]] = {
    "plain": ("plain", LINE),
    "volatile": ("volatile", LINE),
    "relaxed atomic": ("relaxed", LINE),
    "ordered atomic": ("ordered", LINE),
    "compare and swap": ("swap", LINE),
    "mutex": ("lock", LINE),
    "own, side by side": ("own", NUMBER),
    "own, a line each": ("own", LINE),
}
"""The way of the kernel, and how many bytes the counters of two threads are apart."""
FENCES = ("no fence", "fence")
READ = ("0", "1")
AT_ONCE = 0.02  # ns: no processor writes a number to memory so often


@dataclass(frozen=True)
class Params:
    threads: Annotated[int, Interval(ge=1, le=MOST), Label("Threads")] = 2
    thousands: Annotated[
        int, Interval(ge=10, le=1000), Label("Additions", unit="thousand", help="By each thread, of one each time.")
    ] = 500
    turns: Annotated[
        int,
        Interval(ge=1000, le=200_000),
        Label("Turns", help="In each, two threads write 1 and read what the other has written."),
    ] = 50_000
    repetitions: Annotated[int, Interval(ge=3, le=15), Label("Repetitions")] = 5


@dataclass(frozen=True, kw_only=True)
class Raced(Event):
    """One more way of adding is measured, or one more of writing and reading."""

    kind: Literal["raced"] = "raced"
    stage: str
    """What was measured just now; empty before the first"""
    ways: list[str]
    added: int
    """By all threads in all repetitions of a way"""
    lost: Annotated[Int32, Axes(way="ways")]
    """[ways] additions that the counter does not have in the end; -1 where not yet measured"""
    took: Annotated[Float32, Axes(way="ways", quartile=QUARTILES)]
    """[ways, 3] ns of an addition, all threads together: quartiles over the repetitions, or NaN"""
    fences: list[str]
    outcomes: Annotated[Int32, Axes(fence="fences", first=READ, second=READ)]
    """[fences, 2, 2] turns in which the two threads read that; -1 where not yet measured"""
    turns: int


def run(params: Params) -> Iterator[Raced]:
    each = 1000 * params.thousands
    added = each * params.threads * params.repetitions
    lost = np.full(len(WAYS), -1, np.int32)
    took = np.full((len(WAYS), 3), np.nan, np.float32)
    outcomes = np.full((len(FENCES), 2, 2), -1, np.int32)

    def picture(text: Sentence, stage: str) -> Raced:
        return Raced(
            text=text,
            stage=stage,
            ways=list(WAYS),
            added=added,
            lost=lost.copy(),
            took=took.copy(),
            fences=list(FENCES),
            outcomes=outcomes.copy(),
            turns=params.turns,
        )

    yield picture(say("{} threads are about to add one to a counter, {:,} times each.", params.threads, each), "")
    for place, (name, (way, apart)) in enumerate(WAYS.items()):
        found = [count(way, params.threads, each, apart) for _ in range(params.repetitions)]
        lost[place] = added - sum(counted for counted, _ in found)
        of = summary([seconds for _, seconds in found], each * params.threads)
        took[place] = [1e9 * seconds for seconds in (of.low, of.median, of.high)]
        yield picture(tell_way(name, int(lost[place]), added, 1e9 * of.median), name)
    for place, name in enumerate(FENCES):
        outcomes[place] = buffered(name == "fence", params.turns)
        yield picture(tell_reads(name, int(outcomes[place, 0, 0]), params.turns), name)


def tell_way(name: str, lost: int, added: int, ns: float) -> Sentence:
    if ns < AT_ONCE:
        return say(
            "{}: the compiler adds all of a thread's at once; of {:,} additions {:,} are lost.", name, added, lost
        )
    if lost:
        share = 100 * lost / added
        return say(
            "{}: {:,} of {:,} additions are lost, {:.3g} %; one takes {:.3g} ns.", name, lost, added, share, ns
        )
    return say("{}: none of {:,} additions is lost; one takes {:.3g} ns.", name, added, ns)


def tell_reads(name: str, both: int, turns: int) -> Sentence:
    return say("Write, then read, with {}: both threads read 0 in {:,} of {:,} turns.", name, both, turns)
