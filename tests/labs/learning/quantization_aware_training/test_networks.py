"""Thirty-five networks at once are thirty-five networks, each as torch's own modules train."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from native.learning.quantization_aware_training import networks
from native.learning.quantization_aware_training.networks import BATCH, LAYERS, MOMENTUM, Grids, Training, drawn
from native.models.torch_threads import one_thread
from torch import nn

SEEDS = (3, 2**31 - 1)


@pytest.fixture(autouse=True)
def single() -> object:
    with one_thread():
        yield


def few_steps(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    monkeypatch.setattr(Training, "per_epoch", steps)


def test_unrounded_networks_train_as_torchs_modules_do(monkeypatch: pytest.MonkeyPatch) -> None:
    few_steps(monkeypatch, 6)
    data, parameters = drawn(SEEDS)
    for place in range(len(SEEDS)):
        module = nn.Sequential(
            *(m for n in range(LAYERS) for m in (nn.Linear(*networks.SIZES[n : n + 2]), nn.ReLU()))
        )
        module = module[:-1].double()
        for mine, theirs in zip(parameters, module.parameters(), strict=True):
            theirs.data = mine[place].reshape(theirs.shape).clone()
        momenta = [torch.zeros_like(each) for each in module.parameters()]  # torch.optim takes seconds to import
        order = torch.from_numpy(np.random.default_rng([SEEDS[place], 1]).permutation(data.images.shape[1]))
        for step in range(6):
            rows = order[step * BATCH :][:BATCH]
            module.zero_grad()
            loss = nn.functional.cross_entropy(module(data.images[place, rows]), data.labels[place, rows])
            loss.backward()
            rate = 0.1 * (1 + math.cos(math.pi * step / 6)) / 2
            with torch.no_grad():
                for each, momentum in zip(module.parameters(), momenta, strict=True):
                    momentum.mul_(MOMENTUM).add_(each.grad)
                    each -= rate * momentum
        copies = [each.clone() for each in parameters]
        *_, (_, _, last) = Training(copies, data, 0.1, 1).run(SEEDS)
        assert last[place].item() == pytest.approx(loss.item(), rel=1e-9)
        for mine, theirs in zip(copies, module.parameters(), strict=True):
            torch.testing.assert_close(mine[place].reshape(theirs.shape), theirs.data)


@pytest.mark.parametrize("learned", [False, True], ids=["largest", "learned"])
@pytest.mark.parametrize("each_row", [False, True], ids=["layer", "channel"])
def test_a_network_in_the_stack_is_the_network_alone(
    learned: bool, each_row: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_steps(monkeypatch, 3)
    ends = []
    for bits, seeds in (((8, 3, 2), SEEDS), ((3,), SEEDS[1:])):
        data, network = drawn(seeds)
        grids = Grids(bits, each_row, True)
        grids.calibrate(network, data.images)
        copies = [each.expand(len(bits), *each.shape).clone() for each in network]
        if learned:
            grids.learn(copies)
        for _ in Training(copies, data, 0.05, 1, grids).run(seeds):
            pass
        place = bits.index(3), seeds.index(SEEDS[1])
        ends.append([each[place] for each in (*copies, *grids.steps)])
    for together, alone in zip(*ends, strict=True):
        torch.testing.assert_close(together, alone)


def test_weights_are_rounded_as_in_post_training_quantization() -> None:
    from labs.models import quantize as q

    data, network = drawn(SEEDS[:1])
    for each_row, granularity in ((False, "tensor"), (True, "channel")):
        grids = Grids((8, 5, 2), each_row, False)
        grids.calibrate(network, data.images)
        for place in range(LAYERS):
            weights = network[2 * place]
            _, found = grids.round(place, data.images, weights)
            for row, bits in enumerate((8, 5, 2)):
                blocks = q.blocks_of(weights[0].numpy(), granularity)  # type: ignore[arg-type]
                grid = q.fit(*q.widen(*q.spread(blocks), "symmetric"), bits, "symmetric")
                expected = q.restore(q.quantize(blocks, grid), grid).reshape(weights[0].shape)
                np.testing.assert_allclose(found[row, 0].numpy(), expected, rtol=1e-12, atol=1e-15)
