"""The bytes of a number that the tape's figure shows are NumPy's, for every type that a program can name."""

from typing import Any

import numpy as np
from in_node import told
from labs.tensors.autograd_tape.evaluate import TYPES

HALVES = np.arange(2**16, dtype=np.uint16).view(np.float16)
NUMBERS: dict[str, Any] = {
    "bool": np.array([False, True]),
    "int32": np.array([0, 1, -1, 300, -(2**31), 2**31 - 1], np.int32),
    "int64": np.array([0, 1, -1, 300, 2**40, -(2**53)], np.int64),
    "float16": np.append(HALVES[~np.isnan(HALVES)], np.float16("nan")),
    "float32": np.array([0, -0.0, 0.1, -2.5, 1e-45, 3.4e38, "inf", "-inf", "nan"], np.float32),
    "float64": np.array([0, -0.0, 0.1, -2.5, 5e-324, 1e308, "inf", "-inf", "nan"], np.float64),
}


def sent(value: Any) -> float | str:
    """As a picture of the lab says it: words for what is no number."""
    return float(value) if np.isfinite(value) else str(float(value))


def test_bytes_are_numpys() -> None:
    assert NUMBERS.keys() == TYPES.keys()
    asked = {dtype: [*map(sent, values)] for dtype, values in NUMBERS.items()}
    for dtype, found in told("bytes_of.mjs", asked).items():
        assert found == [value.tobytes().hex() for value in NUMBERS[dtype]], dtype
