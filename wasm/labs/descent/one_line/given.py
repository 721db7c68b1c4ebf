"""The numbers that the reader gives: rows with ``;`` between them, numbers with spaces."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labs.contract import LabError
from labs.models.one_line.line import LARGEST, SHAPES

Floats = NDArray[np.float32]


def given(name: str, text: str) -> Floats:
    """float32, of the input's shape. Raises ``LabError``, which says what to change."""
    shape = SHAPES[name]
    rows = [row.split() for row in text.replace(",", " ").split(";")]
    wanted = f"{shape[0]} rows of {shape[1]} numbers, with ; between the rows" if len(shape) == 2 else "4 numbers"
    if [len(row) for row in rows] != ([shape[-1]] * shape[0] if len(shape) == 2 else [shape[0]]):
        found = " and ".join(map(str, map(len, rows))) if len(rows) < 9 else "many"
        here = f"here are rows of {found}" if len(rows) > 1 else f"here {'is' if found == '1' else 'are'} {found}"
        raise LabError(f"{name} is {wanted}; {here}.")
    try:
        numbers = [[float(each) for each in row] for row in rows]
    except ValueError:
        raise LabError(f"{name} holds something that is not a number; write numbers such as 0.5 or -1.") from None
    for i, row in enumerate(numbers):
        for j, each in enumerate(row):
            if not (math.isfinite(each) and abs(each) <= LARGEST):
                cell = f"{name}[{i}, {j}]" if len(shape) == 2 else f"{name}[{j}]"
                raise LabError(f"{cell} is out of range; write a number from −{LARGEST:g} to {LARGEST:g}.")
    return np.array(numbers, np.float32).reshape(shape)
