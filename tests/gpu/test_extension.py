"""The kernels of the chapter on CUDA extensions: on a GPU every cell is what the fibers on a processor make it.

The expected cells come from the same call on the processor, so this needs the kernels that `make build` compiled.
"""

from __future__ import annotations

import random

import pytest
from native.pytorch.cuda_extension import Params, run
from native.pytorch.cuda_extension.memory import MOST_DRAWN
from native.pytorch.cuda_extension.plan import plan

MISTAKES = ("no_guard", "round_down", "no_contiguous", "no_dtype", "other_stream", "no_error_check")


def drawn(seed: int) -> Params:
    rng = random.Random(seed)
    while (planned := plan(params := some(rng, seed))).blocks * planned.threads > MOST_DRAWN:
        pass
    return params


def some(rng: random.Random, seed: int) -> Params:
    return Params(
        kernel=rng.choice(("scale_shift", "strided", "row_sum")),
        tensor=rng.choice(("x", "x.T", "x.double()")),
        rows=rng.randint(1, 4),
        columns=rng.choice((1, 25, 31, 32, 33, 1024, 1025, rng.randint(1, 1025))),
        threads=rng.choice((1, 7, 32, 33, 256, 1024, rng.randint(1, 1024))),
        seed=seed,
        device="cuda",
        **{name: rng.random() < 0.4 for name in MISTAKES},
    )


@pytest.mark.parametrize("seed", range(150))
def test_the_gpu_makes_the_same_cells(seed: int) -> None:
    *_, last = run(drawn(seed))
    assert last.gpu
    assert last.stage == "refused" or last.agrees, drawn(seed)
