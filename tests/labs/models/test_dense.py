"""Hand-written gradients against PyTorch, our own tape and measured slopes; many networks at once against one."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
import torch
from labs.models import dense
from labs.models.tensor import choices, elementwise
from labs.models.tensor.tensor import tensor

CASES = [
    (sizes, activation, loss, over, seed)
    for sizes in ((2, 1, 1), (2, 2, 1), (2, 5, 1), (2, 3, 3, 1), (2, 16, 16, 1))
    for activation in get_args(dense.Activation)
    for loss in get_args(dense.Loss)
    for over in get_args(dense.Over)
    for seed in range(3)
]
XOR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[0.0], [1], [1], [0]])


def problem(seed: int, points: int = 7) -> tuple[dense.Floats, dense.Floats]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(points, 2)), rng.integers(0, 2, (points, 1)).astype(float)


def drawn(sizes: tuple[int, ...], activation: dense.Activation, *seeds: int) -> dense.Networks:
    """With biases, so that no ReLU stands on its kink."""
    nets = dense.draw(seeds, sizes, activation)
    rng = np.random.default_rng(9)
    for biases in nets.biases:
        biases += rng.normal(size=biases.shape)
    return nets


def by_torch(nets: dense.Networks, x: Any, y: Any, loss: str, over: str) -> list[Any]:
    parts = [torch.tensor(part[0].astype(float), requires_grad=True) for part in nets.weights + nets.biases]
    layers, a = len(nets.weights), torch.tensor(x)
    for layer in range(layers):
        z = a @ parts[layer] + parts[layers + layer]
        a = torch.sigmoid(z) if layer == layers - 1 else getattr(torch, nets.activation)(z)
    found = {
        "bce": torch.nn.functional.binary_cross_entropy_with_logits,
        "mse": lambda z, y, reduction: torch.nn.functional.mse_loss(torch.sigmoid(z), y, reduction=reduction),
    }[loss](z, torch.tensor(y), reduction=over)
    found.backward()
    return [part.grad.numpy() for part in parts]


TAPED = {
    "sigmoid": elementwise.sigmoid,
    "tanh": elementwise.tanh,
    "relu": lambda z: choices.Maximum()(z, tensor(0.0)),
}


def by_tape(nets: dense.Networks, x: Any, y: Any, loss: str, over: str) -> list[Any]:
    parts = [tensor(part[0].astype(float), requires_grad=True) for part in nets.weights + nets.biases]
    layers, a, wanted = len(nets.weights), tensor(x), tensor(y)
    for layer in range(layers):
        z = a @ parts[layer] + parts[layers + layer]
        a = TAPED["sigmoid" if layer == layers - 1 else nets.activation](z)
    each = (
        -(wanted * elementwise.log(a) + (1 - wanted) * elementwise.log(1 - a))
        if loss == "bce"
        else (a - wanted) ** 2
    )
    getattr(each, over)().backward()
    return [part.grad.array for part in parts]


@pytest.mark.parametrize(("sizes", "activation", "loss", "over", "seed"), CASES)
def test_the_way_back_is_that_of_pytorch_and_of_our_tape(
    sizes: Any, activation: Any, loss: Any, over: Any, seed: int
) -> None:
    x, y = problem(seed)
    nets = drawn(sizes, activation, seed)
    weights, biases = dense.backward(nets, dense.forward(nets, x), y, dense.Rule(loss, over))
    ours = [part[0] for part in weights + biases]
    for way in (by_torch, by_tape):
        for mine, theirs in zip(ours, way(nets, x, y, loss, over), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("sizes", "activation", "loss", "over", "seed"), CASES)
def test_measured_slopes_find_the_same(sizes: Any, activation: Any, loss: Any, over: Any, seed: int) -> None:
    x, y = problem(seed)
    nets = drawn(sizes, activation, seed)
    weights, biases = dense.backward(nets, dense.forward(nets, x), y, dense.Rule(loss, over))
    slopes = dense.measured(nets, x, y)[loss == "mse"] / (1 if over == "sum" else len(y))
    np.testing.assert_allclose(dense.flat(weights + biases)[0], slopes, atol=1e-7)


def test_losses_are_those_of_pytorch_even_where_a_sigmoid_is_saturated() -> None:
    x, y = problem(0)
    for scale in (1, 30, 1000):
        nets = dense.draw([1], (2, 3, 1), "tanh", scale)
        with np.errstate(over="ignore"):
            passed = dense.forward(nets, x)
        entropy, squared = dense.losses(passed, y)
        z, wanted = torch.tensor(passed.last[0]), torch.tensor(y)
        theirs = torch.nn.functional.binary_cross_entropy_with_logits(z, wanted, reduction="sum")
        assert entropy[0] == pytest.approx(theirs.item(), rel=1e-12)
        assert squared[0] == pytest.approx(((torch.sigmoid(z) - wanted) ** 2).sum().item(), abs=1e-12)


@pytest.mark.parametrize("sizes", [(2, 2, 1), (2, 4, 4, 1)])
def test_many_networks_are_trained_as_each_would_be_alone(sizes: Any) -> None:
    x, y = XOR
    rule = dense.Rule("bce", "sum", bias_mean=True)
    together = dense.draw(range(20), sizes, "sigmoid")
    dense.descend(together, x, y, rule, 0.1, 200)
    for seed in range(20):
        alone = dense.draw([seed], sizes, "sigmoid")
        dense.descend(alone, x, y, rule, 0.1, 200)
        for one, all_ in zip(alone.weights + alone.biases, together.weights + together.biases, strict=True):
            np.testing.assert_allclose(one[0], all_[seed], rtol=1e-9, atol=1e-12)


def test_first_weights_are_those_of_numpy_seed() -> None:
    nets = dense.draw([5, 6], (2, 3, 1), "sigmoid", 2.0)
    for at, seed in enumerate((5, 6)):
        np.random.seed(seed)
        assert (nets.weights[0][at] == np.float32(2 * np.random.randn(2, 3))).all()
        assert (nets.weights[1][at] == np.float32(2 * np.random.randn(3, 1))).all()
    assert not any(biases.any() for biases in nets.biases)


def test_averaging_the_biases_divides_theirs_and_nothing_else() -> None:
    x, y = problem(3)
    nets = drawn((2, 3, 1), "tanh", 3)
    passed = dense.forward(nets, x)
    weights, biases = dense.backward(nets, passed, y, dense.Rule())
    mistaken, averaged = dense.backward(nets, passed, y, dense.Rule(bias_mean=True))
    for one, other in zip(weights, mistaken, strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(biases, averaged, strict=True):
        np.testing.assert_allclose(one / len(y), other, rtol=1e-12)


@pytest.mark.parametrize("loss", get_args(dense.Loss))
def test_one_path_is_enough_only_where_there_is_one(loss: Any) -> None:
    x, y = problem(4)
    for sizes, hidden_once in (((2, 3, 1), True), ((2, 3, 3, 1), False), ((2, 1, 1, 1), True)):
        nets = drawn(sizes, "tanh", 4)
        passed = dense.forward(nets, x)
        weights, _ = dense.backward(nets, passed, y, dense.Rule(loss))
        partial, _ = dense.backward(nets, passed, y, dense.Rule(loss, one_path=True))
        assert np.allclose(weights[0], partial[0]) == hidden_once
        for one, other in zip(weights[1:], partial[1:], strict=True):  # whose consumer is the one output
            np.testing.assert_allclose(one, other)
