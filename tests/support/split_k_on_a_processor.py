"""Runs wasm/kernels/split_k.cu on this processor: compiled as C++, a fiber for each CUDA thread."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import NamedTuple

import numpy as np
from cuda_on_a_processor import FORWARD, GUARD, aligned, at, compiled

STAMPS = 7


class Ran(NamedTuple):
    c: np.ndarray
    """[m, n] as numbers of 16 bits in bfloat16"""
    flaws: int
    finished: np.ndarray
    """The counters, which have to be 0 again"""
    trace: np.ndarray


@cache
def library(rows: int, columns: int, bf16: bool) -> ctypes.CDLL:
    macros = [f"ROWS={rows}", f"COLUMNS={columns}", *(["BF16"] if bf16 else [])]
    return compiled("split_k_on_a_processor.cc", *macros)


def run(
    a: np.ndarray, b: np.ndarray, splits: int, group: int, relu: bool = False, order: int = FORWARD, again: int = 1
) -> Ran:
    """As often as ``again`` says, one after the other, as launches on a GPU. C lies between guards."""
    (m, k), n = a.shape, b.shape[1]
    most = max(a.nbytes, b.nbytes)
    left, right = (aligned(np.resize(each, most // each.itemsize)) for each in (a, b))
    partial = aligned(np.zeros(splits * m * n, np.float32))
    finished = np.zeros(splits + 1, np.int32)
    guard = np.array(GUARD).astype(np.float32).view(np.uint32).astype(a.dtype) if a.dtype != np.float32 else GUARD
    held = aligned(np.full(3 * m * n, guard, a.dtype))
    c = held[m * n : 2 * m * n].reshape(m, n)
    trace = np.zeros((splits, STAMPS), np.int64)
    flaws = 0
    for _ in range(again):
        flaws += library(m, n, a.dtype != np.float32).launch(
            k, splits, group, int(relu), at(left), at(right), at(partial), at(finished), at(c), at(trace),
            ctypes.c_int64(most), order,
        )  # fmt: skip
    assert (held[: m * n] == guard).all() and (held[2 * m * n :] == guard).all(), "wrote outside of C"
    return Ran(c.copy(), flaws, finished, trace)
