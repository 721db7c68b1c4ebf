"""Many numbers become one: sums and extremes, and what is made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.choices import where
from labs.models.tensor.dtypes import DTYPES, FLOAT64
from labs.models.tensor.elementwise import cast
from labs.models.tensor.layout import Shape, axis
from labs.models.tensor.products import ScatterAdd
from labs.models.tensor.tape import Numbers, Operation
from labs.models.tensor.views import expand, flip, owned, reshape

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
        with np.errstate(invalid="ignore"):  # nobody reaches what is no number
            share = equal / equal.sum(axis=self.dims, keepdims=True)
        return (expand(grad, self.shape) * grad.constant(share),)


class Amax(_Extreme):
    function = np.max


class Amin(_Extreme):
    function = np.min


class _Whole(_Extreme):
    """Of a whole tensor: where the result is no number, those that are none share its gradient."""

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        x, result = self.saved
        reached = np.isnan(x.array) if np.isnan(result.array).any() else x.array == result.array
        zero = grad.constant(np.zeros(()))
        return (where(x.fresh(reached), expand(grad / int(reached.sum()), self.shape), zero),)


class Max(_Whole, Amax):
    pass


class Min(_Whole, Amin):
    pass


class _Picked(Operation):
    """What lies at one place along one dimension: that alone gets the gradient."""

    def __init__(self, dims: tuple[int, ...], called: str) -> None:
        super().__init__()
        self.dims, self.called = dims, called

    def forward(self, x: Tensor, places: Tensor) -> Numbers:
        self.shape = x.shape
        self.save_for_backward(places)
        return np.take_along_axis(x.array, places.array, *self.dims) if self.dims else x.array.copy()

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (places,) = self.saved
        for dim in self.dims:
            grad = ScatterAdd(dim, places.array, self.shape[dim])(grad)
        return grad, None


def _reduced(kind: type[Reduction]) -> Callable[..., Tensor]:
    def function(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
        found = axes(x, dims)
        return without(kind(found)(x), found, keep)

    return function


def without(x: Tensor, dims: tuple[int, ...], keep: bool) -> Tensor:
    return x if keep or not dims else owned(reshape(x, *(n for d, n in enumerate(x.shape) if d not in dims)))


total = _reduced(Sum)
_mean = _reduced(Mean)
amax = _reduced(Amax)
amin = _reduced(Amin)
largest = _reduced(Max)
smallest = _reduced(Min)


def picked(x: Tensor, dim: int, keep: bool, *, least: bool = False) -> tuple[Tensor, Tensor]:
    """The largest or ``least`` along a dimension, and where they are: of those that are equal, the first."""
    dims = axes(x, dim)
    found = (np.argmin if least else np.argmax)(x.array, axis=dims[0], keepdims=True) if dims else np.zeros((), int)
    places = x.fresh(found.astype(np.int64))
    values = _Picked(dims, "min" if least else "max")(x, places)
    return without(values, dims, keep), without(places, dims, keep)


def count(x: Tensor, dims: Dims) -> int:
    return math.prod(x.shape[d] for d in axes(x, dims))


def mean(x: Tensor, dims: Dims = None, keep: bool = False) -> Tensor:
    return _mean(x if x.dtype.exponent else cast(x, FLOAT64), dims, keep)


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
    return without(reshape(x, *shape), found, keep)


def _only_first(last: Tensor, pairs: Tensor) -> Tensor:
    """What is left over goes with the first pair, and ones with the others."""
    first = last.fresh(np.arange(pairs.shape[-1]) == 0)
    return last * first.cast(last.dtype) + (1 - first.cast(last.dtype))
