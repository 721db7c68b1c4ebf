"""A spectral solver: the field as a sum of waves, whose slopes are exact.

Diffusion is solved exactly, wave by wave; what Burgers' product does to the waves is followed by a Runge-Kutta
method of fourth order (an integrating factor). A product of waves makes waves that a grid cannot tell from slower
ones, so the upper third is left out of it (Orszag's rule).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.fields import Equation

STABLE = 2.8  # the method is stable where a step turns the fastest wave by less (radians)


def steps(equation: Equation, points: int, fastest: float, time: float) -> int:
    """That are stable where no value exceeds ``fastest``. Heat takes one, which is exact."""
    if equation == "heat":
        return 1
    return max(1, math.ceil(time * fastest * 2 * np.pi * (points / 3) / STABLE))


def solve(
    equation: Equation, start: NDArray[Any], viscosity: float | NDArray[Any], time: float, count: int
) -> NDArray[Any]:
    """[..., points] the field after ``time`` in ``count`` steps, in the precision of ``start``.

    ``viscosity`` is one for all fields, or [fields, 1].
    """
    points, step = start.shape[-1], time / count
    number = np.arange(points // 2 + 1)
    real = start.dtype
    half = np.exp(-viscosity * (2 * np.pi * number) ** 2 * step / 2).astype(real)
    whole = half * half
    waves = np.fft.rfft(start)
    if equation == "heat":
        return np.asarray(np.fft.irfft(whole**count * waves, points))
    kept = number < points / 3
    slope = (-1j * np.pi * step * number * kept).astype(waves.dtype)

    def change(of: NDArray[Any]) -> NDArray[Any]:
        field = np.fft.irfft(kept * of, points)
        return np.asarray(slope * np.fft.rfft(field * field))

    for _ in range(count):
        first = change(waves)
        second = change(half * (waves + first / 2))
        third = change(half * waves + second / 2)
        fourth = change(whole * waves + half * third)
        waves = whole * waves + (whole * first + 2 * half * (second + third) + fourth) / 6
    return np.asarray(np.fft.irfft(waves, points))


def multiplications(equation: Equation, points: int) -> int:
    """Of real numbers in one step; a transform of n real numbers is counted as n log2 n."""
    transform = points * int(math.log2(points))
    return 2 * transform + points if equation == "heat" else 4 * (2 * transform + 5 * points)
