"""The training of a network that reads digits, and what can be seen of it on the way.

Four mistakes can be made, each of which is one line here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.softmax import softmax
from labs.models.tensor.tape import no_grad
from labs.models.tensor.tensor import tensor
from labs.tensors.mlp_digits import digits as d
from labs.tensors.mlp_digits.network import Activation, First, Network, Optimizer, Rule, cost, cross_entropy, drawn

MOMENTS = 40  # of a training; closer together at its beginning, where most happens


@dataclass(frozen=True)
class Course:
    """All that decides a training."""

    hidden: int = 48
    activation: Activation = "relu"
    first: First = "he"
    rule: Rule = "momentum"
    rate: float = 0.1
    batch: int = 64
    epochs: int = 20
    held_out: float = 0.25
    split: d.Choice = "random"
    seed: int = 0
    raw_pixels: bool = False
    sorted_batches: bool = False
    keep_gradients: bool = False
    leak: bool = False

    def pixels(self, images: NDArray[np.uint8]) -> NDArray[np.float64]:
        """As the network is given them: from 0 to 1."""
        if self.raw_pixels:
            return images.astype(np.float64)  # mistake: from 0 to 16
        return images / d.DARKEST


@dataclass(frozen=True)
class Look:
    """What is plotted of one moment; a number that there is not yet is NaN."""

    step: int
    train_loss: float
    held_out_loss: float
    train_right: float
    """Share of the images."""
    held_out_right: float
    batch_low: float
    """The smallest loss of a batch since the look before."""
    batch_high: float
    gradient_first: float
    """Length of the gradient of the first matrix, at the last step."""
    gradient_second: float


@dataclass(frozen=True)
class Moment:
    """A training after some steps."""

    step: int
    steps: int
    per_epoch: int
    network: Network
    learned: d.Digits
    held_out: d.Digits
    leaked: NDArray[np.bool_]
    """[held out] which of them are among those that are learned from"""
    looks: tuple[Look, ...]
    """From the beginning to now."""
    chances: NDArray[np.float64]
    """[held out, 10] how likely it takes each digit to be"""
    cost: tuple[int, int, int]
    """Of one step; see `cost`."""


def train(course: Course) -> Iterator[Moment]:
    rng = np.random.default_rng(course.seed)
    learned, held_out, leaked = parts(course, rng)
    network = drawn(course.hidden, course.activation, course.first, rng)
    optimizer = Optimizer(network.parameters, course.rule, course.rate)
    pixels, labels = course.pixels(learned.images), learned.labels
    per_epoch = math.ceil(len(labels) / course.batch)
    steps = course.epochs * per_epoch
    wanted = {round(steps * (i / MOMENTS) ** 1.5) for i in range(1, MOMENTS + 1)}

    def moment(step: int, losses: list[float], looks: tuple[Look, ...]) -> Moment:
        now = network.copy()
        look, chances = examine(now, course, learned, held_out)
        grads = [math.nan if each.grad is None else norm(each.grad.array) for each in network.parameters]
        ends = (min(losses), max(losses)) if losses else (math.nan, math.nan)
        looks = (*looks, Look(step, *look, *ends, grads[0], grads[2]))
        return Moment(step, steps, per_epoch, now, learned, held_out, leaked, looks, chances, costs)

    first = slice(course.batch)
    costs = cost(network, tensor(pixels[first]), labels[first])
    yield (last := moment(0, [], ()))
    losses: list[float] = []
    for step in range(1, steps + 1):
        place = (step - 1) % per_epoch
        if place == 0:
            order = rng.permutation(len(labels))
        if course.sorted_batches:
            order = np.argsort(labels, kind="stable")  # mistake: all zeros, then all ones, …
        rows = order[place * course.batch :][: course.batch]
        loss = cross_entropy(network.scores(tensor(pixels[rows])), labels[rows])
        losses.append(loss.item())
        if not course.keep_gradients:  # mistake: each step follows the sum of all gradients so far
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step in wanted:
            yield (last := moment(step, losses, last.looks))
            losses = []


def parts(course: Course, rng: np.random.Generator) -> tuple[d.Digits, d.Digits, NDArray[np.bool_]]:
    """What is learned from, what is held out, and which of that is learned from all the same."""
    learned, held_out = d.split(course.held_out, course.split, rng)
    leaked = np.zeros(len(held_out), bool)
    if course.leak:  # mistake: every other held-out image is learned from, too
        leaked[::2] = True
        more = held_out[np.flatnonzero(leaked)]
        images = np.concatenate([learned.images, more.images])
        learned = d.Digits(images, np.concatenate([learned.labels, more.labels]))
    return learned, held_out, leaked


def examine(
    network: Network, course: Course, learned: d.Digits, held_out: d.Digits
) -> tuple[tuple[float, float, float, float], NDArray[np.float64]]:
    """Both losses and both shares read right, as in `Look`; and the chances as in `Moment`."""
    with no_grad():
        scores = [network.scores(tensor(course.pixels(each.images))) for each in (learned, held_out)]
        losses = [cross_entropy(s, each.labels).item() for s, each in zip(scores, (learned, held_out), strict=True)]
        rights = [
            float(np.mean(s.array.argmax(1) == each.labels))
            for s, each in zip(scores, (learned, held_out), strict=True)
        ]
        return (losses[0], losses[1], rights[0], rights[1]), softmax(scores[1]).array


def norm(array: NDArray[np.float64]) -> float:
    return math.sqrt(float((array * array).sum()))
