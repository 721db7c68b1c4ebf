"""What the loops compute with, and what exact arithmetic says that they should come to."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from native.tensors.fast_math.kernel import LOOPS, Data, Floats

Exact = NDArray[np.float64]


def data(loop: str, count: int, seed: int) -> Data:
    """Numbers on which the flags show: zeros of both signs, some NaN, denormals, one root of a negative number."""
    rng = np.random.default_rng([seed, LOOPS.index(loop)])
    x = rng.uniform(0, 1, count).astype(np.float32)
    w = np.full(count, 3, np.float32)
    match loop:
        case "nans":
            x[rng.permutation(count)[:3]] = np.nan
        case "plus_zero":
            x[rng.random(count) < 0.5] = -0.0
        case "root":
            x[rng.integers(count)] = -1
        case "guarded":
            x[rng.random(count) < 0.5] *= -1
            x[rng.integers(count)] = 0
        case "determinant":
            w = x.copy()
        case "halve":
            x = (x * np.float32(2e-38)).astype(np.float32)
    return Data(x, w, np.zeros(count, np.float32))


def exact(loop: str, data: Data) -> Exact:
    """As if nothing were rounded, but in the last digit of float64; sums are rounded once."""
    x, w = data.x.astype(np.float64), data.w.astype(np.float64)
    with np.errstate(all="ignore"):
        match loop:
            case "sum" | "kahan":
                return np.array([math.fsum(x)])
            case "nans":
                return np.array([np.isnan(x).sum()], np.float64)
            case "plus_zero":
                return x + 0.0
            case "root":
                return np.asarray(np.sqrt(x))
            case "divide":
                return np.asarray(x / w[0])
            case "guarded":
                return np.where(x > 0, 1 / x, 0.0)
            case "determinant":
                return np.asarray(x * x[::-1] - w * w[::-1])
            case "power":
                return np.asarray(x**2.5)
            case "halve":
                return x * 0.5
    raise ValueError(f"there is no loop {loop!r}; there are {', '.join(LOOPS)}")


def errors(loop: str, data: Data, results: Floats) -> Exact:
    """How far each result is from the exact one, in units of the last place of a float32 there."""
    wanted = exact(loop, data)
    size = data.x * data.x[::-1] if loop == "determinant" else wanted  # zero is no measure of what it came from
    with np.errstate(all="ignore"):
        found = np.abs(results - wanted) / np.spacing(np.abs(size).astype(np.float32))
    return np.where(np.isnan(results) & np.isnan(wanted), 0, found)


def changed(before: Floats, after: Floats) -> NDArray[np.bool_]:
    """Which results have other bits; whatever is not a number is alike."""
    both_nan = np.isnan(before) & np.isnan(after)
    return np.asarray((before.view(np.uint32) != after.view(np.uint32)) & ~both_nan)
