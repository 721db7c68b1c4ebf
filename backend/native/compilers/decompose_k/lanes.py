"""When each lane ran, and where."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Lanes(NamedTuple):
    """Of each slice, in the order of K; times in microseconds from the first begin."""

    worker: NDArray[np.int32]
    """A core, or a multiprocessor of a GPU; which of them is which, is theirs to say"""
    begin: NDArray[np.float32]
    product: NDArray[np.float32]
    """When the product of the slice was there"""
    end: NDArray[np.float32]
    """When the lane was over, with what it added up of others"""

    @property
    def total(self) -> float:
        return float(self.end.max())

    def busy(self, workers: int) -> float:
        """The share of all workers' time, from the first begin to the last end, in which they had a lane."""
        covered = 0.0
        for worker in np.unique(self.worker):
            mine = self.worker == worker
            until = -np.inf
            for begin, end in sorted(zip(self.begin[mine], self.end[mine], strict=True)):
                covered += max(0.0, float(end) - max(float(begin), until))
                until = max(until, float(end))
        return covered / (workers * self.total) if self.total > 0 else 1.0


def lanes(worker: Any, stamps: Any) -> Lanes:
    """From [slices] workers and [slices, 3] nanoseconds of a clock that all of them share."""
    stamps = np.asarray(stamps)
    micro = ((stamps - stamps[:, 0].min()) / 1e3).astype(np.float32)
    return Lanes(np.asarray(worker, np.int32), *(np.ascontiguousarray(each) for each in micro.T))


def fastest(runs: list[Lanes]) -> Lanes:
    """The one that was over first: what held up the others was somebody else."""
    return min(runs, key=lambda each: each.total)
