"""One pass of a drawing through the network, with what each layer hands on."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from labs.contract import Float32, Uint8
from labs.models.arrays import floats
from labs.models.tensor.softmax import softmax
from labs.models.tensor.tape import no_grad
from labs.models.tensor.tensor import tensor
from labs.tensors.mlp_digits.training import Course, Moment


class Pass(TypedDict):
    """What the network makes of a drawing on the way, as `Picture` has it."""

    drawing_hidden: Float32
    votes: Uint8
    vote_reach: float
    drawing_scores: Float32
    drawing_chances: Float32
    drawing_answer: int


def forward(moment: Moment, course: Course, drawing: Uint8) -> Pass:
    with no_grad():
        hidden = moment.network.hidden(tensor(course.pixels(drawing[None])))
        scores = moment.network.out(hidden)
        chances = softmax(scores).array[0]
    votes, reach = shaded(moment.network.parameters[2].array.T * hidden.array)
    return Pass(
        drawing_hidden=floats(hidden.array[0]),
        votes=votes,
        vote_reach=reach,
        drawing_scores=floats(scores.array[0]),
        drawing_chances=floats(chances),
        drawing_answer=int(chances.argmax()),
    )


def shaded(numbers: NDArray[np.float64]) -> tuple[Uint8, float]:
    """A byte for each, 128 for zero, 1 and 255 for the largest of all, and how large that is."""
    reach = float(np.abs(numbers).max())
    return (128 + np.rint(127 * numbers / (reach or 1))).astype(np.uint8), reach
