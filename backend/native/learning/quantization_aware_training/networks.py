"""Many small networks trained at once: one for each number of bits and each seed, along the first axes of a tensor.

    image [64] -> linear -> ReLU -> linear -> ReLU -> linear -> [10]

Thirty-five products of small matrices are one product of a stack of matrices, which takes far less than thirty-five
times as long. Everything is float64: rounding jumps, and a last bit that differs between processors should not
decide on which side. Weights are symmetric and signed, activations unsigned, as in post-training quantization.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from native.learning.quantization_aware_training.rounding import damped, first_step, initial, rounded, widest
from native.models.digits import split

SIZES = (64, 24, 24, 10)
LAYERS = len(SIZES) - 1
BATCH = 64
MOMENTUM = 0.9
STEP_RATE = 0.1
"""The steps of a grid learn so much more slowly than weights: a step moves all of them."""


@dataclass(frozen=True)
class Data:
    """What each of the seeds trains on and is scored on; ``[seeds, n, 64]`` and ``[seeds, n]``."""

    images: Tensor
    labels: Tensor
    test_images: Tensor
    test_labels: Tensor


def drawn(seeds: Sequence[int]) -> tuple[Data, list[Tensor]]:
    """The digits split anew for each seed, and weights ``[seeds, out, in]``, biases ``[seeds, 1, out]``."""
    parts, networks = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        parts.append(split(rng))
        networks.append(
            [
                initial(shape, rng.uniform)
                for inputs, outputs in pairwise(SIZES)
                for shape in ((outputs, inputs), (1, outputs))
            ]
        )
    data = Data(
        torch.stack([part.train_images.flatten(1) for part in parts]),
        torch.stack([part.train_labels for part in parts]),
        torch.stack([part.test_images.flatten(1) for part in parts]),
        torch.stack([part.test_labels for part in parts]),
    )
    return data, [torch.stack(each) for each in zip(*networks, strict=True)]


Round = Callable[[int, Tensor, Tensor], tuple[Tensor, Tensor]]
"""What a layer multiplies: its place, its inputs and its weights as they are, and both as it takes them."""


def scores(parameters: Sequence[Tensor], x: Tensor, rounding: Round | None = None) -> Tensor:
    """The ten scores of every image, ``[..., n, 10]``."""
    for place in range(LAYERS):
        weights, bias = parameters[2 * place], parameters[2 * place + 1]
        if rounding:
            x, weights = rounding(place, x, weights)
        x = x @ weights.mT + bias
        if place < LAYERS - 1:
            x = torch.relu(x)
    return x


def tops(parameters: Sequence[Tensor], images: Tensor) -> list[Tensor]:
    """The largest value that enters each layer, ``[..., 1, 1]``: calibration on the training images."""
    found: list[Tensor] = []

    def watch(place: int, x: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        largest = x.amax(dim=(-2, -1), keepdim=True)
        found.append(torch.where(largest == 0, torch.ones_like(largest), largest))
        return x, weights

    with torch.no_grad():
        scores(parameters, images, watch)
    return found


class Grids:
    """The grids of networks with several numbers of ``bits``, along a first axis: ``[bits, 1, 1, 1]``."""

    def __init__(self, bits: Sequence[int], each_row: bool, activations: bool, straight: bool = True) -> None:
        wide = torch.tensor(bits, dtype=torch.float64).reshape(-1, 1, 1, 1)
        self.high = 2 ** (wide - 1) - 1
        self.top = 2**wide - 1
        self.each_row, self.activations, self.straight = each_row, activations, straight
        self.largest: list[Tensor] = []
        self.steps: list[Tensor] = []
        """Learned: those of the weights layer by layer, then those of the activations; none where they are not."""

    def calibrate(self, parameters: Sequence[Tensor], images: Tensor) -> None:
        """Codes of the activations reach up to the largest value that the float network has."""
        self.largest = tops(parameters, images)

    def learn(self, parameters: Sequence[Tensor]) -> None:
        """From now on the steps are parameters, which begin where LSQ begins."""
        shape = self.high.shape[0], *parameters[0].shape[-3:-2]
        self.steps = [
            first_step(weights, self.high, self.each_row).expand(*shape, -1, -1).clone()
            for weights in parameters[::2]
        ] + [(largest / self.top).expand(*shape, 1, 1).clone() for largest in self.largest if self.activations]

    def weight_step(self, place: int, weights: Tensor) -> Tensor:
        return self.steps[place] if self.steps else widest(weights, self.high, self.each_row)

    def round(self, place: int, x: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
        """A ``Round``."""
        step = self.weight_step(place, weights)
        if self.steps:
            step = damped(step, self.high, math.prod(weights.shape[-1 if self.each_row else -2 :]))
        weights = rounded(weights, step, -self.high, self.high, self.straight)
        if self.activations:
            reach = self.largest[place] / self.top
            if self.steps:
                reach = damped(self.steps[LAYERS + place], self.top, x.shape[-1])
            x = rounded(x, reach, torch.zeros_like(self.top), self.top, self.straight)
        return x, weights


def wrong(found: Tensor, labels: Tensor) -> Tensor:
    """Images read wrong, ``[...]`` of ``[..., n, 10]``."""
    return (found.argmax(-1) != labels).sum(-1)


@dataclass
class Training:
    """Networks that learn together, one step of stochastic gradient descent with momentum after the other."""

    parameters: list[Tensor]
    data: Data
    rate: float
    epochs: int
    rounding: Grids | None = None

    @property
    def steps(self) -> int:
        return self.epochs * self.per_epoch

    @property
    def per_epoch(self) -> int:
        return self.data.images.shape[1] // BATCH

    def run(self, seeds: Sequence[int]) -> Iterator[tuple[int, list[Tensor], Tensor]]:
        """After each step its number, the gradients of the parameters, and the loss ``[...]`` of each network.

        The learning rate falls along half a cosine to zero.
        """
        learned = [*self.parameters, *(self.rounding.steps if self.rounding else [])]
        rates = [1.0] * len(self.parameters) + [STEP_RATE] * (len(learned) - len(self.parameters))
        momenta = [torch.zeros_like(each) for each in learned]
        orders = [np.random.default_rng([seed, 1]) for seed in seeds]
        images = self.data.images.shape[1]
        for step in range(self.steps):
            place = step % self.per_epoch
            if place == 0:
                order = torch.from_numpy(np.stack([rng.permutation(images) for rng in orders]))
            rows = order[:, place * BATCH :][:, :BATCH]
            gradients, loss = self._gradients(learned, rows)
            rate = self.rate * (1 + math.cos(math.pi * step / self.steps)) / 2
            for each, momentum, gradient, share in zip(learned, momenta, gradients, rates, strict=True):
                momentum.mul_(MOMENTUM).add_(gradient)
                each.sub_(momentum, alpha=rate * share)
            yield step + 1, gradients, loss

    def _gradients(self, learned: list[Tensor], rows: Tensor) -> tuple[list[Tensor], Tensor]:
        x = torch.gather(self.data.images, 1, rows[..., None].expand(-1, -1, SIZES[0]))
        labels = torch.gather(self.data.labels, 1, rows)
        for each in learned:
            each.requires_grad_()
        found = scores(self.parameters, x, self.rounding.round if self.rounding else None).log_softmax(-1)
        right = labels.expand(found.shape[:-1])[..., None]
        loss = -found.gather(-1, right).mean(dim=(-2, -1))
        gradients = torch.autograd.grad(loss.sum(), learned)
        for each in learned:
            each.requires_grad_(False)
        return list(gradients), loss.detach()
