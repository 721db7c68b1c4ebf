"""Powers: of two tensors, of a tensor and a number, of a number and a tensor. Each saves what its slope needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from labs.models.tensor.choices import where
from labs.models.tensor.dtypes import promote, weak
from labs.models.tensor.elementwise import Binary, Unary, cast, log
from labs.models.tensor.tape import Numbers

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor


class Pow(Binary):
    """``a ** b``. Where b is 0 it is flat along a, and 0 ** b is flat along b; the formulas alone would say nan."""

    keeps_result = True

    def forward(self, a: Tensor, b: Tensor) -> Numbers:
        self.save_for_backward(a, b)
        return a.array**b.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        a, b, result = self.saved
        for_a, for_b = self.needs
        zero = grad.constant(np.zeros(()))
        down = where(b.equals(0), zero, grad * (b * a ** (b - 1))) if for_a else None
        along = grad * where(a.equals(0) & (b >= 0), zero, result * log(a)) if for_b else None
        return down, along


class PowOfTensor(Unary):
    """``x ** 3``"""

    called = "pow"
    fractions = False

    def __init__(self, exponent: complex) -> None:
        super().__init__()
        self.exponent = exponent

    def forward(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return x.array ** np.asarray(self.exponent, x.dtype.numpy)

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        (x,) = self.saved
        if self.exponent == 0:
            return (grad.constant(np.zeros(grad.shape)),)
        return (grad * (self.exponent * x ** (self.exponent - 1)),)


class PowOfNumber(Unary):
    """``3 ** x``"""

    called = "pow"
    fractions = False
    keeps_result = True

    def __init__(self, base: complex) -> None:
        super().__init__()
        self.base = base

    def forward(self, x: Tensor) -> Numbers:
        self.save_for_backward(x)
        return np.asarray(self.base, x.dtype.numpy) ** x.array

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        x, result = self.saved
        slope = result * np.log(np.asarray(self.base, result.dtype.numpy)).item()
        return (grad * (slope if self.base else where(x >= 0, grad.constant(np.zeros(())), slope)),)


def power(x: Tensor, exponent: Tensor | complex) -> Tensor:
    if isinstance(exponent, complex | int | float):
        return PowOfTensor(exponent)(cast(x, promote(x.dtype, weak(exponent, x.dtype))))
    return Pow()(x, exponent)


def power_of(base: complex, x: Tensor) -> Tensor:
    return PowOfNumber(base)(cast(x, promote(x.dtype, weak(base, x.dtype))))
