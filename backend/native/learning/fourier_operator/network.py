"""A Fourier neural operator in one dimension (Li et al. 2020): layers that act on waves, not on grid points.

A layer multiplies the lowest waves of all its channels by a matrix for each wave, adds a matrix product at each
point, and bends the sum. Nothing in it says how many points there are. It is given the field and the viscosity, and
answers with what is to be added to the field.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from labs.models.fields.scale import scaled
from numpy.typing import NDArray
from torch import nn

LAYERS = 3


class Waves(nn.Module):
    def __init__(self, width: int, modes: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(modes, width, width, 2) / (2 * width))

    def forward(self, field: torch.Tensor) -> torch.Tensor:
        """[batch, width, points] to the same; a grid has fewer waves than half its points."""
        points = field.shape[-1]
        modes = min(len(self.weight), points // 2)
        waves = torch.fft.rfft(field, norm="forward")[..., :modes]
        mixed = torch.einsum("bim,mio->bom", waves, torch.view_as_complex(self.weight)[:modes])
        back: torch.Tensor = torch.fft.irfft(mixed, points, norm="forward")
        return back


class Operator(nn.Module):
    """Initial weights come from torch's generator: seed that."""

    def __init__(self, width: int, modes: int) -> None:
        super().__init__()
        self.lift = nn.Conv1d(2, width, 1)
        self.waves = nn.ModuleList(Waves(width, modes) for _ in range(LAYERS))
        self.points = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(LAYERS))
        self.widen = nn.Conv1d(width, 2 * width, 1)
        self.project = nn.Conv1d(2 * width, 1, 1)

    def forward(self, field: torch.Tensor, viscosity: torch.Tensor) -> torch.Tensor:
        """[batch, points] the field one leap later; ``viscosity`` [batch] as ``scaled``."""
        hidden = self.lift(torch.stack([field, viscosity[:, None].expand_as(field)], dim=1))
        for waves, points in zip(self.waves, self.points, strict=True):
            hidden = bend(waves(hidden) + points(hidden))
        change: torch.Tensor = self.project(bend(self.widen(hidden)))[:, 0]
        return field + change


def bend(hidden: torch.Tensor) -> torch.Tensor:
    return nn.functional.gelu(hidden, approximate="tanh")


def leaps(network: Operator, start: NDArray[Any], viscosity: float, count: int) -> NDArray[np.float32]:
    """[batch, points] the field after so many leaps, one after the other."""
    with torch.inference_mode():
        field = torch.from_numpy(np.ascontiguousarray(start, np.float32))
        given = torch.full((len(field),), scaled(viscosity))
        for _ in range(count):
            field = network(field, given)
    return np.asarray(field.numpy())
