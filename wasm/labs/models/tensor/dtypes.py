"""Types of numbers, and which of them holds the results of two: one rule instead of a table.

The result has the first type in the list below that can hold whatever either side holds. Where none can, as for
64-bit integers of both signs, it is float64, which rounds: NumPy decides the same, to keep going.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class DType:
    name: str
    whole: int
    """Bits of the largest whole number up to which each is held exactly, sign apart."""
    signed: bool = True
    exponent: int = 0
    """Bits; 0 for what holds no fractions."""
    imaginary: bool = False

    @cached_property
    def numpy(self) -> np.dtype[np.generic]:
        return np.dtype(self.name)

    @property
    def itemsize(self) -> int:
        """Bytes."""
        return self.numpy.itemsize

    @property
    def differentiable(self) -> bool:
        """Only what moves in steps as small as one likes has a slope; complex numbers are left out here."""
        return self.exponent > 0 and not self.imaginary

    def holds(self, other: DType) -> bool:
        return (
            self.whole >= other.whole
            and self.signed >= other.signed
            and self.exponent >= other.exponent
            and self.imaginary >= other.imaginary
        )

    def __str__(self) -> str:
        return self.name


DTYPES = {
    each.name: each
    for each in (
        DType("bool", 1, signed=False),
        DType("uint8", 8, signed=False),
        DType("int8", 7),
        DType("uint16", 16, signed=False),
        DType("int16", 15),
        DType("uint32", 32, signed=False),
        DType("int32", 31),
        DType("uint64", 64, signed=False),
        DType("int64", 63),
        DType("float16", 11, exponent=5),
        DType("float32", 24, exponent=8),
        DType("float64", 53, exponent=11),
        DType("complex64", 24, exponent=8, imaginary=True),
        DType("complex128", 53, exponent=11, imaginary=True),
    )
}
BOOL, INT64, FLOAT64, COMPLEX128 = (DTYPES[name] for name in ("bool", "int64", "float64", "complex128"))


def promote(*types: DType) -> DType:
    """The type of a result from tensors of these."""
    first, *others = types
    for other in others:
        widest = COMPLEX128 if first.imaginary or other.imaginary else FLOAT64
        holding = (each for each in DTYPES.values() if each.holds(first) and each.holds(other))
        first = next(holding, widest)
    return first


def weak(value: complex, beside: DType) -> DType:
    """The type that a Python number takes beside a tensor: the tensor's, unless that is of a lower kind."""
    if isinstance(value, bool):
        return beside
    if isinstance(value, int):
        return INT64 if beside is BOOL else beside
    if isinstance(value, float):
        return beside if beside.exponent else FLOAT64
    return beside if beside.imaginary else promote(beside if beside.exponent else FLOAT64, DTYPES["complex64"])


def named(dtype: str | DType) -> DType:
    if isinstance(dtype, DType):
        return dtype
    try:
        return DTYPES[dtype]
    except KeyError:
        raise TypeError(f"{dtype} is none of the types {', '.join(DTYPES)}") from None


_by_numpy = {each.numpy: each for each in DTYPES.values()}


def held(dtype: np.dtype[Any]) -> DType:
    """That of NumPy's numbers; its `name` would take NumPy longer to put together than many an operation takes."""
    found = _by_numpy.get(dtype)
    return named(dtype.name) if found is None else found
