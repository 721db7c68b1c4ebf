"""Runs wasm/kernels/split_k.cu on this processor: compiled as C++, a fiber for each CUDA thread."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cuda_on_a_processor as processor
import numpy as np
from cuda_on_a_processor import CHECKED, FLAGS, FORWARD, GUARD, HEADERS, HERE, ROLLED, aligned, at

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
    made = Path(tempfile.mkdtemp()) / "split_k.so"
    where = [f"-I{processor.KERNELS}", f"-I{HEADERS}", f"-DROWS={rows}", f"-DCOLUMNS={columns}"]
    source = str(HERE / "split_k_on_a_processor.cc")
    more = ["-DBF16"] if bf16 else []
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        *FLAGS,
        *ROLLED,
        *CHECKED,
        *where,
        *more,
        "-o",
        str(made),
        source,
    ]
    subprocess.run(command, check=True, capture_output=True)
    return ctypes.CDLL(str(made))


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
