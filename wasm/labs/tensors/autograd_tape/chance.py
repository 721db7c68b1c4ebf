"""Random numbers, the same as PyTorch's on a processor: its Mersenne Twister, and how it makes a float of 32 bits.

A run begins at seed 0, so that it is the same each time, as in PyTorch after ``manual_seed(0)``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.dtypes import DTYPES, DType
from labs.models.tensor.tape import Numbers
from labs.models.tensor.tensor import Tensor, tensor
from labs.tensors.autograd_tape.functions import Sizes, leaf, shape_of_sizes

AT_ONCE = 16
"""From so many on PyTorch fills a whole tensor, in blocks of so many; fewer are drawn one by one."""
WORD = 2**32


class Chance:
    def __init__(self) -> None:
        self.manual_seed(0)

    def manual_seed(self, seed: int) -> None:
        self.bits = np.random.RandomState(seed % WORD)
        self.left: float | None = None
        """Normal numbers come in pairs: the second one of the last."""

    def randn(self, *size: Sizes, dtype: DType | None = None, requires_grad: bool = False) -> Tensor:
        shape = shape_of_sizes(size)
        drawn = self.normal(math.prod(shape), dtype or DTYPES["float64"])
        return leaf(tensor(drawn.reshape(shape), dtype), requires_grad)

    def rand(self, *size: Sizes, dtype: DType | None = None, requires_grad: bool = False) -> Tensor:
        shape = shape_of_sizes(size)
        drawn = self.uniform(math.prod(shape), dtype or DTYPES["float64"])
        return leaf(tensor(drawn.reshape(shape), dtype), requires_grad)

    def uniform(self, count: int, dtype: DType) -> Numbers:
        """From 0 to below 1, in steps that ``dtype`` holds."""
        if dtype.name == "float64":
            high, low = self.bits.randint(WORD, size=(count, 2), dtype=np.uint64).T
            return ((high << np.uint64(32) | low) & np.uint64(2**53 - 1)) / 2**53
        return (
            self.bits.randint(WORD, size=count, dtype=np.uint64) & np.uint64(2**dtype.whole - 1)
        ) / 2**dtype.whole

    def normal(self, count: int, dtype: DType) -> Numbers:
        if count < AT_ONCE:
            return np.array([self.one() for _ in range(count)])
        drawn = self.uniform(count, dtype)
        for begin in range(0, count - AT_ONCE + 1, AT_ONCE):
            drawn[begin : begin + AT_ONCE] = both(drawn[begin : begin + AT_ONCE])
        if count % AT_ONCE:
            drawn[-AT_ONCE:] = both(self.uniform(AT_ONCE, dtype))
        return drawn

    def one(self) -> float:
        if self.left is not None:
            found, self.left = self.left, None
            return found
        first, second = self.uniform(2, DTYPES["float64"])
        size, angle = math.sqrt(-2 * math.log1p(-second)), 2 * math.pi * first
        self.left = size * math.sin(angle)
        return size * math.cos(angle)


def both(drawn: NDArray[Any]) -> NDArray[Any]:
    """Box and Muller: two that are uniform make two that are normal."""
    first, second = np.split(drawn, 2)
    size, angle = np.sqrt(-2 * np.log(1 - first)), 2 * np.pi * second
    return np.concatenate([size * np.cos(angle), size * np.sin(angle)])
