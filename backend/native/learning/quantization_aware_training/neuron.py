"""The weights of one neuron as a picture: unrounded and rounded, on their grid, with what pulls at them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from native.learning.quantization_aware_training.networks import Grids
from native.learning.quantization_aware_training.rounding import rounded

LAYER = 1  # the middle one
PLACES = 61  # of the slope


def matrix(parameters: list[Tensor]) -> Tensor:
    """The weights of the layer, ``[seeds, out, in]`` or ``[bits, seeds, out, in]``."""
    return parameters[2 * LAYER]


def codes(weights: Tensor, grids: Grids) -> Tensor:
    """Whole numbers, shaped as the weights."""
    found = torch.round(weights / grids.weight_step(LAYER, weights))
    return torch.maximum(torch.minimum(found, grids.high), -grids.high)


def free(weights: Tensor, gradient: Tensor) -> dict[str, Any]:
    """Weights ``[in]`` that nothing rounds, as the fields of a picture."""
    return _fields(weights, weights, gradient, np.zeros(0), np.zeros((2, PLACES)))


def on_grid(weights: Tensor, gradient: Tensor, step: Tensor, high: Tensor, straight: bool) -> dict[str, Any]:
    """Weights ``[in]`` of which a grid ``step`` apart has codes up to ``high``."""
    levels = float(step) * np.arange(-float(high), float(high) + 1)
    x = torch.linspace(-1, 1, PLACES, dtype=torch.float64) * _reach(weights, levels)
    slopes = [_slope(x, step, high, way) for way in (False, straight)]
    return _fields(weights, rounded(weights, step, -high, high), gradient, levels, np.stack(slopes))


def _slope(x: Tensor, step: Tensor, high: Tensor, straight: bool) -> Any:
    """The derivative of the rounding, as training has it: by the code that trains."""
    x = x.clone().requires_grad_()
    (found,) = torch.autograd.grad(rounded(x, step, -high, high, straight).sum(), x)
    return found.numpy()


def _reach(weights: Tensor, levels: Any) -> float:
    """A little beyond the outermost weight or level."""
    return 1.1 * max(float(weights.abs().max()), float(levels.max(initial=0)))


def _fields(weights: Tensor, restored: Tensor, gradient: Tensor, levels: Any, slope: Any) -> dict[str, Any]:
    largest = max(float(gradient.abs().max()), 1e-300)
    return {
        "latent": weights.numpy().astype(np.float32),
        "restored": restored.numpy().astype(np.float32),
        "pull": (-gradient / largest).numpy().astype(np.float32),
        "levels": levels.astype(np.float32),
        "reach": _reach(weights, levels),
        "slope": slope.astype(np.float32),
    }
