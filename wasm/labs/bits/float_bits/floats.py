"""Binary floating point of any size, from the definition: exact fractions in, bits out, and back.

A format has a sign bit, an exponent field and a fraction field. Numbers are ``fractions.Fraction``, so nothing here
is itself rounded by the floats of the machine it runs on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from labs.contract import LabError

FARTHEST = 400  # powers of ten that can be typed; beyond lies nothing that 64 bits could hold

Rounding = Literal["nearest", "down"]
"""To the nearest number, ties to the even one; or towards zero."""


@dataclass(frozen=True)
class Format:
    name: str
    exponent_bits: int
    fraction_bits: int
    infinity: bool = True
    """False where all ones in the exponent are ordinary numbers, except the one pattern that is NaN (e4m3fn)."""

    @property
    def width(self) -> int:
        return 1 + self.exponent_bits + self.fraction_bits

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def least(self) -> int:
        """The exponent of the smallest normal number, which the subnormal ones share."""
        return 1 - self.bias

    @property
    def top(self) -> int:
        """The bits of the largest finite number, without a sign."""
        ones = (1 << (self.exponent_bits + self.fraction_bits)) - 1
        return ones - 1 if not self.infinity else ones - (1 << self.fraction_bits)

    @property
    def nan(self) -> int:
        return self.top + 1 if not self.infinity else self.top + 1 + (1 << (self.fraction_bits - 1))

    @property
    def beyond(self) -> int:
        """What a number becomes that is too large: infinity, or NaN where there is none."""
        return self.top + 1

    @property
    def sign_bit(self) -> int:
        return 1 << (self.width - 1)


FP64 = Format("fp64", 11, 52)
FP32 = Format("fp32", 8, 23)
FP16 = Format("fp16", 5, 10)
BF16 = Format("bf16", 8, 7)
E4M3 = Format("fp8 e4m3", 4, 3, infinity=False)
E5M2 = Format("fp8 e5m2", 5, 2)
FORMATS = {made.name.replace(" ", "_"): made for made in (FP64, FP32, FP16, BF16, E4M3, E5M2)}


def size(bits: int, form: Format) -> Fraction | None:
    """The magnitude that the bits stand for; None for infinity and NaN."""
    magnitude = bits & ~form.sign_bit
    return None if magnitude > form.top else magnitude_at(magnitude, form)


def magnitude_at(magnitude: int, form: Format) -> Fraction:
    """The number at a place in the order of magnitudes, which is the order of the bits; also beyond the largest."""
    exponent, fraction = magnitude >> form.fraction_bits, magnitude & ((1 << form.fraction_bits) - 1)
    if exponent == 0:
        return fraction * two(form.least - form.fraction_bits)
    return (fraction + (1 << form.fraction_bits)) * two(exponent - form.bias - form.fraction_bits)


def decode(bits: int, form: Format) -> Fraction | None:
    """The number that the bits stand for; None for infinity and NaN, and 0 for either zero."""
    magnitude = size(bits, form)
    return magnitude if magnitude is None or not bits & form.sign_bit else -magnitude


def is_normal(bits: int, form: Format) -> bool:
    return (1 << form.fraction_bits) <= bits & ~form.sign_bit <= form.top


def is_nan(bits: int, form: Format) -> bool:
    return bits & ~form.sign_bit > (form.top if not form.infinity else form.top + 1)


def exponent_of(number: Fraction, form: Format) -> int:
    """The power of two at or below the size of a number, no lower than that of the smallest normal one."""
    if number == 0:
        return form.least
    number = abs(number)
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    return max(guess if two(guess) <= number else guess - 1, form.least)


def ulp(number: Fraction, form: Format) -> Fraction:
    """How far apart representable numbers are where this one lies."""
    return two(exponent_of(number, form) - form.fraction_bits)


def below(number: Fraction, form: Format) -> tuple[int, Fraction]:
    """The place of the number of the format at or below a size, and how far up to the next one it lies, 0 to 1."""
    number = abs(number)
    exponent = exponent_of(number, form)
    steps = number / two(exponent - form.fraction_bits)
    whole = steps.numerator // steps.denominator
    return whole + ((exponent - form.least) << form.fraction_bits), steps - whole


def encode(
    number: Fraction,
    form: Format,
    *,
    negative: bool = False,
    rounding: Rounding = "nearest",
    saturate: bool = False,
) -> int:
    """The bits of a number. ``negative`` gives zero its sign; ``saturate`` makes what is too large the largest."""
    place, rest = below(number, form)
    if rounding == "nearest" and (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and place & 1)):
        place += 1
    if place > form.top:
        place = form.top if saturate or rounding == "down" else form.beyond
    return place | (form.sign_bit if number < 0 or negative else 0)


def two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def parse(text: str, name: str) -> Fraction | None:
    """A number as a reader types it: 0.1, 1e-8, 1/3. None where it is none, such as nan."""
    plain = text.strip().replace("−", "-").replace(" ", "")
    power = re.search(r"[eE]([+-]?\d+)$", plain)
    if power and abs(int(power[1])) > FARTHEST:
        raise LabError(f"{name} must lie between 1e-{FARTHEST} and 1e{FARTHEST} in size, or be 0, inf or nan.")
    try:
        return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        return None
