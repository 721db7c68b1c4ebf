"""What the figure gets: one whole stage at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.contract import Event, Float32, Int32

BINS = 256
ERROR_BINS = 101  # odd, so that zero is the middle of a bin


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """One stage; everything known so far is in it, what is not yet known is None.

    Histograms over weights have BINS equal bins from axis_low to axis_high; the outermost take what lies beyond.
    """

    kind: Literal["picture"] = "picture"
    stage: Literal["weights", "range", "grid", "snapped", "error", "bits"]
    bits: int

    rows: int
    columns: int
    axis_low: float
    axis_high: float
    weight_low: float
    """The smallest weight."""
    weight_high: float
    histogram: Int32
    """[BINS] weights in each bin."""
    # range: scales of all blocks, and the block whose grid is drawn: the one with the median scale
    blocks: int | None = None
    block: int | None = None
    range_low: float | None = None
    """The range that the grid of the drawn block covers."""
    range_high: float | None = None
    outside: int | None = None
    """Weights outside the range of their block."""
    scale: float | None = None
    """Of the drawn block."""
    scales: Float32 | None = None
    """[blocks]"""
    # grid of the drawn block
    zero_point: int | None = None
    zero_points: Int32 | None = None
    """[blocks]"""
    code_low: int | None = None
    code_high: int | None = None
    levels: Float32 | None = None
    """[codes] what each code stands for, in ascending order of codes."""
    # snapped
    code_counts: Int32 | None = None
    """[codes] weights that got this code, over all blocks."""
    clipped: int | None = None
    """Weights whose code had to be limited to the codes that exist."""
    # error = restored - weight
    error_reach: float | None = None
    """The error histogram runs from -error_reach to error_reach."""
    error_histogram: Int32 | None = None
    """[ERROR_BINS]"""
    error_by_weight: Float32 | None = None
    """[BINS] mean |error| of the weights in each bin; NaN where there are none."""
    max_error: float | None = None
    mean_error: float | None = None
    """mean |error|, in the unit of the weights"""
    mean_error_expected: float | None = None
    """s/4, averaged over the blocks"""
    relative_error: float | None = None
    """mean |error| / mean |weight|"""
    sqnr: float | None = None
    """Signal-to-quantization-noise ratio, dB"""
    sqnr_expected: float | None = None
    """The same for an error spread evenly over a step, of variance s²/12, dB"""
    # bits
    bits_axis: Int32 | None = None
    """[7] 2 to 8"""
    sqnr_by_bits: Float32 | None = None
    """[7] measured, dB"""
    sqnr_expected_by_bits: Float32 | None = None
    """[7] theory, dB"""
