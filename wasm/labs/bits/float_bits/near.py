"""The numbers of a format around one that is to be stored, and what it costs to take one of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from labs.bits.float_bits import floats as f
from labs.bits.float_bits.said import said, special
from labs.contract import Sentence, say
from labs.models.decimals import briefly, exactly

SHOWN = (-1, 0, 1, 2)  # counted from the one at or below


@dataclass(frozen=True)
class Tick:
    """A number of the format near the typed one."""

    at: float
    """Its place, in steps from the one at or below the typed number."""
    value: str
    bits: str
    chosen: bool


def ticks(number: Fraction, magnitude: int, form: f.Format) -> list[Tick]:
    place = min(f.below(number, form)[0], form.top)
    start = f.magnitude_at(place, form)
    sign, minus = (-1, "−") if number < 0 else (1, "")
    found = []
    for there in (place + by for by in SHOWN):
        if 0 <= there <= form.top + 1:
            size = f.magnitude_at(there, form)
            value = special(there, form) if there > form.top else exactly(size, 17)
            at = sign * float((size - start) / f.ulp(start, form))
            found.append(Tick(at, minus + value, f"{there:0{form.width - 1}b}", there == magnitude))
    return found


def place_of(number: Fraction, form: f.Format) -> float | None:
    place, rest = f.below(number, form)
    return (-1 if number < 0 else 1) * float(rest) if place <= form.top else None


@dataclass(frozen=True)
class Stored:
    """The typed number in one of the formats."""

    name: str
    bits: int
    value: str
    relative_error: float | None
    """|stored − typed| / |typed|; None where either is not a number or zero was typed."""
    relative: str
    """The same in percent, in words."""
    error: str
    largest: str


def stored(number: Fraction | None, there: int, made: f.Format) -> Stored:
    """What became of a number in a format, by its bits there."""
    value = f.decode(there, made)
    off = None if number is None or value is None else value - number
    relative = abs(off / number) if off is not None and number else None
    return Stored(
        name=made.name,
        bits=made.width,
        value=said(there, made, 20),
        relative_error=None if relative is None else float(relative),
        relative="" if relative is None else f"{briefly(100 * relative, 2)} %",
        error="" if off is None else signed(off),
        largest=briefly(f.magnitude_at(made.top, made), 5),
    )


def signed(number: Fraction) -> str:
    return ("+" if number > 0 else "") + briefly(number, 3)


def tell_losses(formats: list[Stored]) -> Sentence:
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
