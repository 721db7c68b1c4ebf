"""The three trained cells, each with the linear read-out of its hidden state."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from labs.models.recurrent import Floats, Weights

# Trained by scripts/train_gate_cells.py. The hash stands here so that other weights are another version of the lab.
FILE = "cells.npz"
SHA256 = "4c9dea28ef9ce13a2feccd8488fdc5948bc4f54090af13324158468195bc0de0"


@dataclass(frozen=True)
class Cell:
    weights: Weights
    out: Floats
    """``[outputs, hidden]``"""
    out_bias: Floats
    """``[outputs]``"""


@lru_cache(maxsize=1)
def shipped() -> dict[str, Cell]:
    """By the name of the task. Raises ``ValueError`` on a damaged file."""
    data = files(__package__).joinpath("cells.npz").read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError(f"{FILE} does not match its hash; run scripts/train_gate_cells.py")
    stored = {name: value.astype(np.float64) for name, value in np.load(io.BytesIO(data)).items()}
    for value in stored.values():
        value.setflags(write=False)
    return {
        task: Cell(
            Weights(stored[f"{task}.x"], stored[f"{task}.h"], stored[f"{task}.bias"]),
            stored[f"{task}.out"],
            stored[f"{task}.out_bias"],
        )
        for task in dict.fromkeys(name.partition(".")[0] for name in stored)
    }
