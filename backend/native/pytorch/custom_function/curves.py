"""The curves of a written function: an output against the input of the same number, the others held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from labs.contract import Float32
from torch import Tensor

from native.pytorch.custom_function.jacobians import flat
from native.pytorch.custom_function.written import Written

SAMPLES = 49
EDGE = 2.5
FAR = 1e9


@dataclass(frozen=True)
class Curves:
    grid: Float32
    curves: Float32
    together: bool
    """Whether no output depends on an input of another number, so that the curves are the same for all inputs"""


def curves(written: Written, inputs: Sequence[Tensor], keep: Sequence[bool], apart: bool) -> Curves:
    """``apart``: no output depends on an input of another number."""
    first = inputs[0].reshape(-1)
    low, high = min(-EDGE, float(first.min()) - 0.5), max(EDGE, float(first.max()) + 0.5)
    grid = torch.linspace(low, high, SAMPLES, dtype=torch.float64)
    if apart:
        drawn = torch.stack([outputs(written, [torch.full_like(inputs[0], float(t))], keep) for t in grid], 1)
        if all(torch.allclose(each, drawn[0], equal_nan=True) for each in drawn):
            drawn = drawn[:1]
    else:
        many = min(len(first), len(outputs(written, inputs, keep)))
        drawn = torch.stack([one(written, inputs, keep, n, grid) for n in range(many)])
    drawn = drawn.masked_fill(drawn.abs() > FAR, torch.nan)  # where the line breaks
    return Curves(grid.numpy().astype(np.float32), drawn.numpy().astype(np.float32), apart)


def one(written: Written, inputs: Sequence[Tensor], keep: Sequence[bool], n: int, grid: Tensor) -> Tensor:
    found = []
    for t in grid:
        moved = inputs[0].clone()
        moved.view(-1)[n] = t
        found.append(outputs(written, [moved, *inputs[1:]], keep)[n])
    return torch.stack(found)


def outputs(written: Written, inputs: Sequence[Tensor], keep: Sequence[bool]) -> Tensor:
    made = [each for each, kept in zip(written.plain(*inputs), keep, strict=True) if kept]
    return flat(made, made)


def span(curves: Float32, ys: Sequence[float]) -> tuple[float, float]:
    """From where to where the values are drawn, without the few that run away."""
    finite = curves[np.isfinite(curves)]
    low, high = np.quantile(finite, [0.1, 0.9]) if finite.size else (0.0, 1.0)
    low, high = min([float(low), *ys]), max([float(high), *ys])
    edge = 0.08 * max(high - low, 0.5)
    return low - edge, high + edge
