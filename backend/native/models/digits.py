"""scikit-learn's 1,797 handwritten digits for networks in torch, and a quarter of them held out."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

DARKEST = 16.0  # a pixel is a whole number from 0 to 16
HELD_OUT = 0.25


@dataclass(frozen=True)
class Digits:
    """Images are float64 ``[n, 1, 8, 8]`` from 0 to 1, labels int64 ``[n]``, rows the places in the data set."""

    train_images: Tensor
    train_labels: Tensor
    train_rows: NDArray[np.int64]
    test_images: Tensor
    test_labels: Tensor
    test_rows: NDArray[np.int64]


def read_digits() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All 1,797 images ``[n, 8, 8]`` and their labels, from the file inside scikit-learn.

    ``sklearn.datasets.load_digits`` reads the same file, but importing it costs a second and this 10 ms.
    """
    found = importlib.util.find_spec("sklearn")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("scikit-learn is not installed; its digits are the training data")
    table = np.loadtxt(Path(found.origin).parent / "datasets/data/digits.csv.gz", delimiter=",", dtype=np.uint8)
    return table[:, :-1].reshape(-1, 8, 8), table[:, -1].astype(np.int64)


def split(rng: np.random.Generator) -> Digits:
    """A quarter of every digit's images is held out: never trained on, never calibrated on."""
    images, labels = read_digits()
    held_out = np.zeros(len(labels), dtype=bool)
    for digit in range(10):
        rows = rng.permutation(np.flatnonzero(labels == digit))
        held_out[rows[: round(HELD_OUT * len(rows))]] = True
    pixels = torch.from_numpy(images[:, None] / DARKEST)
    answers = torch.from_numpy(labels)
    train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    return Digits(pixels[train], answers[train], train, pixels[test], answers[test], test)
