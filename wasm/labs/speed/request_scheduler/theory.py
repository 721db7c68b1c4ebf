"""How long requests wait on average for one worker, by the closed forms of queueing theory.

Arrivals are Poisson, nobody is interrupted, and the worker is busy a share ``load`` below 1 of the time (Kleinrock,
Queueing Systems, volumes 1 and 2). ``None`` says that there is no such form, or no mean.
"""

from __future__ import annotations

import math

import numpy as np

from labs.speed.request_scheduler.arrivals import HEAVY, Sizes, mean
from labs.speed.request_scheduler.request import MEANS, SHARES

Means = list[float] | None
"""[classes] seconds of waiting"""


def moments(sizes: Sizes) -> tuple[list[float], list[float]]:
    """[classes] the mean of the work in a request and of its square."""
    if sizes == "fixed":
        return [1.0] * 3, [1.0] * 3
    if sizes == "heavy tail":
        square = sum(share * 2 * each**2 for share, each in HEAVY)
        return [1.0] * 3, [square] * 3
    means = list(MEANS) if sizes == "by class" else [1.0] * 3
    return means, [2 * each**2 for each in means]


def residual(sizes: Sizes, rate: float) -> float:
    """What is left, on average, of the request that an arrival finds at the worker: rate · E[S²] / 2."""
    return rate * sum(share * square for share, square in zip(SHARES, moments(sizes)[1], strict=True)) / 2


def fifo(sizes: Sizes, load: float) -> Means:
    """Pollaczek and Khinchine: M/G/1, and M/M/1 where sizes are exponential."""
    if load >= 1:
        return None
    return [residual(sizes, load / mean(sizes)) / (1 - load)] * 3


def priority(sizes: Sizes, load: float) -> Means:
    """Cobham, 1954: of each class, with class 0 first."""
    if load >= 1:
        return None
    rate = load / mean(sizes)
    waits, above = [], 0.0
    for share, each in zip(SHARES, moments(sizes)[0], strict=True):
        below = above + rate * share * each
        waits.append(residual(sizes, rate) / (1 - above) / (1 - below))
        above = below
    return waits


def shortest(sizes: Sizes, load: float) -> Means:
    """Phipps, 1956: a priority for each size, so that Cobham's sums become integrals. For exponential sizes."""
    if sizes in ("fixed", "heavy tail"):
        return fifo(sizes, load) if sizes == "fixed" else None
    if load >= 1:
        return None
    rate, means = load / mean(sizes), moments(sizes)[0]
    x = np.linspace(0, 40 * max(means), 200_001)
    more = [np.exp(-x / each) for each in means]  # the share of a class that is larger than x
    work = sum(  # a second, in requests of at most x
        rate * share * (each - (each + x) * tail) for share, each, tail in zip(SHARES, means, more, strict=True)
    )
    wait = residual(sizes, rate) / (1 - work) ** 2
    return [float(np.trapezoid(tail / each * wait, x)) for each, tail in zip(means, more, strict=True)]


def erlang(load: float, workers: int) -> Means:
    """M/M/k, first in, first out, with sizes of 1 s on average: Erlang's C formula."""
    if load >= 1:
        return None
    offered = load * workers
    terms = [offered**n / math.factorial(n) for n in range(workers)]
    queued = offered**workers / math.factorial(workers) / (1 - load)
    return [queued / (sum(terms) + queued) / (workers * (1 - load))] * 3
