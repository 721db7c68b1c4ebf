"""What the article says of rounding a whole matrix: its errors, their means, and where the theory stops."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from labs.learning import uniform_quantization as uniform
from labs.learning.uniform_quantization.matrices import weights
from quantization_article import BIT, decibels, known, picture, says

SOURCES: tuple[Literal["network", "normal", "outlier", "negative"], ...] = (
    "network",
    "normal",
    "outlier",
    "negative",
)


def rms(source: Literal["network", "normal", "outlier", "negative"]) -> float:
    return float(np.sqrt(np.mean(weights(source, 0).astype(np.float64) ** 2)))


def reach(source: Literal["network", "normal", "outlier", "negative"]) -> float:
    """Width of the symmetric range over the root mean square of the weights: R/σ."""
    return 2 * float(np.abs(weights(source, 0)).max()) / rms(source)


def share_near_zero(made: uniform.Picture) -> float:
    """Share of the errors in the inner half of what their histogram spans; one half where they lie evenly."""
    counts = made.error_histogram
    assert counts is not None
    centres = np.linspace(-1, 1, len(counts))
    return float(counts[np.abs(centres) < 0.5].sum() / counts.sum())


def test_four_weights_in_five_become_zero_at_four_bits() -> None:
    says("the middle spike holds most of the weights: they have all become zero")
    shown = picture()
    assert shown.code_counts is not None and shown.levels is not None
    at_zero = int(shown.code_counts[list(shown.levels).index(0)])
    assert at_zero == shown.code_counts.max()
    assert 0.75 < at_zero / weights("network", 0).size < 0.85


def test_the_errors_turn_even_with_more_bits() -> None:
    says("from a peak into a flat box", "climbs onto the dashed line of theory")
    assert share_near_zero(picture(bits=2)) > 0.9
    assert share_near_zero(picture(bits=8)) == pytest.approx(0.5, abs=0.03)
    assert decibels(bits=2) > known(picture(bits=2).sqnr_expected) + 5
    assert decibels(bits=8) == pytest.approx(known(picture(bits=8).sqnr_expected), abs=0.1)
    says("The figure as it first stands has $s/4$ =")
    assert known(picture().mean_error) == pytest.approx(known(picture().mean_error_expected), rel=0.1)


def test_an_even_error_has_these_means() -> None:
    says(r"\frac{s}{4}", r"\frac{s^2}{12}", r"$10\log_{10}4 = 6.02$ dB", "6.02\\,n + 10.79")
    even = (np.arange(10_000) + 0.5) / 10_000 - 0.5
    assert np.abs(even).mean() == pytest.approx(1 / 4)
    assert (even**2).mean() == pytest.approx(1 / 12)
    assert 10 * math.log10(4) == pytest.approx(6.02, abs=0.005)
    assert 10 * math.log10(12) == pytest.approx(10.79, abs=0.005)


@pytest.mark.parametrize("source", SOURCES)
def test_the_line_of_theory_is_right_at_eight_bits(source: Any) -> None:
    says("right to a fraction of a decibel for all four kinds of weights")
    theory = BIT * 8 + 10 * math.log10(12) - 20 * math.log10(reach(source))
    assert decibels(source=source, bits=8) == pytest.approx(theory, abs=0.25)


def test_the_trained_layer_has_a_wide_range() -> None:
    says("more than twice as wide as that of normal noise, and this costs it more than a bit")
    assert reach("network") > 2 * reach("normal")
    assert decibels(source="normal", bits=8) - decibels(bits=8) > BIT


def test_where_the_theory_stops() -> None:
    says("At three bits nearly all weights become zero", "the ratio is better than predicted")
    three = picture(bits=3)
    assert three.code_counts is not None
    assert three.code_counts[3] > 0.9 * three.code_counts.sum() and known(three.zero_point) == 0
    assert known(three.sqnr) > known(three.sqnr_expected) + 1
    says("theory promises more noise than signal; the figure stays just above 0 dB")
    two = picture(bits=2)
    assert known(two.sqnr_expected) < 0 < known(two.sqnr) < 1
    says("keep only the central 95 %, and its promise climbs while the measured ratio collapses")
    whole, cut = picture(bits=8), picture(bits=8, clip=95.0)
    assert known(cut.sqnr_expected) > known(whole.sqnr_expected) + 10
    assert known(cut.sqnr) < known(whole.sqnr) - 15


def test_the_errors_of_the_essay_lie_an_eighth_below_expectation() -> None:
    says("0.0015906 (asymmetric) and 0.0017431 (symmetric)", "$s/4 = 0.00182$ and $0.00199$", "an eighth below it")
    for scale, error, quarter in (
        (0.007293541992411894, 0.0015906507615, 0.00182),
        (0.007972339555328967, 0.0017431897576898336, 0.00199),
    ):
        assert scale / 4 == pytest.approx(quarter, abs=0.000005)
        assert error / (scale / 4) == pytest.approx(7 / 8, abs=0.005)


def test_the_mistaken_percentage_grows_with_the_weights() -> None:
    says("the rounding is exactly as good as before", "eight times as large, and then goes above 100")
    plain, eight, most = (picture(bits=4, as_percent=True, times=times) for times in (1, 8, 64))
    assert known(eight.mean_error) == pytest.approx(8 * known(plain.mean_error))
    assert 100 * known(most.mean_error) > 100
    assert known(plain.relative_error) == pytest.approx(known(most.relative_error))
    assert decibels(bits=4) == pytest.approx(decibels(bits=4, times=64), abs=1e-5)
