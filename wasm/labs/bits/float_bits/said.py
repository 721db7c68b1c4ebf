"""What the bits of a float are called and how they are written; what a reader may type for them."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from labs.bits.float_bits import floats as f
from labs.contract import LabError
from labs.models.decimals import exactly, shortest

Meaning = Literal["normal", "subnormal", "zero", "infinity", "NaN"]


def typed(text: str, name: str, form: f.Format) -> Fraction | int:
    """A typed number, or the bits of one: 0.1, 1e-8, 1/3, -inf, nan, 0x2E66."""
    plain = text.strip().replace("−", "-").lower()
    word = plain.lstrip("+-")
    sign = form.sign_bit if plain.startswith("-") else 0
    if word in ("inf", "infinity", "nan"):
        return sign | (form.nan if word == "nan" else form.beyond)
    if word.startswith("0x"):
        return as_bits(text, word, name, form)
    number = f.parse(text, name)
    if number is None:
        raise LabError(f"{name} must be typed as 0.1, 1e-8, 1/3, inf, nan or 0x and the bits, not {text!r}.")
    return sign if number == 0 else number


def as_bits(text: str, word: str, name: str, form: f.Format) -> int:
    try:
        bits = int(word, 16)
    except ValueError:
        bits = -1
    if not 0 <= bits < 1 << form.width:
        raise LabError(f"{name} must be 0x and at most {form.width // 4} hexadecimal digits, not {text!r}.")
    return bits


def meaning(bits: int, form: f.Format) -> Meaning:
    magnitude = bits & ~form.sign_bit
    if magnitude > form.top:
        return "NaN" if f.is_nan(bits, form) else "infinity"
    if magnitude == 0:
        return "zero"
    return "normal" if f.is_normal(bits, form) else "subnormal"


def said(bits: int, form: f.Format, digits: int = 40) -> str:
    value = f.decode(bits, form)
    if value is None:
        return special(bits, form)
    return "−0" if bits == form.sign_bit else exactly(value, digits)


def special(bits: int, form: f.Format) -> str:
    if f.is_nan(bits, form):
        return "NaN"
    return "−∞" if bits & form.sign_bit else "∞"


def as_typed(bits: int, form: f.Format) -> str:
    """The shortest text that gives these bits."""
    value = f.decode(bits, form)
    if value is None:
        return f"0x{bits:0{form.width // 4}X}"
    if value == 0:
        return "-0" if bits else "0"
    exact = float(value)
    for digits in range(1, 17):
        text = f"{exact:.{digits}g}"
        if f.encode(Fraction(text), form) == bits:
            return text
    return shortest(exact)


def neighbour(bits: int, by: Literal[-1, 1], form: f.Format) -> str:
    """The next number of the format towards −∞ or ∞."""
    if f.decode(bits, form) is None:
        return ""
    negative = bool(bits & form.sign_bit)
    magnitude = bits & ~form.sign_bit
    if magnitude == 0:
        magnitude, negative = 1, by < 0
    else:
        magnitude += -by if negative else by
    if magnitude > form.top:
        return special(magnitude | (form.sign_bit if negative else 0), form)
    return ("−" if negative and magnitude else "") + exactly(f.magnitude_at(magnitude, form), 17)
