"""Integer bits: one pattern of bits, two numbers that it can mean, and the operations that care which.

A whole number is stored in 8 to 64 bits. The pictures weigh its bits, negate it (invert, add one), check that a
number and its negative make zero, put its bytes at addresses in both orders, widen and narrow it, add a second
number bit by bit with the carry and the two flags, and run every operation twice, with a sign and without one.
Numbers travel as text: 64 bits are more than a JSON number holds exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from labs.bits.integer_bits import integers as n
from labs.bits.integer_bits.integers import numeral, weight
from labs.bits.integer_bits.rows import Row, row, written
from labs.contract import Event, Label, Sentence, Text, joined, say

ADDRESS = 0x1000
POSTER = 2  # both readings go their own way round the wheel to the same place


@dataclass(frozen=True)
class Params:
    number: Annotated[
        str, Text(most=40), Label("Number a", help="A whole number: -132, 0xFF7C or 0b1010. Or flip its bits.")
    ] = "-132"
    other: Annotated[str, Text(most=40), Label("Number b", help="The second operand.")] = "7"
    width: Annotated[Literal[8, 16, 32, 64], Label("Width", unit="bits")] = 16
    reading: Annotated[
        Literal["signed", "unsigned"],
        Label("Read as", help="The bits are the same; the top one weighs −2ⁿ⁻¹ or 2ⁿ⁻¹."),
    ] = "signed"
    one_byte: Annotated[
        bool, Label("One byte will do", group="Mistakes", help="Stores the low eight bits only, whatever a needs.")
    ] = False
    sign_only: Annotated[
        bool, Label("Negate by the sign bit", group="Mistakes", help="Flips the top bit and nothing else.")
    ] = False
    forget_one: Annotated[
        bool, Label("Invert, without adding one", group="Mistakes", help="Half of the recipe for −a.")
    ] = False
    zeros_in_front: Annotated[
        bool, Label("Widen with zeros", group="Mistakes", help="Puts zeros in front of a number that has a sign.")
    ] = False
    one_circuit: Annotated[
        bool,
        Label("One circuit for all", group="Mistakes", help="Signed operands, unsigned operation: “same bits”."),
    ] = False


@dataclass(frozen=True)
class Outcome:
    """One operation, with a sign and without one. Bits in hexadecimal; None where C defines no result."""

    name: str
    signed: str | None
    unsigned: str | None
    signed_bits: str | None
    unsigned_bits: str | None
    same: bool
    """Whether both give the same bits, for these operands."""
    always: bool
    """Whether they do for all operands."""
    wrong: bool
    """Whether the signed result is mistaken."""
    why: str


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All numbers are in every picture; ``stage`` says how far the story has come, ``rows`` what is worked out."""

    kind: Literal["picture"] = "picture"
    stage: Literal[
        "number", "weights", "invert", "negate", "check", "bytes", "resize", "add", "flags", "operations"
    ]
    width: int
    bits: str
    """The pattern of a, top bit first."""
    hex: str
    asked: str
    """a as it was typed."""
    needs: int | None
    """Bits that a needs; None for a negative number without a sign."""
    fits: bool
    as_signed: str
    as_unsigned: str
    low: str
    """The least number that the width can hold in this reading."""
    high: str
    flipped: list[str]
    """[width] the number that a becomes when a bit is turned over, top bit first."""
    at: int | None = None
    """The bit that is being added, counted from the right."""
    rows: list[Row]
    little: list[str]
    """[width / 8] the bytes from the lowest address up, least significant first."""
    big: list[str]
    """[width / 8] the same, most significant first."""
    address: int = ADDRESS
    wider: str
    """a at twice the width, in hexadecimal, extended as it is read."""
    wider_value: str
    narrower: str
    narrower_value: str
    carry: bool
    """The carry out of the top bit of a + b: without a sign, the sum did not fit."""
    overflow: bool
    """The carries into and out of the top bit of a + b differ: with a sign, the sum did not fit."""
    table: list[Outcome]
    same: int
    """Operations of the table that give the same bits signed and unsigned."""


def run(params: Params) -> Iterator[Picture]:
    width, sign = params.width, params.reading == "signed"
    asked, second = n.parse(params.number, "Number a"), n.parse(params.other, "Number b")
    a, b = stored(asked, params), n.cut(second, width)
    low, high = n.ends(width, sign)
    value = n.read(a, width, sign)
    carry = n.carries(a, b)
    table = [outcome(operation, a, b, params) for operation in n.OPERATIONS]
    wider = n.cut(a if params.zeros_in_front else value, 2 * width)
    narrower = n.cut(a, width // 2)
    pattern = n.hexadecimal(a, width)
    shown = Picture(
        stage="number",
        text=say(""),
        width=width,
        bits=n.binary(a, width),
        hex=pattern,
        asked=numeral(asked),
        needs=n.needed(asked, sign),
        fits=low <= asked <= high,
        as_signed=numeral(n.signed(a, width)),
        as_unsigned=numeral(a),
        low=numeral(low),
        high=numeral(high),
        flipped=[str(n.read(a ^ 1 << place, width, sign)) for place in reversed(range(width))],
        rows=[],
        little=[f"{byte:02X}" for byte in a.to_bytes(width // 8, "little")],
        big=[f"{byte:02X}" for byte in a.to_bytes(width // 8, "big")],
        wider=n.hexadecimal(wider, 2 * width),
        wider_value=numeral(n.read(wider, 2 * width, sign)),
        narrower=n.hexadecimal(narrower, width // 2),
        narrower_value=numeral(n.read(narrower, width // 2, sign)),
        carry=bool(carry >> width),
        overflow=bool((carry >> width ^ carry >> (width - 1)) & 1),
        table=table,
        same=sum(each.same for each in table),
    )
    yield replace(shown, text=tell_number(shown, params, asked, value))
    yield replace(shown, stage="weights", text=tell_weights(a, width, sign, value))
    for negated in negate(shown, a, params):
        yield negated
    shown = replace(shown, rows=negated.rows)
    order = say("{}, big-endian {}", " ".join(shown.little), " ".join(shown.big))
    alike = "; one byte has no order" if width == 8 else ""
    yield replace(
        shown,
        stage="bytes",
        text=say("From address 0x{:X} up, little-endian memory holds {}{}.", ADDRESS, order, alike),
    )
    yield replace(shown, stage="resize", text=tell_resize(shown, params, value))
    for added in add(shown, a, b):
        yield added
    yield replace(added, stage="operations", text=tell_operations(shown, params))


def stored(asked: int, params: Params) -> int:
    """The pattern of a; the mistaken one went through a single byte and was then loaded as it is read."""
    if not params.one_byte:
        return n.cut(asked, params.width)
    return n.cut(n.read(n.cut(asked, 8), 8, params.reading == "signed"), params.width)


def negate(shown: Picture, a: int, params: Params) -> Iterator[Picture]:
    """Invert, add one, and check that a number and its negative make zero."""
    width = shown.width
    inverted = n.cut(~a, width)
    if params.sign_only:
        negative, how = a ^ 1 << (width - 1), "With only its top bit flipped"
    elif params.forget_one:
        negative, how = inverted, "Inverted, but not increased by one"
    else:
        negative, how = n.cut(inverted + 1, width), "Inverted and increased by one"
    first, second = row("a", a, width), row("~a", inverted, width)
    result = row("−a", negative, width)
    yield replace(
        shown,
        stage="invert",
        rows=[first, second],
        text=say("With every bit flipped, ~a reads {}, which is −1 − a.", numeral(n.signed(inverted, width))),
    )
    least = " (the lowest number is its own negative)" if negative == a == 1 << (width - 1) else ""
    yield replace(
        shown,
        stage="negate",
        rows=[first, second, result],
        text=say("{}, a becomes {}, which with a sign reads {}{}.", how, result.bits, result.value, least),
    )
    total = n.cut(a + negative, width)
    wrong = "" if total == 0 else ", not zero, so this is not −a"
    yield replace(
        shown,
        stage="check",
        rows=[first, result, row("carry", n.cut(n.carries(a, negative), width), width), row("sum", total, width)],
        text=say("Added in {} bits, a and its negative make {}{}.", width, numeral(n.signed(total, width)), wrong),
    )


def add(shown: Picture, a: int, b: int) -> Iterator[Picture]:
    """a + b as an adder does it, from the right; then what the two flags say of the sum."""
    width, total = shown.width, a + b
    rows: list[Row] = []
    for place, rows, text in written(a, b, width):
        yield replace(shown, stage="add", at=place, rows=rows, text=text)
    result = row("sum", n.cut(total, width), width)
    sums = (
        f"{shown.as_signed} + {numeral(n.signed(b, width))} {equals(shown.overflow)} {result.value} with a sign",
        f"{numeral(a)} + {numeral(b)} {equals(shown.carry)} {numeral(n.cut(total, width))} without",
    )
    states = (("overflow", shown.overflow), ("carry", shown.carry))
    flags = (f"{name} is {'set' if flag else 'clear'}" for name, flag in states)
    told = joined(", and ", (say("{}: {}", flag, each) for flag, each in zip(flags, sums, strict=True)))
    rows = [*rows[:2], row("carry", n.cut(n.carries(a, b), width), width), result]
    yield replace(shown, stage="flags", rows=rows, text=say("For this sum, {}.", told))


def outcome(operation: n.Operation, a: int, b: int, params: Params) -> Outcome:
    """One operation on both readings. The mistaken signed one is the unsigned circuit, read with a sign."""
    width, bits = params.width, operation.bits(params.width)
    right = operation.pattern(n.signed(a, width), n.signed(b, width), width)
    without = operation.pattern(a, b, width)
    used = without if params.one_circuit else right
    return Outcome(
        name=operation.name,
        signed=None if used is None else numeral(used if bits == 1 else n.signed(used, bits)),
        unsigned=None if without is None else numeral(without),
        signed_bits=None if used is None else n.hexadecimal(used, max(4, bits)),
        unsigned_bits=None if without is None else n.hexadecimal(without, max(4, bits)),
        same=right is not None and right == without,
        always=operation.always,
        wrong=used != right,
        why=operation.why,
    )


def equals(wrapped: bool) -> str:
    return "≠" if wrapped else "="


def count(number: int, one: str, more: str) -> Sentence:
    return say("{} {}", number, one if number == 1 else more)


def tell_number(shown: Picture, params: Params, asked: int, value: int) -> Sentence:
    kind = "with a sign" if params.reading == "signed" else "without a sign"
    typed, read = numeral(asked), numeral(value)
    if value == asked:
        bits = count(shown.needs or 0, "bit", "bits")
        return say("{} needs {} {} and is stored in {}: 0x{}.", typed, bits, kind, shown.width, shown.hex)
    if shown.needs is None:
        among = say("has no place among {} to {}", shown.low, shown.high)
        return say("{} {}: its low {} bits read {}.", typed, among, shown.width, read)
    kept = 8 if params.one_byte else shown.width
    return say("{} needs {} bits {}: the {} that are kept read {}.", typed, shown.needs, kind, kept, read)


def tell_weights(a: int, width: int, sign: bool, value: int) -> Sentence:
    ones = [place for place in reversed(range(width)) if a >> place & 1]
    if not ones:
        return say("No bit is set, and nothing is added up: the number is 0.")
    terms = [weight(place, width, sign) for place in ones]
    listed = " + ".join(terms) if len(terms) <= 8 else " + ".join([*terms[:3], "…", *terms[-3:]])
    return say("The weights of the ones add up to the number: {} = {}.", listed, numeral(value))


def tell_resize(shown: Picture, params: Params, value: int) -> Sentence:
    copied = "zeros" if params.reading == "unsigned" or params.zeros_in_front else "copies of the top bit"
    wide = say("{} in front make 0x{} = {}", copied, shown.wider, shown.wider_value)
    lost = "the same number" if shown.narrower_value == numeral(value) else "another number"
    half = say("in {} bits 0x{} = {} is left, {}", shown.width // 2, shown.narrower, shown.narrower_value, lost)
    return say("In {} bits {}; {}.", 2 * shown.width, wide, half)


def tell_operations(shown: Picture, params: Params) -> Sentence:
    wrong = sum(each.wrong for each in shown.table)
    alike = say(
        "Of {} operations {} give the same bits with and without a sign for this pair", len(shown.table), shown.same
    )
    if not params.one_circuit:
        return say("{}, {} for every pair.", alike, sum(each.always for each in shown.table))
    return say("{}; with one circuit, {} wrong.", alike, count(wrong, "signed result is", "signed results are"))
