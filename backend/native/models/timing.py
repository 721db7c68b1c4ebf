"""Time work honestly: in rounds that the clock measures well, several times, with the spread."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

LONG_ENOUGH = 2e-3  # seconds of a repetition: a thousand times what the clock resolves and a call costs


class Timing(NamedTuple):
    """Seconds for one round: quarters of the repetitions took less than ``low`` and more than ``high``."""

    least: float
    low: float
    median: float
    high: float
    rounds: int


def timed(work: Callable[[int], object], repetitions: int, most: float) -> Timing:
    """``work`` does so many rounds. All repetitions together take about ``most`` seconds, where a round allows."""
    (taken,) = together((work,), repetitions, most)
    return taken


def together(works: Sequence[Callable[[int], object]], repetitions: int, most: float) -> list[Timing]:
    """As ``timed``, in turns: what slows the machine for a while slows all of them. Each takes about ``most``."""
    rounds = [enough(work, most / repetitions) for work in works]
    seconds = np.array(
        [[clocked(*each) / each[1] for each in zip(works, rounds, strict=True)] for _ in range(repetitions)]
    )
    quarters = np.percentile(seconds, (0, 25, 50, 75), axis=0).tolist()
    return [Timing(*each) for each in zip(*quarters, rounds, strict=True)]


def enough(work: Callable[[int], object], most: float) -> int:
    """Rounds that the clock measures well, and more where they fit ``most`` seconds."""
    took = clocked(work, 1)  # warms the caches, too
    rounds = 1
    while took < LONG_ENOUGH:
        rounds *= 2
        took = clocked(work, rounds)
    return rounds * max(1, int(most / took))


def clocked(work: Callable[[int], object], rounds: int) -> float:
    begun = time.perf_counter()
    work(rounds)
    return time.perf_counter() - begun
