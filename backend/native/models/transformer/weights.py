"""The trained weights, as they are kept: whole numbers of eight bits, and a scale for each row of a matrix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("transformer.npz")

Codes = dict[str, NDArray[Any]]
"""For each matrix of the network its codes, int8, under its name, and under ``name/scale`` float32 [rows, 1]."""


def matrices(codes: Codes) -> Codes:
    """Each matrix as float32, under its name."""
    return {name: codes[name] * codes[f"{name}/scale"] for name in codes if f"{name}/scale" in codes}


def read() -> Codes:
    """What training left in the file, without its provenance."""
    with np.load(FILE) as kept:
        return {name: kept[name] for name in kept.files if name != "provenance"}


def provenance() -> dict[str, Any]:
    """Which text, how long, how well."""
    with np.load(FILE) as kept:
        return dict(json.loads(str(kept["provenance"])))
