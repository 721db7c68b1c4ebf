"""Handwritten digits: 1,797 images of 8 by 8 pixels, and which of them are held out.

From the Optical Recognition of Handwritten Digits data set of E. Alpaydin and C. Kaynak (UCI Machine Learning
Repository, 1998, CC BY 4.0): the part that scikit-learn ships, packed by scripts/pack_digits.py. Each pixel counts
the dark ones among 4 by 4 of a scan.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FILE = "digits.npz"
SHA256 = "af104d81e7cd419be5f343d23c6ca2e4e4ff847b06636260802df8e903c6183f"
DARKEST = 16
SIDE = 8
PIXELS = SIDE * SIDE
KINDS = 10

Choice = Literal["random", "last"]


@dataclass(frozen=True)
class Digits:
    """Images uint8 ``[n, 64]`` from 0 to DARKEST, and what they show, int64 ``[n]``."""

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: NDArray[np.int64]) -> Digits:
        return Digits(self.images[rows], self.labels[rows])


@lru_cache(maxsize=1)
def digits() -> Digits:
    """All of them, in the order of the file; nobody may write into them."""
    data = files(__package__).joinpath(FILE).read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError(f"{FILE} does not match its hash; run scripts/pack_digits.py")
    packed = np.load(io.BytesIO(data))
    found = Digits(packed["images"], packed["labels"].astype(np.int64))
    for array in (found.images, found.labels):
        array.setflags(write=False)
    return found


def split(share: float, choice: Choice, rng: np.random.Generator) -> tuple[Digits, Digits]:
    """Those to learn from and those held out: the same share of each digit at random, or the last of the file."""
    everything = digits()
    held_out = np.zeros(len(everything), dtype=bool)
    if choice == "last":
        held_out[round((1 - share) * len(everything)) :] = True
    else:
        for digit in range(KINDS):
            rows = rng.permutation(np.flatnonzero(everything.labels == digit))
            held_out[rows[: round(share * len(rows))]] = True
    return everything[np.flatnonzero(~held_out)], everything[np.flatnonzero(held_out)]
