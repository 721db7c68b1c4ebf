"""Weight matrices to quantize: one from a trained network, three synthetic ones that are hard in a known way."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Source = Literal["network", "normal", "outlier", "negative"]

SHAPE = (256, 256)  # of the synthetic ones: channels, weights of a channel
DEVIATION = 0.1
OUTLIER = -1.5

# The first fully connected layer [64, 512] of the digit classifier of post_training_quantization, trained with its
# default parameters (scripts/export_digits_weights.py). Its hash stands here so that a change of the weights
# changes the version of every lab that uses them.
NETWORK_FILE = "digits_weights.npz"
NETWORK_SHA256 = "b8597282a1fcda12eee3694009bc7f66b523a6c13c89ef1d6a47f29919e3291d"


@lru_cache(maxsize=8)
def weights(source: Source, seed: int, times: int = 1) -> NDArray[np.float32]:
    """A read-only float32 matrix ``[channels, weights of a channel]``; ``seed`` does not touch the network's.
    ``times``, a power of two, moves nothing but exponents."""
    matrix = (network() if source == "network" else synthetic(source, seed)) * np.float32(times)
    matrix.setflags(write=False)
    return matrix


def network() -> NDArray[np.float32]:
    """The weights of the shipped network, of which the file's hash is checked."""
    data = files(__package__).joinpath(NETWORK_FILE).read_bytes()
    if hashlib.sha256(data).hexdigest() != NETWORK_SHA256:
        raise ValueError(f"{NETWORK_FILE} does not match its hash; run scripts/export_digits_weights.py")
    matrix: NDArray[np.float32] = np.load(io.BytesIO(data))["fc1"]
    return matrix


def synthetic(source: Source, seed: int) -> NDArray[np.float32]:
    """Normally distributed weights, with a twist where ``source`` names one."""
    rng = np.random.default_rng(seed)
    matrix = rng.normal(0, DEVIATION, SHAPE).astype(np.float32)
    if source == "outlier":
        matrix[SHAPE[0] // 2, SHAPE[1] // 2] = OUTLIER
    elif source == "negative":
        matrix = -np.abs(matrix)
    return matrix
