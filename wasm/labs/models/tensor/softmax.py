"""Softmax, its logarithm, and the logarithm of a sum of exponentials.

The largest is taken out first: no exponential grows above 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from labs.models.tensor.dtypes import FLOAT64
from labs.models.tensor.elementwise import cast, exp
from labs.models.tensor.reductions import Dims, Reduction, axes, total, without
from labs.models.tensor.tape import Numbers
from labs.models.tensor.views import expand

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor


class Logsumexp(Reduction):
    keeps_result = True

    def reduce(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        top = np.max(x.array, axis=self.dims, keepdims=True)
        top = np.where(np.isinf(top), 0, top)
        return np.log(np.sum(np.exp(x.array - top), axis=self.dims, keepdims=True)) + top

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        x, result = self.saved
        return (expand(grad, self.shape) * exp(x - result),)


class LogSoftmax(Reduction):
    called = "log_softmax"
    keeps_result = True

    def reduce(self, x: Tensor) -> Numbers:
        off = x.array - np.max(x.array, axis=self.dims, keepdims=True)
        return off - np.log(np.sum(np.exp(off), axis=self.dims, keepdims=True))

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (result,) = self.saved
        return (grad - exp(result) * total(grad, self.dims, keep=True),)


class Softmax(Reduction):
    keeps_result = True

    def reduce(self, x: Tensor) -> Numbers:
        large = np.exp(x.array - np.max(x.array, axis=self.dims, keepdims=True))
        return large / np.sum(large, axis=self.dims, keepdims=True)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (result,) = self.saved
        return (result * (grad - total(grad * result, self.dims, keep=True)),)


def logsumexp(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
    found = axes(x, dims)
    return without(Logsumexp(found)(x if x.dtype.exponent else cast(x, FLOAT64)), found, keep)


def log_softmax(x: Tensor, dim: int = -1) -> Tensor:
    return LogSoftmax(axes(x, dim))(x if x.dtype.exponent else cast(x, FLOAT64))


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    return Softmax(axes(x, dim))(x if x.dtype.exponent else cast(x, FLOAT64))
