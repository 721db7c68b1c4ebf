"""From the times of many small tasks: when each worker ran, how often the work changed hands, and Amdahl's law."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from native.speed.threads_cpu.rows import Span

PAUSE = 3.0
"""A task that takes so many times the usual was interrupted: its worker stood still for the rest."""


def runs(spans: Sequence[Span], usual: float) -> list[Span]:
    """When a worker ran without a pause, from the spans of its tasks; ``usual`` are the seconds of one."""
    found: list[Span] = []
    for begun, ended in spans:
        if ended - begun > PAUSE * usual:  # somewhere inside it paused; where, is known to the length of a task
            pieces = [(begun, begun + usual / 2), (ended - usual / 2, ended)]
        else:
            pieces = [(begun, ended)]
        for low, high in pieces:
            if found and low - found[-1][1] < PAUSE * usual:
                found[-1] = found[-1][0], high
            else:
                found.append((low, high))
    return found


def usual(workers: Sequence[Sequence[Span]]) -> float:
    """Seconds of a task that was not interrupted: the median of all."""
    taken = [ended - begun for spans in workers for begun, ended in spans]
    return float(np.median(taken)) if taken else 0.0


def together(workers: Sequence[Sequence[Span]]) -> float:
    """Of the time in which anybody ran, the share in which two or more did."""
    begun, ended = (np.sort([span[end] for spans in workers for span in spans]) for end in (0, 1))
    times = np.unique(np.concatenate([begun, ended]))
    running = np.searchsorted(begun, times[:-1], "right") - np.searchsorted(ended, times[:-1], "right")
    length: NDArray[np.float64] = np.diff(times)
    busy = length[running > 0].sum()
    return float(length[running > 1].sum() / busy) if busy else 0.0


def handovers(workers: Sequence[Sequence[Span]]) -> int:
    """How often another worker than the one before began to run."""
    order = [worker for _, worker in sorted((span[0], n) for n, spans in enumerate(workers) for span in spans)]
    return sum(one != other for one, other in pairwise(order))


def amdahl(serial: float, workers: int) -> float:
    """Speed-up by workers if a share of the work has to be done by one alone (Amdahl, 1967)."""
    return 1 / (serial + (1 - serial) / workers)
