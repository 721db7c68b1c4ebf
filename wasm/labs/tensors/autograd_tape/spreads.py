"""How far numbers lie from their mean, and how long they are together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from labs.models.tensor.choices import Sign, where
from labs.models.tensor.reductions import Dims, Reduction, axes, count, mean, without
from labs.models.tensor.tape import Numbers
from labs.models.tensor.views import expand

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor


class Var(Reduction):
    def __init__(self, dims: tuple[int, ...], freedom: int) -> None:
        super().__init__(dims)
        self.freedom = freedom
        """By how much the sum of squares is divided."""

    def reduce(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        off = x.array - np.mean(x.array, axis=self.dims, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):  # of one number there is no spread
            return np.sum(off * off, axis=self.dims, keepdims=True) / x.dtype.numpy.type(max(0, self.freedom))

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (self.along(grad, self.saved[0]),)

    def along(self, grad: Tensor, x: Tensor) -> Tensor:
        steep = 2 / self.freedom if self.freedom else np.inf
        return expand(grad * steep, self.shape) * (x - mean(x, self.dims, keep=True))


class Std(Var):
    keeps_result = True

    def reduce(self, x: Tensor) -> Numbers:
        return np.sqrt(super().reduce(x))

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        x, result = self.saved
        zero = grad.constant(np.zeros(()))
        return (self.along(where(result.equals(0), zero, grad / (result * 2)), x),)


class Norm(Reduction):
    """Of order 1 the sum of sizes, of order 2 the root of the sum of squares."""

    keeps_result = True

    def __init__(self, dims: tuple[int, ...], order: int) -> None:
        super().__init__(dims)
        self.order = order

    def reduce(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return np.linalg.vector_norm(x.array, axis=self.dims, ord=self.order, keepdims=True)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        x, result = self.saved
        zero = grad.constant(np.zeros(()))
        slope = Sign()(x) if self.order == 1 else where(result.equals(0), zero, x / result)
        return (expand(grad, self.shape) * slope,)


def _spread(kind: type[Var]) -> Callable[..., Tensor]:
    def function(x: Tensor, dims: Dims = None, keep: bool = False, correction: int = 1) -> Tensor:
        found = axes(x, dims)
        return without(kind(found, count(x, found) - correction)(x), found, keep)

    return function


var = _spread(Var)
std = _spread(Std)


def norm(x: Tensor, dims: Dims = None, keep: bool = False, order: int = 2) -> Tensor:
    found = axes(x, dims)
    return without(Norm(found, order)(x), found, keep)
