"""Runs wasm/kernels/matmul_wgmma.cu on this processor: compiled as C++, a fiber for each CUDA thread."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
from cuda_on_a_processor import FORWARD, Ran, aligned, at, compiled
from wmma_on_a_processor import GUARD


@cache
def library() -> ctypes.CDLL:
    return compiled("wgmma_on_a_processor.cc")


def run(a: np.ndarray, b: np.ndarray, blocks: int, order: int = FORWARD, prompt: bool = False) -> Ran:
    """A product of bfloat16 in numbers of 16 bits. C lies between guards, which must survive; it begins as NaN.

    Copies into shared memory are ``prompt`` or as late as they may.
    """
    n = len(a)
    left, right = aligned(a), aligned(b)
    rim = 256 * (n + 1)  # a block may miss by its own size
    held = aligned(np.full(n * n + 2 * rim, GUARD, np.uint16))
    c = held[rim : rim + n * n].reshape(n, n)
    c[:] = 0x7FC0
    flaws = library().launch(blocks, n, at(left), at(right), at(c), order, int(prompt))
    assert (held[:rim] == GUARD).all() and (held[rim + n * n :] == GUARD).all(), "wrote outside of C"
    return Ran(c.copy(), flaws, np.empty(0))
