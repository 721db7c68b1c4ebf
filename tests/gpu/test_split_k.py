"""The lanes of Decompose-K on a GPU against float64, and against themselves: a fixed order gives equal bits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch
from native.compilers.decompose_k import Params
from native.compilers.decompose_k.cut import DEEP, UNIT, bound
from native.compilers.decompose_k.on_gpu import Gpu

REDUCTIONS = ("in order", "two levels", "on arrival")
RANDOM = random.Random(6)


def some(seed: int) -> tuple[Params, int, int]:
    params: dict[str, Any] = {
        "m": RANDOM.choice((16, 32, 64)),
        "n": RANDOM.choice((16, 32, 64)),
        "dtype": RANDOM.choice(("fp32", "bf16")),
        "operands": RANDOM.choice(("signed", "positive")),
        "relu": RANDOM.random() < 0.5,
        "seed": seed,
    }
    slabs = RANDOM.randint(1, 600)
    return Params(**params, device="cuda"), slabs * DEEP, RANDOM.randint(1, min(slabs, 400))


@pytest.mark.parametrize("seed", range(20))
def test_any_cut_gives_the_product(seed: int) -> None:
    params, k, splits = some(seed)
    gpu = Gpu(params, k)
    a, b = gpu.a.double(), gpu.b.double()
    exact, scale = a @ b, a.abs() @ b.abs()
    exact = (exact.relu() if params.relu else exact).cpu().numpy()
    for way in REDUCTIONS:
        work, found = gpu.start(way, splits)
        results = []
        for _ in range(20):
            work()
            results.append(found())
        off = (np.abs(results[0] - exact) / (UNIT * scale.cpu().numpy())).max()
        assert off <= bound(way, k, splits, params.dtype == "bf16"), (params, k, splits, way)
        if way != "on arrival":
            assert all((each == results[0]).all() for each in results), (params, k, splits, way)


def test_every_lane_ran_somewhere() -> None:
    gpu = Gpu(Params(device="cuda"), 8192)
    for splits in (1, 100, 256):
        lanes = gpu.trace("in order", splits)
        assert (lanes.worker >= 0).all() and (lanes.worker < gpu.workers).all()
        assert (lanes.begin <= lanes.product).all() and (lanes.product <= lanes.end).all()
        assert len(set(lanes.worker.tolist())) == min(splits, gpu.workers) or splits > gpu.workers
    torch.cuda.synchronize()
