"""A network of two layers that learns to read digits, on our own tensors.

    pixels [n, 64] -> matrix, bias -> activation [n, hidden] -> matrix, bias -> scores [n, 10]

Sums are taken in float64 and each step ends by rounding the weights to float32: processors add in different
orders, and the last bit of a sum in float64 hardly ever decides how a weight is rounded. So every machine arrives
at the same weights, even where a training is chaotic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.choices import relu
from labs.models.tensor.dtypes import DTYPES
from labs.models.tensor.elementwise import cast, sigmoid, sqrt, tanh
from labs.models.tensor.products import gather
from labs.models.tensor.softmax import log_softmax
from labs.models.tensor.tape import Kept, Operation, keeping, no_grad
from labs.models.tensor.tensor import Tensor, tensor
from labs.tensors.mlp_digits.digits import KINDS, PIXELS

Activation = Literal["relu", "tanh", "sigmoid"]
First = Literal["he", "tiny", "huge", "zeros"]
Rule = Literal["plain", "momentum", "adam"]

MOMENTUM = 0.9
ADAM = 0.9, 0.999, 1e-8
"""How much of the mean gradient and of its mean square is kept, and what keeps from dividing by nothing."""


ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {"relu": relu, "tanh": tanh, "sigmoid": sigmoid}
FACTORS: dict[First, float] = {"he": 1, "tiny": 0.01, "huge": 10, "zeros": 0}


@dataclass(frozen=True)
class Network:
    parameters: list[Tensor]
    """A matrix [64, hidden] and a bias [hidden], a matrix [hidden, 10] and a bias [10]."""
    activation: Activation

    def hidden(self, pixels: Tensor) -> Tensor:
        """[n, 64] to [n, hidden]"""
        w1, b1, _, _ = self.parameters
        return ACTIVATIONS[self.activation](pixels @ w1 + b1)

    def scores(self, pixels: Tensor) -> Tensor:
        """[n, 64] to [n, 10]: the larger, the likelier"""
        return self.out(self.hidden(pixels))

    def out(self, hidden: Tensor) -> Tensor:
        """[n, hidden] to the scores [n, 10]"""
        _, _, w2, b2 = self.parameters
        return hidden @ w2 + b2

    def copy(self) -> Network:
        """As it is now, to be looked at later; it learns no more."""
        return Network([tensor(each.array) for each in self.parameters], self.activation)


def drawn(hidden: int, activation: Activation, first: First, rng: np.random.Generator) -> Network:
    """By He's rule a layer hands on values about as large as those it was given; `first` says how far from it."""

    def matrix(inputs: int, outputs: int) -> Tensor:
        numbers = rng.normal(0, math.sqrt(2 / inputs), (inputs, outputs))
        return rounded(tensor(numbers * FACTORS[first])).require_grad()

    def bias(outputs: int) -> Tensor:
        return tensor(np.zeros(outputs), requires_grad=True)

    return Network([matrix(PIXELS, hidden), bias(hidden), matrix(hidden, KINDS), bias(KINDS)], activation)


def cross_entropy(scores: Tensor, labels: NDArray[np.int64]) -> Tensor:
    """The mean of -log of the probability given to what is right."""
    return -gather(log_softmax(scores), 1, labels[:, None]).mean()


def rounded(x: Tensor) -> Tensor:
    """To float32, held as float64."""
    return cast(cast(x, DTYPES["float32"]), DTYPES["float64"])


class Optimizer:
    """Moves parameters against their gradients."""

    def __init__(self, parameters: list[Tensor], rule: Rule, rate: float) -> None:
        self.parameters, self.rule, self.rate = parameters, rule, rate
        self.steps = 0
        self.mean = [each.detach() * 0 for each in parameters]
        self.square = [each.detach() * 0 for each in parameters]

    def zero_grad(self) -> None:
        for each in self.parameters:
            each.grad = None

    def step(self) -> None:
        self.steps += 1
        with no_grad():
            for i, each in enumerate(self.parameters):
                assert each.grad is not None
                each.copy_(rounded(each - self.rate * self.direction(i, each.grad)))

    def direction(self, i: int, grad: Tensor) -> Tensor:
        if self.rule == "plain":
            return grad
        if self.rule == "momentum":
            self.mean[i] = MOMENTUM * self.mean[i] + grad
            return self.mean[i]
        slow, slower, least = ADAM
        self.mean[i] = slow * self.mean[i] + (1 - slow) * grad
        self.square[i] = slower * self.square[i] + (1 - slower) * grad * grad
        mean = self.mean[i] / (1 - slow**self.steps)  # both began at 0, which would hold them back
        return mean / (sqrt(self.square[i] / (1 - slower**self.steps)) + least)


def cost(network: Network, pixels: Tensor, labels: NDArray[np.int64]) -> tuple[int, int, int]:
    """Of one step, forward and backward: multiplications in matrix products, operations on the tape, and bytes that
    the tape keeps besides the images and the parameters."""
    given = {id(each.storage) for each in (pixels, *network.parameters)}
    kept: dict[int, int] = {}

    def keep(saved: Tensor) -> Kept:
        if id(saved.storage) not in given:
            kept[id(saved.storage)] = saved.storage.numbers.nbytes
        return Kept(saved)

    with keeping(keep):
        loss = cross_entropy(network.scores(pixels), labels)
    seen: set[Operation] = set()
    stack = [loss.origin]
    while stack:
        if (each := stack.pop()) is not None and each not in seen:
            seen.add(each)
            stack += each.edges
    hidden = network.parameters[1].shape[0]
    # forth through both layers, back to both matrices, and to the hidden layer; nobody asks for that of the pixels
    multiplications = len(labels) * (2 * PIXELS * hidden + 3 * hidden * KINDS)
    return multiplications, len(seen) - len(network.parameters), sum(kept.values())
