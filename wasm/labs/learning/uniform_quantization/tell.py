"""Sentences on the weights, on how far their scales reach, and on the codes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labs.contract import Sentence, say
from labs.learning.uniform_quantization.picture import Picture
from labs.models import quantize as q


def weights(matrix: NDArray[np.float32]) -> Sentence:
    told = "{:,} weights in {} channels, from {:.4g} to {:.4g}."
    return say(told, matrix.size, len(matrix), matrix.min(), matrix.max())


def extent(granularity: str, group: int, blocks: int, low: float, high: float, outside: int) -> Sentence:
    whose = {
        "tensor": "One scale for the whole tensor: its range is",
        "channel": say("{} scales, one per channel: the median one has the range", blocks),
        "group": say("{} scales, one for every {} weights: the median one has the range", blocks, group),
    }[granularity]
    left = say("; weights outside their range: {:,}", outside) if outside else ""
    return say("{} {:.4g} to {:.4g}{}.", whose, low, high, left)


def codes(grid: q.Grid, levels: NDArray[np.float64], scale: float, zero_point: int) -> Sentence:
    ends = say("from {:.4g} to {:.4g}", levels.min(), levels.max())
    others = int(np.count_nonzero(grid.zero_point != zero_point))
    differ = say("; {} of the {} blocks have a different zero point", others, len(grid.scale)) if others else ""
    made = say("{} codes, {} to {}", len(levels), grid.code_low, grid.code_high)
    return say("{}, stand for numbers {:.4g} apart, {}; code {} is zero{}.", made, scale, ends, zero_point, differ)


def error(known: Picture) -> Sentence:
    return say(
        "The mean error is {:.3g} (s/4 = {:.3g} expected), the largest {:.3g}; the "
        "signal-to-noise ratio is {:.1f} dB ({:.1f} expected).",
        *(known.mean_error, known.mean_error_expected, known.max_error, known.sqnr, known.sqnr_expected),
    )


def percent(known: Picture) -> Sentence:
    assert known.mean_error is not None
    told = "A mean error of {:.3g} is read as {:.3g} %, but it is {:.3g} % of the mean size of the weights."
    return say(told, known.mean_error, 100 * known.mean_error, 100 * (known.relative_error or 0))
