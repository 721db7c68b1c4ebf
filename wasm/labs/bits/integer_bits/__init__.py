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
from labs.bits.integer_bits.integers import say, weight
from labs.bits.integer_bits.rows import Row, row, written
from labs.contract import Event, Label, Text

ADDRESS = 0x1000


@dataclass(frozen=True)
class Params:
    number: Annotated[
        str, Text(most=40), Label("Number a", help="Whole: -132, 0xFF7C or 0b1010. Or flip its bits.")
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
        bool, Label("Negate by the sign bit", group="Mistakes", help="Turns over the top bit and nothing else.")
    ] = False
    forget_one: Annotated[
        bool, Label("Invert, without adding one", group="Mistakes", help="Half of the recipe for −a.")
    ] = False
    zeros_in_front: Annotated[
        bool, Label("Widen with zeros", group="Mistakes", help="Zeros in front of a number that has a sign.")
    ] = False
    one_circuit: Annotated[
        bool,
        Label(
            "One circuit for all", group="Mistakes", help="Signed results by the unsigned operation: “same bits”."
        ),
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
        text="",
        width=width,
        bits=n.binary(a, width),
        hex=pattern,
        asked=say(asked),
        needs=n.needed(asked, sign),
        fits=low <= asked <= high,
        as_signed=say(n.signed(a, width)),
        as_unsigned=say(a),
        low=say(low),
        high=say(high),
        flipped=[str(n.read(a ^ 1 << place, width, sign)) for place in reversed(range(width))],
        rows=[],
        little=[f"{byte:02X}" for byte in a.to_bytes(width // 8, "little")],
        big=[f"{byte:02X}" for byte in a.to_bytes(width // 8, "big")],
        wider=n.hexadecimal(wider, 2 * width),
        wider_value=say(n.read(wider, 2 * width, sign)),
        narrower=n.hexadecimal(narrower, width // 2),
        narrower_value=say(n.read(narrower, width // 2, sign)),
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
    order = f"{' '.join(shown.little)}, big-endian {' '.join(shown.big)}"
    alike = "; one byte has no order" if width == 8 else ""
    yield replace(
        shown,
        stage="bytes",
        text=f"From address 0x{ADDRESS:X} up, little-endian memory holds {order}{alike}.",
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
        negative, how = a ^ 1 << (width - 1), "With only its top bit turned over"
    elif params.forget_one:
        negative, how = inverted, "Inverted, and no more"
    else:
        negative, how = n.cut(inverted + 1, width), "Inverted and one more"
    first, second = row("a", a, width), row("~a", inverted, width)
    result = row("−a", negative, width)
    yield replace(
        shown,
        stage="invert",
        rows=[first, second],
        text=f"Every bit turned over, ~a reads {say(n.signed(inverted, width))}, which is −1 − a.",
    )
    least = " (the lowest number is its own negative)" if negative == a == 1 << (width - 1) else ""
    yield replace(
        shown,
        stage="negate",
        rows=[first, second, result],
        text=f"{how}, a becomes {result.bits}, read with a sign {result.value}{least}.",
    )
    total = n.cut(a + negative, width)
    wrong = "" if total == 0 else ", not zero, so this is not −a"
    yield replace(
        shown,
        stage="check",
        rows=[first, result, row("carry", n.cut(n.carries(a, negative), width), width), row("sum", total, width)],
        text=f"Added in {width} bits, a and its negative make {say(n.signed(total, width))}{wrong}.",
    )


def add(shown: Picture, a: int, b: int) -> Iterator[Picture]:
    """a + b as an adder does it, from the right; then what the two flags say of the sum."""
    width, total = shown.width, a + b
    rows: list[Row] = []
    for place, rows, text in written(a, b, width):
        yield replace(shown, stage="add", at=place, rows=rows, text=text)
    result = row("sum", n.cut(total, width), width)
    sums = (
        f"{shown.as_signed} + {say(n.signed(b, width))} {equals(shown.overflow)} {result.value} with a sign",
        f"{say(a)} + {say(b)} {equals(shown.carry)} {say(n.cut(total, width))} without",
    )
    states = (("overflow", shown.overflow), ("carry", shown.carry))
    flags = (f"{name} is {'set' if flag else 'clear'}" for name, flag in states)
    told = ", and ".join(f"{flag}: {each}" for flag, each in zip(flags, sums, strict=True))
    rows = [*rows[:2], row("carry", n.cut(n.carries(a, b), width), width), result]
    yield replace(shown, stage="flags", rows=rows, text=f"For one sum {told}.")


def outcome(operation: n.Operation, a: int, b: int, params: Params) -> Outcome:
    """One operation on both readings. The mistaken signed one is the unsigned circuit, read with a sign."""
    width, bits = params.width, operation.bits(params.width)
    right = operation.pattern(n.signed(a, width), n.signed(b, width), width)
    without = operation.pattern(a, b, width)
    used = without if params.one_circuit else right
    return Outcome(
        name=operation.name,
        signed=None if used is None else say(used if bits == 1 else n.signed(used, bits)),
        unsigned=None if without is None else say(without),
        signed_bits=None if used is None else n.hexadecimal(used, max(4, bits)),
        unsigned_bits=None if without is None else n.hexadecimal(without, max(4, bits)),
        same=right is not None and right == without,
        always=operation.always,
        wrong=used != right,
        why=operation.why,
    )


def equals(wrapped: bool) -> str:
    return "≠" if wrapped else "="


def count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def tell_number(shown: Picture, params: Params, asked: int, value: int) -> str:
    kind = "with a sign" if params.reading == "signed" else "without a sign"
    if value == asked:
        bits = count(shown.needs or 0, "bit", "bits")
        return f"{say(asked)} needs {bits} {kind} and is stored in {shown.width}: 0x{shown.hex}."
    if shown.needs is None:
        among = f"has no place among {shown.low} to {shown.high}"
        return f"{say(asked)} {among}: its low {shown.width} bits read {say(value)}."
    kept = 8 if params.one_byte else shown.width
    return f"{say(asked)} needs {shown.needs} bits {kind}: the {kept} that are kept read {say(value)}."


def tell_weights(a: int, width: int, sign: bool, value: int) -> str:
    ones = [place for place in reversed(range(width)) if a >> place & 1]
    if not ones:
        return "No bit is set, and nothing is added up: the number is 0."
    terms = [weight(place, width, sign) for place in ones]
    listed = " + ".join(terms) if len(terms) <= 8 else " + ".join([*terms[:3], "…", *terms[-3:]])
    return f"The weights of the ones add up to the number: {listed} = {say(value)}."


def tell_resize(shown: Picture, params: Params, value: int) -> str:
    copied = "zeros" if params.reading == "unsigned" or params.zeros_in_front else "copies of the top bit"
    wide = f"{copied} in front make 0x{shown.wider} = {shown.wider_value}"
    lost = "the same number" if shown.narrower_value == say(value) else "another number"
    half = f"in {shown.width // 2} bits 0x{shown.narrower} = {shown.narrower_value} is left, {lost}"
    return f"In {2 * shown.width} bits {wide}; {half}."


def tell_operations(shown: Picture, params: Params) -> str:
    wrong = sum(each.wrong for each in shown.table)
    alike = (
        f"Of {len(shown.table)} operations {shown.same} give the same bits with and without a sign for this pair"
    )
    if not params.one_circuit:
        return f"{alike}, {sum(each.always for each in shown.table)} for every pair."
    return f"{alike}; taken as one circuit, {count(wrong, 'signed result is', 'signed results are')} wrong."
