"""Loss surface: the loss of a small network over two of its nine numbers, and the path that training takes.

The network learns XOR with two hidden sigmoids. In each picture seven numbers are what they are at that step, and
the loss is computed for every pair of the other two: a slice through nine dimensions. Training moves all nine, so
the surface itself changes while the point on it goes downhill.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Interval, Label, LabError, Sentence, counted, say
from labs.models import dense
from labs.models.dense_choices import LearningRate
from labs.models.labelled_points import EXAMPLES, read

PICTURES = 10
REACH = 12  # of the grid, to either side of 0
XOR = read(EXAMPLES["XOR"])
RULE = dense.Rule()
SLICES = {
    "input 1 to both units": ((0, 0, 0), (0, 0, 1)),
    "both inputs to unit 1": ((0, 0, 0), (0, 1, 0)),
    "both units to the output": ((1, 0, 0), (1, 1, 0)),
}
"""Layer, from and to of the two weights."""


@dataclass(frozen=True)
class Params:
    weights: Annotated[
        Literal["input 1 to both units", "both inputs to unit 1", "both units to the output"], Label("Two weights")
    ] = "input 1 to both units"
    first: Annotated[
        float, Interval(ge=-12, le=12), Label("The first starts at", help="Or click the surface.", main=True)
    ] = 2.0
    second: Annotated[float, Interval(ge=-12, le=12), Label("The second starts at", main=True)] = 0.0
    seed: Annotated[
        int,
        Interval(ge=0, le=2**31 - 1),
        Label("Seed", help="For np.random, which draws the other weights; biases start at 0."),
    ] = 0
    learning_rate: LearningRate = 0.1
    epochs: Annotated[int, Interval(ge=0, le=20_000), Label("Epochs")] = 5000


@dataclass(frozen=True, kw_only=True)
class Slice(Event):
    """The loss around the network after ``epoch`` epochs."""

    kind: Literal["slice"] = "slice"
    stage: Literal["begin", "training", "end"]
    epoch: int
    epochs: int
    names: list[str]
    """Of the two weights, as in the program: W1[0, 1] leads from input 0 to hidden unit 1"""
    values: Float32
    """[25] what either weight is along its side of the grid"""
    loss: Annotated[Float32, Axes(second=None, first=None)]
    """[25, 25] summed cross-entropy, the other seven numbers as they are now; a row for each value of the second"""
    path: Annotated[Float32, Axes(picture=None, part=("first", "second", "loss"))]
    """[pictures so far, 3] both weights and the loss of the network, the other seven numbers as they were then"""
    here: float
    """The loss of the network at this step"""
    least: float
    """The lowest loss of the grid"""
    right: int
    """Points on the right side of 0.5, of 4"""


def run(params: Params) -> Iterator[Slice]:
    nets = dense.draw([params.seed], (2, 2, 1), "sigmoid")
    for (layer, *place), value in zip(SLICES[params.weights], (params.first, params.second), strict=True):
        nets.weights[layer][0, place[0], place[1]] = value
    path: list[tuple[float, float, float]] = []
    done = 0
    with np.errstate(over="ignore"):  # the sigmoid of a large negative number is 0, as it should be
        for epoch in sorted({round(params.epochs * (k / PICTURES) ** 2) for k in range(PICTURES + 1)}):
            dense.descend(nets, XOR.x, XOR.y, RULE, params.learning_rate, epoch - done)
            done = epoch
            if not all(np.abs(part).max() < 1e6 for part in nets.weights):
                raise LabError(
                    f"By epoch {epoch:,} the weights have grown beyond a million: use a smaller learning rate."
                )
            path.append((*chosen(params, nets), loss_of(nets)[0]))
            yield picture(params, nets, epoch, path)


def chosen(params: Params, nets: dense.Networks) -> tuple[float, float]:
    first, second = (float(nets.weights[layer][0, a, b]) for layer, a, b in SLICES[params.weights])
    return first, second


def loss_of(nets: dense.Networks) -> list[float]:
    entropy, _ = dense.losses(dense.forward(nets, XOR.x), XOR.y)
    return [float(loss) for loss in entropy]


def around(params: Params, nets: dense.Networks, values: dense.Floats) -> dense.Networks:
    """A network for each pair of values; all else is the same in all of them."""
    count = len(values) ** 2
    weights = [np.repeat(part, count, axis=0).astype(np.float64) for part in nets.weights]
    biases = [np.repeat(part, count, axis=0).astype(np.float64) for part in nets.biases]
    for (layer, a, b), each in zip(SLICES[params.weights], np.meshgrid(values, values), strict=True):
        weights[layer][:, a, b] = each.ravel()
    return dense.Networks([*weights], [*biases], nets.activation)


def picture(params: Params, nets: dense.Networks, epoch: int, path: list[tuple[float, float, float]]) -> Slice:
    values = np.arange(-REACH, REACH + 1.0)
    loss = np.array(loss_of(around(params, nets, values))).reshape(len(values), len(values))
    right = int(dense.right(dense.forward(nets, XOR.x), XOR.y)[0])
    return Slice(
        text=tell(epoch, right, path[-1][2], float(loss.min())),
        stage="end" if epoch == params.epochs else "training" if epoch else "begin",
        epoch=epoch,
        epochs=params.epochs,
        names=[f"W{layer + 1}[{a}, {b}]" for layer, a, b in SLICES[params.weights]],
        values=values.astype(np.float32),
        loss=loss.astype(np.float32),
        path=np.array(path, np.float32),
        here=path[-1][2],
        least=float(loss.min()),
        right=right,
    )


def tell(epoch: int, right: int, loss: float, least: float) -> Sentence:
    when = say("After {}", counted(epoch, "epoch")) if epoch else "Before the first step"
    return say(
        "{}, the loss is {:.3g} with {} of 4 points right; the lowest loss on this grid is {:.3g}.",
        when,
        loss,
        right,
        least,
    )
