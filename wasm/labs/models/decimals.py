"""Numbers in words: exact fractions as decimals, cut with "…" where they go on, and as binary digits."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal, Inexact, localcontext
from fractions import Fraction

from labs.contract import Sentence, say

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(base: int, exponent: int) -> Sentence:
    return say("{}{}", base, str(exponent).translate(SUPERSCRIPT))


def minus(numbers: str) -> str:
    """Numbers as a program writes them, each hyphen before one of them now a minus sign."""
    return re.sub(r"(?<![\w.])-(?=[\d.]|inf)", "−", numbers)


def exactly(number: Fraction, digits: int = 40) -> str:
    """All digits of a number, or the first ones and "…"."""
    return _say(number, digits, ROUND_DOWN, "…")


def briefly(number: Fraction, digits: int = 4) -> str:
    """A number rounded to a few digits."""
    return _say(number, digits, ROUND_HALF_EVEN, "")


def _say(number: Fraction, digits: int, rounding: str, more: str) -> str:
    with localcontext() as context:
        context.prec, context.rounding = digits, rounding
        context.clear_flags()
        value = Decimal(number.numerator) / Decimal(number.denominator)
        tail = more if context.flags[Inexact] else ""
        value = value.normalize()
    if value == 0:
        return "0"
    if -6 <= value.adjusted() < 16:
        return f"{value:f}{tail}".replace("-", "−")
    whole = value.scaleb(-value.adjusted())
    return f"{whole:f}{tail} × {power(10, value.adjusted())}".replace("-", "−")


def binary(number: Fraction, digits: int = 24) -> str:
    """The size of a number in binary, its digits after the first one limited."""
    number = abs(number)
    whole, rest = divmod(number, 1)
    made, found = f"{whole:b}", len(f"{whole:b}") if whole else 0
    if rest:
        made += "."
    while rest and found < digits:
        bit, rest = divmod(rest * 2, 1)
        made += str(bit)
        found += bool(found or bit)
        if len(made) > 3 * digits:
            break  # nothing but zeros for a long time
    return made + ("…" if rest else "")


def shortest(number: float) -> str:
    """The shortest decimal that reads back as this double, as a reader would type it."""
    return repr(number).removesuffix(".0")
