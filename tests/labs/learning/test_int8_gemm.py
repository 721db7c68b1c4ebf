"""Products of bytes are exact, to the last bit of int64; those in pairs saturate where, and as, the manual says."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from disturbed import undisturbed
from hypothesis import example, given
from hypothesis import strategies as st
from native.learning.int8_gemm import POINTS, Measured, Params, kernel, products, run, vectors
from native.models.aligned import aligned
from native.models.kernel import LIBRARY, Kernel
from numpy.typing import NDArray

Bytes = NDArray[np.int8]
SIDE = st.integers(1, 34)
DEPTH = st.one_of(st.integers(1, 70), st.sampled_from([511, 512, 513, 1024, 1025, 1030]))
BITS = st.integers(2, 8)
SEED = st.integers(0, 2**32 - 1)
GUARD = -77
VNNI = Path(__file__).parents[2] / "support" / "vnni_by_hand.h"
BY_HAND = Kernel("int8.c", ("-O1", "-mcpu=haswell", "-include", str(VNNI), *LIBRARY))
HERE = [kernel.INT8, *([BY_HAND] if kernel.instruction() in ("vpmaddwd", "vpdpbusd") else [])]
EXACT = pytest.mark.parametrize("of", HERE, ids=kernel.instruction)


def multiplied(a: Bytes, b: Bytes, of: Kernel, rounds: int = 2) -> NDArray[np.int32]:
    room = np.full(len(a) * b.shape[1] + 40, GUARD, np.int32)
    c = room[:-40].reshape(len(a), b.shape[1])
    kernel.multiply(a, b, c, of)(rounds)
    assert (room[-40:] == GUARD).all(), "wrote behind C"
    return c


def exact(a: Bytes, b: Bytes) -> NDArray[np.int64]:
    return a.astype(np.int64) @ b.astype(np.int64)


def saturated(a: Bytes, b: Bytes) -> NDArray[np.int64]:
    """By pairs of products along the depth, each cut to 16 bits; the left side is 128 higher at first."""
    odd = a.shape[1] % 2
    left = np.pad(a.astype(np.int64) + 128, ((0, 0), (0, odd)))
    right = np.pad(b.astype(np.int64), ((0, odd), (0, 0)))
    pairs = (left[:, :, None] * right).reshape(len(a), -1, 2, b.shape[1]).sum(2)
    return np.asarray(pairs.clip(-(2**15), 2**15 - 1).sum(1) - 128 * right.sum(0))


@EXACT
@given(rows=SIDE, depth=DEPTH, columns=SIDE, bits=BITS, seed=SEED)
@example(1, 1, 1, 8, 0)
@example(1, 513, 1, 8, 0)
@example(97, 3, 33, 8, 0)
def test_a_product_is_that_of_int64(of: Kernel, rows: int, depth: int, columns: int, bits: int, seed: int) -> None:
    random, most = np.random.default_rng(seed), 2 ** (bits - 1)
    a = random.integers(-most, most, (rows, depth), dtype=np.int8)
    b = random.integers(-most, most, (depth, columns), dtype=np.int8)
    assert np.array_equal(multiplied(a, b, of), exact(a, b))
    x, y = b[:, 0].copy(), np.empty(rows, np.int32)
    kernel.by_vector(a, x, y, of)(2)
    assert np.array_equal(y, exact(a, b)[:, 0])
    if bits < 8:
        assert np.array_equal(multiplied(a, b, kernel.PAIRS), exact(a, b))


@EXACT
@pytest.mark.parametrize("left", [-128, -127, 0, 127])
@pytest.mark.parametrize("right", [-128, -127, 0, 127])
def test_the_ends_of_eight_bits(of: Kernel, left: int, right: int) -> None:
    a, b = np.full((7, 1027), left, np.int8), np.full((1027, 17), right, np.int8)
    assert (multiplied(a, b, of) == 1027 * left * right).all()
    y = np.empty(7, np.int32)
    kernel.by_vector(a, b[:, 0].copy(), y, of)(1)
    assert (y == 1027 * left * right).all()


@pytest.mark.skipif(kernel.instruction(kernel.PAIRS) != "vpmaddubsw", reason="no instruction here saturates")
@given(rows=st.integers(1, 9), depth=st.integers(1, 40), columns=st.integers(1, 20), seed=SEED)
def test_pairs_saturate_as_the_manual_says(rows: int, depth: int, columns: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    a = random.integers(-128, 128, (rows, depth), dtype=np.int8)
    b = random.integers(-128, 128, (depth, columns), dtype=np.int8)
    assert np.array_equal(multiplied(a, b, kernel.PAIRS), saturated(a, b))


@EXACT
@given(rows=SIDE, depth=DEPTH, seed=SEED)
@example(1, 1, 0)
@example(3, 128, 0)
@example(3, 129, 0)
def test_four_bits_are_the_product_of_what_they_stand_for(of: Kernel, rows: int, depth: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    w = random.standard_normal((rows, depth), np.float32)
    w[0] = 0
    x = random.integers(-128, 128, depth, dtype=np.int8)
    codes, scales = kernel.packed4(w)
    unpacked = kernel.unpacked4(codes)
    assert np.abs(unpacked).max() <= 7
    restored = (unpacked * scales.astype(np.float64)[..., None]).reshape(rows, -1)[:, :depth]
    most = np.repeat(scales, kernel.share(), axis=1)[:, :depth]
    assert (np.abs(restored - w) <= 0.50001 * most).all()
    y = np.empty(rows, np.float32)
    kernel.by_vector4(codes, scales, x, y, of)(2)
    assert np.allclose(y, restored @ x, rtol=0, atol=1e-6 * (np.abs(restored) @ np.abs(x.astype(float))).max())


@EXACT
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("x", [-128, 127])
def test_the_ends_of_four_bits(of: Kernel, sign: int, x: int) -> None:
    w, y = np.full((2, 256), sign, np.float32), np.empty(2, np.float32)
    kernel.by_vector4(*kernel.packed4(w), np.full(256, x, np.int8), y, of)(1)
    assert y == pytest.approx(256 * sign * x)


def test_a_large_result_goes_past_the_caches_and_is_the_same() -> None:
    random = np.random.default_rng(0)
    for depth in (9, 2500):  # one block of the depth, and several
        a, b = (random.integers(-128, 128, shape, dtype=np.int8) for shape in ((600, depth), (depth, 512)))
        c = aligned(600 * 512).view(np.int32).reshape(600, 512)
        assert c.nbytes > 1 << 20 and c.ctypes.data % 64 == 0
        kernel.multiply(a, b, c)(2)
        assert np.array_equal(c, a.astype(np.float64) @ b.astype(np.float64))


@pytest.mark.parametrize(("lacks", "why"), [("_int_mm", "no such product"), ("cpu", "one number at a time")])
def test_it_says_why_torchs_own_is_not_measured(monkeypatch: pytest.MonkeyPatch, lacks: str, why: str) -> None:
    there = SimpleNamespace(_int_mm=None, cpu=None)
    delattr(there, lacks)
    there.cpu = SimpleNamespace()
    monkeypatch.setattr(products, "torch", there)
    assert why in products.lacking()


@pytest.mark.parametrize("of", [np.int8, np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 5, 257])
def test_rows_that_are_there_again_begin_with_a_line(of: type[np.generic], n: int) -> None:
    rows = np.arange(6).reshape(2, 3).astype(of)
    found = vectors.over(rows, n)
    assert found.dtype == of and found.ctypes.data % 64 == 0 and found.flags.c_contiguous
    assert np.array_equal(found, np.resize(rows, (n, 3)))


def test_what_does_not_fit_is_refused() -> None:
    a, c = np.zeros((2, 3), np.int8), np.zeros((2, 2), np.int32)
    with pytest.raises(ValueError, match="does not give"):
        kernel.multiply(a, a, c)
    with pytest.raises(ValueError, match="does not give"):
        kernel.by_vector(a, np.zeros(2, np.int8), np.zeros(2, np.int32))
    with pytest.raises(ValueError, match="does not give"):
        kernel.by_vector4(
            *kernel.packed4(np.zeros((2, 3), np.float32)), np.zeros(129, np.int8), c[0].astype(np.float32)
        )
    with pytest.raises(ValueError, match="fewer than 131,072"):
        kernel.by_vector(np.zeros((1, 1 << 17), np.int8), np.zeros(1 << 17, np.int8), np.zeros(1, np.int32))


@pytest.mark.alone
def test_a_run_measures_everything_below_its_roofs() -> None:
    undisturbed(lambda: list(run(Params(n=256, vector=1024, repetitions=3))), bytes_are_worth_much)


def bytes_are_worth_much(logs: list[list[Measured]]) -> None:
    log, ends = logs[0], [log[-1] for log in logs]
    last = ends[0]
    assert [event.stage for event in log] == ["roofs", *POINTS]
    there = np.array([name != "int8, _int_mm" or not products.lacking() for name in POINTS])
    low, median, high = last.speed[there].T
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    error = dict(zip(POINTS, last.error.tolist(), strict=True))
    assert error["float32"] == error["int8, exact"] == 0
    assert error["int8, _int_mm"] == 0 or (not there[-1] and np.isnan(last.milliseconds[-1]))
    assert error["float32 × vector"] < 1e-5 < error["int8 × vector"] < 0.03 < error["int4 × vector"] < 0.2
    assert np.allclose(last.intensity[:2], (0.5, 2), rtol=0.01)
    best = dict(zip(POINTS, np.max([end.speed[:, 1] for end in ends], axis=0).tolist(), strict=True))
    assert best["int8 × vector"] > 1.5 * best["float32 × vector"]
    floats, integers = (max(end.peaks[kind] for end in ends) for kind in (0, 1))
    # A vpmaddwd does as much as two FMAs, and Zen 2 starts one of that in a cycle, or two of these.
    assert integers > (0.9 if kernel.instruction() == "vpmaddwd" else 1.1) * floats
