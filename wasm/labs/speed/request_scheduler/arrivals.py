"""Where requests come from: a Poisson process, bursts, or the reader's own list."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from labs.contract import LabError
from labs.speed.request_scheduler.request import CLASSES, MEANS, SHARES, Request

Arrivals = Literal["poisson", "bursts", "written"]
Sizes = Literal["by class", "alike", "fixed", "heavy tail"]

BURST = 6
"""Requests in a burst, on average."""
HEAVY = ((0.95, 0.5), (0.05, 10.5))
"""A heavy tail as two exponentials: the share of each and its mean. Together the mean is 1 s."""
MOST = 150
"""Requests that a reader may write."""
WRITTEN = re.compile(r"(\d{1,4}(?:\.\d{1,3})?):([abc])(\d{1,3}(?:\.\d{1,3})?)")


def mean(sizes: Sizes) -> float:
    """Seconds of work in a request, on average over the classes."""
    return sum(share * each for share, each in zip(SHARES, MEANS, strict=True)) if sizes == "by class" else 1.0


def draw(arrivals: Arrivals, sizes: Sizes, rate: float, count: int, seed: int) -> list[Request]:
    """``count`` requests, ``rate`` of them a second on average."""
    rng = random.Random(seed)
    times = islice(bursts(rng, rate) if arrivals == "bursts" else poisson(rng, rate), count)
    made = []
    for number, at in enumerate(times):
        kind = rng.choices(range(len(CLASSES)), SHARES)[0]
        made.append(Request(number, kind, size(rng, sizes, kind), at))
    return made


def poisson(rng: random.Random, rate: float) -> Iterator[float]:
    """When requests come that know nothing of each other, the first of them at 0."""
    at = 0.0
    while True:
        yield at
        at += rng.expovariate(rate)


def bursts(rng: random.Random, rate: float) -> Iterator[float]:
    """The same number of requests a second, several at once."""
    for at in poisson(rng, rate / BURST):
        yield at
        while rng.random() < 1 - 1 / BURST:
            yield at


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
                f"{word!r} is not a request such as 2.5:a1, which comes at 2.5 s and asks for 1 s of work."
            )
        made.append((float(found[1]), "abc".index(found[2]), float(found[3])))
    if not 1 <= len(made) <= MOST:
        raise LabError(f"Write between 1 and {MOST} requests, such as 0:c4 0.5:a1.")
    made.sort(key=lambda each: each[0])
    return [Request(number, kind, work, at) for number, (at, kind, work) in enumerate(made)]
