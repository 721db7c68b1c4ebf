"""What all trained networks came to: their errors, and their answers to one field."""

import io
import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

ERRORS, ANSWERS = "errors.json", "answers.npz"


@cache
def kept() -> dict[str, Any]:
    """What `scripts/train_operator_grid.py` wrote."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(ERRORS).read_text("utf-8"))
    return found


@cache
def answers() -> dict[str, NDArray[np.float32]]:
    """A field at time 1: ``exact`` [points], and as a ``network`` has it [steps, widths, modes, points], the one of
    the seed whose error is the median."""
    with np.load(io.BytesIO(files(__package__).joinpath(ANSWERS).read_bytes())) as found:
        return {name: found[name].astype(np.float32) for name in found.files}
