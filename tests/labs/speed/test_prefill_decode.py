"""Operations are PyTorch's own count of its operators, and no step stands above the roof."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from disturbed import undisturbed
from native.models.transformer import weights
from native.models.transformer.shape import HEADS, LAYERS, WIDTH
from native.models.transformer.step_kernel import Weights, packed
from native.speed.prefill_decode import BATCHES, PHASES, POSITION, Params, Step, counted, run
from torch.nn import functional as F  # noqa: N812, torch's own convention
from torch.utils.flop_counter import FlopCounterMode

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
from transformer_network import Network


@pytest.fixture(scope="module")
def model() -> Weights:
    return packed(weights.matrices(weights.read()))


@cache
def linear(many: int, asked: int) -> int:
    """What the products of a step come to, by torch's count: the network without its attention."""
    network = Network()
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        for layer in network.layers:
            x = torch.zeros(many, WIDTH)
            layer.attention(x), layer.mix(x), layer.down(layer.up(x))  # type: ignore[operator]
        F.linear(torch.zeros(asked, WIDTH), network.tokens.weight)
    return int(counter.get_total_flops())


def looking(lanes: int, queries: int, keys: int) -> int:
    """And attention without a mask."""
    size = WIDTH // HEADS
    query, key = torch.zeros(lanes, HEADS, queries, size), torch.zeros(lanes, HEADS, keys, size)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        torch.matmul(torch.matmul(query, key.mT), key)
    return LAYERS * int(counter.get_total_flops())


@pytest.mark.parametrize("many", [1, 2, 7, 64])
@pytest.mark.parametrize("past", [16, 96, 240])
def test_operations_are_torchs_count(model: Weights, many: int, past: int) -> None:
    decode, moved = counted(model, "decode", many, past)
    assert decode == linear(many, many) + looking(many, 1, past + 1)
    assert moved == model.read + many * (past + 1) * POSITION
    prefill, moved = counted(model, "prefill", many, past)
    causal = sum(looking(1, 1, each) for each in range(1, many + 1))
    assert prefill == linear(many, 1) + causal
    assert moved == model.read + many * POSITION


def test_decode_comes_near_a_limit_and_prefill_does_not(model: Weights) -> None:
    operations, moved = zip(*(counted(model, "decode", many, 96) for many in (10**6, 2 * 10**6)), strict=True)
    limit = (operations[1] - operations[0]) / (moved[1] - moved[0])
    known = [operations[0] / moved[0], *(np.divide(*counted(model, "decode", many, 96)) for many in BATCHES)]
    assert max(known) < limit < 1.001 * known[0]
    assert np.divide(*counted(model, "prefill", 64, 96)) > 5 * limit


@pytest.mark.alone
def test_points_walk_below_the_roof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("native.speed.prefill_decode.PATIENCE", 0.05)
    undisturbed(lambda: list(run(Params(repetitions=3))), walks)


def walks(logs: list[list[Step]]) -> None:
    log = logs[-1]
    assert [event.tokens for event in log] == list(BATCHES) and log[0].phases == PHASES
    last = log[-1]
    low, median, high = np.moveaxis(last.took, 2, 0)
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    roof = np.minimum(last.peak, last.intensity * last.bandwidth)
    np.testing.assert_allclose(last.share, last.speed[..., 1] / roof, rtol=1e-4)
    assert (last.speed[..., 1] < 1.1 * last.peak).all()
    assert last.ridge == pytest.approx(last.peak / last.bandwidth)
    assert (np.diff(last.intensity) > 0).all() and last.intensity[0].max() < last.limit
    decode, prefill = last.gain
    assert prefill[4] > decode[4] > 1.3 and prefill[-1] > 1.3 * decode[-1]
