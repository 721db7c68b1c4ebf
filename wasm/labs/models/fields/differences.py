"""Finite differences: slopes from neighbours, of second order in space and of fourth in time (Runge-Kutta)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.fields import Equation

STABLE = 2.7  # of both ends of what the method can follow: turning (2.83) and damping (2.79)


def steps(equation: Equation, points: int, viscosity: float, fastest: float, time: float) -> int:
    """That are stable where no value exceeds ``fastest``: diffusion asks for a number that grows with points²."""
    turning = fastest * points if equation == "burgers" else 0.0
    return max(1, math.ceil(time * (turning + 4 * viscosity * points**2) / STABLE))


def solve(equation: Equation, start: NDArray[Any], viscosity: float, time: float, count: int) -> NDArray[Any]:
    """[..., points] the field after ``time`` in ``count`` steps, in the precision of ``start``."""
    points, step = start.shape[-1], time / count
    around = np.arange(-1, points + 1) % points
    spread = np.asarray(step * viscosity * points**2, start.dtype)
    carry = np.asarray(step * points / 4 if equation == "burgers" else 0, start.dtype)

    def change(field: NDArray[Any]) -> NDArray[Any]:
        ring = field[..., around]
        left, right = ring[..., :-2], ring[..., 2:]
        flow = (right - left) * (right + left)  # of u² / 2, so that what flows out here flows in there
        return np.asarray(spread * (left - 2 * field + right) - carry * flow)

    field = start
    for _ in range(count):
        first = change(field)
        second = change(field + first / 2)
        third = change(field + second / 2)
        fourth = change(field + third)
        field = field + (first + 2 * (second + third) + fourth) / 6
    return field


def multiplications(equation: Equation, points: int) -> int:
    """In one step: of each of four slopes, and of the sums between them."""
    return points * ((4 * (3 if equation == "burgers" else 2)) + 5)
