"""What the article says of choosing scales: symmetric or asymmetric, one or many."""

from __future__ import annotations

import numpy as np
import pytest
from labs.learning.uniform_quantization.matrices import weights
from quantization_article import BIT, decibels, known, picture, says


def test_what_asymmetric_gains() -> None:
    says("asymmetric gains at least 6 dB, the bit that was wasted")
    for bits in range(2, 9):
        gain = decibels(source="negative", scheme="asymmetric", bits=bits) - decibels(source="negative", bits=bits)
        assert gain > 6
    says("For *normal* weights the two are within a fraction of a decibel at eight bits")
    one, other = decibels(source="normal", bits=8), decibels(source="normal", bits=8, scheme="asymmetric")
    assert one == pytest.approx(other, abs=0.5)


def test_what_zero_points_add_to_a_sum() -> None:
    says("A zero point in the activations costs only $z_x \\sum_i q_{w,i}$")
    rng = np.random.default_rng(0)
    x, w = rng.integers(0, 256, 100), rng.integers(-127, 128, 100)
    assert (x * (w - 3)).sum() == (x * w).sum() - 3 * x.sum()
    assert ((x - 3) * w).sum() == (x * w).sum() - 3 * w.sum()


def test_the_zero_point_that_is_zero_by_luck() -> None:
    says("−0.4999999999999858", "±1.0164733", "−0.5000000000000142, so that $z = -1$")

    def before_rounding(end: float) -> float:
        scale = (end - -end) / 255
        return -128 - -end / scale

    exact = float(np.float32(1.0164733))  # what the printed digits stand for
    assert (before_rounding(exact), round(before_rounding(exact))) == (-0.4999999999999858, 0)
    assert (before_rounding(1.0164733), round(before_rounding(1.0164733))) == (-0.5000000000000142, -1)


def test_one_group_in_eight_is_unlucky() -> None:
    says("Turn on *Full code range* at eight bits with a scale for each group", "it happens to many groups")
    mistaken = picture(bits=8, granularity="group", full_range=True)
    right = picture(bits=8, granularity="group")
    assert mistaken.zero_points is not None and right.zero_points is not None
    assert np.mean(mistaken.zero_points == -1) == pytest.approx(1 / 8, abs=0.03)
    says("As long as $z$ is kept, this does no harm.", "leave the code −128 unused")
    assert known(mistaken.sqnr) == pytest.approx(known(right.sqnr), abs=0.3)
    assert (mistaken.code_low, right.code_low) == (-128, -127) and not right.zero_points.any()


def test_the_maximum_without_its_bars() -> None:
    says("Ours reach further down, and the mistake clips a few of them")
    says("a small loss at eight bits and, oddly, a gain of more than a decibel at five")
    matrix = weights("network", 0)
    assert -matrix.min() > matrix.max()
    assert 0 < known(picture(bits=8, max_without_abs=True).clipped) < 10
    gain = [decibels(bits=bits, max_without_abs=True) - decibels(bits=bits) for bits in (5, 8)]
    assert gain[0] == pytest.approx(2, abs=0.5) and -0.5 < gain[1] < 0
    says("the scale itself becomes negative and almost zero, and every weight lands on the same code")
    says("expects more than a hundred decibels")
    for bits in (4, 8):
        wrong = picture(source="negative", bits=bits, max_without_abs=True)
        assert -1e-6 < known(wrong.scale) < 0
        assert wrong.code_counts is not None and np.count_nonzero(wrong.code_counts) == 1
        assert known(wrong.sqnr_expected) > 100 and known(wrong.sqnr) < 0.01


def test_a_scale_for_each_channel() -> None:
    says("the largest weights of two rows can differ by more than a factor of ten")
    largest = np.abs(weights("network", 0)).max(axis=1)
    assert largest.max() > 10 * largest.min()
    says(
        "From four bits up, a scale for each channel therefore gains more than a whole bit",
        "it gains about half as much",
    )
    for bits in range(4, 9):
        gain = decibels(bits=bits, granularity="channel") - decibels(bits=bits)
        normal = [decibels(source="normal", bits=bits, granularity=choice) for choice in ("tensor", "channel")]
        assert gain > BIT
        assert (normal[1] - normal[0]) / gain == pytest.approx(0.5, abs=0.1)
    says("Groups within a row go further")
    for group in (16, 32, 64, 128, 256):
        assert decibels(granularity="group", group=group) > decibels(granularity="channel")


def test_the_fewer_the_bits_the_deeper_the_best_cut() -> None:
    says("With 99 % at four bits", "the ratio rises by about a bit")
    assert decibels(clip=99.0) - decibels() == pytest.approx(BIT, abs=1)
    says("At eight bits the same clipping is a loss")
    assert decibels(bits=8, clip=99.0) < decibels(bits=8) - 6
    says("The fewer the bits, the narrower the best range.")
    cuts = (100.0, 99.9, 99.8, 99.5, 99.0, 98.0, 97.0, 96.0, 95.0, 93.0, 90.0)
    best = [max(cuts, key=lambda cut: decibels(bits=bits, clip=cut)) for bits in range(2, 9)]
    assert best == sorted(best) and best[0] < 98 and best[-1] == 100


def test_one_outlier_costs_all_the_others() -> None:
    says("one weight of −1.5", "the other 65,535 lose more than a bit and a half")
    assert weights("outlier", 0).size == 65_536 and weights("outlier", 0).min() == -1.5
    lost = decibels(source="normal", bits=8) - decibels(source="outlier", bits=8)
    assert 1.5 * BIT < lost < 2 * BIT
    says("At eight bits, clipping it does not win these back")
    for cut in (99.9, 99.5, 99.0, 95.0, 90.0):
        assert decibels(source="outlier", bits=8, clip=cut) < decibels(source="outlier", bits=8)
    says("confines the damage to one row and leaves every other row as it was")
    spoiled = picture(source="outlier", bits=8, granularity="channel")
    spared = picture(source="normal", bits=8, granularity="channel")
    assert spoiled.scales is not None and spared.scales is not None
    assert np.count_nonzero(spoiled.scales != spared.scales) == 1
    assert known(spoiled.sqnr) == pytest.approx(known(spared.sqnr), abs=1)
