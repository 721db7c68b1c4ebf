"""Runs the kernels of wasm/kernels/matmul.cu on this processor: compiled as C++, a fiber for each CUDA thread."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from native.models.cuda_products import shapes
from native.models.kernel import KERNELS, at

HERE = Path(__file__).parent
HEADERS = KERNELS
"""Where on_a_processor.h is, also while a test keeps a mistaken kernel elsewhere"""
# Fortified jumps refuse to leave a stack; fibers do nothing else. Undefined behaviour, such as an index beyond an
# array or a float4 at an odd address, ends the process.
FLAGS = [
    "-x",
    "c++",
    "-std=c++20",
    "-O1",
    "-shared",
    "-fPIC",
    "-nostdlib++",
    "-fno-exceptions",
    "-fno-rtti",
    "-U_FORTIFY_SOURCE",
]
ROLLED = ["-mllvm", "-pragma-unroll-threshold=1", "-Wno-pass-failed", "-Wno-unknown-pragmas"]  # a tenth of the time
CHECKED = ["-fsanitize=undefined", "-fsanitize-trap=undefined"]
FORWARD, BACKWARD, SHUFFLED = range(3)
GUARD = np.float32(-12345.0)

ACCESS = np.dtype([("thread", "i4"), ("step", "i4"), ("matrix", "i4"), ("bytes", "i4"), ("offset", "i8")])


class Ran(NamedTuple):
    c: np.ndarray
    flaws: int
    """Reads outside a matrix or at an address that is no multiple of their width; barriers that not all met."""
    reads: np.ndarray
    """Those of the traced block, in the order of each thread."""


def compiled(source: str, *defined: str) -> ctypes.CDLL:
    """A file of this folder as a library, with those macros."""
    made = str(Path(tempfile.mkdtemp()) / "kernels.so")
    where = [f"-I{KERNELS}", f"-I{HEADERS}", *(f"-D{each}" for each in defined)]
    compiler = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *ROLLED, *CHECKED]
    subprocess.run([*compiler, *where, "-o", made, str(HERE / source)], check=True, capture_output=True)
    return ctypes.CDLL(made)


@cache
def library(tile: int) -> ctypes.CDLL:
    loaded = compiled("products_on_a_processor.cc", f"TILE={tile}")
    loaded.traced.restype = ctypes.c_size_t
    return loaded


def run(name: str, a: np.ndarray, b: np.ndarray, tile: int = 32, order: int = FORWARD, trace: int = -1) -> Ran:
    """One product. C lies between guards, which must survive, and begins as NaN."""
    n, shape = len(a), shapes(tile)[name]
    left, right = aligned(a), aligned(b)
    rim = 256 * (n + 1)  # a block may miss by its own size
    held = aligned(np.full(n * n + 2 * rim, GUARD, np.float32))
    c = held[rim : rim + n * n].reshape(n, n)
    c[:] = np.nan
    team = library(tile)
    flaws = team.launch(
        name.encode(), *shape.blocks(n, n), *shape.threads, n, at(left), at(right), at(c), order, trace
    )
    assert (held[:rim] == GUARD).all() and (held[rim + n * n :] == GUARD).all(), f"{name} wrote outside of C"
    where = ctypes.c_void_p()
    count = team.traced(ctypes.byref(where))
    reads = np.frombuffer(ctypes.string_at(where, count * ACCESS.itemsize), ACCESS)
    return Ran(c.copy(), flaws, reads)


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy that begins at a multiple of 256 bytes, as memory of a GPU does."""
    room = np.empty(array.nbytes + 256, np.uint8)
    begin = -room.ctypes.data % 256
    copy = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
