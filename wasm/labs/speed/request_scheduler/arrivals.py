"""Where requests come from: a Poisson process, bursts, or the reader's own list."""

from __future__ import annotations

import random
import re
from bisect import bisect
from functools import lru_cache
from itertools import accumulate
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labs.contract import LabError
from labs.speed.request_scheduler.request import MEANS, SHARES, Request

Arrivals = Literal["poisson", "bursts", "written"]
Sizes = Literal["by class", "alike", "fixed", "heavy tail"]

BURST = 6
"""Requests in a burst, on average."""
HEAVY = ((0.95, 0.5), (0.05, 10.5))
"""A heavy tail as two exponentials: the share of each and its mean. Together the mean is 1 s."""
UP_TO = list(accumulate(SHARES))
"""Of the requests, each class and those before it together."""
MOST = 150
"""Requests that a reader may write."""
WRITTEN = re.compile(r"(\d{1,4}(?:\.\d{1,3})?):([abc])(\d{1,3}(?:\.\d{1,3})?)")


def mean(sizes: Sizes) -> float:
    """Seconds of work in a request, on average over the classes."""
    return sum(share * each for share, each in zip(SHARES, MEANS, strict=True)) if sizes == "by class" else 1.0


def draw(arrivals: Arrivals, sizes: Sizes, rate: float, count: int, seed: int) -> list[Request]:
    """``count`` requests, ``rate`` of them a second on average."""
    kinds, work, gaps = drawn(arrivals, sizes, count, seed)
    times = np.cumsum(gaps / (rate / BURST if arrivals == "bursts" else rate))
    return list(map(Request, range(count), kinds, work, times.tolist()))


@lru_cache(maxsize=8)  # another rate changes none of this
def drawn(
    arrivals: Arrivals, sizes: Sizes, count: int, seed: int
) -> tuple[tuple[int, ...], tuple[float, ...], NDArray[np.float64]]:
    """[count] the class of each request, its seconds of work, and those since the one before it, where one comes a
    second, or one burst."""
    rng = random.Random(seed)
    kinds, work, gaps = list[int](), list[float](), [0.0]
    for _ in range(count):
        kinds.append(kind := bisect(UP_TO, rng.random()))
        work.append(size(rng, sizes, kind))
        gaps.append(gap(rng, arrivals))
    return tuple(kinds), tuple(work), np.array(gaps[:-1])


def gap(rng: random.Random, arrivals: Arrivals) -> float:
    """Requests, or bursts, that know nothing of each other; between those of a burst there is no time."""
    if arrivals == "bursts" and rng.random() < 1 - 1 / BURST:
        return 0.0
    return rng.expovariate(1.0)


def size(rng: random.Random, sizes: Sizes, kind: int) -> float:
    if sizes == "fixed":
        return 1.0
    if sizes == "heavy tail":
        short, long = HEAVY
        return rng.expovariate(1 / (short[1] if rng.random() < short[0] else long[1]))
    return rng.expovariate(1 / (MEANS[kind] if sizes == "by class" else 1.0))


def read(written: str) -> list[Request]:
    """Requests such as ``2.5:a1``: at 2.5 s comes one of class A with 1 s of work. Raises ``LabError``."""
    made: list[tuple[float, int, float]] = []
    for word in written.split():
        found = WRITTEN.fullmatch(word)
        if not found or not float(found[3]):
            raise LabError(
                f"{word!r} is not a request such as 2.5:a1, which arrives at 2.5 s and asks for 1 s of work."
            )
        made.append((float(found[1]), "abc".index(found[2]), float(found[3])))
    if not 1 <= len(made) <= MOST:
        raise LabError(f"Write between 1 and {MOST} requests, such as 0:c4 0.5:a1.")
    made.sort(key=lambda each: each[0])
    return [Request(number, kind, work, at) for number, (at, kind, work) in enumerate(made)]
