"""Our packed product beside OpenBLAS, and two threads beside one, in turn, so that all meet the same noise."""

from __future__ import annotations

import os

import numpy as np
from native.models.products import RUNGS, Choice, Operands
from native.models.timing import clocked, timed

from measure.stats import Result, percentile

SIZES = (256, 512, 768, 1000, 1024, 1536, 2048)
TURNS = 15
LONG = 0.1  # seconds of a turn: a team is started once for all of them
MEAN_BAR, LEAST_BAR, THREADS_BAR = 1.0, 0.95, 1.9


def matmul() -> list[Result]:
    found, ratios, shares = [], [], []
    threads = min(2, len(os.sched_getaffinity(0)))
    for n in SIZES:
        one, blas, two = turns(n, threads)
        ratio = tuple(b / o for o, b in zip(one, blas, strict=True))
        share = tuple(o / t for o, t in zip(one, two, strict=True))
        found.append(Result(f"packed product to OpenBLAS, n = {n:,}", ratio, "×", "score", LEAST_BAR))
        ratios.append(percentile(ratio, 0.5))
        shares.append(percentile(share, 0.5))
    return [
        Result("packed product to OpenBLAS, geometric mean", (_mean(ratios),), "×", "score", MEAN_BAR),
        *found,
        Result(f"{threads} threads to one, geometric mean", (_mean(shares),), "×", "score", THREADS_BAR),
    ]


def turns(n: int, threads: int) -> tuple[list[float], ...]:
    """Seconds of a product by the packed kernel, by OpenBLAS on one thread, and by several threads of ours."""
    random = np.random.default_rng(n)
    a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
    ways = {rung.name: rung for rung in RUNGS}
    choice = Choice("-O3", 64, threads)
    works = [
        ways[name].start(Operands(a, b, np.empty_like(a), n), choice) for name in ("packed", "NumPy", "threads")
    ]
    rounds = max(1, round(LONG / timed(works[0], 3, LONG).median))
    taken: tuple[list[float], ...] = ([], [], [])
    for _ in range(TURNS):
        for work, times in zip(works, taken, strict=True):
            times.append(clocked(work, rounds) / rounds)
    return taken


def _mean(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))
