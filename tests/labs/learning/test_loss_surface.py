"""The loss over two weights: each point of the grid against PyTorch, the path against PyTorch's own training."""

from __future__ import annotations

from typing import get_args, get_type_hints

import numpy as np
import pytest
import torch
from labs.learning.loss_surface import SLICES, XOR, Params, Slice, run
from labs.models import dense

X, Y = torch.tensor(XOR.x), torch.tensor(XOR.y)


def drawn(params: Params) -> list[torch.Tensor]:
    """The first network, in double precision: W1, b1, W2, b2."""
    nets = dense.draw([params.seed], (2, 2, 1), "sigmoid")
    parts = [nets.weights[0][0], nets.biases[0][0], nets.weights[1][0], nets.biases[1][0]]
    made = [torch.tensor(part.astype(np.float64)) for part in parts]
    for (layer, a, b), value in zip(SLICES[params.weights], (params.first, params.second), strict=True):
        made[2 * layer][a, b] = value
    return [part.requires_grad_() for part in made]


def loss(parts: list[torch.Tensor]) -> torch.Tensor:
    w1, b1, w2, b2 = parts
    z = torch.sigmoid(X @ w1 + b1) @ w2 + b2
    return torch.nn.functional.binary_cross_entropy_with_logits(z, Y, reduction="sum")


def trained(params: Params, epochs: int) -> list[torch.Tensor]:
    parts = drawn(params)
    descent = torch.optim.SGD(parts, lr=params.learning_rate)
    for _ in range(epochs):
        descent.zero_grad()
        loss(parts).backward()
        descent.step()
    return parts


def log(**given: object) -> list[Slice]:
    return list(run(Params(**given)))  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", list(SLICES))
def test_each_point_is_the_loss_that_pytorch_has(weights: str) -> None:
    params = Params(weights=weights, epochs=300)  # type: ignore[arg-type]
    last = list(run(params))[-1]
    parts = [part.detach() for part in trained(params, 300)]
    for row, column in ((0, 0), (3, 20), (12, 12), (24, 7)):
        moved = [part.clone() for part in parts]
        for (layer, a, b), at in zip(SLICES[params.weights], (column, row), strict=True):
            moved[2 * layer][a, b] = float(last.values[at])
        assert last.loss[row, column] == pytest.approx(float(loss(moved)), rel=2e-4)


def test_the_path_is_the_one_of_pytorch() -> None:
    params = Params(epochs=400)
    for event in list(run(params))[::4]:
        parts = trained(params, event.epoch)
        there = [float(parts[0][0, 0].detach()), float(parts[0][0, 1].detach()), float(loss(parts).detach())]
        np.testing.assert_allclose(event.path[-1], there, rtol=1e-4, atol=1e-5)


def test_the_point_lies_on_the_surface() -> None:
    """Where the weights are whole numbers, the grid has their loss."""
    for first, second in ((2.0, 0.0), (-5.0, 7.0)):
        begin = log(first=first, second=second, epochs=0)[0]
        row, column = list(begin.values).index(second), list(begin.values).index(first)
        assert begin.loss[row, column] == pytest.approx(begin.path[0, 2], rel=1e-6)


def test_a_start_decides_what_is_learned() -> None:
    assert [log(first=first)[-1].right for first in (2.0, -2.0)] == [2, 4]


def test_every_choice_has_a_slice_of_two_weights() -> None:
    choices = get_args(get_args(get_type_hints(Params, include_extras=True)["weights"])[0])
    assert choices == tuple(SLICES)
    for event, names in ((log(weights=weights, epochs=0)[0], event_names(weights)) for weights in choices):
        assert event.names == names


def event_names(weights: str) -> list[str]:
    return [f"W{layer + 1}[{a}, {b}]" for layer, a, b in SLICES[weights]]


def test_one_epoch_is_one() -> None:
    assert str(log(epochs=1)[-1].text).startswith("After 1 epoch, the loss is")
    assert str(log(epochs=2)[-1].text).startswith("After 2 epochs, the loss is")
