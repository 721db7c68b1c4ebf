"""Who forecasts the next month from the twelve before it, and how far each is off."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WINDOW = 12


@dataclass(frozen=True)
class Fold:
    """Months before ``end`` are learned from, and ``tested`` are forecast, each from the true months before it."""

    end: int
    tested: range


def last_two_years(months: int) -> list[Fold]:
    return [Fold(months - 24, range(months - 24, months))]


def rolling_origin(months: int, years: int = 5) -> list[Fold]:
    """The last years, each forecast by who has learned from all months before it."""
    return [Fold(start, range(start, start + 12)) for start in range(months - 12 * years, months, 12)]


def seen_before(months: int) -> list[Fold]:
    """No split: every month that has a year before it is learned from, and tested."""
    return [Fold(months, range(WINDOW, months))]


def windows(series: Floats, wanted: Iterable[int]) -> tuple[Floats, Floats]:
    """``[n, 12]`` months before each wanted one, and those, ``[n]``."""
    places = np.array(list(wanted))
    return series[places[:, None] + np.arange(-WINDOW, 0)], series[places]


def persistence(series: Floats, fold: Fold) -> Floats:
    """As many as last month."""
    return windows(series, fold.tested)[0][:, -1]


def seasonal(series: Floats, fold: Fold) -> Floats:
    """As many as in the same month of last year."""
    return windows(series, fold.tested)[0][:, 0]


def autoregression(series: Floats, fold: Fold) -> Floats:
    """AR(12): twelve weights and a constant, by least squares over the months that are learned from."""
    x, y = windows(series, range(WINDOW, fold.end))
    weights, *_ = np.linalg.lstsq(np.column_stack([x, np.ones(len(x))]), y)
    result: Floats = windows(series, fold.tested)[0] @ weights[:-1] + weights[-1]
    return result


BASELINES: dict[str, Callable[[Floats, Fold], Floats]] = {
    "last month": persistence,
    "a year ago": seasonal,
    "AR(12)": autoregression,
}


def off(forecasts: Floats, right: Floats) -> Floats:
    """Root of the mean squared error over the last axis, in the unit of the series."""
    result: Floats = np.sqrt(((forecasts - right) ** 2).mean(axis=-1))
    return result
