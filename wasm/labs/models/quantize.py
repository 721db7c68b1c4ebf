"""Uniform quantization in NumPy: real numbers to whole-number codes on an even grid, and back.

A grid is given by a scale s (a real number, the width of a step), a zero point z (the code that stands for 0.0)
and the codes that exist. Quantizing is ``q = clip(round(x / s) + z)``, restoring is ``s * (q - z)``. Both are what
``torch.quantize_per_tensor`` and ``torch.fake_quantize_per_channel_affine`` do, and are tested against them.

Values are arranged as ``[blocks, values of a block]``; every block has its own range, scale and zero point. One
block is per-tensor quantization, a block for each row is per-channel, a block for each run of a row is per-group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Scheme = Literal["symmetric", "asymmetric"]
Granularity = Literal["tensor", "channel", "group"]
Floats = NDArray[np.floating[Any]]
Column = NDArray[np.float64]  # one number for each block, [blocks, 1]


@dataclass(frozen=True)
class Grid:
    """An even grid for each block. The zero points are whole numbers, kept as float64."""

    scale: Column
    zero_point: Column
    code_low: int
    code_high: int

    def levels(self, block: int = 0) -> NDArray[np.float64]:
        """Every real number that a block can represent, in the order of its codes."""
        codes = np.arange(self.code_low, self.code_high + 1)
        levels: NDArray[np.float64] = self.scale[block, 0] * (codes - self.zero_point[block, 0])
        return levels


def blocks_of(weights: Floats, granularity: Granularity, group: int = 128) -> Floats:
    """A view ``[blocks, values of a block]`` of a matrix; ``group`` must divide its row length."""
    size = {"tensor": weights.size, "channel": weights.shape[1], "group": group}[granularity]
    return weights.reshape(-1, size)


def spread(blocks: Floats, keep: float = 100.0) -> tuple[Column, Column]:
    """The ends ``[blocks, 1]`` of the central ``keep`` percent of each block; 100 is minimum and maximum."""
    if keep >= 100:
        low, high = blocks.min(axis=1), blocks.max(axis=1)
    else:
        tail = (100 - keep) / 2
        low, high = np.percentile(blocks, [tail, 100 - tail], axis=1)
    return low.astype(np.float64)[:, None], high.astype(np.float64)[:, None]


def widen(low: Column, high: Column, scheme: Scheme) -> tuple[Column, Column]:
    """Grow a range until it can hold an exact zero: to both sides alike, or just as far as zero itself.

    Zero must lie on the grid: it is the padding of images, the output of ReLU and most of a sparse tensor.
    """
    if scheme == "symmetric":
        reach = np.maximum(np.abs(low), np.abs(high))
        return -reach, reach
    return np.minimum(low, 0.0), np.maximum(high, 0.0)


def code_range(bits: int, scheme: Scheme) -> tuple[int, int]:
    """The signed codes in use. Symmetric leaves the lowest one out, so that both sides have equally many."""
    high = 2 ** (bits - 1) - 1
    return (-high if scheme == "symmetric" else -high - 1), high


def step(low: Column, high: Column, steps: int) -> Column:
    """The width of a step; 1 where float32 cannot hold it, since any scale restores a block of zeros."""
    width = (high - low) / steps
    return np.where(np.abs(width) < np.finfo(np.float32).tiny, 1.0, width)


def fit(low: Column, high: Column, bits: int, scheme: Scheme) -> Grid:
    """The grid that covers a widened range: ``s = (high - low) / steps``, and z such that zero is a code."""
    code_low, code_high = code_range(bits, scheme)
    scale = step(low, high, code_high - code_low)
    if scheme == "symmetric":
        return Grid(scale, np.zeros_like(scale), code_low, code_high)
    return Grid(scale, np.clip(np.rint(code_low - low / scale), code_low, code_high), code_low, code_high)


def round_to_code(values: Floats, grid: Grid) -> Floats:
    """``round(x / s) + z``, not yet limited to the codes that exist; whole numbers in the dtype of ``values``.

    Codes stay floating-point (exact far beyond 8 bits), which spares two conversions of the whole tensor.
    Ties go to the even neighbour, as in torch.
    """
    codes = values / grid.scale.astype(values.dtype)
    np.rint(codes, out=codes)
    codes += grid.zero_point.astype(values.dtype)
    return codes


def quantize(values: Floats, grid: Grid) -> Floats:
    """The code of every value, limited to the codes that exist."""
    codes = round_to_code(values, grid)
    return np.clip(codes, grid.code_low, grid.code_high, out=codes)


def restore(codes: Floats, grid: Grid) -> Floats:
    """``s * (q - z)``: the real number that a code stands for."""
    values = codes - grid.zero_point.astype(codes.dtype)
    values *= grid.scale.astype(codes.dtype)
    return values


def sqnr(values: Floats, errors: Floats) -> float:
    """Signal-to-quantization-noise ratio in decibels: ``10 log10(sum x² / sum e²)``; 6.02 dB is one bit."""
    return decibels(energy(values), energy(errors))


def expected_sqnr(values: Floats, grid: Grid) -> float:
    """The same ratio if nothing is clipped and the error is uniform over a step: its variance is then s²/12."""
    return decibels(energy(values) / values.size, expected_noise(grid))


def expected_noise(grid: Grid) -> float:
    """The variance of an error uniform over a step, s²/12, averaged over the blocks."""
    return float(np.mean(grid.scale**2)) / 12


def energy(values: Floats) -> float:
    """The sum of squares, in float64: processors add in different orders, and float32 would show it."""
    wide = values.ravel().astype(np.float64)
    return float(wide @ wide)


def decibels(signal: float, noise: float) -> float:
    """A ratio of powers in dB, held between -200 and 200 so that a perfect copy still has a number."""
    return float(10 * np.log10(np.clip(signal / max(noise, 1e-300), 1e-20, 1e20)))
