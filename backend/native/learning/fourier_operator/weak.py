"""A baseline that flatters whatever stands beside it: first-order slopes, and Euler's steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from labs.models.fields import Equation
from numpy.typing import NDArray

STABLE = 0.9  # of the largest step that keeps every new value between old ones


def steps(equation: Equation, points: int, viscosity: float, fastest: float, time: float) -> int:
    turning = fastest * points if equation == "burgers" else 0.0
    return math.ceil(time * (turning + 2 * viscosity * points**2) / STABLE)


def solve(equation: Equation, start: NDArray[Any], viscosity: float, time: float, count: int) -> NDArray[Any]:
    """[..., points] the field after ``time`` in ``count`` steps, in the precision of ``start``."""
    points, step = start.shape[-1], time / count
    around = np.arange(-1, points + 1) % points
    spread = np.asarray(step * viscosity * points**2, start.dtype)
    carry = np.asarray(step * points / 2 if equation == "burgers" else 0, start.dtype)
    field = start
    for _ in range(count):
        ring = field[..., around]
        left, right = ring[..., :-2], ring[..., 2:]
        # u² / 2 through the two ends of a cell: from the left what moves right, from the right what moves left.
        forth, back = np.maximum(ring, 0) ** 2, np.minimum(ring, 0) ** 2
        flow = forth[..., 1:-1] - forth[..., :-2] + back[..., 2:] - back[..., 1:-1]
        field = field - carry * flow + spread * (left - 2 * field + right)
    return field
