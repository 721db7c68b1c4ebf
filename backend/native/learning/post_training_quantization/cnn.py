"""A small convolutional network that reads scikit-learn's handwritten digits, and its training.

    image [1, 8, 8] -> conv 3x3 -> ReLU -> conv 3x3 -> ReLU -> max-pool -> linear -> ReLU -> linear -> [10]

The weights are plain tensors and the optimizer is written out: four layers need no module classes, and code that
takes the network apart afterwards (quantization does) sees every operation.

Training computes in float64 and draws from NumPy. Processors add in different orders, and a hundred steps blow
the last bit of float32 up to the second digit; the last bit of float64 stays far below float32's, so that every
machine arrives at the same float32 weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812, torch's own convention

from native.models.digits import Digits, split
from native.models.torch_threads import one_thread

LAYERS = ("conv1", "conv2", "fc1", "fc2")
SHAPES = {"conv1": (16, 1, 3, 3), "conv2": (32, 16, 3, 3), "fc1": (64, 512), "fc2": (10, 64)}
MOMENTUM = 0.9

Weights = dict[str, tuple[Tensor, Tensor]]
"""Per layer a weight (SHAPES) and a bias [outputs], float64."""


def initial(rng: np.random.Generator) -> Weights:
    """Weights drawn as ``torch.nn.Linear`` and ``Conv2d`` draw them: uniform within 1/sqrt(inputs of a neuron)."""
    weights = {}
    for name, shape in SHAPES.items():
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        weight, bias = rng.uniform(-bound, bound, shape), rng.uniform(-bound, bound, shape[0])
        weights[name] = (torch.from_numpy(weight), torch.from_numpy(bias))
    return weights


def layer(name: str, weights: Weights, x: Tensor) -> Tensor:
    """One layer without its ReLU; convolutions keep the size of the image."""
    weight, bias = weights[name]
    return F.conv2d(x, weight, bias, padding=1) if weight.ndim == 4 else F.linear(x, weight, bias)


def outputs(weights: Weights, images: Tensor, relu_after_conv: bool = True) -> dict[str, Tensor]:
    """What every layer puts out, after its ReLU; ``fc2`` gives the ten scores.

    Without ``relu_after_conv`` the network is not the one that was trained. A model whose ReLU is applied only by
    fusing it into the convolution behaves so until it is fused.
    """
    activate = F.relu if relu_after_conv else _identity
    conv1 = activate(layer("conv1", weights, images))
    conv2 = activate(layer("conv2", weights, conv1))
    fc1 = F.relu(layer("fc1", weights, F.max_pool2d(conv2, 2).flatten(1)))
    return {"conv1": conv1, "conv2": conv2, "fc1": fc1, "fc2": layer("fc2", weights, fc1)}


def _identity(x: Tensor) -> Tensor:
    return x


@dataclass(frozen=True)
class Progress:
    """After one step: ``loss`` is that of its batch, of which ``correct`` out of ``size`` were read right."""

    epoch: int
    step: int
    loss: float
    correct: int
    size: int
    leads: NDArray[np.float64] | None  # of the held-out images, at the end of an epoch


def train(
    weights: Weights, digits: Digits, epochs: int, learning_rate: float, batch: int, rng: np.random.Generator
) -> Iterator[Progress]:
    """Stochastic gradient descent with momentum, in place; the learning rate falls along half a cosine to zero.

    The weights require gradients inside a step only, so other code may compute with them freely between steps.
    """
    parameters = [tensor for pair in weights.values() for tensor in pair]
    momenta = [torch.zeros_like(p) for p in parameters]
    per_epoch = math.ceil(len(digits.train_labels) / batch)
    for step in range(epochs * per_epoch):
        epoch, place = divmod(step, per_epoch)
        if place == 0:
            order = torch.from_numpy(rng.permutation(len(digits.train_labels)))
        rows = order[place * batch :][:batch]
        for parameter in parameters:
            parameter.requires_grad_()
        scores = outputs(weights, digits.train_images[rows])["fc2"]
        loss = F.cross_entropy(scores, digits.train_labels[rows])
        gradients = torch.autograd.grad(loss, parameters)
        rate = learning_rate * (1 + math.cos(math.pi * step / (epochs * per_epoch))) / 2
        for parameter, momentum, gradient in zip(parameters, momenta, gradients, strict=True):
            parameter.requires_grad_(False)
            momentum.mul_(MOMENTUM).add_(gradient)
            parameter.sub_(momentum, alpha=rate)
        finished = place == per_epoch - 1
        yield Progress(
            epoch=epoch + 1,
            step=step + 1,
            loss=loss.item(),
            correct=correct(scores, digits.train_labels[rows]),
            size=len(rows),
            leads=leads(outputs(weights, digits.test_images)["fc2"], digits.test_labels) if finished else None,
        )


def correct(scores: Tensor, labels: Tensor) -> int:
    return int((scores.argmax(1) == labels).sum())


def leads(scores: Tensor, labels: Tensor) -> NDArray[np.float64]:
    """[n] the score of the true digit less that of the best other one: above zero, the image is read right."""
    true = labels[:, None]
    best_other = scores.scatter(1, true, -torch.inf).max(dim=1).values
    return np.asarray((scores.gather(1, true)[:, 0] - best_other).numpy())


def to_float32(weights: Weights) -> Weights:
    """The weights rounded to float32 and held as float64: a float32 network whose sums lose nothing."""
    return {name: (weight.float().double(), bias.float().double()) for name, (weight, bias) in weights.items()}


def trained(seed: int, epochs: int, learning_rate: float, batch: int) -> tuple[Weights, Digits]:
    """The float32 weights after the whole training and their data, for those who do not want to watch."""
    rng = np.random.default_rng(seed)
    digits, weights = split(rng), initial(rng)
    with one_thread():
        for _ in train(weights, digits, epochs, learning_rate, batch, rng):
            pass
    return to_float32(weights), digits
