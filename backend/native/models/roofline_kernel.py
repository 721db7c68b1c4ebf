"""Sums of polynomials over arrays (wasm/kernels/roofline.c): as many operations for each byte as one likes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from native.models.kernel import LIBRARY, Kernel, at, load

Floats = NDArray[np.float32]
POLYNOMIAL = Kernel("roofline.c", ("-O3", "-mcpu=native", *LIBRARY))


def stride() -> int:
    """Of how many numbers the length of an array has to be a multiple."""
    return int(_library().stride())


def reading(x: Floats) -> Callable[[int], float]:
    """So many rounds over ``x``, each of which sums it up."""
    library, count = _library(), _whole(x)
    return lambda rounds: library.reading(rounds, count, at(x))


def polynomial(x: Floats, coefficients: Floats) -> Callable[[int], float]:
    """So many rounds over ``x``; each sums up the polynomial with these coefficients, by rising power."""
    library, count, degree = _library(), _whole(x), len(coefficients) - 1
    return lambda rounds: library.polynomial(rounds, count, at(x), degree, at(coefficients))


def _whole(x: Floats) -> ctypes.c_size_t:
    if len(x) % stride():
        raise ValueError(f"{len(x)} numbers are no multiple of {stride()}")
    return ctypes.c_size_t(len(x))


@cache
def _library() -> ctypes.CDLL:
    library = load(POLYNOMIAL)
    library.reading.restype = library.polynomial.restype = ctypes.c_float
    return library
