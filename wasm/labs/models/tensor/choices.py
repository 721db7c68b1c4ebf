"""Operations that choose: which of two, within bounds, above 0. What is not chosen gets a gradient of 0.

Their slopes jump, and are flat on either side: a gradient of a gradient ends there, as zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.dtypes import promote, weak
from labs.models.tensor.elementwise import Binary, Unary, alike, cast, unary
from labs.models.tensor.layout import broadcast
from labs.models.tensor.tape import Numbers, Operation
from labs.models.tensor.views import expand

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor


class _Choice(Binary):
    """The larger or the smaller of two; where both are equal, each gets half."""

    function: Callable[..., NDArray[Any]]
    lost: Callable[..., NDArray[Any]]
    """Where the first of two is not chosen; what is no number passes its gradient on."""

    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        self.save_for_backward(a, b)
        return self.function(a.array, b.array)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        a, b = self.saved
        zero, shared = grad.constant(np.zeros(())), where(a.equals(b), grad / 2, grad)
        return [where(a.fresh(self.lost(*each)), zero, shared) for each in ((a.array, b.array), (b.array, a.array))]


class Maximum(_Choice):
    function, lost = np.maximum, np.less


class Minimum(_Choice):
    function, lost = np.minimum, np.greater


class Where(Operation):
    """``a`` where ``condition`` holds, else ``b``. The condition has no slope."""

    def forward(self, condition: Tensor, a: Tensor, b: Tensor) -> Numbers:
        self.save_for_backward(condition)
        return np.where(condition.array, a.array, b.array)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (condition,) = self.saved
        zero = grad.constant(np.zeros(()))
        return None, where(condition, grad, zero), where(condition, zero, grad)


def where(condition: Tensor, a: Tensor, b: Tensor) -> Tensor:
    shape = broadcast(condition.shape, a.shape, b.shape)
    return Where()(*(expand(each, shape) for each in (condition, *alike(a, b))))


class Clamp(Operation):
    """Between two plain numbers, or on one side of one. Outside it is flat."""

    def __init__(self, low: float | None, high: float | None) -> None:
        super().__init__()
        self.low = -np.inf if low is None else low
        self.high = np.inf if high is None else high

    def forward(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return np.minimum(np.maximum(x.array, self.low), self.high).astype(x.dtype.numpy)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (x,) = self.saved
        within = x.fresh((x.array >= self.low) & (x.array <= self.high))
        return (where(within, grad, grad.constant(np.zeros(()))),)


def clamp(x: Tensor, low: float | None, high: float | None) -> Tensor:
    dtype = promote(x.dtype, *(weak(each, x.dtype) for each in (low, high) if each is not None))
    return Clamp(low, high)(cast(x, dtype))


class Relu(Unary):
    fractions = False
    keeps_result = True

    def forward(self, x: Tensor) -> Numbers:
        return np.maximum(x.array, 0)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (Gate()(grad, *self.saved),)


class Gate(Operation):
    """Lets a gradient pass where ``x`` is above 0, and else none, not even one without end."""

    def forward(self, grad: Tensor, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return np.where(x.array <= 0, 0, grad.array).astype(grad.dtype.numpy)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (x,) = self.saved
        return Gate()(grad, x), grad.constant(np.zeros(x.shape))


def relu(x: Tensor) -> Tensor:
    return Relu()(x)


class Sign(Unary):
    fractions = False

    def forward(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return np.where(np.isnan(x.array), 0, np.sign(x.array)).astype(x.dtype.numpy)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (x,) = self.saved
        return (grad.constant(np.zeros(x.shape)),)


absolute = unary("Abs", np.abs, lambda x: Sign()(x), fractions=False)
