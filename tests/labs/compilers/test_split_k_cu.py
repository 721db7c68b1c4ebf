"""The CUDA kernel of Decompose-K without a GPU: run on this processor against float64, compiled for two GPUs."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import cuda_on_a_processor as processor
import numpy as np
import pytest
import split_k_on_a_processor as split_k
import torch
from cuda_on_a_processor import BACKWARD, FORWARD, SHUFFLED
from native.compilers.decompose_k.cut import DEEP, UNIT, bound, group_of
from native.compilers.decompose_k.on_gpu import FILE
from native.models.cuda_driver import build

REDUCTIONS = ("in order", "two levels", "on arrival")
SHAPES = ((16, 16), (32, 64))
RANDOM = random.Random(5)


def operands(m: int, n: int, k: int, bf16: bool, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = np.random.default_rng(seed)
    a, b = (torch.from_numpy(generator.uniform(-1, 1, s).astype(np.float32)) for s in ((m, k), (k, n)))
    return (a.bfloat16(), b.bfloat16()) if bf16 else (a, b)


def bits(tensor: torch.Tensor) -> np.ndarray:
    return tensor.view(torch.uint16).numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def check(
    shape: tuple[int, int],
    k: int,
    splits: int,
    way: str,
    bf16: bool = False,
    relu: bool = False,
    order: int = FORWARD,
) -> split_k.Ran:
    a, b = operands(*shape, k, bf16, k + splits)
    ran = split_k.run(bits(a), bits(b), splits, group_of(way, splits), relu, order, again=2)
    assert ran.flaws == 0 and not ran.finished.any()
    c = torch.from_numpy(ran.c)
    found = (c.view(torch.bfloat16) if bf16 else c).double().numpy()
    exact, scale = a.double() @ b.double(), a.double().abs() @ b.double().abs()
    if relu:
        exact = exact.relu()
    off = (np.abs(found - exact.numpy()) / (UNIT * scale.numpy())).max()
    assert off <= bound(way, k, splits, bf16), (shape, k, splits, way, off)
    return ran


@pytest.mark.parametrize("way", REDUCTIONS)
def test_every_way_to_add_gives_the_product(way: str) -> None:
    for slabs, splits in ((1, 1), (5, 1), (5, 2), (5, 5), (9, 4), (12, 7), (16, 16)):
        shape, bf16 = RANDOM.choice(SHAPES), RANDOM.random() < 0.5
        check(shape, slabs * DEEP, splits, way, bf16, RANDOM.random() < 0.5)


@pytest.mark.parametrize("order", [BACKWARD, SHUFFLED])
@pytest.mark.parametrize("way", REDUCTIONS)
def test_the_order_of_threads_does_not_matter(way: str, order: int) -> None:
    expected = check((16, 16), 7 * DEEP, 5, way)
    np.testing.assert_array_equal(check((16, 16), 7 * DEEP, 5, way, order=order).c, expected.c)


def test_each_lane_says_when_it_ran() -> None:
    trace = check((16, 16), 8 * DEEP, 4, "in order").trace
    assert trace[:, 0].tolist() == [0, 1, 2, 3]
    assert (np.diff(trace[:, [1, 3, 5]], axis=1) > 0).all()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    __syncthreads(); /* nobody may overwrite what another still reads */\n", ""),
        ("    if (last) *counter = 0;\n", ""),
        ("slabs * (slice + 1) / splits", "slabs / splits * (slice + 1)"),
        (", partial[i] = 0;", ";"),
    ],
    ids=["no barrier", "a counter that stays", "the rest of K", "a sum that stays"],
)
def test_a_mistake_is_found(old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (processor.KERNELS / FILE).read_text("utf-8")
    assert old in source
    (tmp_path / FILE).write_text(source.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(processor, "KERNELS", tmp_path)
    monkeypatch.setattr(split_k, "library", cache(split_k.library.__wrapped__))
    with pytest.raises(AssertionError):
        for order in (FORWARD, BACKWARD, SHUFFLED):
            for way in REDUCTIONS:
                check((16, 16), 7 * DEEP, 5, way, order=order)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_nothing_is_spilled_and_two_blocks_fit(arch: str) -> None:
    for rows, columns, more in ((16, 16, ()), (64, 64, ()), (64, 64, ("BF16",))):
        (taken,) = build(FILE, arch, (f"ROWS={rows}", f"COLUMNS={columns}", *more)).resources.values()
        assert taken.spilled == 0 and taken.shared <= 48 * 1024
        assert 2 * taken.registers * 256 <= 65536
