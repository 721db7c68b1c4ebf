"""Float bits: a number as sign, exponent and fraction in six formats, from 64 bits to 8.

A decimal is typed, or a bit is flipped. The pictures show the number exactly; the power of two below it, which the
exponent field holds; the two representable numbers beside it; the one it is rounded to and the error; the stored
value as a sum of powers of two; its neighbours; the same number in all formats; and a sum that is rounded again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal

from labs.bits.float_bits import floats as f
from labs.bits.float_bits import tell
from labs.bits.float_bits.near import Stored, Tick, Window, place_of, signed, stored, ticks, windows
from labs.bits.float_bits.said import Meaning, as_typed, meaning, neighbour, said, special, typed
from labs.contract import Axes, Event, Label, Sentence, Text, say
from labs.models.decimals import binary, briefly, exactly, power

POSTER = 4


@dataclass(frozen=True)
class Params:
    number: Annotated[
        str, Text(most=40), Label("Number", help="0.1, 1e-8, 1/3, inf, nan, or the bits, such as 0x2E66.")
    ] = "0.1"
    other: Annotated[str, Text(most=40), Label("Plus", help="Added in the last step.")] = "0.2"
    format: Annotated[Literal["fp64", "fp32", "fp16", "bf16", "fp8_e4m3", "fp8_e5m2"], Label("Format")] = "fp16"
    saturate: Annotated[
        bool, Label("Saturate", help="Overflow gives the largest number, not infinity (in e4m3, not NaN).")
    ] = False
    cut: Annotated[
        bool, Label("Cut instead of rounding", group="Mistakes", help="Drops the bits that do not fit.")
    ] = False
    twice: Annotated[bool, Label("Round twice", group="Mistakes", help="First to fp32, then to the format.")] = (
        False
    )
    no_hidden_one: Annotated[
        bool, Label("Forget the hidden 1", group="Mistakes", help="Reads the fraction without the 1 before it.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All that is known is in every picture; ``stage`` says how far the story has come."""

    kind: Literal["picture"] = "picture"
    stage: Literal["exact", "exponent", "fraction", "round", "value", "neighbours", "formats", "sum"]
    width: int
    exponent_bits: int
    fraction_bits: int
    bias: int
    bits: str
    """Sign, exponent, fraction; the top bit first."""
    hex: str
    flipped: list[str]
    """[width] what to type for the number with one bit turned over, top bit first."""
    means: Meaning
    typed: str
    """The typed number, exact."""
    binary: str
    """The size of the typed number in binary."""
    stored: str
    """The number that the bits stand for, to 40 digits."""
    error: str
    """stored − typed; empty where there is none."""
    exponent: int | None
    """The power of two that the fraction is multiplied by."""
    field: int
    """The exponent field."""
    ticks: list[Tick]
    typed_at: float | None
    """The place of the typed number among the ticks; None where it lies beyond them."""
    windows: list[Window]
    """Exponents around that of the number, the smallest numbers first."""
    zero: float
    """The place of zero on that line."""
    along: float | None
    """The place of the typed number on it."""
    apex: float
    """The place on it of the tick at 0."""
    step: float
    """How far apart ticks are on it."""
    low: str
    """Ends of the line on which the powers of two are added up."""
    high: str
    jumps: list[float]
    """Where the sum stands after each bit of the fraction that is 1; 0 and 1 are the ends of the line."""
    parts: list[str]
    """The powers of two that the jumps add."""
    reached: int = 0
    """How many jumps are made."""
    ulp: str
    """Unit in the last place: how far apart numbers are here."""
    before: str
    """The next number of the format below."""
    after: str
    formats: Annotated[list[Stored], Axes(format="formats.name")]
    sum: str | None
    """What adding the two stored numbers gives, rounded."""
    sum_exact: str | None
    """The same before rounding."""
    wanted: str | None
    """What the exact sum of the typed numbers would be stored as."""
    sum_right: bool | None
    other: str | None
    """The number that is added, as it is stored."""
    terms: list[float]
    """Where the first stored number ends, and where both together do, as shares of the longest of them."""
    sum_ticks: list[Tick]
    """The numbers of the format around the sum; the one that it is rounded to is chosen."""
    sum_at: float | None
    """The place of the exact sum among these ticks; None where it lies beyond them."""
    wanted_at: float | None
    """The place of the sum of the typed numbers among them."""
    wanted_bits: str
    """What that is stored as, without the sign."""


def run(params: Params) -> Iterator[Picture]:
    form = f.FORMATS[params.format]
    number, bits = take(params.number, "The number", params)
    value = read(bits, params)
    shown = picture(params, number, bits, value)
    yield replace(shown, text=tell.exact(number, shown.typed, form))
    if number is not None and value is not None:
        yield replace(shown, stage="exponent", text=tell.exponent(number, form))
        yield replace(shown, stage="fraction", text=tell.fraction(number, shown.ulp, form))
    else:
        yield replace(shown, stage="exponent", text=tell.reserved(shown.field, value is not None, form))
        yield replace(shown, stage="fraction", text=tell.special(shown.means, form))
    yield replace(shown, stage="round", text=tell_round(shown, params, number))
    if value is not None:
        yield from add_up(shown, value)
        shown = replace(shown, reached=len(shown.jumps))
        apart = say("; just above it in magnitude, numbers lie {} apart, one unit in the last place", shown.ulp)
        yield replace(
            shown, stage="neighbours", text=say("Its neighbours are {} and {}{}.", shown.before, shown.after, apart)
        )
    yield replace(shown, stage="formats", text=tell_formats(shown, number))
    if shown.sum is not None:
        yield replace(shown, stage="sum", text=tell_sum(shown))


def picture(params: Params, number: Fraction | None, bits: int, value: Fraction | None) -> Picture:
    form = f.FORMATS[params.format]
    magnitude = bits & ~form.sign_bit
    field, fraction = magnitude >> form.fraction_bits, magnitude & ((1 << form.fraction_bits) - 1)
    exponent = max(field, 1) - form.bias if value is not None else None
    base = f.two(exponent) if exponent is not None else Fraction(0)
    low = base if field > 0 and not params.no_hidden_one else Fraction(0)
    minus = "−" if bits & form.sign_bit else ""
    ones = [i for i in range(1, form.fraction_bits + 1) if fraction >> (form.fraction_bits - i) & 1]
    ones = ones if exponent is not None else []
    near = ticks(number, magnitude, form) if number is not None else []
    unit = base or f.two((form.top >> form.fraction_bits) - form.bias)
    start = f.magnitude_at(min(f.below(number, form)[0], form.top), form) if number is not None else low
    return Picture(
        stage="exact",
        text=say(""),
        width=form.width,
        exponent_bits=form.exponent_bits,
        fraction_bits=form.fraction_bits,
        bias=form.bias,
        bits=f"{bits:0{form.width}b}",
        hex=f"{bits:0{form.width // 4}X}",
        flipped=[as_typed(bits ^ 1 << place, form) for place in reversed(range(form.width))],
        means=meaning(bits, form),
        typed=special(bits, form) if number is None else exactly(number),
        binary="" if number is None else binary(number),
        stored=said(bits, form) if value == f.decode(bits, form) else exactly(value or Fraction(0)),
        error="" if number is None or value is None else signed(value - number),
        exponent=exponent,
        field=field,
        ticks=near,
        typed_at=place_of(number, form) if number is not None else None,
        windows=windows(unit, low, form),
        zero=float(-low / unit),
        along=None if number is None else float((abs(number) - low) / unit),
        apex=float((start - low) / unit),
        step=float(f.ulp(start, form) / unit),
        low=minus + briefly(low, 6),
        high=minus + briefly(low + base, 6),
        jumps=[float(sum(Fraction(1, 1 << one) for one in ones[: i + 1])) for i in range(len(ones))],
        parts=[power(2, (exponent or 0) - one) for one in ones],
        ulp="" if value is None else briefly(f.ulp(f.magnitude_at(magnitude, form), form), 4),
        before=neighbour(bits, -1, form),
        after=neighbour(bits, 1, form),
        formats=[stored(number, there(number, bits, params, made), made) for made in f.FORMATS.values()],
        **sum_of(number, bits, params),
    )


def take(text: str, name: str, params: Params) -> tuple[Fraction | None, int]:
    """A typed number, None where it is infinite or none, and its bits."""
    form = f.FORMATS[params.format]
    given = typed(text, name, form)
    if isinstance(given, Fraction):
        return given, encode(given, form, params)
    if params.saturate and meaning(given, form) == "infinity":
        given = given & form.sign_bit | form.top
        return None, given
    return f.decode(given, form), given


def encode(number: Fraction, form: f.Format, params: Params, negative: bool = False) -> int:
    """The bits of a number; the two mistakes in rounding are here. ``negative`` is the sign of zero."""
    negative = number < 0 or (negative and number == 0)
    if params.twice and form.width < 32:
        first = f.decode(f.encode(number, f.FP32), f.FP32)
        number = first if first is not None else number  # too large for fp32 is too large for what is smaller
    rounding: f.Rounding = "down" if params.cut else "nearest"
    return f.encode(number, form, negative=negative, rounding=rounding, saturate=params.saturate)


def read(bits: int, params: Params) -> Fraction | None:
    """The number that the bits stand for; mistaken, without the 1 before the fraction of a normal number."""
    form = f.FORMATS[params.format]
    value = f.decode(bits, form)
    if value is None or not params.no_hidden_one or not f.is_normal(bits, form):
        return value
    one = f.two(f.exponent_of(value, form))
    return value + one if value < 0 else value - one


def there(number: Fraction | None, bits: int, params: Params, made: f.Format) -> int:
    """The number's bits in another format; what is not a number becomes its like."""
    own = f.FORMATS[params.format]
    if number is not None:
        return encode(number, made, params, negative=bool(bits & own.sign_bit))
    like = made.nan if f.is_nan(bits, own) else made.top if params.saturate else made.beyond
    return like | (made.sign_bit if bits & own.sign_bit else 0)


def sum_of(number: Fraction | None, bits: int, params: Params) -> dict[str, Any]:
    """The rounded sum of the two stored numbers, the exact one, and what the sum of the typed ones is stored as."""
    form = f.FORMATS[params.format]
    added, other = take(params.other, "The number to add", params)
    a, b = f.decode(bits, form), f.decode(other, form)
    if a is None or b is None or number is None or added is None:
        unknown = dict.fromkeys(("sum", "sum_exact", "wanted", "sum_right", "other", "sum_at", "wanted_at"), None)
        return {**unknown, "wanted_bits": "", "terms": [], "sum_ticks": []}
    below = bool(bits & other & form.sign_bit)  # two zeros below zero add up to a third, and nothing else does
    made = encode(a + b, form, params, negative=below and a == b == 0)
    wanted = encode(number + added, form, params, negative=below and number == added == 0)
    longest = max(abs(a), abs(b), abs(a + b)) or Fraction(1)
    return {
        "sum": said(made, form, 24),
        "sum_exact": exactly(a + b, 24),
        "wanted": said(wanted, form, 24),
        "sum_right": made == wanted,
        "other": said(other, form, 24),
        "terms": [float(a / longest), float((a + b) / longest)],
        "sum_ticks": ticks(a + b, made & ~form.sign_bit, form),
        "sum_at": place_of(a + b, form),
        "wanted_at": place_of(number + added, form, beside=a + b),
        "wanted_bits": f"{wanted & ~form.sign_bit:0{form.width - 1}b}",
    }


def add_up(shown: Picture, value: Fraction) -> Iterator[Picture]:
    """The stored number as a sum: each bit of the fraction goes half as far as the bit before it would."""
    base = f.two(shown.exponent or 0)
    start = abs(value) - base * (Fraction(shown.jumps[-1]) if shown.jumps else 0)
    why = say("the hidden 1 times {}", power(2, shown.exponent or 0)) if start else "as there is no hidden 1"
    yield replace(shown, stage="value", text=say("Read back, the sum starts with {}, {}.", briefly(start, 6), why))
    for i, (jump, part) in enumerate(zip(shown.jumps, shown.parts, strict=True), 1):
        reached = exactly(start + base * Fraction(jump), 24)
        yield replace(
            shown, stage="value", reached=i, text=say("The fraction adds {}, which makes {}.", part, reached)
        )


def tell_round(shown: Picture, params: Params, number: Fraction | None) -> Sentence:
    if number is None or shown.means in ("infinity", "NaN"):
        return say("The bits are 0x{}, which mean {}.", shown.hex, shown.stored)
    if shown.error == "0":
        return say("It is stored exactly, as 0x{}.", shown.hex)
    how = "Cut off" if params.cut else "Rounded to the nearest"
    return say("{}, it is 0x{}, which stands for {}: the error is {}.", how, shown.hex, shown.stored, shown.error)


def tell_formats(shown: Picture, number: Fraction | None) -> Sentence:
    if number is None:
        return say(
            "What {} becomes in the six formats: {}.", shown.typed, ", ".join(each.value for each in shown.formats)
        )
    return tell.losses(shown.formats)


def tell_sum(shown: Picture) -> Sentence:
    right = "which is" if shown.sum_right else "not"
    added = say("The stored numbers add up to {}, rounded {}", shown.sum_exact, shown.sum)
    return say("{}, {} {}, the value stored for the typed sum.", added, right, shown.wanted)
