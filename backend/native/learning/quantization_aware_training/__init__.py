"""Quantization-aware training: networks that learn while their weights are being rounded.

Small networks learn scikit-learn's handwritten digits, unrounded at first. Then they are rounded to 8, 7, … 2 bits
in two ways. Post-training: the unrounded network trains on, and is rounded when it is done. Aware: each network is
rounded in every step of the rest of the training, so that the loss is that of the rounded network, while the
gradients move the unrounded weights below it. Both ways take the same steps on the same images, five seeds each.

That works only by a lie: rounding is a staircase, and its derivative is zero. The gradient passes as if it were
one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError

from native.learning.quantization_aware_training.sweep import BITS, SEEDS, SPREAD, WIDTHS

BY_PROCESSOR = True  # the last bits of a product decide which digit an image is taken for
FLOAT_RATE = 0.1
PICTURES = 9  # of the training with rounding


@dataclass(frozen=True)
class Params:
    bits: Annotated[
        int,
        Interval(ge=2, le=8),
        Label("Bits", main=True, help="Of the network whose weights are drawn; 2 to 8 bits are all trained."),
    ] = 3
    grid: Annotated[
        Literal["largest", "learned"],
        Label(
            "Step of the grid",
            main=True,
            help="Set by the largest weight, or a parameter learned by gradient descent (LSQ).",
        ),
    ] = "largest"
    granularity: Annotated[
        Literal["layer", "channel"], Label("One weight scale for each", group="Quantization")
    ] = "layer"
    activations: Annotated[
        bool, Label("Round activations, too", group="Quantization", help="To as many bits as the weights.")
    ] = True
    float_epochs: Annotated[int, Interval(ge=1, le=20), Label("Epochs without rounding", group="Training")] = 10
    epochs: Annotated[
        int,
        Interval(ge=1, le=8),
        Label("Epochs after that", group="Training", help="With rounding at every step, or only after the last."),
    ] = 4
    learning_rate: Annotated[
        float, Interval(ge=0.001, le=0.1), Label("Learning rate after that", group="Training")
    ] = 0.05
    seed: Annotated[
        int,
        Interval(ge=0, le=2**31 - 1),
        Label(
            "Seed",
            group="Training",
            help="The first of five; each sets the split, the initial weights and the order.",
        ),
    ] = 0
    true_gradient: Annotated[
        bool,
        Label(
            "The true gradient of rounding",
            group="Mistakes",
            help="Zero: with no straight-through estimator, weights stop moving.",
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """How many digits are read wrong, and a neuron of the middle layer at ``bits`` bits, first seed."""

    step: int
    """of the training that is going on"""
    steps: int
    bits: int
    widths: tuple[int, ...]
    """[7] the bits of the networks, of weights and activations alike"""
    unrounded: Annotated[Float32, Axes(of=SPREAD)]
    """[3] share of the held-out digits that the unrounded networks read wrong: best seed, mean, worst"""
    wrong: Annotated[Float32, Axes(way=("post", "aware"), width=WIDTHS, of=SPREAD)]
    """[2, 7, 3] the same of the rounded ones; NaN before they are"""
    latent: Float32
    """[24] weights of one neuron as training keeps them"""
    restored: Float32
    """[24] what the network computes with"""
    pull: Float32
    """[24] minus the gradient of the last step, against the largest in size"""
    levels: Float32
    """[codes] weights that the grid has; empty before there is a grid"""
    reach: float
    """weights and levels lie between minus this and this"""
    slope: Annotated[Float32, Axes(way=("staircase", "used"), place=None)]
    """[2, 61] from -reach to reach: the derivative of the rounding, and what training takes for it"""
    moved: float | None
    """share of the layer's weights that have another code than when training with rounding began"""


@dataclass(frozen=True, kw_only=True)
class Unrounded(Picture):
    """The networks learn unrounded."""

    kind: Literal["unrounded"] = "unrounded"


@dataclass(frozen=True, kw_only=True)
class Rounded(Picture):
    """They are rounded for the first time."""

    kind: Literal["rounded"] = "rounded"


@dataclass(frozen=True, kw_only=True)
class Aware(Picture):
    """Some go on with rounding, the others without."""

    kind: Literal["aware"] = "aware"


@dataclass(frozen=True, kw_only=True)
class Result(Picture):
    """Both are done."""

    kind: Literal["result"] = "result"
    won: Annotated[Int32, Axes(width=WIDTHS)]
    """[7] of five seeds, those where training with rounding reads fewer digits wrong"""
    seeds: int
    held_out: int
    """digits that each network is scored on"""


def run(params: Params) -> Iterator[Unrounded | Rounded | Aware | Result]:
    from native.learning.quantization_aware_training.board import Board
    from native.learning.quantization_aware_training.networks import Grids, Training, drawn
    from native.models.torch_threads import one_thread

    seeds = [(params.seed + place) % 2**31 for place in range(SEEDS)]
    by_channel = params.granularity == "channel"
    with one_thread():
        # 1. Train unrounded.
        data, network = drawn(seeds)
        board = Board(params.bits, data)
        training = Training(network, data, FLOAT_RATE, params.float_epochs)
        for step, gradients, loss in training.run(seeds):
            finished(bool(loss.isfinite().all()), True)
            if step == training.steps or step % (2 * training.per_epoch) == 0:
                yield Unrounded(**board.unrounded(network, gradients, step, training))

        # 2. Round copies of them to each number of bits.
        after = Grids(BITS, by_channel, params.activations)
        aware = Grids(BITS, by_channel, params.activations, straight=not params.true_gradient)
        copies = [each.expand(len(BITS), *each.shape).clone() for each in network]
        for grids in (after, aware):
            grids.calibrate(network, data.images)
        yield Rounded(**board.rounded(network, copies, after))

        # 3. The copies train on with rounding; the network trains on without, and is rounded to be scored.
        if params.grid == "learned":
            aware.learn(copies)
        board.begin(copies, aware)
        going = Training(copies, data, params.learning_rate, params.epochs, aware)
        along = Training(network, data, params.learning_rate, params.epochs)
        every = -(-going.steps // PICTURES)
        for (step, gradients, loss), _ in zip(going.run(seeds), along.run(seeds), strict=True):
            finished(bool(loss.isfinite().all()), all(bool((each > 0).all()) for each in aware.steps))
            if step == going.steps or step % every == 0:
                after.calibrate(network, data.images)
            if step % every == 0 and step < going.steps:
                yield Aware(**board.aware(network, after, copies, aware, gradients, step, going))
        yield Result(**board.result(board.aware(network, after, copies, aware, gradients, step, going)))


def finished(finite: bool, positive: bool) -> None:
    """Raises ``LabError`` where a step left no network."""
    if not finite:
        raise LabError("Training diverged: the loss is no longer a number. Lower the learning rate.")
    if not positive:
        raise LabError("The learned step of a grid fell below zero. Lower the learning rate.")
