"""Runs wasm/kernels/matmul_wmma.cu on this processor: compiled as C++, a fiber for each CUDA thread."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
from cuda_on_a_processor import ACCESS, FORWARD, Ran, aligned, at, compiled
from native.models.tensor_cores import shapes

GUARD = np.uint16(0xC641)  # -12345 in bfloat16, nearly


@cache
def library() -> ctypes.CDLL:
    loaded = compiled("wmma_on_a_processor.cc")
    loaded.traced.restype = ctypes.c_size_t
    return loaded


def run(name: str, a: np.ndarray, b: np.ndarray, order: int = FORWARD, trace: int = -1) -> Ran:
    """A product of bfloat16 in numbers of 16 bits. C lies between guards, which must survive; it begins as NaN."""
    n = len(a)
    left, right = aligned(a), aligned(b)
    rim = 256 * (n + 1)  # a block may miss by its own size
    held = aligned(np.full(n * n + 2 * rim, GUARD, np.uint16))
    c = held[rim : rim + n * n].reshape(n, n)
    c[:] = 0x7FC0
    team = library()
    blocks, _ = shapes()[name].blocks(n, n)
    flaws = team.launch(int(name.endswith("any")), blocks, n, at(left), at(right), at(c), order, trace)
    assert (held[:rim] == GUARD).all() and (held[rim + n * n :] == GUARD).all(), f"{name} wrote outside of C"
    where = ctypes.c_void_p()
    count = team.traced(ctypes.byref(where))
    return Ran(c.copy(), flaws, np.frombuffer(ctypes.string_at(where, count * ACCESS.itemsize), ACCESS))
