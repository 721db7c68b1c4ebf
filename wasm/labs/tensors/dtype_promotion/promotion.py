"""The type of a sum of two things of different types: PyTorch's rules, and what NumPy says when it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from labs.models.tensor.dtypes import DTYPES, DType, promote, weak

How = Literal["array", "0-d", "number"]
HOWS: tuple[How, ...] = get_args(How)
HALF_COMPLEX = DType("complex32", 11, exponent=5, imaginary=True)
"""Two halves: PyTorch has it, NumPy does not."""
LATE = ("uint16", "uint32", "uint64")
"""Types that PyTorch got late, and promotes beside floats only."""


@dataclass(frozen=True)
class Side:
    """What stands on one side of the +."""

    dtype: DType
    how: How

    @property
    def kind(self) -> int:
        return kind(self.dtype)

    @property
    def held(self) -> DType:
        """The type of its bits before anything is added; those of a whole number of Python's may be more."""
        return DTYPES[("bool", "int64", "float64", "complex128")[self.kind]] if self.how == "number" else self.dtype

    @property
    def python(self) -> bool | int | float | complex:
        """A number of Python's, of the same kind."""
        return (True, 1, 1.0, 1j)[self.kind]


def kind(dtype: DType) -> int:
    """Truth values, whole numbers, floats, complex numbers: each higher than the one before."""
    if dtype.imaginary:
        return 3
    return 2 if dtype.exponent else 1 if dtype.whole > 1 else 0


def numpys(left: Side, right: Side) -> str:
    """NumPy's, since version 2: an array without dimensions counts as any other, and Python's numbers are weak.

    Of arrays NumPy is asked. It takes a whole number of Python's to be as wide as an address where no array says
    otherwise, 64 bits, but 32 in a browser; so numbers are decided here, for 64 bits everywhere.
    """
    number, other = (left, right) if left.how == "number" else (right, left)
    if number.how != "number":
        return np.promote_types(left.dtype.numpy, right.dtype.numpy).name
    if other.how == "number":
        return promote(left.held, right.held).name
    return promote(weak(number.python, other.dtype), other.dtype).name


def pytorchs(left: Side, right: Side) -> DType | None:
    """None where PyTorch refuses.

    Arrays decide before those without dimensions, these before numbers; a later operand counts only if it is
    of a higher kind.
    """
    sides = sorted((left, right), key=lambda each: HOWS.index(each.how))
    first, second = (own(each) for each in sides)
    if sides[0].how == sides[1].how:
        return beside(first, second)
    if kind(second) <= kind(first) or first is second:
        return first
    if kind(first) == 2:  # a float keeps its bits where it becomes complex
        return {11: HALF_COMPLEX, 24: DTYPES["complex64"], 53: DTYPES["complex128"]}[first.whole]
    return second if kind(second) > 1 else beside(first, second)


def own(side: Side) -> DType:
    """The type that PyTorch gives it; a number of Python's gets the default of its kind."""
    defaults = ("bool", "int64", "float32", "complex64")
    return DTYPES[defaults[side.kind]] if side.how == "number" else side.dtype


def beside(first: DType, second: DType) -> DType | None:
    """``torch.promote_types``: a higher kind wins, however few its bits."""
    if first is second:
        return first
    low, high = sorted((first, second), key=kind)
    if any(each.name in LATE for each in (low, high)) and kind(high) != 2:
        return None
    if kind(low) < kind(high) and not (kind(low) == 2 and kind(high) == 3):
        return high
    return promote(low, high)
