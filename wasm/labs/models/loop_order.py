"""In which order matrix products go through their matrices: the loops of wasm/kernels/matmul.c, in small.

A step multiplies a box: some rows of A and C, some columns of B and C, some of the indices k that are summed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

UNTOUCHED, BEFORE, NOW = range(3)


class Box(NamedTuple):
    """What one step multiplies: ``A[rows, inner] @ B[inner, columns]``."""

    rows: slice
    columns: slice
    inner: slice


Order = Callable[[int], Iterator[list[Box]]]
"""The steps for matrices of that many rows, each with a box for every thread."""


def box(i: int, j: int, k: int, high: int = 1, broad: int = 1, deep: int = 1) -> Box:
    return Box(slice(i, i + high), slice(j, j + broad), slice(k, k + deep))


def ijk(n: int) -> Iterator[list[Box]]:
    return ([box(i, j, k)] for i in range(n) for j in range(n) for k in range(n))


def ikj(n: int) -> Iterator[list[Box]]:
    return ([box(i, j, k)] for i in range(n) for k in range(n) for j in range(n))


def tiled(n: int, side: int = 4) -> Iterator[list[Box]]:
    for k0 in range(0, n, side):
        for j0 in range(0, n, side):
            for i in range(n):
                for k in range(k0, min(k0 + side, n)):
                    for j in range(j0, min(j0 + side, n)):
                        yield [box(i, j, k)]


def registers(n: int, high: int = 3, broad: int = 4) -> Iterator[list[Box]]:
    return ([box(i, j, k, high, broad)] for i in range(0, n, high) for j in range(0, n, broad) for k in range(n))


def packed(
    n: int, high: int = 3, broad: int = 4, members: int = 1, deep: int = 6, block: int = 6
) -> Iterator[list[Box]]:
    share = n // members
    for k0 in range(0, n, deep):
        for i0 in range(0, share, block):
            for j in range(0, n, broad):
                for i in range(i0, min(i0 + block, share), high):
                    for k in range(k0, min(k0 + deep, n)):
                        yield [box(me * share + i, j, k, high, broad) for me in range(members)]


def team(n: int) -> Iterator[list[Box]]:
    return packed(n, members=2)


def workgroups(n: int, side: int, deep: int) -> Iterator[list[Box]]:
    """Of a GPU, one after another, though it does as many at once as it has room for."""
    for i in range(0, n, side):
        for j in range(0, n, side):
            for k in range(0, n, deep):
                yield [box(i, j, k, side, side, deep)]


def walk(order: Order, n: int, pictures: int, closely: int = 0) -> Iterator[tuple[int, int, NDArray[np.uint8]]]:
    """``pictures`` moments: the step, the number of steps, and what A, B and C are then.

    ``[3, n, n]`` of UNTOUCHED, BEFORE and NOW. The first ``closely`` steps are shown one by one, and the others
    evenly spaced. The last moment is the last step.
    """
    steps = list(order(n))
    begin = max(0, closely - 1)
    far = [(len(steps) - 1 - begin) * (p + 1) / (pictures - closely) for p in range(pictures - closely)]
    shown = [*range(closely), *(begin + round(each) for each in far)]
    state = np.zeros((3, n, n), np.uint8)
    begun = 0
    for at in shown:
        for boxes in steps[begun : at + 1]:
            state[state == NOW] = BEFORE
            for rows, columns, inner in boxes:
                for matrix, place in enumerate(((rows, inner), (inner, columns), (rows, columns))):
                    state[matrix][place] = NOW
        begun = at + 1
        yield at + 1, len(steps), state.copy()
