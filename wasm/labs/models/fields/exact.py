"""What the two equations come to, by formula: no step in time, and no grid that has to be fine.

Heat damps each wave by itself. For Burgers, Hopf (1950) and Cole (1951) found that u = -2ν φ_x / φ, where φ obeys
the heat equation; the integrals are taken here with logarithms, since φ spans e^(1 / ν).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from labs.models.fields import Equation

Floats = NDArray[np.float64]
TAIL = 7.0  # standard deviations of the Gaussian that are summed: what is left out is below 1e-11


def solution(equation: Equation, start: Floats, viscosity: float, time: float, points: int) -> Floats:
    """[points] the field after ``time``, from ``start`` [samples], one period; ``points`` divides the samples."""
    if len(start) % points:
        raise ValueError(f"{points} points do not divide {len(start)} samples")
    if not time:
        return start[:: len(start) // points]
    if equation == "heat":
        return heat(start, viscosity, time)[..., :: len(start) // points]
    return burgers(start, viscosity, time, points)


def heat(start: Floats, viscosity: float, time: float) -> Floats:
    """[..., samples] each wave of ``start`` damped by exp(-ν (2πk)² t)."""
    samples = start.shape[-1]
    wave = 2 * np.pi * np.arange(samples // 2 + 1)
    return np.fft.irfft(np.exp(-viscosity * time * wave**2) * np.fft.rfft(start), samples)


def burgers(start: Floats, viscosity: float, time: float, points: int) -> Floats:
    """[points] the mean of (x - y) / t, weighted by exp(-(∫u₀ + (x - y)² / 2t) / 2ν), over all y."""
    samples, mean = len(start), float(start.mean())
    # The mean only carries everything along, so the rest is solved at a place that moves with it.
    wave = 2j * np.pi * np.arange(samples // 2 + 1)
    waves = np.fft.rfft(start) * np.exp(-wave * mean * time)
    potential = np.fft.irfft(np.concatenate(([0], waves[1:] / wave[1:])), samples)
    fastest = float(np.abs(start - mean).max())
    reach = int(np.ceil(samples * (fastest * time + TAIL * np.sqrt(2 * viscosity * time))))
    distance = np.arange(reach, -reach - 1, -1) / samples
    around = potential[np.arange(-reach, samples + reach) % samples]
    weight = sliding_window_view(around, 2 * reach + 1)[:: samples // points] + distance**2 / (2 * time)
    weight /= -2 * viscosity  # in place: these are half a million numbers
    weight -= weight.max(axis=1, keepdims=True)
    np.exp(weight, out=weight)
    return np.asarray(mean + weight @ distance / (time * weight.sum(axis=1)))
