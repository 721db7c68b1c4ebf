"""Pictures of pages as they are kept: a quarter of the pixels, in few colours; and how far two of them differ."""

from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]  # [height, width, 3]

SMALLER = 2
COLOURS = 17  # each channel is kept in steps of this
FAR = 40  # a pixel differs if a channel does by more than this
SHARE = 0.004  # pictures differ if this share of their pixels does


def small(png: bytes) -> Image.Image:
    """The means of squares of pixels, in few colours, so that another machine's smoothing is no difference."""
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGB"))
    height, width = (side // SMALLER * SMALLER for side in pixels.shape[:2])
    squares = pixels[:height, :width].reshape(height // SMALLER, SMALLER, width // SMALLER, SMALLER, 3)
    return Image.fromarray((np.round(squares.mean(axis=(1, 3)) / COLOURS) * COLOURS).astype(np.uint8))


def difference(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels of one that are nowhere near in the other; 1 for pictures of another size."""
    if one.size != other.size:
        return 1.0
    return max(_missing(np.asarray(one), np.asarray(other)), _missing(np.asarray(other), np.asarray(one)))


def _missing(one: Pixels, other: Pixels) -> float:
    """Each pixel may have moved to a neighbour's place."""
    here, there = one.astype(int), np.pad(other.astype(int), ((1, 1), (1, 1), (0, 0)), mode="edge")
    height, width = here.shape[:2]
    apart = [np.abs(here - there[y : y + height, x : x + width]).max(axis=2) for y in range(3) for x in range(3)]
    return float((np.min(apart, axis=0) > FAR).mean())


def kept(path: Path) -> Image.Image:
    return Image.open(path).convert("RGB")


def save(picture: Image.Image, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, optimize=True)
