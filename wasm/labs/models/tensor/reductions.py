"""Many numbers become one: sums and extremes, and what is made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.dtypes import DTYPES, FLOAT64
from labs.models.tensor.elementwise import cast, exp, log, sqrt
from labs.models.tensor.layout import Shape, axis
from labs.models.tensor.tape import Numbers, Operation
from labs.models.tensor.views import expand, flip, reshape

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor

Dims = int | Sequence[int] | None
"""Over which dimensions; None is all of them."""


def axes(x: Tensor, dims: Dims) -> tuple[int, ...]:
    if dims is None:
        return tuple(range(len(x.shape)))
    found = tuple(axis(d, len(x.shape)) for d in ([dims] if isinstance(dims, int) else dims))
    if len(set(found)) < len(found):
        raise ValueError(f"{dims} names a dimension twice")
    return found if x.shape else ()


class Reduction(Operation):
    """The reduced dimensions stay, with length 1, so that a gradient can be repeated over them."""

    def __init__(self, dims: tuple[int, ...]) -> None:
        super().__init__()
        self.dims = dims

    reduce: Callable[..., Numbers]
    """Takes the input, returns the numbers of the result."""

    def forward(self, x: Tensor) -> Numbers:
        self.shape = x.shape
        return np.asarray(self.reduce(x))


class Sum(Reduction):
    def reduce(self, x: Tensor) -> Numbers:
        return np.sum(x.array, axis=self.dims, keepdims=True)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (expand(grad, self.shape),)


class Mean(Sum):
    def reduce(self, x: Tensor) -> Numbers:
        return super().reduce(x) / x.dtype.numpy.type(count(x, self.dims))

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (expand(grad / math.prod(self.shape[d] for d in self.dims), self.shape),)


class _Extreme(Reduction):
    """The largest or smallest; those that are equal share its gradient."""

    function: Callable[..., NDArray[Any]]

    keeps_result = True

    def reduce(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return type(self).function(x.array, axis=self.dims, keepdims=True)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        x, result = self.saved
        equal = x.array == result.array
        share = equal / np.maximum(1, equal.sum(axis=self.dims, keepdims=True))
        return (expand(grad, self.shape) * grad.constant(share),)


class Amax(_Extreme):
    function = np.max


class Amin(_Extreme):
    function = np.min


def _reduced(kind: type[Reduction]) -> Callable[..., Tensor]:
    def function(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
        found = axes(x, dims)
        return _without(kind(found)(x), found, keep)

    return function


def _without(x: Tensor, dims: tuple[int, ...], keep: bool) -> Tensor:
    return x if keep or not dims else reshape(x, *(n for d, n in enumerate(x.shape) if d not in dims))


total = _reduced(Sum)
_mean = _reduced(Mean)
amax = _reduced(Amax)
amin = _reduced(Amin)


def count(x: Tensor, dims: Dims) -> int:
    return math.prod(x.shape[d] for d in axes(x, dims))


def mean(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
    return _mean(x if x.dtype.exponent else cast(x, FLOAT64), dims, keep)


def var(x: Tensor, dims: Dims = None, keep: bool = False, correction: int = 1) -> Tensor:
    off = x - mean(x, dims, keep=True)
    return total(off * off, dims, keep) / max(0, count(x, dims) - correction)


def std(x: Tensor, dims: Dims = None, keep: bool = False, correction: int = 1) -> Tensor:
    return sqrt(var(x, dims, keep, correction))


def norm(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
    return sqrt(total(x * x, dims, keep))


def logsumexp(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
    """log(Σ exp x), with the largest taken out: no exp grows above 1."""
    x = x if x.dtype.exponent else cast(x, FLOAT64)
    top = amax(x.detach(), dims, keep=True)
    return _without(log(total(exp(x - top), dims, keep=True)) + top, axes(x, dims), keep)


def log_softmax(x: Tensor, dim: int = -1) -> Tensor:
    return x - logsumexp(x, dim, keep=True)


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    return exp(log_softmax(x, dim))


class Cumsum(Operation):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: Tensor) -> Numbers:
        return np.cumsum(x.array, axis=self.dim)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        """A number is in all sums from its own on: the same, from the other end."""
        return (flip(cumsum(flip(grad, self.dim), self.dim), self.dim),)


def cumsum(x: Tensor, dim: int) -> Tensor:
    return Cumsum(axis(dim, len(x.shape)))(x if x.dtype is not DTYPES["bool"] else cast(x, DTYPES["int64"]))


def prod(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
    """In pairs, then pairs of pairs: its gradient never divides, so that zeros do no harm."""
    found = axes(x, dims)
    shape: Shape = tuple(1 if d in found else n for d, n in enumerate(x.shape))
    rest = [d for d in range(len(x.shape)) if d not in found]
    x = reshape(x.permute(*rest, *found), *(x.shape[d] for d in rest), count(x, found))
    if x.shape[-1] == 0:
        x = x.fresh(np.ones((*x.shape[:-1], 1), x.dtype.numpy))
    while (n := x.shape[-1]) > 1:
        pairs = x[..., : n - n % 2 : 2] * x[..., 1::2]
        x = pairs if n % 2 == 0 else pairs * _only_first(x[..., -1:], pairs)
    return _without(reshape(x, *shape), found, keep)


def _only_first(last: Tensor, pairs: Tensor) -> Tensor:
    """What is left over goes with the first pair, and ones with the others."""
    first = last.fresh(np.arange(pairs.shape[-1]) == 0)
    return last * first.cast(last.dtype) + (1 - first.cast(last.dtype))
