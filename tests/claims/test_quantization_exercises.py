"""What the answers to the article's exercises say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from quantization_article import decibels, known, network, picture, says, step


def test_exercise_1() -> None:
    says("$s = 2.5/15 = 1/6$", "$z = -8$", "$1/12$", "$s = 5/14$", "seven codes for numbers that never occur")
    shown = step(low=0.5, high=2.5, scheme="asymmetric", bits=4)
    assert shown.scale == pytest.approx(1 / 6) and shown.zero_point == -8
    errors = [abs(step(low=0.5, high=2.5, value=float(value)).error) for value in np.linspace(0.5, 2.5, 97)]
    assert max(errors) == pytest.approx(1 / 12)
    symmetric = step(low=0.5, high=2.5, scheme="symmetric")
    assert symmetric.scale == pytest.approx(5 / 14) and (symmetric.levels < 0).sum() == 7


def test_a_bit_more_than_the_rule() -> None:
    says("$4 \\times 6.02 = 24.1$ dB more", "a symmetric grid has 14 steps at four bits and 254 at eight")
    four, eight = picture(), picture(bits=8)
    assert (four.levels is not None and len(four.levels) - 1, eight.code_low) == (14, -127)
    says("$20\\log_{10}(254/14) = 25.2$ dB", "The figure gains a little less than that")
    gained = known(eight.sqnr) - known(four.sqnr)
    expected = known(eight.sqnr_expected) - known(four.sqnr_expected)
    assert expected == pytest.approx(20 * math.log10(254 / 14)) == pytest.approx(25.2, abs=0.05)
    assert round(4 * 6.02, 1) == 24.1 < gained < expected - 0.1
    says("the ratio there is already slightly better than theory predicts")
    assert 0.1 < known(four.sqnr) - known(four.sqnr_expected) < 1


def test_exercise_2() -> None:
    says("its ratio is a few decibels better")
    ahead = decibels(bits=5, granularity="group", group=64) - decibels(bits=4, granularity="group", group=16)
    assert 1 < ahead < 6


def test_exercise_3() -> None:
    says("All three cut the mean error to less than half", "At four bits the rounding noise is so much larger")
    for bits in (4, 8):
        before = picture(source="outlier", bits=bits)
        clipped = picture(source="outlier", bits=bits, clip=99.9)
        channel = picture(source="outlier", bits=bits, granularity="channel")
        mistake = picture(source="outlier", bits=bits, max_without_abs=True)
        for after in (clipped, channel, mistake):
            assert known(after.mean_error) < known(before.mean_error) / 2
        assert known(channel.sqnr) > known(before.sqnr)
        for after in (clipped, mistake):
            assert known(after.max_error) > 1
            assert (known(after.sqnr) > known(before.sqnr)) == (bits == 4)


def test_exercise_4() -> None:
    says("The weights, by far.", "in the last three layers the weights' ratio is close to 0 dB")
    images = network().held_out_images
    assert network(weight_bits=2).correct_integer < network(activation_bits=2).correct_integer - 0.2 * images
    assert network(weight_bits=2).weight_sqnr[1:].max() < 3
