"""The numbers of a format around one that is to be stored, and what it costs to take one of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from labs.bits.float_bits import floats as f
from labs.bits.float_bits.said import said, special
from labs.models.decimals import briefly, exactly, power

SHOWN = (-1, 0, 1, 2)  # counted from the one at or below
NARROW = 5  # windows below the highest that is shown
Sort = Literal["subnormal", "normal", "reserved"]


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


def place_of(number: Fraction, form: f.Format, beside: Fraction | None = None) -> float | None:
    """Where a number lies among its ticks, or among those of another one ``beside`` it."""
    near = number if beside is None else beside
    place, _ = f.below(near, form)
    if place > form.top or number * near < 0:
        return None
    start = f.magnitude_at(place, form)
    return (-1 if near < 0 else 1) * float((abs(number) - start) / f.ulp(start, form))


@dataclass(frozen=True)
class Window:
    """The numbers that share an exponent field, on a line where 0 and 1 are the ends of the number's own window."""

    field: int
    at: float
    to: float
    name: str
    """The power of two at its lower end."""
    sort: Sort


def windows(unit: Fraction, low: Fraction, form: f.Format) -> list[Window]:
    """Those between zero and four units; the smallest are too narrow to be told apart."""
    exponent = unit.numerator.bit_length() - unit.denominator.bit_length()
    last = (form.top >> form.fraction_bits) + 1

    def window(field: int) -> Window:
        at = f.two(field - form.bias) if field else Fraction(0)
        to = 4 * unit if field == last else f.two(field + 1 - form.bias)
        sort: Sort = "reserved" if field == last else "normal" if field else "subnormal"
        name = power(2, field - form.bias) if field else "0"
        return Window(field, float((at - low) / unit), float((to - low) / unit), name, sort)

    highest = exponent + form.bias + 1
    return [window(field) for field in range(max(0, highest - NARROW), min(highest, last) + 1)]


@dataclass(frozen=True)
class Stored:
    """The typed number in one of the formats."""

    name: str
    bits: int
    exponent_bits: int
    pattern: str
    """The bits, the top one first."""
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
        exponent_bits=made.exponent_bits,
        pattern=f"{there:0{made.width}b}",
        value=said(there, made, 20),
        relative_error=None if relative is None else float(relative),
        relative="" if relative is None else f"{briefly(100 * relative, 2)} %",
        error="" if off is None else signed(off),
        largest=briefly(f.magnitude_at(made.top, made), 5),
    )


def signed(number: Fraction) -> str:
    return ("+" if number > 0 else "") + briefly(number, 3)
