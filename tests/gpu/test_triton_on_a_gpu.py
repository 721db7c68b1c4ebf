"""The kernels of the chapter on Triton, compiled by Triton and run on a GPU, against float64."""

from __future__ import annotations

import pytest
import torch
from native.pytorch.triton_stages import kernels
from native.pytorch.triton_stages.source import DEPTH

WARPS = (1, 2, 4, 8)
BEYOND = 1000  # numbers behind the result that nobody may write


def random(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator("cuda").manual_seed(seed), device="cuda")


def room(n: int) -> torch.Tensor:
    return torch.full((n + BEYOND,), torch.nan, device="cuda")


@pytest.mark.parametrize("warps", WARPS)
@pytest.mark.parametrize("block", [16, 64, 128, 1024, 4096])
def test_sums_of_any_length(block: int, warps: int) -> None:
    for n in (1, block - 1, block, 3 * block - 5, 48 * block):
        x, y, z = random(n, seed=n), random(n, seed=n + 1), room(n)
        kernels.add[(-(-n // block),)](x, y, z, n, block, num_warps=warps)
        torch.testing.assert_close(z[:n], x + y, rtol=0, atol=0)
        assert z[n:].isnan().all()


@pytest.mark.parametrize("warps", WARPS)
@pytest.mark.parametrize("block", [16, 64, 128, 1024, 4096])
def test_softmax_of_rows(block: int, warps: int) -> None:
    for n in (1, block // 2 + 1, block - 3, block):
        x, y = random(7, n, seed=n), room(7 * n)
        kernels.softmax[(7,)](x, y, n, block, num_warps=warps)
        exact = x.double().softmax(1)
        torch.testing.assert_close(y[: 7 * n].view(7, n).double(), exact, rtol=1e-5, atol=1e-9)
        assert y[7 * n :].isnan().all()


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
@pytest.mark.parametrize("warps", [4, 8])
@pytest.mark.parametrize("block", [16, 32, 64, 128])
def test_products(block: int, warps: int, stages: int) -> None:
    for n in (max(2 * DEPTH, block), 512):
        a, b = random(n, n, seed=n).half(), random(n, n, seed=n + 1).half()
        c = room(n * n).half()
        across = n // block
        kernels.matmul[(across, across)](a, b, c, n, block, DEPTH, num_warps=warps, num_stages=stages)
        exact = a.double() @ b.double()
        off = (c[: n * n].view(n, n).double() - exact).norm() / exact.norm()
        assert off < 2**-10, off  # rounded to float16 once, at the end
        assert c[n * n :].isnan().all()
