"""The pictures of a float, against struct, math and ml_dtypes; the formats themselves are tested with the model."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.bits.float_bits import Params, Picture, run
from labs.bits.float_bits import floats as f
from labs.contract import LabError
from labs.models.decimals import exactly

FORMATS = sorted(f.FORMATS)
decimals = st.decimals(-1000, 1000, allow_nan=False, places=6).map(str)


def last(**params: Any) -> Picture:
    *_, picture = run(Params(**params))
    return picture


def stage(name: str, **params: Any) -> Picture:
    *_, picture = (each for each in run(Params(**params)) if each.stage == name)
    return picture


@settings(max_examples=50)
@given(decimals)
def test_a_double_has_the_bits_of_the_machine(text: str) -> None:
    shown = last(number=text, format="fp64")
    assert bytes.fromhex(shown.hex) == struct.pack(">d", float(text))
    assert shown.exponent is not None
    if float(text):
        assert shown.exponent == math.frexp(float(text))[1] - 1


@settings(max_examples=50)
@given(decimals, st.sampled_from(FORMATS))
def test_the_sum_of_powers_is_the_stored_number(text: str, name: Any) -> None:
    form = f.FORMATS[name]
    shown = stage("round", number=text, format=name)
    value = f.decode(int(shown.bits, 2), form)
    if value is None:
        return
    low = f.two(shown.exponent or 0) if shown.means == "normal" else Fraction(0)
    added = Fraction(shown.jumps[-1]) if shown.jumps else Fraction(0)
    assert low + f.two(shown.exponent or 0) * added == abs(value)
    chosen = [tick for tick in shown.ticks if tick.chosen]
    assert len(chosen) == 1 and shown.typed_at is not None
    others = [abs(tick.at - shown.typed_at) for tick in shown.ticks]
    assert abs(chosen[0].at - shown.typed_at) == min(others)  # the nearest is stored


@settings(max_examples=50)
@given(decimals, decimals)
def test_adding_doubles(one: str, other: str) -> None:
    shown = last(number=one, other=other, format="fp64")
    exact = Fraction(float(one)) + Fraction(float(other))
    assert shown.sum_right == (float(one) + float(other) == float(Fraction(one) + Fraction(other)))
    assert shown.sum is not None and shown.sum_exact is not None
    if len(shown.sum) < 20:
        assert float(shown.sum.replace("−", "-")) == float(one) + float(other) == float(exact)


ZEROS = ["0", "-0", "0x80000000", "1", "-1", "-1e-60", "1e-60"]


@pytest.mark.parametrize(("one", "other"), [*product(ZEROS, repeat=2)])
def test_zero_has_a_sign(one: str, other: str) -> None:
    shown = last(number=one, other=other, format="fp32")
    stored = [
        np.uint32(int(text, 16)).view(np.float32) if "x" in text else np.float32(text) for text in (one, other)
    ]
    total = stored[0] + stored[1]
    assert shown.sum is not None
    assert shown.sum.startswith("−") == bool(np.signbit(total)), shown.sum
    if abs(stored[0]) != 1:
        half = next(each for each in shown.formats if each.name == "fp16")
        assert half.value.startswith("−") == bool(np.signbit(np.float16(stored[0])))


@settings(max_examples=50)
@given(st.one_of(st.floats(-1e6, 1e6), st.sampled_from([500.0, 1e-30, -1e30, 70000.0])).map(str))
def test_what_the_six_formats_lose_is_told(number: str) -> None:
    shown = stage("formats", number=number)
    lost = [each.name for each in shown.formats if each.value in ("NaN", "∞", "−∞")]
    assert "e+" not in shown.text
    assert ("no number near it" in shown.text) == bool(lost)
    assert " and ".join(lost) in shown.text
    assert not lost or "the largest error, " not in shown.text, "it is larger where there is no number"


@settings(max_examples=50)
@given(decimals, st.sampled_from(FORMATS))
def test_a_number_lies_in_the_window_of_its_exponent(text: str, name: Any) -> None:
    shown, form = stage("round", number=text, format=name), f.FORMATS[name]
    for window in shown.windows:
        at = f.magnitude_at(window.field << form.fraction_bits, form)
        if window.sort == "normal":
            assert window.to - window.at == (window.at - shown.zero), "a power of two ends where the next begins"
        assert (window.sort == "reserved") == (at > f.magnitude_at(form.top, form))
    if shown.exponent is None:
        return
    own = next(window for window in shown.windows if window.field == shown.field)
    assert (own.at, own.to) == (0, 1)
    assert shown.along is not None and shown.typed_at is not None
    assert shown.along == pytest.approx(shown.apex + abs(shown.typed_at) * shown.step)
    for tick, jump in ((tick, shown.jumps[-1] if shown.jumps else 0) for tick in shown.ticks if tick.chosen):
        assert shown.apex + abs(tick.at) * shown.step == pytest.approx(jump)


def test_the_famous_sum_lies_halfway() -> None:
    shown = last(number="0.1", other="0.2", format="fp64")
    chosen = next(tick for tick in shown.sum_ticks if tick.chosen)
    wanted = next(tick for tick in shown.sum_ticks if tick.bits == shown.wanted_bits)
    assert (wanted.at, shown.sum_at, chosen.at) == (0, 0.5, 1)
    assert shown.wanted_at is not None and abs(shown.wanted_at) < 0.5
    assert shown.terms == [pytest.approx(1 / 3), 1]


@settings(max_examples=50)
@given(decimals, decimals, st.sampled_from(FORMATS))
def test_a_sum_goes_to_the_nearest_tick(one: str, other: str, name: Any) -> None:
    shown = last(number=one, other=other, format=name)
    if shown.sum_at is None:
        return
    chosen = next(tick for tick in shown.sum_ticks if tick.chosen)
    assert abs(chosen.at - shown.sum_at) == min(abs(tick.at - shown.sum_at) for tick in shown.sum_ticks)


def test_the_patterns_of_the_formats() -> None:
    for each in last(number="-0.3").formats:
        form = f.FORMATS[each.name.replace(" ", "_")]
        assert len(each.pattern) == each.bits and each.exponent_bits == form.exponent_bits
        value = f.decode(int(each.pattern, 2), form)
        assert value is not None and each.value.startswith(exactly(value, 12)[:10])


def test_a_nan_of_e4m3_shares_its_exponent_field() -> None:
    """Only NaN itself has all ones there; beside it lie the largest numbers."""
    assert "a bit pattern of its own" in stage("exact", number="nan", format="fp8_e4m3").text
    assert "an exponent field of its own" in stage("exact", number="nan", format="fp8_e5m2").text


def test_the_famous_sum() -> None:
    shown = last(number="0.1", other="0.2", format="fp64")
    assert shown.sum_right is False
    assert shown.sum == "0.30000000000000004440892…" and shown.wanted == "0.299999999999999988897769…"
    assert last(number="0.1", other="0.2", format="fp32").sum_right is True


@settings(max_examples=50)
@given(decimals)
def test_the_other_formats(text: str) -> None:
    """As fp32 rounds a decimal once, so do the others from there, unless that would be rounding twice."""
    shown = last(number=text)
    with np.errstate(over="ignore"):
        single = np.float32(text)
        theirs = {"fp64": float(text), "fp32": float(single)}
        twice = last(number=text, twice=True)
        theirs_twice = {
            "fp16": float(single.astype(np.float16)),
            "bf16": float(single.astype(ml_dtypes.bfloat16)),
            "fp8 e4m3": float(single.astype(ml_dtypes.float8_e4m3fn)),
            "fp8 e5m2": float(single.astype(ml_dtypes.float8_e5m2)),
        }
    exact = Fraction(text)
    for picture, values in ((shown, theirs), (twice, theirs_twice)):
        for each in picture.formats:
            if each.name in values and math.isfinite(values[each.name]) and exact:
                off = abs(Fraction(values[each.name]) - exact) / abs(exact)
                assert each.relative_error == pytest.approx(float(off), rel=1e-12)


def test_the_mistakes() -> None:
    straight, twice = (
        last(number="1.003906251", format="bf16"),
        last(number="1.003906251", format="bf16", twice=True),
    )
    assert (straight.stored, twice.stored) == ("1.0078125", "1")
    assert (last(number="0.3", cut=True).hex, last(number="0.3").hex) == ("34CC", "34CD")
    assert last(number="0.1", no_hidden_one=True).stored == "0.0374755859375"
    assert float(Fraction("0.0374755859375") + Fraction(1, 16)) == float(np.float16(0.1))


@pytest.mark.parametrize(
    ("number", "name", "saturate", "means", "stored"),
    [
        ("65519.99", "fp16", False, "normal", "65504"),
        ("65520", "fp16", False, "infinity", "∞"),
        ("-65520", "fp16", True, "normal", "−65504"),
        ("464", "fp8_e4m3", False, "normal", "448"),
        ("465", "fp8_e4m3", False, "NaN", "NaN"),
        ("465", "fp8_e4m3", True, "normal", "448"),
        ("inf", "fp8_e4m3", False, "NaN", "NaN"),
        ("-inf", "fp8_e5m2", False, "infinity", "−∞"),
        ("1e-8", "fp16", False, "zero", "0"),
        ("1e-7", "fp16", False, "subnormal", "1.1920928955078125 × 10⁻⁷"),
        ("-0", "fp32", False, "zero", "−0"),
        ("0x7E00", "fp16", False, "NaN", "NaN"),
    ],
)
def test_the_edges(number: str, name: Any, saturate: bool, means: str, stored: str) -> None:
    shown = last(number=number, format=name, saturate=saturate)
    assert (shown.means, shown.stored) == (means, stored)


@pytest.mark.parametrize("name", FORMATS)
def test_flipping_a_bit_flips_one_bit(name: Any) -> None:
    for number in ("0.1", "-3", "nan", "0", "inf"):
        shown = last(number=number, format=name)
        for i in range(0, shown.width, 5):
            again = last(number=shown.flipped[i], format=name)
            assert int(again.bits, 2) == int(shown.bits, 2) ^ 1 << (shown.width - 1 - i)


@pytest.mark.parametrize("number", ["", "zero", "1e500", "0x123456789", "1/0"])
def test_what_is_no_number_is_refused(number: str) -> None:
    with pytest.raises(LabError, match="The number must"):
        next(run(Params(number=number)))
