"""Time work honestly: in rounds that the clock measures well, several times, with the spread."""

from __future__ import annotations

import time
from collections.abc import Callable
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
    took = clocked(work, 1)  # warms the caches, too
    rounds = 1
    while took < LONG_ENOUGH:
        rounds *= 2
        took = clocked(work, rounds)
    rounds *= max(1, int(most / repetitions / took))
    seconds = [clocked(work, rounds) / rounds for _ in range(repetitions)]
    least, low, median, high = (float(each) for each in np.percentile(seconds, (0, 25, 50, 75)))
    return Timing(least, low, median, high, rounds)


def clocked(work: Callable[[int], object], rounds: int) -> float:
    begun = time.perf_counter()
    work(rounds)
    return time.perf_counter() - begun
