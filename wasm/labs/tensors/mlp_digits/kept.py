"""The training with the settings of the lab, kept, so that a drawing is read at once.

Every step rounds the weights to float32, so a training comes to exactly these on any machine.
`scripts/pack_training.py` writes the file; the lab's test trains anew and compares.
"""

from __future__ import annotations

import io
from dataclasses import astuple
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.softmax import softmax
from labs.models.tensor.tape import no_grad
from labs.models.tensor.tensor import tensor
from labs.tensors.mlp_digits.digits import KINDS, PIXELS
from labs.tensors.mlp_digits.network import Network
from labs.tensors.mlp_digits.training import Course, Look, Moment, parts

FILE = "trained.npz"


def moments(course: Course) -> list[Moment]:
    """Of the course whose training is kept."""
    with np.load(io.BytesIO(files(__package__).joinpath(FILE).read_bytes())) as kept:
        weights, looks, counts = kept["weights"], kept["looks"], kept["counts"].tolist()
    learned, held_out, leaked = parts(course, np.random.default_rng(course.seed))
    steps, per_epoch, *cost = counts
    seen = tuple(Look(int(step), *rest) for step, *rest in looks.tolist())
    found = []
    for i, look in enumerate(seen):
        network = Network([tensor(each) for each in _matrices(weights[i], course.hidden)], course.activation)
        with no_grad():
            chances = softmax(network.scores(tensor(course.pixels(held_out.images)))).array
        a, b, c = cost
        found.append(
            Moment(
                look.step, steps, per_epoch, network, learned, held_out, leaked, seen[: i + 1], chances, (a, b, c)
            )
        )
    return found


def packed(training: list[Moment]) -> bytes:
    """The file."""
    last = training[-1]
    weights = [np.concatenate([each.array.ravel() for each in one.network.parameters]) for one in training]
    out = io.BytesIO()
    np.savez_compressed(
        out,
        weights=np.array(weights, np.float32),
        looks=np.array([astuple(look) for look in last.looks]),
        counts=np.array([last.steps, last.per_epoch, *last.cost]),
    )
    return out.getvalue()


def _matrices(weights: NDArray[np.float32], hidden: int) -> list[NDArray[np.float64]]:
    """Both matrices and both biases, as `Network` has them."""
    shapes = [(PIXELS, hidden), (hidden,), (hidden, KINDS), (KINDS,)]
    ends = np.cumsum([np.prod(shape) for shape in shapes])
    pieces = np.split(weights.astype(np.float64), ends[:-1])
    return [piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)]
