"""Histograms by arithmetic instead of search: on equal bins, several times as fast as ``numpy.histogram``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def bins_of(values: NDArray[np.floating[Any]], reach: float, bins: int) -> NDArray[np.intp]:
    """The bin of every value, flat; bins are equal from -reach to reach, the outermost take what lies beyond."""
    at = values.ravel() * values.dtype.type(bins / (2 * reach))
    at += bins / 2
    np.clip(at, 0, bins - 1, out=at)
    return at.astype(np.intp)


def histogram(values: NDArray[np.floating[Any]], reach: float, bins: int) -> NDArray[np.int32]:
    """How many values fall in each bin, int32 ``[bins]``."""
    return np.bincount(bins_of(values, reach, bins), minlength=bins).astype(np.int32)
