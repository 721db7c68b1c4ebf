"""Time work of this machine in rounds that the clock measures well."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from labs.contract import ImpossibleError
from labs.models.timing import Timing, summary

__all__ = ["Timing", "clocked", "timed", "together"]

Clocked = Callable[[Callable[[int], object], int], float]
"""Seconds that so many rounds of a work took."""

LONG_ENOUGH = 2e-3  # seconds of a repetition: a thousand times what the clock resolves and a call costs
PAUSE = 0.1  # seconds: the system may keep a processor from us as long, while it seems that we work
MOST_ROUNDS = 1 << 22  # of a repetition that is still too short: no work takes less than half a nanosecond
SPIN = (
    0.02  # seconds: for some milliseconds after its work a thread of OpenMP looks out for more, and keeps its core
)


def timed(work: Callable[[int], object], repetitions: int, most: float) -> Timing:
    """``work`` does so many rounds. All repetitions together take about ``most`` seconds, where a round allows."""
    (taken,) = together((work,), repetitions, most)
    return taken


def together(
    works: Sequence[Callable[[int], object]], repetitions: int, most: float, threads: int = 1
) -> list[Timing]:
    """As ``timed``, in turns: what slows the machine for a while slows all of them. Each takes about ``most``.

    Where works have threads, each begins when those of the one before it sleep.
    """
    rounds = [enough(work, most / repetitions) for work in works]

    def turn(work: Callable[[int], object], count: int) -> float:
        if threads > 1:
            time.sleep(SPIN)
        return clocked(work, count)

    turns = [[turn(*each) for each in zip(works, rounds, strict=True)] for _ in range(repetitions)]
    return [summary(seconds, count) for seconds, count in zip(zip(*turns, strict=True), rounds, strict=True)]


def clocked(work: Callable[[int], object], rounds: int) -> float:
    begun = time.perf_counter()
    work(rounds)
    return time.perf_counter() - begun


def enough(
    work: Callable[[int], object],
    most: float,
    clocked: Clocked = clocked,
) -> int:
    """Rounds that the clock measures well, and more where they fit ``most`` seconds.

    Raises ``ImpossibleError`` if the clock does not tell the work from none.
    """
    rounds = 1
    while (took := _unbroken(work, rounds, clocked)) < LONG_ENOUGH:
        if rounds >= MOST_ROUNDS:
            raise ImpossibleError(
                f"{rounds:,} rounds took {took:g} seconds by this machine's clock, which cannot be: look after it."
            )
        rounds *= 2
    return rounds * max(1, int(most / took))


def _unbroken(work: Callable[[int], object], rounds: int, clocked: Clocked) -> float:
    """Seconds: where a pause could be most of them, those of a second try, if it took less.

    One pause would end the doubling: ever after, few rounds would be timed, and with them what a call costs.
    """
    took = clocked(work, rounds)
    return min(took, clocked(work, rounds)) if LONG_ENOUGH <= took < PAUSE else took
