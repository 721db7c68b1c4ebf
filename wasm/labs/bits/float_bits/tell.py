"""What the first pictures show, in one sentence each."""

from __future__ import annotations

from fractions import Fraction

from labs.bits.float_bits import floats as f
from labs.bits.float_bits.near import Stored
from labs.bits.float_bits.said import Meaning
from labs.contract import Sentence, say
from labs.models.decimals import binary, briefly, power


def exact(number: Fraction | None, typed: str, form: f.Format) -> Sentence:
    if number is None:
        own = "an exponent field" if form.infinity else "a bit pattern"
        return say("{} is not a number on the line: {} of its own stands for it.", typed, own)
    if number.denominator & (number.denominator - 1):
        return say("{} has no end in binary: it begins {}", typed, binary(number))
    return say("{} is a sum of powers of two, in binary {}.", typed, binary(number))


def exponent(number: Fraction, form: f.Format) -> Sentence:
    if number == 0:
        return say("Zero has no power of two below it: its exponent field is 0, and so is its fraction.")
    at = f.exponent_of(number, form)
    if abs(number) < f.two(form.least):
        return say("It is smaller than {}, the least normal number: the exponent field is 0.", power(2, form.least))
    return say(
        "The power of two below it is {}, stored as {} + {} = {}.",
        power(2, at),
        str(at).replace("-", "−"),
        form.bias,
        at + form.bias,
    )


def fraction(number: Fraction, ulp: str, form: f.Format) -> Sentence:
    rest, count = f.below(number, form)[1], 1 << form.fraction_bits
    if rest == 0:
        return say("It is one of the {:,} numbers of its interval, {} apart, and needs no rounding.", count, ulp)
    return say(
        "Up to the next power of two there are {:,} numbers, {} apart; "
        "it lies {} of a step above the one below it.",
        count,
        briefly(f.ulp(number, form), 4),
        briefly(rest, 3),
    )


def reserved(field: int, finite: bool, form: f.Format) -> Sentence:
    """Instead of the exponent, where what was typed has none."""
    if finite:
        return say("It is too large: the field is the largest that stands for a power of two, {}.", field)
    if not form.infinity:
        return say("Exponent and fraction are all ones: this one pattern stands for no number.")
    return say("The exponent field is all ones, {}: it stands for no power of two.", field)


def special(means: Meaning, form: f.Format) -> Sentence:
    """And instead of the fraction."""
    if means not in ("infinity", "NaN") or not form.infinity:
        return say("The largest number of the format is {}.", briefly(f.magnitude_at(form.top, form), 6))
    zero = "all zeros" if means == "infinity" else "not all zeros"
    return say("The fraction is {}: together they mean {}.", zero, means)


def losses(formats: list[Stored]) -> Sentence:
    """In which formats a number is exact, where it is furthest off, and which hold nothing near it."""
    exact = ", ".join(each.name for each in formats if each.error == "0")
    lost = [each.name for each in formats if each.value in ("NaN", "∞", "−∞")]
    errors = {each.relative_error: each.name for each in reversed(formats) if each.relative_error}
    told = say("Of the six formats it is exact in {}", exact or "none")
    if lost:
        told = say("{}; {} {} no number near it", told, " and ".join(lost), "has" if len(lost) == 1 else "have")
    if errors:
        worst = max(errors)
        share = "100" if worst > 0.99 else f"{100 * worst:.2g}"
        if lost:
            told = say("{}; the largest error of the others, {} %, is that of {}", told, share, errors[worst])
        else:
            told = say("{}; the largest error, {} %, is that of {}", told, share, errors[worst])
    return say("{}.", told)
