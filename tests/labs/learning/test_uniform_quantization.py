"""The pictures of a quantized matrix: against torch, theory, and the mistakes they are to show."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from labs.contract import pack
from labs.learning.uniform_quantization import BINS, ERROR_BINS, Params, Picture, bounds, fit, run
from labs.learning.uniform_quantization.matrices import weights
from labs.models import quantize as q

STAGES = ["weights", "range", "grid", "snapped", "error", "bits"]


def last(**params: Any) -> Picture:
    *_, picture = run(Params(**params))
    return picture


def every_edge() -> Iterator[Params]:
    """All choices with each other, and each bound alone."""
    for source, scheme, granularity, bits in itertools.product(
        ["network", "normal", "outlier", "negative"],
        ["symmetric", "asymmetric"],
        ["tensor", "channel", "group"],
        [2, 8],
    ):
        yield Params(source=source, scheme=scheme, granularity=granularity, bits=bits, group=16)
    for group in (16, 32, 64, 128, 256):
        yield Params(granularity="group", group=group)
    for clip in (90.0, 99.9, 100.0):
        yield Params(clip=clip)
    for seed in (0, 2**31 - 1):
        yield Params(source="outlier", seed=seed)
    for switches in itertools.product([False, True], repeat=3):
        for scheme, granularity in itertools.product(["symmetric", "asymmetric"], ["tensor", "group"]):
            names = ("max_without_abs", "full_range", "minus_zero_point")
            yield Params(
                source="negative", scheme=scheme, granularity=granularity, **dict(zip(names, switches, strict=True))
            )


@pytest.mark.parametrize("params", list(every_edge()), ids=str)
def test_every_edge_runs_and_its_pictures_are_whole(params: Params) -> None:
    pictures = list(run(params))
    assert [picture.stage for picture in pictures] == STAGES
    packed = [pack(picture) for picture in pictures]
    assert max(len(json.dumps(picture)) for picture in packed) <= 64 * 1024
    for before, after in itertools.pairwise(packed):  # nothing known is forgotten or changed
        known = {name: value for name, value in before.items() if value is not None}
        assert all(after[name] == value for name, value in known.items() if name not in ("stage", "text"))
    assert not [name for name, value in packed[-1].items() if value is None]
    assert packed == [pack(picture) for picture in run(params)]

    final = pictures[-1]
    assert final.histogram.shape == final.error_by_weight.shape == (BINS,)
    assert final.error_histogram.shape == (ERROR_BINS,)
    assert final.scales.shape == final.zero_points.shape == (final.blocks,)
    assert final.levels.shape == final.code_counts.shape == (final.code_high - final.code_low + 1,)
    total = final.rows * final.columns
    for counts in (final.histogram, final.error_histogram, final.code_counts):
        assert counts.dtype == np.int32 and counts.sum() == total
    assert final.axis_low <= min(final.levels.min(), final.weight_low)
    assert final.axis_high >= max(final.levels.max(), final.weight_high)
    assert final.scales[final.block] == np.float32(final.scale)
    here = params.bits - 2
    assert final.sqnr_by_bits[here] == pytest.approx(final.sqnr, abs=1e-3)
    assert final.sqnr_expected_by_bits[here] == pytest.approx(final.sqnr_expected, abs=1e-3)


@pytest.mark.parametrize("source", ["network", "outlier", "negative"])
@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("bits", [2, 4, 8])
def test_torch_makes_the_same_error(source: Any, scheme: Any, bits: int) -> None:
    import torch

    picture = last(source=source, scheme=scheme, bits=bits)
    w = torch.from_numpy(weights(source, 0).copy())
    error = (
        torch.fake_quantize_per_tensor_affine(
            w, picture.scale, picture.zero_point, picture.code_low, picture.code_high
        )
        - w
    )
    assert picture.mean_error == pytest.approx(error.abs().double().mean().item(), rel=1e-4)
    assert picture.max_error == pytest.approx(error.abs().max().item(), rel=1e-4)
    ratio = 10 * math.log10(w.double().square().sum() / error.double().square().sum())
    assert picture.sqnr == pytest.approx(ratio, abs=0.01)


def test_where_nothing_is_clipped_theory_holds() -> None:
    picture = last(source="normal", bits=8)
    assert picture.clipped == 0 and picture.max_error <= picture.scale / 2 * (1 + 1e-5)
    assert picture.sqnr == pytest.approx(picture.sqnr_expected, abs=0.1)
    assert picture.mean_error == pytest.approx(picture.mean_error_expected, rel=0.02)
    steps = np.diff(picture.sqnr_by_bits)
    np.testing.assert_allclose(steps[4:], 6.02, atol=0.15)  # dB a bit


def test_finer_scales_help_the_trained_layer() -> None:
    tensor, channel, group = (last(granularity=g, bits=4, group=16).sqnr for g in ("tensor", "channel", "group"))
    assert tensor < channel < group


def test_clipping_trades_a_large_error_for_many_small_ones() -> None:
    whole, clipped = last(bits=4), last(bits=4, clip=99.8)
    assert clipped.clipped > 0 and clipped.outside > 0 and whole.outside == 0
    assert clipped.max_error > whole.max_error
    assert clipped.scale < whole.scale
    assert clipped.sqnr > whole.sqnr


def test_a_group_of_a_row_is_a_channel() -> None:
    by_group, by_channel = (
        pack(last(source="normal", **p))
        for p in ({"granularity": "group", "group": 256}, {"granularity": "channel"})
    )
    assert by_group == by_channel | {"text": by_group["text"]}


# -- the mistakes ----------------------------------------------------------------------------------------------


def test_max_without_abs_ruins_the_outlier() -> None:
    right, wrong = (last(source="outlier", bits=8, max_without_abs=on) for on in (False, True))
    assert right.max_error < 0.0061
    assert wrong.max_error > 1 and wrong.clipped == 1


def test_max_without_abs_makes_a_negative_scale_of_negative_weights() -> None:
    wrong = last(source="negative", bits=8, max_without_abs=True)
    assert wrong.scale < 0 and wrong.sqnr < 1


@pytest.mark.parametrize("seed", range(10))
def test_max_without_abs_is_harmless_just_where_the_maximum_is_on_the_positive_side(seed: int) -> None:
    w = weights("normal", seed)
    right, wrong = (last(source="normal", seed=seed, max_without_abs=on) for on in (False, True))
    assert (pack(right) == pack(wrong)) == bool(w.max() >= abs(w.min()))


def test_max_without_abs_does_nothing_to_an_asymmetric_grid() -> None:
    assert pack(last(scheme="asymmetric", max_without_abs=True)) == pack(last(scheme="asymmetric"))


def test_the_full_range_gives_minus_one_as_zero_point_for_an_eighth_of_all_ranges() -> None:
    high = np.random.default_rng(0).uniform(0, 1, (100_000, 1))
    params = Params(full_range=True)
    zero_points = fit(-high, high, 8, params).zero_point
    assert set(np.unique(zero_points)) == {-1, 0}
    assert 0.12 < np.mean(zero_points == -1) < 0.15
    python = [round(-128 - (-beta) / ((beta + beta) / 255)) for beta in high[:2000, 0].tolist()]
    np.testing.assert_array_equal(zero_points[:2000, 0], python)
    assert np.all(fit(-high, high, 8, Params()).zero_point == 0)


def test_the_full_range_clips_its_upper_end_by_half_a_step() -> None:
    seeds = (seed for seed in range(20) if weights("normal", seed).max() >= -weights("normal", seed).min())
    wrong = last(source="normal", bits=8, full_range=True, seed=next(seeds))
    assert (wrong.code_low, wrong.code_high) == (-128, 127)
    assert wrong.levels.max() < wrong.range_high
    assert wrong.max_error == pytest.approx(wrong.scale / 2, rel=1e-3)
    if wrong.zero_point == 0:
        assert wrong.clipped >= 1


def test_the_known_scale_of_the_full_range() -> None:
    beta = np.array([[float(np.float32(1.0164733))]])
    assert fit(-beta, beta, 8, Params(full_range=True)).scale.item() == pytest.approx(
        0.007972339555328967, rel=1e-12
    )


def test_the_wrong_sign_shows_only_where_the_zero_point_is_not_zero() -> None:
    assert pack(last(minus_zero_point=True)) == pack(last())
    right, wrong = (last(source="negative", scheme="asymmetric", minus_zero_point=on) for on in (False, True))
    assert right.zero_point != 0
    assert wrong.mean_error > 10 * right.mean_error and wrong.sqnr < 0


def test_mistakes_change_one_thing_each() -> None:
    params = Params(source="negative")
    w = q.blocks_of(weights("negative", 0), "tensor")
    low, high = bounds(w, params)
    assert low.item() == -high.item() == w.min()
    low, high = bounds(w, replace(params, max_without_abs=True))
    assert low.item() == -high.item() == -w.max()


@pytest.mark.parametrize("source", ["network", "normal", "outlier", "negative"])
@pytest.mark.parametrize("scheme", ["symmetric", "asymmetric"])
@pytest.mark.parametrize("times", [8, 64])
def test_a_mean_error_grows_with_the_weights_and_a_share_of_them_does_not(
    source: Any, scheme: Any, times: Any
) -> None:
    plain, larger = (last(source=source, scheme=scheme, times=many) for many in (1, times))
    assert larger.mean_error == pytest.approx(times * plain.mean_error, rel=1e-6)
    assert larger.relative_error == pytest.approx(plain.relative_error, rel=1e-6)
    assert larger.sqnr == pytest.approx(plain.sqnr, abs=1e-5)
    np.testing.assert_array_equal(larger.code_counts, plain.code_counts)


def test_the_mistake_calls_the_mean_error_a_percentage() -> None:
    right, wrong = (list(run(Params(as_percent=switch)))[STAGES.index("error")] for switch in (False, True))
    assert wrong.mean_error == right.mean_error
    share = np.abs(weights("network", 0)).mean(dtype=np.float64)
    assert f"read as {100 * right.mean_error:.3g} %" in str(wrong.text)
    assert f"{100 * right.mean_error / share:.3g} % of the mean size" in str(wrong.text)
