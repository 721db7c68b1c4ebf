"""Fake quantization and its gradients, against torch's own, against finite differences, and on their edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from native.learning.quantization_aware_training.rounding import damped, first_step, rounded, widest

SETS = pytest.mark.parametrize("seed", range(12))


def drawn(seed: int) -> tuple[torch.Tensor, torch.Tensor, int, torch.Tensor]:
    """Weights [7, 5], steps [7, 1] of which some clip, the highest code, and what comes back.

    None lies within half a step beyond the highest code: LSQ counts it as clipped, and torch as rounded.
    """
    rng = np.random.default_rng(seed)
    high = 2 ** (int(rng.integers(2, 9)) - 1) - 1
    x, back = (torch.from_numpy(rng.normal(size=(7, 5))) for _ in range(2))
    step = torch.from_numpy(rng.uniform(0.05, 2, (7, 1)) / high)
    v = (x / step).abs()
    return torch.where((v > high) & (v < high + 0.51), x / 2, x), step, high, back


def ours(x: torch.Tensor, step: torch.Tensor, high: int, straight: bool = True) -> Any:
    x, step, top = x.clone().requires_grad_(), step.clone().requires_grad_(), torch.tensor(float(high))
    return x, step, rounded(x, step, -top, top, straight)


@SETS
def test_values_and_the_straight_gradient_are_those_of_torchs_fake_quantize(seed: int) -> None:
    x, step, high, back = drawn(seed)
    mine, _, found = ours(x.float(), step.float(), high)
    theirs = x.float().requires_grad_()
    expected = torch.fake_quantize_per_channel_affine(
        theirs, step.float().flatten(), torch.zeros(7, dtype=torch.int32), 0, -high, high
    )
    torch.testing.assert_close(found, expected)
    found.backward(back.float())
    expected.backward(back.float())
    torch.testing.assert_close(mine.grad, theirs.grad)


@SETS
def test_the_gradient_of_the_step_is_that_of_torchs_learnable_fake_quantize(seed: int) -> None:
    x, step, high, back = drawn(seed)
    _, mine, found = ours(x.float(), step.float(), high)
    found.backward(back.float())
    theirs = step.float().flatten().requires_grad_()
    torch._fake_quantize_learnable_per_channel_affine(
        x.float(), theirs, torch.zeros(7), 0, -high, high, 1.0
    ).backward(back.float())
    torch.testing.assert_close(mine.grad, theirs.grad[:, None], rtol=1e-4, atol=1e-4)


@SETS
def test_finite_differences_give_it_too_if_the_residue_of_rounding_is_held(seed: int) -> None:
    x, step, high, back = drawn(seed)
    _, mine, found = ours(x, step, high)
    found.backward(back)
    residue = torch.round(x / step) - x / step

    def smooth(s: torch.Tensor) -> torch.Tensor:
        inside = (x / step).abs() <= high  # decided at the step itself
        return (torch.where(inside, s * (x / s + residue), s * high * x.sign()) * back).sum(1, keepdim=True)

    h = 1e-6 * step
    torch.testing.assert_close(mine.grad, (smooth(step + h) - smooth(step - h)) / (2 * h), rtol=1e-5, atol=1e-6)


@SETS
def test_the_true_gradient_is_that_of_the_staircase(seed: int) -> None:
    """Finite differences: a weight that moves a little stays on its stair, which is its code times the step."""
    x, step, high, back = drawn(seed)
    mine, steps, found = ours(x, step, high, straight=False)
    found.backward(back)
    assert not mine.grad.any()
    h = 1e-9
    _, _, moved = ours(x + h, step, high)
    torch.testing.assert_close(moved, found)
    _, _, up = ours(x, step * (1 + h), high)
    _, _, down = ours(x, step * (1 - h), high)
    slope = ((up - down) / (2 * h * step) * back).sum(1, keepdim=True)
    torch.testing.assert_close(steps.grad, slope, rtol=1e-4, atol=1e-4)


@given(st.integers(2, 8), st.floats(1e-6, 1e6), st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20))
def test_what_comes_out_lies_on_the_grid_and_is_the_nearest_on_it(
    bits: int, step: float, values: list[float]
) -> None:
    high, x = 2 ** (bits - 1) - 1, torch.tensor(values, dtype=torch.float64)
    found = rounded(x, torch.tensor(step, dtype=torch.float64), torch.tensor(-high), torch.tensor(high))
    levels = step * np.arange(-high, high + 1)
    assert np.isin(found.numpy(), levels).all()
    nearest = np.abs(x.numpy()[:, None] - levels).min(1)
    np.testing.assert_allclose(np.abs(x.numpy() - found.numpy()), nearest, rtol=1e-9, atol=1e-12)


def test_steps_to_begin_with() -> None:
    weights = torch.tensor([[[1.0, -3.0], [0.0, 0.0]]], dtype=torch.float64)
    high = torch.tensor(3.0, dtype=torch.float64)
    assert widest(weights, high, False).tolist() == [[[1.0]]]
    assert widest(weights, high, True).tolist() == [[[1.0], [1 / 3]]]  # any step restores zeros
    torch.testing.assert_close(
        first_step(weights, high, False), 2 * weights.abs().mean()[None, None, None] / 3**0.5
    )


def test_a_damped_step_is_the_step_and_learns_more_slowly() -> None:
    step = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    found = damped(step, torch.tensor(7.0, dtype=torch.float64), 64)
    found.backward()
    assert found.item() == pytest.approx(0.3) and step.grad is not None
    assert step.grad.item() == pytest.approx(1 / np.sqrt(64 * 7))
