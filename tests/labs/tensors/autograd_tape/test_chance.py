"""Random numbers are PyTorch's, to the last digit that its vectors keep."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from .pytorch import ours, same

SIZES = (1, 2, 3, 7, 15, 16, 17, 24, 31, 32, 33, 100)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_they_are_drawn_as_pytorch_draws_them(dtype: str) -> None:
    chance = random.Random(dtype)
    for seed in (0, 1, 2**31, 2**40 + 5):
        lines = [f"manual_seed({seed})"]
        for number in range(6):
            how, size = chance.choice(["randn", "rand"]), chance.choice(SIZES)
            lines.append(f"v{number} = {how}({size}, dtype={dtype}, requires_grad=True)")
        same("\n".join(lines).replace(f"={dtype}", f"=torch.{dtype}") + "\n")


def test_a_run_begins_at_seed_0() -> None:
    torch.manual_seed(0)
    np.testing.assert_allclose(ours("x = randn(2, 3)\n")[0]["x"].array, torch.randn(2, 3, dtype=torch.float64))
