"""A hundred seeds: the same network on the same four points, trained from a hundred different starts at once.

All networks lie along one axis of every array, so that one step of gradient descent moves them all. Which of them
learns XOR depends on the weights that it starts with; how many do, on the width of the network and on the loss that
the gradient belongs to. The last pictures repeat it with other numbers of hidden units, and show those networks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Interval, Label, Uint8, say
from labs.models import dense
from labs.models.dense_choices import Activation, BiasMean, LearningRate, Loss, Over, Scale
from labs.models.labelled_points import EXAMPLES, read
from labs.models.proportion import wilson
from labs.models.surfaces import byte, grid, window

PICTURES = 24
ACROSS = 9
SIZES = (1, 2, 3, 4, 8)
XOR = read(EXAMPLES["XOR"])

POSTER = 25


@dataclass(frozen=True)
class Params:
    hidden: Annotated[int, Interval(ge=1, le=16), Label("Hidden units", main=True)] = 2
    activation: Activation = "sigmoid"
    seed: Annotated[int, Interval(ge=0, le=2**31 - 200), Label("First seed", help="The others follow it.")] = 0
    networks: Annotated[int, Interval(ge=2, le=100), Label("Networks")] = 100
    scale: Scale = 1.0
    learning_rate: LearningRate = 0.1
    epochs: Annotated[int, Interval(ge=1, le=10_000), Label("Epochs")] = 5000
    loss: Loss = "bce"
    over: Over = "sum"
    bias_mean: BiasMean = False


@dataclass(frozen=True)
class Rate:
    """How many networks of one size learned it, and where the share of all seeds lies with a confidence of 95 %."""

    hidden: int
    solved: int
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All networks of one size after ``epoch`` epochs: of the size that was set, in the last pictures of others."""

    kind: Literal["picture"] = "picture"
    stage: Literal["begin", "training", "sizes"]
    epoch: int
    epochs: int
    seed: int
    """Of the first network; the others follow it."""
    hidden: int
    """Hidden units of the networks in this picture"""
    surfaces: Uint8
    """[networks, 9 × 9] the output y around the four points as 127 ± 127·√|2y − 1|; rows upwards"""
    right: Uint8
    """[networks] points on the right side of 0.5: solved is 4"""
    loss: Float32
    """[networks] the loss that the gradient should descend"""
    learned: int
    """Networks of this picture that have all four points on the right side"""
    solved: int
    """Networks of the size that was set that have, so far"""
    rates: Annotated[list[Rate], Axes(hidden="rates.hidden")]
    """Of the sizes that are done, from small to large."""


def run(params: Params) -> Iterator[Picture]:
    nets, rule = begin(params, params.hidden), dense.Rule(params.loss, params.over, params.bias_mean)
    with np.errstate(over="ignore"):  # the sigmoid of a large negative number is 0, as it should be
        done = 0
        for epoch in sorted({round(params.epochs * (k / PICTURES) ** 2) for k in range(PICTURES + 1)}):
            dense.descend(nets, XOR.x, XOR.y, rule, params.learning_rate, epoch - done)
            done = epoch
            picture = look(params, params.hidden, nets, epoch)
            yield picture

        rates = [rate(params.hidden, picture.solved, params.networks)]
        for hidden in SIZES:
            if hidden == params.hidden:
                continue
            others = begin(params, hidden)
            dense.descend(others, XOR.x, XOR.y, rule, params.learning_rate, params.epochs)
            shown = look(params, hidden, others, params.epochs)
            rates = sorted([*rates, rate(hidden, shown.learned, params.networks)], key=lambda each: each.hidden)
            units = "1 hidden unit" if hidden == 1 else say("{} hidden units", hidden)
            yield replace(
                shown,
                stage="sizes",
                solved=picture.solved,
                rates=rates,
                text=say(
                    "With {}, {} of {} networks learn XOR from the same seeds; with {} it was {}.",
                    units,
                    shown.learned,
                    params.networks,
                    params.hidden,
                    picture.solved,
                ),
            )


def begin(params: Params, hidden: int) -> dense.Networks:
    seeds = range(params.seed, params.seed + params.networks)
    return dense.draw(seeds, (2, hidden, 1), params.activation, params.scale)


def look(params: Params, hidden: int, nets: dense.Networks, epoch: int) -> Picture:
    passed = dense.forward(nets, XOR.x)
    right = dense.right(passed, XOR.y)
    entropy, squared = dense.losses(passed, XOR.y)
    loss = (entropy if params.loss == "bce" else squared) / (1 if params.over == "sum" else len(XOR.y))
    solved = int((right == len(XOR.y)).sum())
    there = dense.forward(nets, grid(window(XOR.x), ACROSS)).values[-1]
    when = say("After {:,} epochs", epoch) if epoch else "Before the first step"
    return Picture(
        text=say(
            "{}, {} of {} networks have all four points on the right side; the median loss is {:.3g}.",
            when,
            solved,
            params.networks,
            np.median(loss),
        ),
        stage="training" if epoch else "begin",
        epoch=epoch,
        epochs=params.epochs,
        seed=params.seed,
        hidden=hidden,
        surfaces=byte(there[..., 0]),
        right=right.astype(np.uint8),
        loss=loss.astype(np.float32),
        learned=solved,
        solved=solved,
        rates=[],
    )


def rate(hidden: int, solved: int, networks: int) -> Rate:
    return Rate(hidden, solved, *wilson(solved, networks))
