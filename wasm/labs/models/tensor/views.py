"""Readings of the same numbers: every view is one operation, and the gradient of every view is one other.

A view's gradient goes back to where its numbers were read from; what was read twice gets the sum. The derivative of
that is the view again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from labs.models.tensor.layout import Layout, Shape, axis
from labs.models.tensor.tape import Numbers, Operation

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor

Reading = Callable[[Layout], Layout]
"""From how a tensor lies in memory to how another reads the same numbers."""


class View(Operation):
    def __init__(self, name: str, reading: Reading) -> None:
        super().__init__()
        self._name, self.reading = name, reading

    @property
    def name(self) -> str:
        return self._name

    def result(self, first: Tensor, *others: Tensor) -> Tensor:
        self.shape = first.shape
        return first.viewed(self.reading)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (PutBack(self.shape, self.reading)(grad),)


class PutBack(Operation):
    """Numbers of a view at the places of a tensor of ``shape`` that they were read from, and 0 elsewhere."""

    def __init__(self, shape: Shape, reading: Reading) -> None:
        super().__init__()
        self.shape, self.reading = shape, reading

    def forward(self, x: Tensor) -> Numbers:
        whole = np.zeros(self.shape, x.dtype.numpy)
        put_back(x.array, whole, self.reading(Layout.rows(self.shape)))
        return whole

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (view("view", contiguous(grad), self.reading),)


def put_back(part: NDArray[Any], whole: NDArray[Any], layout: Layout) -> None:
    """Add ``part`` to ``whole`` as ``layout`` reads it; ``whole`` lies row after row."""
    still = tuple(d for d, (n, stride) in enumerate(zip(layout.shape, layout.strides, strict=True)) if not stride)
    part = part.sum(axis=still, keepdims=True, dtype=part.dtype)  # what is repeated all lands in one place
    layout = layout[tuple(slice(0, 1) if d in still else slice(None) for d in range(len(layout.shape)))]
    if part.size == 0:
        return
    if apart(layout):
        through(whole, layout)[...] += part
    else:
        places = through(np.arange(whole.size), layout)
        np.add.at(whole.reshape(-1), places, part)


def through(flat: NDArray[Any], layout: Layout) -> NDArray[Any]:
    """What a layout reads of numbers that lie row after row."""
    strides = [stride * flat.itemsize for stride in layout.strides]
    return as_strided(flat.reshape(-1)[layout.offset :], layout.shape, strides)


def apart(layout: Layout) -> bool:
    """Whether no number is read twice for sure: each stride steps over all that smaller ones reach."""
    reach = 0
    for stride, n in sorted(
        (abs(stride), n) for stride, n in zip(layout.strides, layout.shape, strict=True) if n > 1
    ):
        if stride <= reach:
            return False
        reach += stride * (n - 1)
    return True


def view(name: str, x: Tensor, reading: Reading) -> Tensor:
    return View(name, reading)(x)


def owned(x: Tensor) -> Tensor:
    """A view as if it were none: nobody else has a name for what it reads."""
    x._base, x._reading = None, lambda layout: layout
    return x


def expand(x: Tensor, shape: Shape) -> Tensor:
    return x if x.shape == tuple(shape) else view("expand", x, lambda layout: layout.expand(shape))


def permute(x: Tensor, *dims: int) -> Tensor:
    return view("permute", x, lambda layout: layout.permute(dims))


def transpose(x: Tensor, first: int = -2, second: int = -1) -> Tensor:
    order = list(range(len(x.shape)))
    first, second = axis(first, len(order)), axis(second, len(order))
    order[first], order[second] = order[second], order[first]
    return view("transpose", x, lambda layout: layout.permute(order))


def squeeze(x: Tensor, *dims: int) -> Tensor:
    return view("squeeze", x, lambda layout: layout.squeeze(dims or None))


def unsqueeze(x: Tensor, dim: int) -> Tensor:
    return view("unsqueeze", x, lambda layout: layout.unsqueeze(dim))


def flip(x: Tensor, *dims: int) -> Tensor:
    return view("flip", x, lambda layout: layout.flip(dims))


def diagonal(x: Tensor) -> Tensor:
    return view("diagonal", x, lambda layout: layout.diagonal())


def windows(x: Tensor, size: int, step: int = 1) -> Tensor:
    """[…, n] → […, windows, size]: neighbours that overlap, without a copy."""

    def reading(layout: Layout) -> Layout:
        *shape, n = layout.shape
        *strides, stride = layout.strides
        if not 1 <= size <= n or step < 1:
            raise ValueError(f"windows of {size} in steps of {step} do not fit {n} elements")
        found = (n - size) // step + 1
        return Layout((*shape, found, size), (*strides, stride * step, stride), layout.offset)

    return view("windows", x, reading)


class Copy(Operation):
    """The same numbers in memory of their own, row after row."""

    def forward(self, x: Tensor) -> Numbers:
        return x.array.copy()

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (grad,)


def contiguous(x: Tensor) -> Tensor:
    return x if x.layout.contiguous else Copy()(x)


def reshape(x: Tensor, *shape: int) -> Tensor:
    """A view if the numbers can be read so where they are, else a copy."""

    def reading(layout: Layout) -> Layout:
        found = layout.reshape(shape)
        if found is None:
            raise ValueError(
                f"{layout.shape} with strides {layout.strides} cannot be read as {shape} without a copy"
            )
        return found

    if x.layout.reshape(shape):
        return view("reshape", x, reading)
    return owned(view("reshape", Copy()(x), reading))


class Overwrite(Operation):
    """History of a tensor a part of which was written over: the part's gradient goes to what was written.

    What was written through a view can be walked back through once: how it was read is let go of, as in PyTorch.
    """

    def __init__(self, reading: Reading, through_view: bool) -> None:
        super().__init__()
        self.reading, self.through_view = reading, through_view

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        _ = self.saved
        part = view("view", contiguous(grad), self.reading)
        return grad - PutBack(grad.shape, self.reading)(part), part

    def release(self) -> None:
        if self.through_view:
            super().release()
