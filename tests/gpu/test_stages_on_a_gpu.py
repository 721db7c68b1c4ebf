"""The kernels of the GPU compiler on a GPU, with tiles of every size, against PyTorch in float64."""

from __future__ import annotations

from typing import Literal

import pytest
from native.compilers.gpu_kernel_stages import Params, block
from native.compilers.gpu_kernel_stages.compiled import Compiled
from native.compilers.gpu_kernel_stages.on_gpu import OnGpu

SETTINGS = [
    Params(tokens=256),
    Params(tokens=256, fusion="none"),
    Params(tokens=256, everything=True),
    *(Params(tokens=256, tile=side) for side in ("16", "32", "64", "128")),
    Params(tokens=1024),
    Params(tokens=4096, tile="128"),
    *(Params(tokens=tokens) for tokens in (777, 1000)),
    *(Params(tokens=777, tile=side) for side in ("16", "32", "64", "128")),
    Params(tokens=777, fusion="none"),
    Params(tokens=777, everything=True),
]
ODD = 122
"""Numbers of a token in two heads of 61: no side divides them, and no four start at a multiple of 16 bytes"""


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_every_value_is_pytorch_s(params: Params) -> None:
    is_pytorch_s(Compiled(params, params.tokens))


@pytest.mark.parametrize("fusion", ["cost", "none"])
def test_a_width_that_no_tile_divides(fusion: Literal["cost", "none"]) -> None:
    is_pytorch_s(Compiled(Params(tile="64", fusion=fusion), 999, ODD))


def is_pytorch_s(made: Compiled) -> None:
    gpu = OnGpu(made.program, made.emitted, made.source, 1)
    gpu.run()
    found = block.apart(gpu.given, made.makers, gpu.memory)
    assert len(found) >= 6 and max(found.values()) < 1e-5, found
