"""What a network answers everywhere in a window of the plane, as a small picture of bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labs.models.dense import Floats

ROOM = 0.3  # around the points, as a share of their spread


@dataclass(frozen=True)
class Window:
    """A square part of the plane."""

    left: float
    bottom: float
    size: float


def window(points: Floats) -> Window:
    """Around all points [points, 2]."""
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(float((high - low).max()), 0.5) * (1 + 2 * ROOM)
    left, bottom = (float(middle) - size / 2 for middle in (low + high) / 2)
    return Window(left, bottom, size)


def grid(view: Window, across: int) -> Floats:
    """[across², 2] the middles of its squares: rows upwards, each from left to right."""
    along = view.size * (np.arange(across) + 0.5) / across
    x, y = np.meshgrid(view.left + along, view.bottom + along)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def byte(values: Floats) -> NDArray[np.uint8]:
    """0 to 1 as 0 to 254, by the root of the distance from one half: fine steps where a network is undecided."""
    from_half = 2 * values - 1
    found: Floats = np.rint(127 * (1 + np.sign(from_half) * np.sqrt(np.abs(from_half))))
    return found.astype(np.uint8)
