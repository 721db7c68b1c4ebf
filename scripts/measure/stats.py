"""Numbers of one measurement beside the bar that it must meet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of all do not exceed (nearest rank): always a measured one."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


@dataclass(frozen=True)
class Result:
    """One line of the table. ``bar`` is the most that ``held`` ("median", "p75", "p95") may be; None only reports.

    Where more is better the bar is the least that ``held`` may be: "least", or "score", the median.
    """

    name: str
    values: tuple[float, ...]
    unit: str
    held: str = "p95"
    bar: float | None = None

    @property
    def median(self) -> float:
        return percentile(self.values, 0.5)

    @property
    def p75(self) -> float:
        return percentile(self.values, 0.75)

    @property
    def least(self) -> float:
        return min(self.values)

    @property
    def score(self) -> float:
        return self.median

    @property
    def more_is_better(self) -> bool:
        return self.held in ("least", "score")

    @property
    def p95(self) -> float:
        return percentile(self.values, 0.95)

    @property
    def passed(self) -> bool:
        value: float = getattr(self, self.held)
        if self.bar is None:
            return True
        return value >= self.bar if self.more_is_better else value <= self.bar
