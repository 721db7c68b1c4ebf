"""What the article says of floats."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from labs.bits import float_bits
from labs.bits.float_bits import floats as f
from memory_article import ARTICLE, point, says


def test_a_tenth_in_half_precision() -> None:
    says("$2^{-4}$, stored as −4 + 15", "there are 1,024 numbers", "0.0999755859375")
    shown = point()
    assert (shown.exponent, shown.field, shown.bias, shown.stored) == (-4, 11, 15, "0.0999755859375")
    assert float(np.float16(0.1)) == 0.0999755859375
    says("and 0.1 comes back as 0.037")
    assert point(no_hidden_one=True).stored.startswith("0.037")


def test_subnormal_numbers() -> None:
    says("with two significant bits left and an error of a fifth")
    shown = point(number="1e-7")
    assert shown.means == "subnormal" and shown.bits.lstrip("0") == "10"
    relative = shown.formats[2].relative_error
    assert relative is not None and 0.18 < relative < 0.22
    assert [point(number=number).means for number in ("1e6", "nan")] == ["infinity", "NaN"]


def test_the_famous_sum() -> None:
    says("0.1 + 0.2 is 0.30000000000000004", "exactly halfway between two doubles")
    assert repr(0.1 + 0.2) == "0.30000000000000004"
    exact = Fraction(0.1) + Fraction(0.2)
    assert exact == (Fraction(0.1 + 0.2) + Fraction(0.3)) / 2
    assert math.nextafter(0.3, 1) == 0.1 + 0.2
    says("In single precision, fp32, the same sum is right, by luck")
    assert point(format="fp64").sum_right is False and point(format="fp32").sum_right is True


def test_units_in_the_last_place() -> None:
    says("At 1.0 the unit is $2^{-10}$ in fp16 and $2^{-52}$ in fp64. At 2,048 in fp16 it is 2: 2,048 + 1 is 2,048")
    assert f.ulp(Fraction(1), f.FP16) == f.two(-10) and f.ulp(Fraction(1), f.FP64) == f.two(-52)
    assert f.ulp(Fraction(2048), f.FP16) == 2 and point(number="2048", other="1").sum == "2048"
    assert np.float16(2048) + np.float16(1) == 2048


def test_the_small_formats() -> None:
    says(
        "fp16 has 5 and 10; bfloat16, or bf16, has 8 and 7",
        "fp16 ends at 65,504",
        "it is the upper half of an fp32",
    )
    assert (f.FP16.exponent_bits, f.FP16.fraction_bits, f.BF16.exponent_bits, f.BF16.fraction_bits) == (5, 10, 8, 7)
    assert f.decode(f.FP16.top, f.FP16) == 65504
    for number in (1.0, -2.5, 0.0078125):
        bits = int(np.float32(number).view(np.uint32))
        assert f.encode(Fraction(number), f.BF16) == bits >> 16
    says("the largest number is 448 instead of 240")
    assert f.decode(f.E4M3.top, f.E4M3) == 448
    like_ieee = f.Format("e4m3", 4, 3)
    assert f.decode(like_ieee.top, like_ieee) == 240
    says(
        "Try 464 and 465",
        "A number that would round to more becomes NaN here, as in the library ml_dtypes, or 448 if you set "
        "*Saturate*",
    )
    assert [point(number=n, format="fp8_e4m3").stored for n in ("464", "465")] == ["448", "NaN"]
    assert point(number="465", format="fp8_e4m3", saturate=True).stored == "448"


def test_cutting_doubles_the_worst_error_and_leans_one_way() -> None:
    says("doubles the worst error", "It also moves every number towards zero")
    rng = np.random.default_rng(0)
    worst = {False: 0.0, True: 0.0}
    for number in rng.uniform(1, 2, 2000):
        exact = Fraction(float(number))
        for cut in worst:
            value = f.decode(f.encode(exact, f.BF16, rounding="down" if cut else "nearest"), f.BF16)
            assert value is not None and not (cut and value > exact)
            worst[cut] = max(worst[cut], float(abs(value - exact)))
    assert worst[True] == pytest.approx(2 * worst[False], rel=0.02)
    assert point(number="0.3", format="bf16", cut=True).hex != point(number="0.3", format="bf16").hex


def test_rounding_twice() -> None:
    says("goes up, to 1.0078125", "goes to the even neighbour, 1")
    assert point(number="1.003906251", format="bf16").stored == "1.0078125"
    assert point(number="1.003906251", format="bf16", twice=True).stored == "1"


def test_the_recorded_steps_are_those_of_the_text() -> None:
    stages = [each.stage for each in float_bits.run(float_bits.Params())]
    assert stages[:4] == ["exact", "exponent", "fraction", "round"]
    assert float_bits.POSTER == 4


@pytest.mark.parametrize(
    ("step", "params"),
    [(34, {"number": "0.1", "other": "0.2", "format": "fp64"}), (8, {"number": "2048", "other": "1"})],
)
def test_links_to_a_sum_lead_to_its_step(step: int, params: Any) -> None:
    assert f"step={{{step}}}" in ARTICLE.text
    assert [each.stage for each in float_bits.run(float_bits.Params(**params))][step - 1] == "sum"
