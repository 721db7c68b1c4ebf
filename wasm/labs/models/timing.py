"""Time work honestly: in rounds that the clock measures well, several times, with the spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from labs.contract import ImpossibleError

QUARTILES = ("low", "median", "high")  # of repetitions, along an axis of an array
NOISE = 1.05  # work may look this much faster than the peak, which is measured as well


class Timing(NamedTuple):
    """Seconds for one round: quarters of the repetitions took less than ``low`` and more than ``high``."""

    least: float
    low: float
    median: float
    high: float
    rounds: int


def summary(seconds: Sequence[float], rounds: int) -> Timing:
    """Of repetitions of so many rounds each."""
    each = np.asarray(seconds) / rounds
    least, low, median, high = (float(value) for value in np.percentile(each, (0, 25, 50, 75)))
    return Timing(least, low, median, high, rounds)


def refuse_impossible(work: str, share: float, machine: str) -> None:
    """``share`` of the measured peak is what the work seemed to reach. Raises ``ImpossibleError``."""
    if share > NOISE:
        raise ImpossibleError(
            f"{work} came out at {share:.0%} of what this {machine} can do, which cannot be: "
            "something else disturbed the measurement, so nothing of it is kept; run it again."
        )
