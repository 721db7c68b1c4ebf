"""What the two equations come to, by formula: no step in time, and no grid that has to be fine.

Heat damps each wave by itself. For Burgers, Hopf (1950) and Cole (1951) found that u = -2ν φ_x / φ, where φ obeys
the heat equation: what φ is at the start, convolved with a Gaussian.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from labs.models.fields import Equation

Floats = NDArray[np.float64]
TAIL = 7.0  # standard deviations of the Gaussian that are summed: what is left out is below 1e-11
SPAN = 600  # φ may span e^600: float64 ends at e^-745


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
    """[points] the mean of (x - y) / t, weighted by exp(-∫u₀ / 2ν) · exp(-(x - y)² / 4νt), over all y."""
    samples, mean = len(start), float(start.mean())
    # The mean only carries everything along, so the rest is solved at a place that moves with it.
    wave = 2j * np.pi * np.arange(samples // 2 + 1)
    waves = np.fft.rfft(start) * np.exp(-wave * mean * time)
    potential = np.fft.irfft(np.concatenate(([0], waves[1:] / wave[1:])), samples)
    height = (potential - potential.min()) / (2 * viscosity)
    if height.max() > SPAN:
        raise ValueError(f"a viscosity of {viscosity} is too small: float64 does not hold e^-{height.max():.0f}")
    # Both factors are periodic once all distances that lead to the same place are added up.
    fastest = float(np.abs(start - mean).max())
    reach = int(np.ceil(samples * (fastest * time + TAIL * np.sqrt(2 * viscosity * time))))
    steps = np.arange(-reach, reach + 1)
    distance = steps / samples
    spread = np.exp(-(distance**2) / (4 * viscosity * time))
    kernel = [np.bincount(steps % samples, each, samples) for each in (spread, spread * distance)]
    ring = np.tile(np.exp(-height), 2)[::-1]
    behind = sliding_window_view(ring, samples)[samples - 1 :: -(samples // points)]  # from each place backwards
    weight, moment = np.array(kernel) @ behind.T
    return np.asarray(mean + moment / (time * weight))
