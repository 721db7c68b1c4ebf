"""A network that has learned nothing: its logits are wilder than those of a trained one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
from native.models.transformer import step_kernel as kernel
from native.models.transformer import weights

sys.path.insert(0, str(Path(__file__).parents[4] / "scripts"))
from transformer_network import Network, rounded


@pytest.fixture(scope="session")
def codes() -> weights.Codes:
    torch.manual_seed(0)
    return rounded(Network())


@pytest.fixture(scope="session")
def packed(codes: weights.Codes) -> kernel.Weights:
    return kernel.packed(weights.matrices(codes))
