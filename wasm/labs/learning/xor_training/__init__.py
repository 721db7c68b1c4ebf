"""XOR, trained: a network of a few neurons learns to tell four points apart, and every gradient is checked.

Each picture is the network after some epochs of gradient descent: what it answers everywhere in the plane, how the
loss came down, every weight, and each gradient that it follows beside the slopes of four losses, measured by
nudging one weight at a time. A gradient that belongs to none of them, or not to the same, shows there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, Text, Uint8, say
from labs.learning.xor_training import listing
from labs.models import dense
from labs.models.dense_choices import Activation, BiasMean, LearningRate, Loss, Over, Scale
from labs.models.labelled_points import EXAMPLES, Points, PointsError, read
from labs.models.surfaces import Window, byte, grid, window

PICTURES = 60
LOGGED = 4  # losses from one picture to the next
ACROSS = 31  # places where the surface is computed, each way
UNIT_ACROSS = 11  # and those of the small ones


@dataclass(frozen=True)
class Params:
    points: Annotated[
        str,
        Text(1200, examples=EXAMPLES),
        Label(
            "Points", help="A line for each: x, y and the label, 0 or 1. In the picture, tap a point to flip it."
        ),
    ] = EXAMPLES["XOR"]
    hidden: Annotated[
        int, Interval(ge=1, le=16), Label("Hidden units", help="In each hidden layer.", main=True)
    ] = 2
    layers: Annotated[Literal[1, 2], Label("Hidden layers")] = 1
    activation: Activation = "sigmoid"
    seed: Annotated[
        int,
        Interval(ge=0, le=2**31 - 1),
        Label("Seed", help="For np.random, which draws the first weights.", main=True),
    ] = 0
    scale: Scale = 1.0
    learning_rate: LearningRate = 0.1
    epochs: Annotated[int, Interval(ge=0, le=20_000), Label("Epochs", help="Steps, each over all points.")] = 5000
    loss: Loss = "bce"
    over: Over = "sum"
    defined_late: Annotated[
        bool, Label("Define sigmoid below the loop", group="Mistakes", help="The program as it was printed.")
    ] = False
    bias_mean: BiasMean = False
    one_path: Annotated[
        bool,
        Label(
            "One path instead of all",
            group="Mistakes",
            help="Each unit gets the gradient of only one of the units that read it.",
        ),
    ] = False


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    label: int
    output: float
    line: int
    """Of the text, counted from 0."""


@dataclass(frozen=True)
class Layer:
    weights: Float32
    """[in, out]"""
    biases: Float32
    """[out]"""


@dataclass(frozen=True)
class Check:
    """One gradient in use, and the slopes of four losses along the same parameter, measured."""

    name: str
    used: float
    bce_sum: float
    bce_mean: float
    mse_sum: float
    mse_mean: float


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The network after ``epoch`` epochs."""

    kind: Literal["picture"] = "picture"
    stage: Literal["begin", "training", "end"]
    epoch: int
    epochs: int
    window: Window
    surface: Uint8
    """[31 × 31] the output y as 127 ± 127·√|2y − 1|: 254 is 1; rows upwards, each from left to right"""
    units: Uint8
    """[layers × hidden, 11 × 11] the same of each hidden unit, of −1 to 1 for tanh, of 0 to its largest for relu"""
    points: list[Point]
    right: int
    """Points on the right side of 0.5."""
    layers: list[Layer]
    curve_epochs: Int32
    """[so far]"""
    curve_loss: Float32
    """[so far] the loss that is meant to be descended"""
    curve_printed: Float32
    """[so far] the mean squared error, which the program prints"""
    highest: float
    """The largest value of both curves over the whole run so far."""
    checks: Annotated[list[Check], Axes(gradient="checks.name")]
    steepest: float
    """The largest slope of the loss, measured."""
    gap: float
    """The largest difference between a gradient in use and the slope that was measured."""


@dataclass(frozen=True, kw_only=True)
class Stopped(Event):
    """The program as it was printed does not begin."""

    kind: Literal["stopped"] = "stopped"
    listing: str
    line: int
    trace: str


def run(params: Params) -> Iterator[Picture | Stopped]:
    if params.defined_late:
        yield stopped()
        return
    try:
        points = read(params.points)
    except PointsError as error:
        raise LabError(str(error)) from error
    with np.errstate(all="ignore"):  # what becomes too large is said below
        yield from train(params, points)


def stopped() -> Stopped:
    trace = listing.stopped(listing.AS_LISTED)
    assert trace is not None
    return Stopped(
        text=say(
            "Line {} calls sigmoid before the def below the loop has been executed, so Python stops "
            "there with a NameError and nothing is trained.",
            trace.line,
        ),
        listing=listing.AS_LISTED,
        line=trace.line,
        trace=trace.text,
    )


def train(params: Params, points: Points) -> Iterator[Picture]:
    sizes = (2, *[params.hidden] * params.layers, 1)
    nets = dense.draw([params.seed], sizes, params.activation, params.scale)
    rule = dense.Rule(params.loss, params.over, params.bias_mean, params.one_path)
    log: list[tuple[int, float, float]] = []
    for stop, epoch in enumerate(stops(params.epochs)):
        dense.descend(nets, points.x, points.y, rule, params.learning_rate, epoch - (log[-1][0] if log else 0))
        passed = dense.forward(nets, points.x)
        entropy, squared = (float(loss[0]) for loss in dense.losses(passed, points.y))
        if not np.isfinite(entropy) or max(np.abs(part).max() for part in nets.weights) > 1e6:
            raise LabError(
                f"By epoch {epoch:,} the weights have grown beyond a million: use a smaller learning rate."
            )
        meant = (entropy if params.loss == "bce" else squared) / (1 if params.over == "sum" else len(points.y))
        log.append((epoch, meant, squared / len(points.y)))
        if stop % LOGGED == 0 or epoch == params.epochs:
            yield picture(params, points, nets, rule, log)


def stops(epochs: int) -> list[int]:
    """Epochs at which the loss is noted: dense where most happens, at the beginning."""
    count = PICTURES * LOGGED
    return sorted({round(epochs * (k / count) ** 2) for k in range(count + 1)})


def picture(
    params: Params, points: Points, nets: dense.Networks, rule: dense.Rule, log: list[tuple[int, float, float]]
) -> Picture:
    passed = dense.forward(nets, points.x)
    outputs = passed.values[-1][0, :, 0]
    right = int(dense.right(passed, points.y)[0])
    epoch, meant, _ = log[-1]
    view = window(points.x)
    small = dense.forward(nets, grid(view, UNIT_ACROSS)).values[1:-1]
    checks, steepest, gap = check(nets, points, rule)
    history = np.array(log)
    return Picture(
        text=tell(params, epoch, right, len(outputs), meant, steepest, gap),
        stage="end" if epoch == params.epochs else "training" if epoch else "begin",
        epoch=epoch,
        epochs=params.epochs,
        window=view,
        surface=byte(dense.forward(nets, grid(view, ACROSS)).values[-1][0, :, 0]),
        units=np.concatenate([byte(shade(layer[0].T, params.activation)) for layer in small]),
        points=[
            Point(float(x), float(y), int(label[0]), float(output), line)
            for (x, y), label, output, line in zip(points.x, points.y, outputs, points.lines, strict=True)
        ],
        right=right,
        layers=[
            Layer(weights[0].astype(np.float32), biases[0, 0].astype(np.float32))
            for weights, biases in zip(nets.weights, nets.biases, strict=True)
        ],
        curve_epochs=history[:, 0].astype(np.int32),
        curve_loss=history[:, 1].astype(np.float32),
        curve_printed=history[:, 2].astype(np.float32),
        highest=float(history[:, 1:].max()),
        checks=checks,
        steepest=steepest,
        gap=gap,
    )


def shade(values: dense.Floats, activation: dense.Activation) -> dense.Floats:
    """Values [units, places] of an activation, from 0 to 1."""
    if activation == "tanh":
        return (values + 1) / 2
    top = values.max(axis=1, keepdims=True)
    return values if activation == "sigmoid" else values / np.where(top > 0, top, 1)


def check(nets: dense.Networks, points: Points, rule: dense.Rule) -> tuple[list[Check], float, float]:
    """The first weight and bias of each layer in full; of all parameters how far the worst is off."""
    weights, biases = dense.backward(nets, dense.forward(nets, points.x), points.y, rule)
    used = dense.flat(weights + biases)[0]
    entropy, squared = dense.measured(nets, points.x, points.y)
    meant = (entropy if rule.loss == "bce" else squared) / (1 if rule.over == "sum" else len(points.y))
    starts = np.cumsum([0] + [part.size for part in weights + biases])[:-1]
    layers, n = len(weights), len(points.y)
    checks = []
    for layer in range(layers):
        for name, at in ((f"W{layer + 1}[0, 0]", starts[layer]), (f"b{layer + 1}[0]", starts[layers + layer])):
            bce, mse = float(entropy[at]), float(squared[at])
            checks.append(Check(name, float(used[at]), bce, bce / n, mse, mse / n))
    return checks, float(np.abs(meant).max()), float(np.abs(used - meant).max())


def tell(params: Params, epoch: int, right: int, count: int, loss: float, steepest: float, gap: float) -> Sentence:
    when = say("After {:,} epochs", epoch) if epoch else "Before the first step"
    sides = "all" if right == count else say("{}", right)
    name = "cross-entropy" if params.loss == "bce" else "squared error"
    whose = say("the {} {}", "summed" if params.over == "sum" else "mean", name)
    if agrees(gap, steepest):
        agreed = "every gradient matches its measured slope"
    elif params.activation == "relu" and not (params.bias_mean or params.one_path):
        agreed = "a ReLU is at its kink, where no slope can be measured"
    else:
        agreed = "the gradients do not match its slopes"
    return say(
        "{}, {} of the {} points are on the right side; {} is {:.3g}, and {}.",
        when,
        sides,
        count,
        whose,
        loss,
        agreed,
    )


def agrees(gap: float, steepest: float) -> bool:
    """Up to what measuring over a small distance leaves uncertain."""
    return gap <= 1e-5 * max(1.0, steepest)
