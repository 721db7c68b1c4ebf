"""A race on this processor: threads in C that add one to a shared counter, and what two cores see of each other.

A plain counter loses updates, an atomic one does not, and a counter for each thread needs nothing of the kind. What
each costs is measured, and what two counters cost that share a cache line. Then each of two threads writes one
variable and reads the other's. Now and then both read the old value: the writes were still in their store buffers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, ImpossibleError, Int32, Interval, Label, Sentence, say

from native.models.cores import cores

MEASURES = True
WAYS = {
    "plain": "plain",
    "relaxed": "atomic, relaxed",
    "ordered": "atomic, sequentially consistent",
    "swapped": "compare and swap",
    "locked": "mutex",
    "packed": "one each, side by side",
    "apart": "one each, lines apart",
}
FENCES = ("none", "fence")
ROUNDS = 1_000_000


@dataclass(frozen=True)
class Params:
    threads: Annotated[int, Interval(ge=1, le=8), Label("Threads", main=True)] = 2
    milliseconds: Annotated[
        int, Interval(ge=5, le=100), Label("They add for", unit="ms", help="In each repetition.")
    ] = 30
    repetitions: Annotated[int, Interval(ge=3, le=15), Label("Repetitions")] = 7


@dataclass(frozen=True)
class Way:
    """One way of adding one, measured."""

    name: str
    made: float
    """Additions of all threads in the repetition in which most was lost."""
    left: float
    """What the counter was then."""
    lost: float
    """Share of all additions of all repetitions that were lost."""
    one: float
    """Nanoseconds an addition by a single thread, the median."""
    nanoseconds: float
    """Nanoseconds an addition of all threads together, the median: the time over all additions."""
    low: float
    """A quarter of the repetitions took less."""
    high: float
    """A quarter took more."""


@dataclass(frozen=True, kw_only=True)
class Real(Event):
    """One more way is measured, or the store buffers are."""

    kind: Literal["real"] = "real"
    stage: Literal["adding", "store buffers", "with a fence"]
    threads: int
    cores: int
    """That this run may use."""
    ways: Annotated[list[Way], Axes(way="names")]
    names: list[str]
    """Of the ways, in their order."""
    buffered: Int32
    """[4] how often two threads read 0 and 0, 0 and 1, 1 and 0, 1 and 1; empty before it is counted"""
    fenced: Int32
    """[4] the same with a fence between the write and the read"""


def run(params: Params) -> Iterator[Real]:
    from native.models.kernel import made
    from native.speed.race_real.race_kernel import RACE

    program = made(RACE)
    empty = np.empty(0, np.int32)
    ways: list[Way] = []
    counts = dict.fromkeys(FENCES, empty)

    def picture(text: Sentence, stage: Literal["adding", "store buffers", "with a fence"]) -> Real:
        return Real(
            text=text,
            stage=stage,
            threads=params.threads,
            cores=cores(),
            ways=[*ways],
            names=[way.name for way in ways],
            buffered=counts["none"],
            fenced=counts["fence"],
        )

    for way, name in WAYS.items():
        ways.append(added(program, way, name, params))
        yield picture(tell(ways[-1], params.threads), "adding")
    for fence in FENCES:
        counts[fence] = np.array(told(program, "buffer", fence, ROUNDS), np.int32)
        yield picture(seen(fence, counts[fence]), "store buffers" if fence == "none" else "with a fence")


def told(program: Path, *given: object) -> list[int]:
    """The numbers that the program prints."""
    from native.models.kernel import printed

    return [int(each) for each in printed(program, *given)]


def added(program: Path, way: str, name: str, params: Params) -> Way:
    """A single thread and all threads, in turns.

    Raises ``ImpossibleError`` if a counter that must not lose anything does, or one has more than was added.
    """
    single, many = [], []
    for _ in range(params.repetitions):
        single.append(told(program, "add", way, 1, params.milliseconds))
        many.append(told(program, "add", way, params.threads, params.milliseconds))
    made, left, took = np.array(many).T
    lost = made - left
    if (lost < 0).any() or (way != "plain" and lost.any()) or any(one != sum_ for one, sum_, _ in single):
        raise ImpossibleError(f"{name}: {made.tolist()} additions left {left.tolist()}, which cannot be.")
    low, median, high = np.percentile(took / made, (25, 50, 75))
    worst = int((lost / made).argmax())
    return Way(
        name=name,
        made=float(made[worst]),
        left=float(left[worst]),
        lost=float(lost.sum() / made.sum()),
        one=float(np.median([time / count for count, _, time in single])),
        nanoseconds=float(median),
        low=float(low),
        high=float(high),
    )


def tell(way: Way, threads: int) -> Sentence:
    cost = say("{} ns per addition by one thread", rounded(way.one))
    if threads > 1:
        cost = say("{}, {} by {}", cost, rounded(way.nanoseconds), threads)
    if way.lost:
        return say("{}: {}; {:.1f} % of all additions were lost.", way.name, cost, 100 * way.lost)
    return say("{}: {}; none was lost.", way.name, cost)


def rounded(value: float) -> Sentence:
    """Three digits, of thousands, too."""
    return say("{:,g}", float(f"{value:.3g}"))


def seen(fence: str, counts: Int32) -> Sentence:
    both, rounds = int(counts[0]), int(counts.sum())
    if fence == "none":
        return say(
            "In {:,} of {:,} rounds, both threads read the old value, which no interleaving explains.", both, rounds
        )
    return say("With a fence between write and read: {:,} of {:,} rounds.", both, rounds)
