"""Small dense networks, many of one shape at once: forward, backward, and the slopes that can be measured.

Every array has the networks along its first axis, so that a hundred trainings cost little more than one, and the
2·n networks that differ from one in a single parameter measure its whole gradient. The hidden layers have an
activation of one's choice, the output is a sigmoid. A vector is a row: z = a @ W + b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Parameters = NDArray[np.floating[Any]]
Activation = Literal["sigmoid", "tanh", "relu"]
Loss = Literal["bce", "mse"]
Over = Literal["sum", "mean"]

NUDGE = 1e-5  # half of the distance over which a slope is measured


@dataclass(frozen=True)
class Networks:
    """Weights [networks, in, out] and biases [networks, 1, out] of each layer.

    They are kept in float32 and computed with in float64: what another processor's exp does to the last bit is
    rounded away at each step, so that a seed leads to the same network everywhere.
    """

    weights: list[Parameters]
    biases: list[Parameters]
    activation: Activation


@dataclass(frozen=True)
class Rule:
    """Of what the gradient is taken, and what is done wrong in taking it."""

    loss: Loss = "bce"
    over: Over = "sum"
    bias_mean: bool = False
    """A mistake: the biases' gradient is averaged over the points, whatever that of the weights is."""
    one_path: bool = False
    """A mistake: what a unit gets back comes from the first of its consumers alone."""


@dataclass(frozen=True)
class Pass:
    """What a forward pass leaves behind: all that the way back needs."""

    values: list[Floats]
    """[networks, points, units] of the input, each hidden layer and the output"""
    last: Floats
    """[networks, points, 1] the output before its sigmoid"""


def draw(seeds: Sequence[int], sizes: Sequence[int], activation: Activation, scale: float = 1.0) -> Networks:
    """Weights as ``np.random.seed(seed)`` and then ``randn`` for one layer after the other make them; biases 0."""
    layers: list[list[Floats]] = [[] for _ in sizes[1:]]
    for seed in seeds:
        normal = np.random.RandomState(seed)
        for layer, (before, after) in zip(layers, pairwise(sizes), strict=True):
            layer.append(scale * normal.randn(before, after))
    biases = [np.zeros((len(seeds), 1, size), np.float32) for size in sizes[1:]]
    return Networks([np.stack(layer).astype(np.float32) for layer in layers], [*biases], activation)


def sigmoid(z: Floats) -> Floats:
    """Far below zero exp overflows, to infinity, and 1 over that is 0: who trains lets NumPy's warning go."""
    return np.asarray(1 / (1 + np.exp(-z)))


def forward(nets: Networks, x: Floats) -> Pass:
    values = [x]
    for weights, biases in zip(nets.weights, nets.biases, strict=True):
        z = values[-1] @ weights + biases
        values.append(activate(nets.activation, z) if len(values) < len(nets.weights) else sigmoid(z))
    return Pass(values, z)


def activate(activation: Activation, z: Floats) -> Floats:
    if activation == "sigmoid":
        return sigmoid(z)
    return np.tanh(z) if activation == "tanh" else np.maximum(z, 0)


def slope(activation: Activation, a: Floats) -> Floats:
    """The activation's derivative, told by its value."""
    if activation == "sigmoid":
        return a * (1 - a)
    return 1 - a * a if activation == "tanh" else (a > 0).astype(np.float64)


def backward(nets: Networks, passed: Pass, y: Floats, rule: Rule) -> tuple[list[Floats], list[Floats]]:
    """The gradients of all weights and biases, from the last layer to the first and returned in their order."""
    out = passed.values[-1]
    delta = out - y  # of summed cross-entropy: the sigmoid's slope cancels
    if rule.loss == "mse":
        delta = 2 * delta * (out * (1 - out))
    if rule.over == "mean":
        delta = delta / len(y)
    ones = np.full((1, len(y)), 1 / len(y) if rule.bias_mean else 1.0)  # a bias is the weight of an input of 1
    weights, biases = [], []
    for layer in reversed(range(len(nets.weights))):
        a = passed.values[layer]
        weights.append(a.swapaxes(-1, -2) @ delta)
        biases.append(ones @ delta)
        if layer:
            there = nets.weights[layer]
            back = delta[..., :1] @ there[..., :1].swapaxes(1, 2) if rule.one_path else delta @ there.swapaxes(1, 2)
            delta = back * slope(nets.activation, a)
    return weights[::-1], biases[::-1]


def descend(nets: Networks, x: Floats, y: Floats, rule: Rule, rate: float, epochs: int) -> None:
    """That many steps against the gradient, in place."""
    for _ in range(epochs):
        weights, biases = backward(nets, forward(nets, x), y, rule)
        for parameter, gradient in zip(nets.weights + nets.biases, weights + biases, strict=True):
            parameter -= rate * gradient


def losses(passed: Pass, y: Floats) -> tuple[Floats, Floats]:
    """[networks] summed over the points: the cross-entropy, in a form that no saturated sigmoid spoils, and the
    squared error."""
    z, out = passed.last, passed.values[-1]
    entropy = np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z)))
    return entropy.sum(axis=(1, 2)), ((out - y) ** 2).sum(axis=(1, 2))


def right(passed: Pass, y: Floats) -> NDArray[np.int64]:
    """[networks] how many points lie on the right side of 0.5."""
    found: NDArray[np.int64] = ((passed.values[-1] > 0.5) == (y > 0.5)).sum(axis=(1, 2))
    return found


def flat(parts: Sequence[Parameters]) -> Floats:
    """[networks, parameters]"""
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1, dtype=np.float64)


def measured(nets: Networks, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The slopes [parameters] of both losses of a single network, weights first: each parameter is nudged up and
    down, nothing is derived."""
    here = flat(nets.weights + nets.biases)
    nudges = NUDGE * np.eye(here.shape[1])
    around, at = np.concatenate([here + nudges, here - nudges]), 0
    parts = []
    for part in nets.weights + nets.biases:
        parts.append(around[:, at : at + part.size].reshape(-1, *part.shape[1:]))
        at += part.size
    layers = len(nets.weights)
    found = losses(forward(Networks(parts[:layers], parts[layers:], nets.activation), x), y)
    up = len(nudges)
    entropy, squared = ((loss[:up] - loss[up:]) / (2 * NUDGE) for loss in found)
    return entropy, squared
