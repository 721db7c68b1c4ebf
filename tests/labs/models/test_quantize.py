"""The quantizer against torch, against closed forms, and against what must hold for every tensor."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from labs.learning.uniform_quantization.histogram import bins_of, histogram
from labs.models import quantize as q

bits_ = st.integers(2, 8)
schemes = st.sampled_from(["symmetric", "asymmetric"])
tensors = arrays(
    np.float32, st.tuples(st.integers(1, 4), st.integers(1, 32)), elements=st.floats(-100, 100, width=32)
)


def grid_of(w: q.Floats, bits: int, scheme: q.Scheme, keep: float = 100.0) -> q.Grid:
    return q.fit(*q.widen(*q.spread(w, keep), scheme), bits, scheme)


def near_a_tie(w: q.Floats, grid: q.Grid) -> np.ndarray:
    """torch multiplies by the reciprocal of the scale; so close to a half, that may round to the other side."""
    scaled = w.astype(np.float64) / grid.scale
    return np.abs(scaled - np.floor(scaled) - 0.5) < 1e-4


# -- against torch ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("bits", range(2, 9))
@pytest.mark.parametrize("seed", range(6))
def test_a_tensor_is_restored_as_torch_restores_it(bits: int, scheme: q.Scheme, seed: int) -> None:
    rng = np.random.default_rng(seed)
    w = (rng.normal(rng.normal(), 10 ** rng.uniform(-4, 4), (1, 4096))).astype(np.float32)
    grid = grid_of(w, bits, scheme, keep=rng.choice([100.0, 95.0]))
    ours = q.restore(q.quantize(w, grid), grid)
    theirs = torch.fake_quantize_per_tensor_affine(
        torch.from_numpy(w), grid.scale.item(), int(grid.zero_point.item()), grid.code_low, grid.code_high
    ).numpy()
    sure = ~near_a_tie(w, grid)
    assert sure.mean() > 0.99
    np.testing.assert_array_equal(ours[sure], theirs[sure])


@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("bits", [2, 3, 4, 8])
def test_channels_are_restored_as_torch_restores_them(bits: int, scheme: q.Scheme) -> None:
    rng = np.random.default_rng(bits)
    w = (rng.normal(0, 1, (32, 256)) * 10 ** rng.uniform(-3, 3, (32, 1))).astype(np.float32)
    grid = grid_of(w, bits, scheme)
    ours = q.restore(q.quantize(w, grid), grid)
    theirs = torch.fake_quantize_per_channel_affine(
        torch.from_numpy(w),
        torch.from_numpy(grid.scale[:, 0].astype(np.float32)),
        torch.from_numpy(grid.zero_point[:, 0].astype(np.int32)),
        0,
        grid.code_low,
        grid.code_high,
    ).numpy()
    sure = ~near_a_tie(w, grid)
    np.testing.assert_array_equal(ours[sure], theirs[sure])


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")  # deprecated, but still an oracle
@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
def test_codes_are_those_of_torchs_int8_tensors(scheme: q.Scheme) -> None:
    w = np.random.default_rng(1).normal(0.3, 2, (1, 10_000)).astype(np.float32)
    grid = grid_of(w, 8, scheme)
    theirs = torch.quantize_per_tensor(
        torch.from_numpy(w), grid.scale.item(), int(grid.zero_point.item()), torch.qint8
    )
    sure = ~near_a_tie(w, grid)
    np.testing.assert_array_equal(q.quantize(w, grid)[sure], theirs.int_repr().numpy()[sure])


def test_ties_go_to_the_even_code() -> None:
    grid = q.Grid(np.array([[1.0]]), np.array([[0.0]]), -8, 7)
    assert q.quantize(np.array([[0.5, 1.5, 2.5, -0.5, -1.5]], dtype=np.float32), grid).tolist() == [
        [0, 2, 2, 0, -2]
    ]


def test_the_first_layer_of_resnet18_has_its_known_scale_and_zero_point() -> None:
    low, high = (np.array([[float(np.float32(x))]]) for x in (-0.8433799, 1.0164733))
    grid = q.fit(low, high, 8, "asymmetric")
    assert grid.scale.item() == pytest.approx(0.007293541992411894, rel=1e-12)
    assert grid.zero_point.item() == -12
    assert q.fit(*q.widen(low, high, "symmetric"), 8, "symmetric").scale.item() == pytest.approx(
        float(np.float32(1.0164733)) / 127, rel=1e-12
    )


# -- what must hold for every tensor ---------------------------------------------------------------------------


@given(tensors, bits_, schemes)
def test_inside_the_range_the_error_is_at_most_half_a_step(w: q.Floats, bits: int, scheme: q.Scheme) -> None:
    wide = w.astype(np.float64)
    grid = grid_of(wide, bits, scheme)
    error = np.abs(q.restore(q.quantize(wide, grid), grid) - wide)
    assert np.all(error <= grid.scale / 2 * (1 + 1e-9))


@given(tensors, bits_, schemes)
def test_zero_is_restored_exactly(w: q.Floats, bits: int, scheme: q.Scheme) -> None:
    grid = grid_of(w, bits, scheme)
    assert np.all(q.restore(q.quantize(np.zeros_like(w), grid), grid) == 0)


@given(tensors, bits_, schemes, st.floats(90, 100))
def test_codes_exist_and_keep_the_order(w: q.Floats, bits: int, scheme: q.Scheme, keep: float) -> None:
    grid = grid_of(w, bits, scheme, keep)
    codes = q.quantize(np.sort(w, axis=1), grid)
    assert np.all(codes == np.rint(codes))
    assert codes.min() >= grid.code_low and codes.max() <= grid.code_high
    assert np.all(np.diff(codes, axis=1) >= 0)


@given(tensors, bits_, schemes)
def test_restored_values_are_levels_and_stay_where_they_are(w: q.Floats, bits: int, scheme: q.Scheme) -> None:
    grid = grid_of(w, bits, scheme)
    codes = q.quantize(w, grid)
    for block in range(len(w)):
        levels = grid.levels(block)
        places = codes[block].astype(int) - grid.code_low
        np.testing.assert_allclose(q.restore(codes, grid)[block], levels[places], rtol=1e-6)
        assert 0.0 in levels
    np.testing.assert_array_equal(q.quantize(q.restore(codes, grid), grid), codes)


@given(st.integers(0, 10_000))
def test_a_group_as_long_as_a_row_is_a_channel(seed: int) -> None:
    w = np.random.default_rng(seed).normal(0, 1, (4, 64)).astype(np.float32)
    assert q.blocks_of(w, "tensor").shape == (1, 256)
    assert q.blocks_of(w, "group", 16).shape == (16, 16)
    np.testing.assert_array_equal(q.blocks_of(w, "group", 64), q.blocks_of(w, "channel"))


def test_finer_blocks_never_have_wider_steps() -> None:
    w = np.random.default_rng(5).normal(0, 1, (16, 128)).astype(np.float32)
    steps = [
        np.repeat(grid.scale[:, 0], w.size // len(grid.scale))
        for grid in (
            grid_of(q.blocks_of(w, "tensor"), 4, "symmetric"),
            grid_of(q.blocks_of(w, "channel"), 4, "symmetric"),
            grid_of(q.blocks_of(w, "group", 32), 4, "symmetric"),
        )
    ]
    assert np.all(steps[1] <= steps[0]) and np.all(steps[2] <= steps[1])


def test_a_block_of_zeros_stays_zero() -> None:
    w = np.zeros((2, 8), dtype=np.float32)
    grid = grid_of(w, 8, "asymmetric")
    assert np.all(grid.scale == 1)
    assert np.all(q.restore(q.quantize(w, grid), grid) == 0)


# -- noise against theory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", range(2, 9))
def test_evenly_spread_weights_have_the_closed_form_ratio(bits: int) -> None:
    """Uniform over the range: signal β²/3, noise s²/12 with s = 2β/n, so the ratio is n², 20 log10(n) dB."""
    w = np.linspace(-1, 1, 200_001)[None]
    grid = grid_of(w, bits, "symmetric")
    steps = grid.code_high - grid.code_low
    assert q.expected_sqnr(w, grid) == pytest.approx(20 * np.log10(steps), abs=0.001)
    assert q.sqnr(w, q.restore(q.quantize(w, grid), grid) - w) == pytest.approx(20 * np.log10(steps), abs=0.001)


@pytest.mark.parametrize("bits", [4, 6, 8])
def test_normal_weights_meet_theory(bits: int) -> None:
    w = np.random.default_rng(0).normal(0, 0.1, (1, 65_536)).astype(np.float32)
    grid = grid_of(w, bits, "symmetric")
    error = q.restore(q.quantize(w, grid), grid) - w
    assert q.sqnr(w, error) == pytest.approx(q.expected_sqnr(w, grid), abs=0.1)
    assert np.abs(error).mean() == pytest.approx(grid.scale.item() / 4, rel=0.02)


def test_a_perfect_copy_and_a_lost_signal_have_finite_ratios() -> None:
    w = np.ones((1, 4), dtype=np.float32)
    assert q.sqnr(w, np.zeros_like(w)) == 200
    assert q.sqnr(np.zeros_like(w), w) == -200
    assert q.sqnr(w, w) == 0


# -- histograms ------------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(1, 300))
def test_histograms_are_numpys(seed: int, bins: int) -> None:
    values = np.random.default_rng(seed).normal(0, 1, 500)
    edges = np.linspace(-2, 2, bins + 1)
    sure = np.abs(values[:, None] - edges[None]).min(axis=1) > 1e-9
    inside = sure & (np.abs(values) < 2)
    np.testing.assert_array_equal(
        bins_of(values, 2.0, bins)[inside], np.searchsorted(edges, values[inside], side="right") - 1
    )
    assert histogram(values, 2.0, bins).sum() == 500
