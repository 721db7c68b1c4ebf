"""Operations that work number by number, and how each passes a gradient back.

Their inputs are first brought to one type and one shape, by operations of their own: so no derivative here has to
think of broadcasting. Derivatives are written with tensors, not with arrays: they can be differentiated again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.dtypes import FLOAT64, DType, promote
from labs.models.tensor.layout import broadcast
from labs.models.tensor.tape import Numbers, Operation
from labs.models.tensor.views import expand

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor


Function = Callable[["Tensor"], "Tensor"]


class Cast(Operation):
    def __init__(self, dtype: DType) -> None:
        super().__init__()
        self.dtype = dtype

    def forward(self, x: Tensor) -> Numbers:
        self.before = x.dtype
        return x.array.astype(self.dtype.numpy)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (cast(grad, self.before),)


def cast(x: Tensor, dtype: DType) -> Tensor:
    return x if x.dtype is dtype else Cast(dtype)(x)


def alike(*inputs: Tensor) -> list[Tensor]:
    """All of one type and one shape."""
    dtype = promote(*(each.dtype for each in inputs))
    shape = broadcast(*(each.shape for each in inputs))
    return [expand(cast(each, dtype), shape) for each in inputs]


class Binary(Operation):
    """Two inputs of one type and shape."""

    def __call__(self, *inputs: Tensor) -> Tensor:
        return super().__call__(*alike(*inputs))


class Add(Binary):
    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        return a.array + b.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return grad, grad


class Sub(Binary):
    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        return a.array - b.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return grad, -grad


class Mul(Binary):
    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        for_a, for_b = self.needs
        self.save_for_backward(b if for_a else None, a if for_b else None)
        return a.array * b.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return [None if other is None else grad * other for other in self.saved]


class Div(Binary):
    """Of whole numbers, too, the quotient has fractions."""

    def __call__(self, *inputs: Tensor) -> Tensor:
        a, b = alike(*inputs)
        if not a.dtype.exponent:
            a, b = cast(a, FLOAT64), cast(b, FLOAT64)
        return super().__call__(a, b)

    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        self.save_for_backward(a if self.needs[1] else None, b)
        return a.array / b.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        a, b = self.saved
        return grad / b, None if a is None else -grad * (a / b / b)


class Unary(Operation):
    """One input; whole numbers become float64 where the result is none of them."""

    fractions = True

    def __call__(self, *inputs: Tensor) -> Tensor:
        (x,) = inputs
        return super().__call__(cast(x, FLOAT64) if self.fractions and not x.dtype.exponent else x)


class Neg(Unary):
    fractions = False

    def forward(self, x: Tensor) -> Numbers:
        return -x.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        return (-grad,)


def unary(
    name: str,
    function: Callable[[NDArray[Any]], NDArray[Any]],
    slope: Callable[[Tensor], Tensor],
    *,
    of_result: bool = False,
    fractions: bool = True,
) -> Callable[[Tensor], Tensor]:
    """An operation from its function and its slope, told in terms of its input or of its result."""

    def forward(self: Operation, x: Tensor) -> Numbers:
        if not of_result:
            self.save_for_backward(x)
        return function(x.array)

    def backward(self: Operation, grad: Tensor) -> Sequence[Tensor | None]:
        (known,) = self.saved
        return (grad * slope(known),)

    told = {"forward": forward, "backward": backward, "keeps_result": of_result, "fractions": fractions}
    kind = type(name, (Unary,), told)
    return lambda x: kind()(x)


class Log(Unary):
    def forward(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return np.log(x.array)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (x,) = self.saved
        return (grad / x,)


def log(x: Tensor) -> Tensor:
    return Log()(x)


def neg(x: Tensor) -> Tensor:
    return Neg()(x)


_erf = np.vectorize(math.erf, otypes=[np.float64])
exp = unary("Exp", np.exp, lambda y: y, of_result=True)
expm1 = unary("Expm1", np.expm1, lambda y: y + 1, of_result=True)
log1p = unary("Log1p", np.log1p, lambda x: 1 / (x + 1))
sqrt = unary("Sqrt", np.sqrt, lambda y: 0.5 / y, of_result=True)
rsqrt = unary("Rsqrt", lambda x: 1 / np.sqrt(x), lambda y: -0.5 * y * y * y, of_result=True)
reciprocal = unary("Reciprocal", np.reciprocal, lambda y: -y * y, of_result=True)
sin: Function = unary("Sin", np.sin, lambda x: cos(x))
cos: Function = unary("Cos", np.cos, lambda x: -sin(x))
tan = unary("Tan", np.tan, lambda y: 1 + y * y, of_result=True)
asin = unary("Asin", np.arcsin, lambda x: rsqrt(1 - x * x))
acos = unary("Acos", np.arccos, lambda x: -rsqrt(1 - x * x))
atan = unary("Atan", np.arctan, lambda x: 1 / (1 + x * x))
sinh: Function = unary("Sinh", np.sinh, lambda x: cosh(x))
cosh: Function = unary("Cosh", np.cosh, lambda x: sinh(x))
tanh = unary("Tanh", np.tanh, lambda y: 1 - y * y, of_result=True)
erf = unary("Erf", lambda x: _erf(x).astype(x.dtype), lambda x: 2 / math.sqrt(math.pi) * exp(-x * x))
sigmoid = unary("Sigmoid", lambda x: _sigmoid(x), lambda y: y * (1 - y), of_result=True)
softplus = unary("Softplus", lambda x: np.logaddexp(x, np.zeros((), x.dtype)), lambda x: sigmoid(x))


def _sigmoid(x: NDArray[Any]) -> Numbers:
    """Without an overflow on either side."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)
