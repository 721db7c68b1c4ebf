"""Products of matrices, and what puts tensors together or picks from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.dtypes import promote
from labs.models.tensor.elementwise import cast
from labs.models.tensor.layout import axis, broadcast
from labs.models.tensor.tape import Numbers, Operation
from labs.models.tensor.views import PutBack, expand, owned, reshape, transpose, unsqueeze, view, windows

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor


class Matmul(Operation):
    """[…, n, k] @ […, k, m] → […, n, m]"""

    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        for_a, for_b = self.needs
        self.save_for_backward(a if for_b else None, b if for_a else None)
        return a.array @ b.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        a, b = self.saved
        return (
            None if b is None else matmul(grad, transpose(b)),
            None if a is None else matmul(transpose(a), grad),
        )


def matmul(a: Tensor, b: Tensor) -> Tensor:
    """As NumPy's: a vector is a row on the left and a column on the right, further dimensions are repeated."""
    if not a.shape or not b.shape:
        raise ValueError("a product of matrices needs at least one dimension on either side; use * for numbers")
    rows, columns = len(a.shape) == 1, len(b.shape) == 1
    a, b = (unsqueeze(a, 0) if rows else a), (unsqueeze(b, 1) if columns else b)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"{a.shape} @ {b.shape}: rows of {a.shape[-1]} do not meet columns of {b.shape[-2]}")
    shape = broadcast(a.shape[:-2], b.shape[:-2])
    dtype = promote(a.dtype, b.dtype)
    result = Matmul()(
        expand(cast(a, dtype), (*shape, *a.shape[-2:])), expand(cast(b, dtype), (*shape, *b.shape[-2:]))
    )
    kept = [n for n, gone in ((a.shape[-2], rows), (b.shape[-1], columns)) if not gone]
    return owned(reshape(result, *shape, *kept)) if rows or columns else result


class Cat(Operation):
    """One behind the other."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, *inputs: Tensor) -> Numbers:
        self.ends = np.cumsum([each.shape[self.dim] for each in inputs]).tolist()
        return np.concatenate([each.array for each in inputs], axis=self.dim)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        before = (slice(None),) * self.dim
        return [grad[(*before, slice(begin, end))] for begin, end in zip([0, *self.ends], self.ends, strict=False)]


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    dtype = promote(*(each.dtype for each in tensors))
    return Cat(axis(dim, len(tensors[0].shape)))(*(cast(each, dtype) for each in tensors))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    return cat([unsqueeze(each, dim) for each in tensors], dim)


def pad(x: Tensor, before: Sequence[int], after: Sequence[int]) -> Tensor:
    """With zeros, so many before and after, for each dimension: the numbers of a slice put back."""
    shape = tuple(a + n + b for a, n, b in zip(before, x.shape, after, strict=True))
    key = tuple(slice(a, a + n) for a, n in zip(before, x.shape, strict=True))
    return PutBack(shape, lambda layout: layout[key])(x)


def roll(x: Tensor, by: int, dim: int) -> Tensor:
    dim = axis(dim, len(x.shape))
    if not x.shape[dim]:
        return x
    at, before = -by % x.shape[dim], (slice(None),) * dim
    return cat([x[(*before, slice(at, None))], x[(*before, slice(0, at))]], dim)


class Gather(Operation):
    """result[…, j, …] = x[…, index[…, j, …], …] along one dimension; what is picked twice gets both gradients."""

    def __init__(self, dim: int, index: NDArray[Any]) -> None:
        super().__init__()
        self.dim, self.index = dim, index

    def forward(self, x: Tensor) -> Numbers:
        self.length = x.shape[self.dim]
        return np.take_along_axis(x.array, self.index, self.dim)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (ScatterAdd(self.dim, self.index, self.length)(grad),)


class ScatterAdd(Operation):
    """Zeros, to which x[…, j, …] is added at index[…, j, …] of one dimension of ``length``."""

    def __init__(self, dim: int, index: NDArray[Any], length: int) -> None:
        super().__init__()
        self.dim, self.index, self.length = dim, index, length

    def forward(self, x: Tensor) -> Numbers:
        shape = list(self.index.shape)
        shape[self.dim] = self.length
        result = np.zeros(shape, x.dtype.numpy)
        places: list[Any] = list(np.indices(self.index.shape, sparse=True))
        places[self.dim] = self.index
        np.add.at(result, tuple(places), x.array)
        return result

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (Gather(self.dim, self.index)(grad),)


def gather(x: Tensor, dim: int, index: NDArray[Any]) -> Tensor:
    dim = axis(dim, len(x.shape))
    index = np.asarray(index)
    if index.dtype.kind not in "iu" or (index.size and (index.min() < 0 or index.max() >= x.shape[dim])):
        raise IndexError(f"an index along dimension {dim} is a whole number from 0 to {x.shape[dim] - 1}")
    return Gather(dim, index)(x)


def scatter_add(x: Tensor, dim: int, index: NDArray[Any], length: int) -> Tensor:
    return ScatterAdd(axis(dim, len(x.shape)), np.asarray(index), length)(x)


def take(x: Tensor, index: NDArray[Any]) -> Tensor:
    """Rows by number, as of a table of embeddings: [rows, …] and [n] → [n, …]"""
    index = np.asarray(index)
    return gather(x, 0, np.broadcast_to(index.reshape(-1, *[1] * (len(x.shape) - 1)), (len(index), *x.shape[1:])))


def sort(x: Tensor, dim: int = -1) -> Tensor:
    return gather(x, dim, np.argsort(x.array, axis=dim, kind="stable"))


def conv1d(x: Tensor, weight: Tensor) -> Tensor:
    """[batch, in, n] and [out, in, size] → [batch, out, n - size + 1]: windows that overlap, times a matrix."""
    seen = transpose(windows(x, weight.shape[-1]), 1, 2)  # [batch, places, in, size]
    flat = reshape(seen, *seen.shape[:2], seen.shape[2] * seen.shape[3])
    return transpose(matmul(flat, transpose(reshape(weight, weight.shape[0], flat.shape[-1]))), 1, 2)


def index(x: Tensor, key: Any) -> Tensor:
    """A view, by numbers, slices, ``...`` and None."""
    return view("index", x, lambda layout: layout[key])
