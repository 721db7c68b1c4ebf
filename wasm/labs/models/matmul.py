"""The loops of a matrix multiplication C = A·B, and where in memory they go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from labs.contract import Int32

Order = Literal["ijk", "ikj", "jik", "jki", "kij", "kji"]
ORDERS: tuple[Order, ...] = get_args(Order)


def nest(order: Order, n: int, tile: int) -> Int32:
    """[n³, 3] the values of i, j and k at each multiply-add, in blocks of ``tile`` of each; n is one block."""
    counts = np.indices((n, n, n), np.int32).reshape(3, -1)
    block = np.ravel_multi_index(tuple(counts // tile), (n, n, n))
    counts = counts[:, np.argsort(block, kind="stable")]
    return np.stack([counts[order.index(name)] for name in "ijk"], axis=1)


def passes(walk: Int32, order: Order) -> NDArray[Any]:
    """Where the innermost loop starts again, as numbers of multiply-adds."""
    onward = np.zeros(3, np.int32)
    onward["ijk".index(order[-1])] = 1
    return np.flatnonzero(np.r_[True, (np.diff(walk, axis=0) != onward).any(axis=1)])


@dataclass(frozen=True)
class Memory:
    """Three matrices of n × n elements, row after row. Each begins on a cache line of its own."""

    n: int
    element: int
    """Bytes."""
    padding: int
    """Elements left empty behind each row."""
    line: int
    """Bytes."""
    transposed: bool
    """Whether element [k][j] of B lies where [j][k] would."""

    @property
    def pitch(self) -> int:
        """Bytes from one row to the next."""
        return (self.n + self.padding) * self.element

    @property
    def lines(self) -> int:
        """Cache lines that a matrix reaches over."""
        return -(-self.n * self.pitch // self.line)

    @property
    def needed(self) -> int:
        """Bytes of the elements of the three."""
        return 3 * self.n * self.n * self.element

    def places(self, walk: Int32) -> Int32:
        """[m, 3] the elements of A, B and C that each multiply-add touches: row · n + column, as they lie."""
        i, j, k = walk.T
        b = j * self.n + k if self.transposed else k * self.n + j
        return np.stack([i * self.n + k, b, i * self.n + j], axis=1)

    def lines_of(self, places: Int32) -> Int32:
        """[m, 3] the cache lines of these elements; those of B follow on those of A, and C's on B's."""
        rows, columns = np.divmod(places, self.n)
        offsets = rows * self.pitch + columns * self.element
        found: Int32 = (offsets // self.line + self.lines * np.arange(3)).astype(np.int32)
        return found
