"""Sums of two arrays (wasm/kernels/elementwise.c), number by number or in vectors, one or four in a step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from native.models.kernel import LIBRARY, Kernel, at, load

Floats = NDArray[np.float32]
WAYS = ("numbers", "numbers, 4 a step", "vectors", "vectors, 4 a step")
"""As numbered in elementwise.c."""
ADD = Kernel("elementwise.c", ("-O3", "-mcpu=native", "-fno-slp-vectorize", *LIBRARY))
"""Without the compiler's own search for vectors in four sums that stand side by side: that is what is compared."""


def adding(way: str, a: Floats, b: Floats, c: Floats) -> Callable[[int], None]:
    """So many rounds of ``c = a + b``, all of one length, wherever they begin."""
    if not len(a) == len(b) == len(c):
        raise ValueError(f"arrays of {len(a)}, {len(b)} and {len(c)} numbers cannot be added")
    library, code, count = load(ADD), WAYS.index(way), ctypes.c_size_t(len(a))
    return lambda rounds: library.add(code, rounds, count, at(a), at(b), at(c))


def lanes() -> int:
    """Numbers in a vector of this processor."""
    return int(load(ADD).lanes())
