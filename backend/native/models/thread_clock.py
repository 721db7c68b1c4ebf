"""Times of one thread's work by its own clock: while others have the processor, that clock stands still."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from labs.contract import Float32

from native.models.timing import enough

Work = Callable[[int], object]
"""Does so many rounds of something."""


def in_turns(works: Sequence[Work], repetitions: int, most: float) -> Float32:
    """[repetitions, works] nanoseconds for one round: what slows the machine for a while slows all of them.

    All repetitions of a work take about ``most`` seconds, as far as one round allows.
    """
    rounds = [enough(work, most / repetitions, clocked) for work in works]
    taken = [
        [clocked(work, count) / count for work, count in zip(works, rounds, strict=True)]
        for _ in range(repetitions)
    ]
    return np.array(taken, np.float32) * np.float32(1e9)


def clocked(work: Work, rounds: int) -> float:
    """Seconds that this thread had a processor: what others do in between does not count."""
    begun = time.thread_time()
    work(rounds)
    return time.thread_time() - begun
