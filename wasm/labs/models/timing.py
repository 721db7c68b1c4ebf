"""Time work honestly: in rounds that the clock measures well, several times, with the spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


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
