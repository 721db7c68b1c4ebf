"""Uniform quantization: what is lost when a weight matrix is rounded to a few bits.

Six pictures on one axis: the weights, the range that the grid will cover, the grid, the weights snapped to it, the
error beside what theory expects of it, and the same for every number of bits. Four switches turn on mistakes that
are easy to make and hard to see; each is one line of difference, and stands below beside the correct one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from labs.contract import Float32, Interval, Label, say
from labs.learning.uniform_quantization import tell
from labs.learning.uniform_quantization.histogram import bins_of, histogram
from labs.learning.uniform_quantization.matrices import weights
from labs.learning.uniform_quantization.picture import BINS, ERROR_BINS, Picture
from labs.models import quantize as q

BITS = range(2, 9)


@dataclass(frozen=True)
class Params:
    source: Annotated[
        Literal["network", "normal", "outlier", "negative"],
        Label("Weights", help="A trained layer, normal noise, noise with one outlier, noise below zero only."),
    ] = "network"
    bits: Annotated[int, Interval(ge=2, le=8), Label("Bits per weight", main=True)] = 4
    scheme: Annotated[
        Literal["symmetric", "asymmetric"],
        Label("Scheme", help="Symmetric: zero point 0, equal reach to both sides. Asymmetric: from min to max."),
    ] = "symmetric"
    granularity: Annotated[
        Literal["tensor", "channel", "group"],
        Label("One scale for each", help="The whole tensor, an output channel (a row), or a group within a row."),
    ] = "tensor"
    group: Annotated[Literal[16, 32, 64, 128, 256], Label("Group size", unit="weights")] = 64
    clip: Annotated[
        float, Interval(ge=90, le=100), Label("Keep the central", unit="%", help="What lies outside is clipped.")
    ] = 100.0
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed", help="For the synthetic weights.")] = 0
    times: Annotated[
        Literal[1, 8, 64],
        Label("Multiplied by", help="Every weight; an error relative to the weights stays the same."),
    ] = 1
    max_without_abs: Annotated[
        bool, Label("max(w) instead of max|w|", group="Mistakes", help="Symmetric: forgets the negative side.")
    ] = False
    full_range: Annotated[
        bool,
        Label("Full code range", group="Mistakes", help="Symmetric with all 2ⁿ codes: z is rounded from −0.5."),
    ] = False
    minus_zero_point: Annotated[
        bool, Label("round(w/s) − z", group="Mistakes", help="The wrong sign; it shows only where z is not 0.")
    ] = False
    as_percent: Annotated[
        bool,
        Label(
            "Mean error as %",
            group="Mistakes",
            help="The error has the unit of the weights: multiply them and see.",
        ),
    ] = False


def run(params: Params) -> Iterator[Picture]:
    matrix = weights(params.source, params.seed, params.times)
    w = q.blocks_of(matrix, params.granularity, params.group)
    axis = 1.35 if params.bits == 2 else 1.15  # a rounded zero point moves the outermost level by up to s/2
    reach = axis * float(np.abs(matrix).max())
    bins = bins_of(matrix, reach, BINS)
    picture = Picture(
        stage="weights",
        text=tell.weights(matrix),
        bits=params.bits,
        rows=matrix.shape[0],
        columns=matrix.shape[1],
        axis_low=-reach,
        axis_high=reach,
        weight_low=float(matrix.min()),
        weight_high=float(matrix.max()),
        histogram=np.bincount(bins, minlength=BINS).astype(np.int32),
    )
    yield picture

    low, high = bounds(w, params)
    grid = fit(low, high, params.bits, params)
    block = int(np.argsort(grid.scale[:, 0], kind="stable")[len(w) // 2])
    ends = float(low[block, 0]), float(high[block, 0])
    scale, zero_point = float(grid.scale[block, 0]), int(grid.zero_point[block, 0])
    outside = int(np.count_nonzero((w < low.astype(np.float32)) | (w > high.astype(np.float32))))
    picture = replace(
        picture,
        stage="range",
        text=tell.extent(params.granularity, params.group, len(w), *ends, outside),
        blocks=len(w),
        block=block,
        range_low=ends[0],
        range_high=ends[1],
        outside=outside,
        scale=scale,
        scales=grid.scale[:, 0].astype(np.float32),
    )
    yield picture

    levels = grid.levels(block)
    picture = replace(
        picture,
        stage="grid",
        text=tell.codes(grid, levels, scale, zero_point),
        zero_point=zero_point,
        zero_points=grid.zero_point[:, 0].astype(np.int32),
        code_low=grid.code_low,
        code_high=grid.code_high,
        levels=levels.astype(np.float32),
    )
    yield picture

    wanted = round_to_code(w, grid, params)
    codes = np.clip(wanted, grid.code_low, grid.code_high)
    restored = q.restore(codes, grid)
    counts = np.bincount((codes - grid.code_low).astype(np.intp).ravel(), minlength=len(levels))
    used, clipped = int(np.count_nonzero(counts)), int(np.count_nonzero(codes != wanted))
    picture = replace(
        picture,
        stage="snapped",
        text=say(
            "Codes in use: {} of {}, the most common for {:.1%} of the weights; clipped: {:,} of {:,} weights.",
            used,
            len(levels),
            counts.max() / w.size,
            clipped,
            w.size,
        ),
        code_counts=counts.astype(np.int32),
        clipped=clipped,
    )
    yield picture

    error = np.subtract(restored, w, out=restored)
    yield (picture := measure(picture, w, error, bins, grid, params.as_percent))

    measured, expected = by_bits(replace(params, bits=BITS[0]))
    here = params.bits - BITS[0]
    yield replace(
        picture,
        stage="bits",
        text=say(
            "From 2 to 8 bits, the ratio goes from {:.1f} to {:.1f} dB; at {} "
            "bits it is {:.1f} dB, and theory predicts {:.1f}.",
            measured[0],
            measured[-1],
            params.bits,
            measured[here],
            expected[here],
        ),
        bits_axis=np.array(BITS, dtype=np.int32),
        sqnr_by_bits=measured,
        sqnr_expected_by_bits=expected,
    )


def bounds(w: q.Floats, params: Params) -> tuple[q.Column, q.Column]:
    """The range [blocks, 1] that each grid covers."""
    low, high = q.spread(w, params.clip)
    if params.scheme == "symmetric" and params.max_without_abs:
        return -high, high  # mistake: right only where max(w) happens to be at least |min(w)|
    return q.widen(low, high, params.scheme)


def fit(low: q.Column, high: q.Column, bits: int, params: Params) -> q.Grid:
    """The grids. The mistaken one, a symmetric range in the asymmetric formula, has z = round(-0.5): that is 0,
    because ties go to the even neighbour, but -1 where low / s is inexact by one bit."""
    if params.scheme == "symmetric" and params.full_range:
        code_low, code_high = q.code_range(bits, "asymmetric")
        scale = q.step(low, high, code_high - code_low)
        return q.Grid(scale, np.rint(code_low - low / scale), code_low, code_high)
    return q.fit(low, high, bits, params.scheme)


def round_to_code(w: q.Floats, grid: q.Grid, params: Params) -> q.Floats:
    """round(w/s) + z; the mistaken sign is the same with the zero point negated. Restoring subtracts z in both."""
    if params.minus_zero_point:
        grid = replace(grid, zero_point=-grid.zero_point)
    return q.round_to_code(w, grid)


def measure(
    picture: Picture, w: q.Floats, error: q.Floats, bins: NDArray[np.intp], grid: q.Grid, as_percent: bool
) -> Picture:
    """What the rounding cost, beside what theory expects."""
    size = np.abs(error)
    reach = float(size.max()) or 1.0
    with np.errstate(invalid="ignore"):  # 0/0 is an empty bin
        by_weight = np.bincount(bins, weights=size.ravel(), minlength=BINS) / picture.histogram
    mean = float(size.mean(dtype=np.float64))
    known = replace(
        picture,
        stage="error",
        error_reach=reach,
        error_histogram=histogram(error, reach, ERROR_BINS),
        error_by_weight=by_weight.astype(np.float32),
        max_error=float(size.max()),
        mean_error=mean,
        mean_error_expected=float(np.abs(grid.scale).mean()) / 4,
        relative_error=mean / float(np.abs(w).mean(dtype=np.float64)),
        sqnr=q.sqnr(w, error),
        sqnr_expected=q.expected_sqnr(w, grid),
    )
    # mistake: a number in the unit of the weights, read as a share of them
    return replace(known, text=tell.percent(known) if as_percent else tell.error(known))


@lru_cache(maxsize=8)
def by_bits(params: Params) -> tuple[Float32, Float32]:
    """SQNR in dB for 2 to 8 bits, measured and expected; kept, as the slider for bits does not change it."""
    w = q.blocks_of(weights(params.source, params.seed, params.times), params.granularity, params.group)
    low, high = bounds(w, params)
    signal, measured, expected = q.energy(w), [], []
    for bits in BITS:
        grid = fit(low, high, bits, params)
        codes = round_to_code(w, grid, params)
        error = q.restore(np.clip(codes, grid.code_low, grid.code_high, out=codes), grid) - w
        measured.append(q.decibels(signal, q.energy(error)))
        expected.append(q.decibels(signal / w.size, q.expected_noise(grid)))
    return np.array(measured, np.float32), np.array(expected, np.float32)
