"""Floats of any size, against ml_dtypes, NumPy and struct: all values of the small ones, and how numbers round."""

from __future__ import annotations

import itertools
import math
import struct
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.bits.float_bits import floats as f
from labs.bits.float_bits.said import as_typed, meaning, neighbour, said, typed
from labs.contract import LabError
from numpy.typing import NDArray

SMALL: dict[str, tuple[Any, type]] = {
    "fp16": (np.float16, np.uint16),
    "bf16": (ml_dtypes.bfloat16, np.uint16),
    "fp8_e4m3": (ml_dtypes.float8_e4m3fn, np.uint8),
    "fp8_e5m2": (ml_dtypes.float8_e5m2, np.uint8),
}
doubles = st.floats(allow_nan=False, allow_infinity=False)


def all_values(name: str) -> NDArray[np.float64]:
    kind, bits = SMALL[name]
    with np.errstate(invalid="ignore"):
        return np.arange(2 ** f.FORMATS[name].width).astype(bits).view(kind).astype(np.float64)


@pytest.mark.parametrize("name", SMALL)
def test_every_value_of_a_small_format(name: str) -> None:
    form = f.FORMATS[name]
    for bits, theirs in enumerate(all_values(name).tolist()):
        ours = f.decode(bits, form)
        if ours is None:
            assert f.is_nan(bits, form) == math.isnan(theirs) and not math.isfinite(theirs)
            continue
        assert ours == theirs
        assert f.encode(ours, form, negative=bool(bits & form.sign_bit)) == bits
        assert f.is_normal(bits, form) == (abs(theirs) >= float(f.two(form.least)))


def rounded_by_them(numbers: NDArray[np.float32] | NDArray[np.float64], name: str) -> list[int]:
    kind, bits = SMALL[name]
    with np.errstate(over="ignore"):
        return [int(pattern) for pattern in numbers.astype(kind).view(bits)]


def hard_ones(name: str) -> NDArray[np.float32]:
    """Random numbers over the whole range, ties between neighbours, a hair to either side, and the edge."""
    form, rng = f.FORMATS[name], np.random.default_rng(0)
    finite = np.sort(all_values(name)[np.isfinite(all_values(name))])
    ties = ((finite[1:] + finite[:-1]) / 2)[:: 1 if form.width == 8 else 97].astype(np.float32)
    spread = (rng.normal(size=3000) * 10.0 ** rng.integers(-9, 6, 3000)).astype(np.float32)
    top, last = f.magnitude_at(form.top, form), f.ulp(f.magnitude_at(form.top, form), form)
    edge = np.array([float(top + last * part / 4) for part in (1, 2, 3)], np.float32)
    beside = np.concatenate([np.nextafter(ties, np.float32(side)) for side in (np.inf, -np.inf)])
    return np.concatenate([spread, ties, beside, edge, -edge, np.array([0.0, -0.0], np.float32)])


@pytest.mark.parametrize("name", SMALL)
def test_numbers_round_as_theirs_do(name: str) -> None:
    form, numbers = f.FORMATS[name], hard_ones(name)
    ours = [f.encode(Fraction(x), form, negative=math.copysign(1, x) < 0) for x in numbers.tolist()]
    theirs = rounded_by_them(numbers, name)
    assert [(x, a, b) for x, a, b in zip(numbers, ours, theirs, strict=True) if a != b] == []


@pytest.mark.parametrize("name", ["bf16", "fp8_e4m3", "fp8_e5m2"])
def test_ml_dtypes_rounds_a_double_twice(name: str) -> None:
    """It goes through float32, the mistake that the lab has a switch for; we go straight."""
    form = f.FORMATS[name]
    number = math.nextafter(float(1 + f.ulp(Fraction(1), form) / 2), 2)  # float32 cannot tell it from the tie
    [theirs] = rounded_by_them(np.array([number]), name)
    assert theirs == f.encode(Fraction(1), form)
    assert f.encode(Fraction(number), form) == theirs + 1


@given(doubles)
def test_fp64_is_the_float_of_python(number: float) -> None:
    bits = int.from_bytes(struct.pack(">d", number), "big")
    assert f.encode(Fraction(number), f.FP64, negative=math.copysign(1, number) < 0) == bits
    assert f.decode(bits, f.FP64) == number
    assert float(f.ulp(Fraction(number), f.FP64)) == math.ulp(number)


@given(st.fractions())
def test_a_fraction_rounds_to_the_nearest_double(number: Fraction) -> None:
    assert f.decode(f.encode(number, f.FP64), f.FP64) == float(number)


@given(doubles)
def test_fp32_is_the_one_of_numpy(number: float) -> None:
    with np.errstate(over="ignore"):
        theirs = np.float32(number)
    assert f.encode(Fraction(number), f.FP32, negative=math.copysign(1, number) < 0) == int(theirs.view(np.uint32))


@given(doubles, st.sampled_from(sorted(f.FORMATS)))
def test_towards_zero_is_never_larger_and_less_than_one_unit_off(number: float, name: str) -> None:
    form = f.FORMATS[name]
    value = f.decode(f.encode(Fraction(number), form, rounding="down"), form)
    assert value is not None
    assert abs(value) <= abs(Fraction(number))
    if abs(number) < f.magnitude_at(form.top, form):
        assert abs(Fraction(number)) - abs(value) < f.ulp(Fraction(number), form)


@pytest.mark.parametrize("name", f.FORMATS)
def test_what_is_too_large(name: str) -> None:
    form = f.FORMATS[name]
    huge = Fraction(2) ** 2000
    assert meaning(f.encode(huge, form), form) == ("NaN" if name == "fp8_e4m3" else "infinity")
    assert f.encode(huge, form, saturate=True) == form.top
    assert f.encode(-huge, form, saturate=True) == form.top | form.sign_bit
    assert meaning(form.nan, form) == "NaN"


@pytest.mark.parametrize("name", SMALL)
def test_neighbours_are_those_of_the_order(name: str) -> None:
    form = f.FORMATS[name]
    bits = sorted(
        (b for b in range(2**form.width) if f.decode(b, form) is not None and b != form.sign_bit),
        key=lambda b: f.decode(b, form) or Fraction(0),
    )
    for low, high in list(itertools.pairwise(bits))[:: 1 if form.width == 8 else 91]:
        assert neighbour(low, 1, form) == said(high, form, 17)
        assert neighbour(high, -1, form) == said(low, form, 17)


@given(st.integers(0, 2**64 - 1), st.sampled_from(sorted(f.FORMATS)))
def test_what_is_typed_for_bits_gives_them_back(bits: int, name: str) -> None:
    form = f.FORMATS[name]
    bits %= 1 << form.width
    given_back = typed(as_typed(bits, form), "It", form)
    assert (given_back if isinstance(given_back, int) else f.encode(given_back, form)) == bits


@pytest.mark.parametrize("text", ["", "abc", "1/0", "0x", "0x1FFFF", "1e401", "0.1.2", "--1", "١/"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(LabError, match="The number must"):
        typed(text, "The number", f.FP16)
