"""The forward pass in NumPy is that of PyTorch's layers; the shipped file is what the script writes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from labs.learning.operator_rollout import network
from labs.models.fields import Equation, exact
from labs.models.fields.scale import scaled
from native.learning.fourier_operator.network import Operator
from native.learning.fourier_operator.training import starts

sys.path.insert(0, str(Path(__file__).parents[4] / "scripts"))
import train_fourier_operators as script

EACH = [(equation, modes) for equation in get_args(Equation) for modes in get_args(network.Modes)]


def shipped(equation: str, modes: int) -> dict[str, torch.Tensor]:
    begin = f"{equation}.{modes}."
    with np.load(Path(str(network.__file__)).parent / network.FILE) as kept:
        return {
            name.removeprefix(begin): torch.from_numpy(kept[name].astype(np.float32))
            for name in kept.files
            if name.startswith(begin)
        }


@pytest.mark.parametrize(("equation", "modes"), EACH)
def test_numpy_leaps_where_pytorch_does(equation: Equation, modes: network.Modes) -> None:
    theirs = Operator(network.WIDTH, modes)
    theirs.load_state_dict(shipped(equation, modes))
    ours = network.operator(equation, modes)
    for points in (16, 32, 64, 256, 1024):
        field = starts(np.random.default_rng(points), 1, points).astype(np.float32)
        with torch.inference_mode():
            right = theirs(torch.from_numpy(field), torch.tensor([scaled(0.02)], dtype=torch.float32))
        found = network.leap(ours, field[0], 0.02)
        assert found.shape == (points,) and found == pytest.approx(right[0].numpy(), abs=2e-5)


@pytest.mark.parametrize(("equation", "modes"), EACH)
def test_what_is_shipped_has_learned(equation: Equation, modes: network.Modes) -> None:
    weights = network.operator(equation, modes)
    errors = []
    for start in starts(np.random.default_rng(1), 6, 256):
        field = start[::4].astype(np.float32)
        for _ in range(10):
            field = network.leap(weights, field, 0.01)
        right = exact.solution(equation, start, 0.01, 1.0, 64)
        errors.append(np.linalg.norm(field - right) / np.linalg.norm(right))
    assert 1e-4 < np.median(errors) < 0.12


def test_the_script_writes_what_is_shipped() -> None:
    weights, loss = script.trained(script.course("burgers", 4, steps=2, samples=2))
    kept = shipped("burgers", 4)
    assert {name: value.shape for name, value in weights.items()} == {
        name: tuple(value.shape) for name, value in kept.items()
    }
    assert all(value.dtype == np.float16 for value in weights.values()) and 0.05 < loss < 20


def test_multiplications_are_those_of_the_layers() -> None:
    """Counted from shapes: the transforms by n log2 n, the waves as complex products of four."""
    modes, points, width = 8, 64, network.WIDTH
    weights = network.operator("burgers", 8)
    each = sum(value.size for name, value in weights.items() if name.endswith("weight") and "waves" not in name)
    waves = sum(4 * value.size for name, value in weights.items() if "waves" in name)
    assert network.multiplications(modes, points) == each * points + waves + 3 * 2 * width * points * 6
    assert network.multiplications(16, 16) < network.multiplications(16, 64)
