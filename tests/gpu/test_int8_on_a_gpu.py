"""Products of bytes and of four bits on a GPU, by ours and by torch, against exact ones; and the lab's own run.

PYTHONPATH=backend:wasm python -m pytest -c tests/gpu/pytest.ini tests/gpu/test_int8_on_a_gpu.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from native.learning.int8_gemm import Params, on_gpu, run
from native.learning.int8_gemm.gpu import Gpu
from native.learning.int8_gemm.names import GPU_SQUARES, GPU_VECTORS

# Around pieces of 16 bytes, fragments, slabs and blocks, and more than one group of blocks.
SIZES = (1, 7, 15, 16, 17, 31, 33, 100, 127, 128, 129, 255, 257, 500, 1000, 1111, 2300)
BEYOND = 4096  # numbers on each side that nobody may write


def some(*shape: int, seed: int = 0, bits: int = 8) -> Any:
    random = torch.Generator("cuda").manual_seed(sum(shape) + seed)
    most = 2 ** (bits - 1)
    return torch.randint(-most, most, shape, dtype=torch.int8, device="cuda", generator=random)


def guarded(*shape: int, kind: torch.dtype = torch.int32) -> tuple[Any, Any]:
    count = int(np.prod(shape))
    held = torch.full((count + 2 * BEYOND,), -77, dtype=kind, device="cuda")
    return held, held[BEYOND : BEYOND + count].view(shape)


def untouched(held: Any) -> bool:
    return bool((held[:BEYOND] == -77).all() and (held[-BEYOND:] == -77).all())


def test_a_product_of_any_size_is_exact() -> None:
    sizes = [(n, n, n) for n in SIZES] + [(n, SIZES[-1 - i], SIZES[i // 2]) for i, n in enumerate(SIZES)]
    for rows, columns, depth in sizes:
        a, w = some(rows, depth), some(columns, depth, seed=1)
        held, c = guarded(rows, columns)
        work = on_gpu.multiply(on_gpu.filled(a), on_gpu.filled(w), c)
        for _ in range(2):
            work()
        assert torch.equal(c.double(), a.double() @ w.double().t()) and untouched(held), (rows, columns, depth)


@pytest.mark.parametrize("value", (-128, 127))
def test_the_ends_of_eight_bits(value: int) -> None:
    a, w = (torch.full((300, 4096), each, dtype=torch.int8, device="cuda") for each in (-128, value))
    held, c = guarded(300, 300)
    on_gpu.multiply(a, w, c)()
    assert (c == -128 * value * 4096).all() and untouched(held)


def test_a_vector_of_any_length_is_exact() -> None:
    for rows in SIZES:
        for depth in SIZES:
            w, x = some(rows, depth), some(depth)
            held, y = guarded(rows)
            on_gpu.by_vector(on_gpu.filled(w), on_gpu.filled(x), y)()
            assert torch.equal(y.double(), w.double() @ x.double()) and untouched(held), (rows, depth)


def test_four_bits_are_the_product_of_what_they_stand_for() -> None:
    for rows in (1, 7, 9, 64, 1000):
        for depth in SIZES:
            codes, scales = on_gpu.packed4(torch.randn(rows, depth, device="cuda"))
            whole = torch.cat([codes & 15, codes >> 4], -1).double() - 8
            x = on_gpu.filled(some(depth), on_gpu.SHARE)
            held, y = guarded(rows, kind=torch.float32)
            on_gpu.by_vector4(codes, scales, x, y)()
            parts = whole * x.double().view(-1, on_gpu.SHARE)
            exact = (parts.sum(-1) * scales.double()).sum(-1)
            allowed = (scales.shape[1] + 8) * 2.0**-23 * (parts.abs().sum(-1) * scales.double()).sum(-1)
            assert ((y.double() - exact).abs() <= allowed).all() and untouched(held), (rows, depth)


def test_the_lab_measures_all_below_its_roofs() -> None:
    *_, last = log = list(run(Params(n=2048, repetitions=5, device="cuda")))
    points = [*GPU_VECTORS, *GPU_SQUARES]
    assert [event.stage for event in log] == ["roofs", *points]
    speed = dict(zip(points, last.speed[:, 1].tolist(), strict=True))
    error = dict(zip(points, last.error.tolist(), strict=True))
    assert np.isfinite(last.speed).all() and (last.speed > 0).all()
    assert error["float32"] == error["int8, exact"] == error["int8, _int_mm"] == 0 < error["bfloat16"]
    assert error["float32 × vector"] < 1e-5 < error["int8 × vector"] < 0.03 < error["int4 × vector"] < 0.2
    assert (last.speed[:4, 1] < 1.1 * last.bound[:4]).all(), "faster than reading"
    assert speed["int4 × vector"] > speed["int8 × vector"] > 1.5 * speed["bfloat16 × vector"]
    assert last.peaks[1] > last.peaks[2] > last.peaks[0] and speed["int8, exact"] > speed["float32"]


def test_reading_does_not_come_from_the_cache() -> None:
    made = Gpu(5)
    little, much = made.reads(32 << 20), made.reads(1 << 30)
    assert 0.5 * much < little < 1.2 * much
