"""A matrix times a vector, in float32 by torch, and in eight and four bits by ours, from the same real weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from labs.contract import Float32
from numpy.typing import NDArray

from native.learning.int8_gemm import kernel
from native.learning.int8_gemm.names import VECTORS
from native.models.aligned import aligned
from native.models.torch_threads import one_thread

T = TypeVar("T", bound=np.generic)
ROWS = 256  # that are different


@dataclass(frozen=True)
class Vector:
    name: str
    size: int
    """Bytes of the matrix, with its scales"""
    work: Callable[..., object]
    """Does so many rounds; on a GPU it puts one on the stream"""
    error: Callable[[], float]
    """After the work: the size of the error, as a share of the size of the result"""
    by: str = ""
    """On a GPU, the instruction or the library that multiplies"""


def each(n: int, seed: int) -> Iterator[Vector]:
    """One after the other; scales are one a row in eight bits, and one of the vector.

    Weights and vector are normal noise. The first rows of the matrix are there again and again, each time in memory
    of their own: to round all of them would take longer than the products.
    """
    random = np.random.default_rng(seed)
    x = random.standard_normal(n, np.float32)
    step = np.abs(x).max() / np.float32(127)
    rounded = np.rint(x / step).astype(np.int8)
    some = random.standard_normal((min(n, ROWS), n), np.float32)
    scale = np.abs(some).max(1) / np.float32(127)
    codes, shared = kernel.packed4(some)
    exact, scales = over(some.astype(np.float64) @ x, n), over(scale, n)
    w, eight, four = over(some, n), over(np.rint(some / scale[:, None]).astype(np.int8), n), over(codes, n)
    shared = over(shared, n)

    whole, short = np.empty(n, np.int32), np.empty(n, np.float32)
    yield from in_float32(w, x, exact)
    yield Vector(
        VECTORS[1],
        eight.nbytes + scales.nbytes,
        kernel.by_vector(eight, rounded, whole),
        lambda: off(whole * scales.astype(np.float64) * step, exact),
    )
    yield Vector(
        VECTORS[2],
        four.nbytes + shared.nbytes,
        kernel.by_vector4(four, shared, rounded, short),
        lambda: off(short.astype(np.float64) * step, exact),
    )


def in_float32(w: Float32, x: Float32, exact: NDArray[np.float64]) -> Iterator[Vector]:
    left, right, result = torch.from_numpy(w), torch.from_numpy(x), torch.empty(len(w))

    def work(rounds: int) -> None:
        with one_thread():
            for _ in range(rounds):
                torch.mv(left, right, out=result)

    yield Vector(VECTORS[0], w.nbytes, work, lambda: off(result.double().numpy(), exact))


def over(rows: NDArray[T], n: int) -> NDArray[T]:
    """Again and again, until there are n, from the beginning of a cache line on."""
    count = n * rows[0].size
    room = aligned(-(-count * rows.itemsize // 4)).view(rows.dtype)
    found = room[:count].reshape(n, *rows.shape[1:])
    for begin in range(0, n, len(rows)):
        found[begin : begin + len(rows)] = rows[: n - begin]
    return found


def off(found: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
