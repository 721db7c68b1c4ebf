"""The trained operators, and their forward pass in NumPy: what PyTorch trained, without PyTorch. Sums are
taken in float64, so that a reader's browser and the server give the same numbers.

`scripts/train_fourier_operators.py` trains them and writes the file; tests hold this pass against PyTorch's layers.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labs.models.fields import Equation
from labs.models.fields.scale import scaled

FILE = "operators.npz"
LEAP = 0.1  # time that one application spans
RESOLUTION = 64  # points of the fields that they learned from
WIDTH = 16
LOW, HIGH = 0.005, 0.05  # viscosity that they learned with
Modes = Literal[4, 8, 16]
Floats = NDArray[np.float64]


@cache
def operator(equation: Equation, modes: Modes) -> Mapping[str, NDArray[Any]]:
    """Its arrays, by the names that PyTorch gives them; the matrices of waves are complex."""
    with np.load(io.BytesIO(files(__package__).joinpath(FILE).read_bytes())) as kept:
        own = {name: kept[name] for name in kept.files if name.startswith(f"{equation}.{modes}.")}
    found = {name.split(".", 2)[2]: value.astype(np.float64) for name, value in own.items()}
    return {
        name: value[..., 0] + 1j * value[..., 1] if name.startswith("waves") else value[..., 0]
        for name, value in (
            (name, value if value.ndim > 1 else value[:, None, None]) for name, value in found.items()
        )
    }


def leap(weights: Mapping[str, NDArray[Any]], field: Floats, viscosity: float) -> Floats:
    """[points] the field one leap later."""
    given = np.stack([field, np.full_like(field, scaled(viscosity))])
    hidden = linear(weights, "lift", given)
    for layer in range(sum(name.startswith("waves") for name in weights)):
        hidden = bend(waves(weights[f"waves.{layer}.weight"], hidden) + linear(weights, f"points.{layer}", hidden))
    return np.asarray(field + linear(weights, "project", bend(linear(weights, "widen", hidden)))[0])


def linear(weights: Mapping[str, NDArray[Any]], name: str, hidden: Floats) -> Floats:
    return np.asarray(weights[f"{name}.weight"] @ hidden + weights[f"{name}.bias"])


def waves(weight: NDArray[np.complex128], hidden: Floats) -> Floats:
    """[width, points] of ``weight`` [modes, from, to]; a grid has fewer waves than half its points."""
    points = hidden.shape[-1]
    modes = min(len(weight), points // 2)
    low = np.fft.rfft(hidden, norm="forward")[:, :modes]
    mixed = np.einsum("im,mio->om", low, weight[:modes])
    return np.asarray(np.fft.irfft(mixed, points, norm="forward"))


def bend(hidden: Floats) -> Floats:
    """GELU, by its usual approximation x (1 + tanh z) / 2 with z = √(2 / π) (x + 0.044715 x³): x / (1 + e^-2z)."""
    return np.asarray(hidden / (1 + np.exp(-1.5957691216 * (hidden + 0.044715 * hidden * hidden * hidden))))


def multiplications(modes: int, points: int) -> int:
    """Of real numbers in one leap, without those of GELU; a transform of n real numbers takes about n log2 n."""
    modes = min(modes, points // 2)
    transforms = 2 * WIDTH * points * int(np.log2(points))
    layer = transforms + 4 * modes * WIDTH**2 + points * WIDTH**2
    return 3 * layer + points * (2 * WIDTH + 2 * WIDTH**2 + 2 * WIDTH)
