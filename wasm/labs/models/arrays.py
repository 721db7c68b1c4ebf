"""Lists of numbers as arrays of the contract."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from labs.contract import Float32, Int32


def ints(values: Iterable[int]) -> Int32:
    return np.array([*values], np.int32)


def floats(values: Iterable[float | None]) -> Float32:
    """A number that does not exist is NaN."""
    return np.array([np.nan if value is None else value for value in values], np.float32)
