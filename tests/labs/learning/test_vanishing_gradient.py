"""What is left of a gradient, against PyTorch's autograd, the product of the Jacobians, and arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from labs.learning import vanishing_gradient as lab
from labs.learning.vanishing_gradient import INPUTS, Params, Picture, run
from labs.models.recurrent import Floats, Weights, lstm, plain
from numpy.testing import assert_allclose


def last(**params: Any) -> Picture:
    *_, picture = run(Params(**params))
    return picture


def many(count: int) -> list[Params]:
    """Seeded draws from the whole space, and both ends of it."""
    rng = np.random.default_rng(0)
    drawn = [
        Params(
            forget_bias=float(rng.uniform(-3, 6)),
            radius=float(rng.uniform(0, 3)),
            steps=int(rng.integers(2, 49)),
            inputs=float(rng.uniform(0, 3)),
            clip=float(rng.choice([0, rng.uniform(0, 10)])),
            hidden=int(rng.integers(1, 17)),
            seed=int(rng.integers(0, 2**31)),
        )
        for _ in range(count)
    ]
    return [Params(-3, 0, 2, 0, 0, 1, 0), Params(6, 3, 48, 3, 10, 16, 2**31 - 1), *drawn]


def begun(params: Params) -> tuple[Floats, Floats, Weights, Weights]:
    """The inputs, the direction of the loss, and both cells, in the order in which the lab draws them."""
    rng = np.random.default_rng(params.seed)
    xs, direction = rng.normal(size=(params.steps, INPUTS)), rng.normal(size=params.hidden)
    simple, gated = lab.draw(rng, params, 1), lab.draw(rng, params, 4)
    gated.bias[params.hidden : 2 * params.hidden] = params.forget_bias
    return xs, direction / np.linalg.norm(direction), simple, gated


def through_torch(cell: torch.nn.RNNCellBase, weights: Weights, xs: Floats, direction: Floats) -> tuple[Any, Any]:
    """Gradients ``[steps + 1, hidden]`` along the states that carry the memory, and of the recurrent weights."""
    with torch.no_grad():
        for name, value in (("weight_ih", weights.x), ("weight_hh", weights.h), ("bias_ih", weights.bias)):
            getattr(cell, name).copy_(torch.from_numpy(value))
        cell.bias_hh.zero_()
    zero = torch.zeros(1, weights.hidden, dtype=torch.float64)
    gated = isinstance(cell, torch.nn.LSTMCell)
    state: Any = (zero, zero.clone().requires_grad_()) if gated else zero.clone().requires_grad_()
    carried = [state[1] if gated else state]
    for x in torch.from_numpy(xs):
        state = cell(x[None], state)
        carried.append(state[1] if gated else state)
    for each in carried[1:]:
        each.retain_grad()
    (carried[-1] @ torch.from_numpy(direction)).sum().backward()
    return torch.cat([each.grad for each in carried]).numpy(), cell.weight_hh.grad.numpy()


def test_pytorch_finds_the_same_gradients() -> None:
    for params in many(25):
        xs, direction, simple, gated = begun(params)
        picture = last(**vars(params))
        sizes = {"input_size": INPUTS, "hidden_size": params.hidden, "dtype": torch.float64}
        for cell, weights, left, total, states in (
            (torch.nn.RNNCell(**sizes), simple, picture.plain_left, picture.plain_total, picture.plain_messages),
            (torch.nn.LSTMCell(**sizes), gated, picture.lstm_left, picture.lstm_total, picture.lstm_messages),
        ):
            messages, recurrent = through_torch(cell, weights, xs, direction)
            assert_allclose(left, np.linalg.norm(messages, axis=1), rtol=1e-6, atol=1e-30)
            assert total == pytest.approx(np.linalg.norm(recurrent), rel=1e-8, abs=1e-30)
            drawn = 254 * np.minimum(1, np.abs(messages) ** 0.25)
            assert np.abs(states - drawn).max() <= 0.5 + 1e-6


def jacobian(step: Callable[[Floats], Floats], at: Floats, h: float = 1e-6) -> Floats:
    """Measured by differences, so that no formula of ours is in it."""
    return np.array([(step(at + h * e) - step(at - h * e)) / (2 * h) for e in np.eye(len(at))]).T


def plain_step(weights: Weights, x: Floats, state: Floats) -> Floats:
    return plain(weights, x, state)


def lstm_step(weights: Weights, x: Floats, both: Floats) -> Floats:
    h, c = np.split(both, 2)
    step = lstm(weights, x, h, c)
    return np.concatenate([step.hidden, step.cell])


def test_it_is_the_product_of_the_jacobians() -> None:
    for params in (Params(steps=6, hidden=4), Params(steps=5, hidden=3, radius=2, forget_bias=2, seed=9)):
        xs, direction, simple, gated = begun(params)
        picture, none = last(**vars(params)), np.zeros(params.hidden)
        for step, weights, message, left in (
            (plain_step, simple, direction, picture.plain_left),
            (lstm_step, gated, np.concatenate([none, direction]), picture.lstm_left),
        ):
            state, product = np.zeros(len(message)), np.eye(len(message))
            for x in xs:
                walk = partial(step, weights, x)
                product = jacobian(walk, state) @ product
                state = walk(state)
            arrived = (message @ product)[-params.hidden :]
            assert left[0] == pytest.approx(np.linalg.norm(arrived), rel=1e-5)


def test_half_open_gates_leave_half_of_it_each_step() -> None:
    picture = last(radius=0, inputs=0)
    assert picture.gate == 0.5 and picture.expected[0] == np.float32(0.5**12)
    assert_allclose(picture.lstm_left, 0.5 ** np.arange(12, -1, -1), rtol=1e-6)
    assert_allclose(picture.lstm_direct, picture.lstm_left, rtol=1e-6)
    assert not picture.plain_left[:-1].any(), "without recurrent weights nothing flows back in the plain cell"
    assert "0.00024" in picture.text


def test_the_radius_is_what_was_asked_for() -> None:
    for params in many(10):
        _, _, simple, gated = begun(params)
        for block in (simple.h, *np.split(gated.h, 4)):
            assert np.abs(np.linalg.eigvals(block)).max() == pytest.approx(params.radius, abs=1e-9)


def test_pictures_follow_each_other() -> None:
    pictures = list(run(Params(steps=5, clip=0.1)))
    assert [(one.stage, one.at) for one in pictures] == [
        *(("forward", at) for at in range(1, 6)),
        *(("backward", at) for at in range(5, -1, -1)),
        ("clip", 0),
    ]
    for one in pictures:
        assert one.plain_left[-1] == one.lstm_left[-1] == 1
        assert one.plain_states.shape == one.lstm_messages.shape == (6, 8) and len(one.plain_shares) == 5


def test_clipping_shortens_all_shares_alike() -> None:
    free, clipped = last(radius=2, inputs=0.1), last(radius=2, inputs=0.1, clip=0.5)
    assert clipped.plain_total == free.plain_total > 0.5
    assert clipped.plain_clip * clipped.plain_total == pytest.approx(0.5)
    assert clipped.lstm_clip == (1 if free.lstm_total <= 0.5 else 0.5 / free.lstm_total)
    assert free.plain_clip == 1
    assert_allclose(clipped.plain_shares, free.plain_shares)
    assert last(clip=10).plain_clip == 1 and "stays at" in last(clip=10).text
