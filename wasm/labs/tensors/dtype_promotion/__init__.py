"""Type promotion: the type of a sum of two types, in PyTorch and in NumPy, and what its bits lose on the way.

Each operand is an array, an array without dimensions, or a number of Python's. Both libraries say which type the
sum has; the bits of both operands are converted to it and added, and what is lost is named. Then the whole table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np

from labs.contract import Axes, Event, Int32, Label, LabError, Sentence, Text, say
from labs.models.decimals import exactly
from labs.models.tensor.dtypes import DTYPES, DType
from labs.tensors.dtype_promotion.promotion import LATE, How, Side, numpys, pytorchs
from labs.tensors.dtype_promotion.said import numpys_reason, pytorchs_reason

Name = Literal[
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
OF_PYTHON = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
POSTER = 5  # both have climbed, to different types
DIGITS = 24


@dataclass(frozen=True)
class Params:
    left: Annotated[Name, Label("Left: type", main=True)] = "int32"
    left_as: Annotated[How, Label("Left: as", help="An array, one without dimensions, or a Python number.")] = (
        "array"
    )
    left_value: Annotated[str, Text(most=40), Label("Left: value")] = "2147483647"
    right: Annotated[Name, Label("Right: type", main=True)] = "float32"
    right_as: Annotated[How, Label("Right: as")] = "array"
    right_value: Annotated[str, Text(most=40), Label("Right: value")] = "0.5"
    table: Annotated[
        Literal["PyTorch", "NumPy"], Label("Table of", help="Cells where the other library differs are marked.")
    ] = "PyTorch"


@dataclass(frozen=True)
class Bits:
    """A value as it is stored."""

    type: str
    value: str
    """What the bits stand for."""
    bits: str
    """Top bit first; of a complex number the real part first."""
    fields: list[int]
    """How many of them are sign, exponent and the rest, of each part."""
    lost: str
    """By how much it differs from the value before, at first the one typed; empty where it does not."""


@dataclass(frozen=True)
class Answer:
    """What a library makes of the sum."""

    library: Literal["PyTorch", "NumPy"]
    type: str
    """Empty where it refuses."""
    why: str
    left: Bits | None
    right: Bits | None
    sum: Bits | None
    """None where there is none."""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All that is known is in every picture; ``stage`` says how far the story has come."""

    kind: Literal["picture"] = "picture"
    stage: Literal["left", "right", "pytorch", "numpy", "convert", "sum", "table"]
    left: Bits
    right: Bits
    left_as: How
    right_as: How
    left_held: str
    """The type by which the left one is held; of a number of Python's, its own has another name."""
    right_held: str
    types: list[str]
    above: Annotated[Int32, Axes(step=None, end=("below", "above"))]
    """[steps, 2] places in ``types``: the second holds all that the first holds, and no type lies between them"""
    exact: str
    """The sum of the two values, without rounding."""
    answers: list[Answer]
    rows: list[str]
    """Types on the left; of Python's numbers there are four."""
    columns: list[str]
    row: int
    column: int
    pytorch: list[str]
    """[rows × columns] empty where it refuses"""
    numpy: list[str]
    """[rows × columns]"""
    differ: int
    """Cells in which the libraries say different things."""


def run(params: Params) -> Iterator[Picture]:
    sides = Side(DTYPES[params.left], params.left_as), Side(DTYPES[params.right], params.right_as)
    typed = parse(params.left_value, "left"), parse(params.right_value, "right")
    stored = [fit(number, side.held) for number, side in zip(typed, sides, strict=True)]
    left, right = (
        picture(each, side.held, number, python_name(side))
        for each, number, side in zip(stored, typed, sides, strict=True)
    )
    exact = real(stored[0]) + real(stored[1])
    answers = [ask_pytorch(sides, stored, exact), ask_numpy(sides, stored, exact)]
    rows, columns = choices(params.left_as), choices(params.right_as)
    cells = [(Side(a, params.left_as), Side(b, params.right_as)) for a in rows.values() for b in columns.values()]
    torchs = [found.name if (found := pytorchs(*cell)) else "" for cell in cells]
    theirs = [numpys(*cell) for cell in cells]
    shown = Picture(
        text=say(""),
        stage="left",
        left=left,
        right=right,
        left_as=params.left_as,
        right_as=params.right_as,
        left_held=sides[0].held.name,
        right_held=sides[1].held.name,
        types=[*DTYPES],
        above=steps(),
        exact=exactly(exact, DIGITS),
        answers=answers,
        rows=[*rows],
        columns=[*columns],
        row=[*rows].index(left.type.split()[-1]),
        column=[*columns].index(right.type.split()[-1]),
        pytorch=torchs,
        numpy=theirs,
        differ=sum(a != b for a, b in zip(torchs, theirs, strict=True)),
    )
    yield replace(shown, text=tell_side("left", left, sides[0]))
    yield replace(shown, stage="right", text=tell_side("right", right, sides[1]))
    yield replace(shown, stage="pytorch", text=tell_type(answers[0]))
    yield replace(shown, stage="numpy", text=tell_type(answers[1]))
    yield replace(shown, stage="convert", text=tell_convert(answers))
    yield replace(shown, stage="sum", text=tell_sum(answers, shown.exact))
    many = say("In {} of {} cells of this table the two libraries disagree", shown.differ, len(cells))
    yield replace(shown, stage="table", text=say("{}, or one of them refuses.", many))


def steps() -> Int32:
    """The ladder of types: from each to those that hold it, with none in between."""
    types = [*DTYPES.values()]
    over = np.array([[a != b and b.holds(a) for b in types] for a in types])
    between = (over[:, :, None] & over[None, :, :]).any(axis=1)
    return np.argwhere(over & ~between).astype(np.int32)


def choices(how: How) -> dict[str, DType]:
    return {name: DTYPES[of] for name, of in OF_PYTHON.items()} if how == "number" else DTYPES


def python_name(side: Side) -> str:
    """An array's type is its own; a number of Python's has one of four."""
    return f"Python {[*OF_PYTHON][side.kind]}" if side.how == "number" else side.dtype.name


def parse(text: str, name: str) -> Fraction:
    """Raises ``LabError``."""
    word = text.strip().replace("−", "-")
    if not re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", word, re.ASCII | re.IGNORECASE):
        raise LabError(f"On the {name}, {text.strip()!r} is no number: write one such as 7, -1 or 0.1.")
    return Fraction(word)


def fit(number: Fraction, dtype: DType) -> Any:
    """The number as the type can hold it: without its fraction where it holds none, and not beyond its ends."""
    if not dtype.exponent:
        low, high = (-(2**dtype.whole) if dtype.signed else 0), 2**dtype.whole - 1
        return np.array(max(low, min(high, int(number))), dtype.numpy)
    most = Fraction(float(np.finfo(dtype.name).max))
    return np.array(float(max(-most, min(most, number))), dtype.numpy)


def real(value: Any) -> Fraction:
    """The real part of what is finite, exact."""
    return Fraction(value.real.item())


def fields(dtype: DType) -> list[int]:
    if dtype.exponent:
        return [1, dtype.exponent, dtype.whole - 1] * (1 + dtype.imaginary)
    return [int(dtype.signed), 0, max(8, dtype.whole) if not dtype.signed else dtype.whole]


def picture(value: Any, dtype: DType, before: Fraction | None, name: str = "") -> Bits:
    """A value in a type that may be two halves, which NumPy does not have."""
    part = np.dtype({11: "float16", 24: "float32", 53: "float64"}[dtype.whole]) if dtype.exponent else dtype.numpy
    parts = [np.asarray(value.real, part)] + [np.zeros((), part)] * dtype.imaginary
    bits = "".join(f"{byte:08b}" for each in parts for byte in each.tobytes()[::-1])
    found = real(parts[0]) if np.isfinite(parts[0]) else None
    lost = "" if before is None or found == before else "all of it" if found is None else off(found - before)
    return Bits(
        name or dtype.name,
        endless(parts[0]) if found is None else exactly(found, DIGITS),
        bits,
        fields(dtype),
        lost,
    )


def endless(value: Any) -> str:
    return "NaN" if np.isnan(value) else "∞" if value > 0 else "−∞"


def off(by: Fraction) -> str:
    return f"{'+' if by > 0 else ''}{exactly(by, 6)}"


def ask_pytorch(sides: tuple[Side, Side], stored: list[Any], exact: Fraction) -> Answer:
    found, why = pytorchs(*sides), pytorchs_reason(*sides)
    if found is None:
        return Answer("PyTorch", "", why, None, None, None)
    held = DTYPES["complex64"].numpy if found.name == "complex32" else found.numpy
    with np.errstate(over="ignore", invalid="ignore"):
        first, second = (each.astype(held) for each in stored)
        left, right = (picture(each, found, real(old)) for each, old in zip((first, second), stored, strict=True))
        if found.name in LATE:
            return Answer("PyTorch", found.name, f"{why}; its addition for processors lacks it", left, right, None)
        if found.whole == 11:  # both are halves by now; they are added as float32, and rounded once more
            first, second = (each.real.astype("float16").astype("float32") for each in stored)
        total = np.asarray(first + second).astype(held)
        return Answer("PyTorch", found.name, why, left, right, picture(total, found, exact))


def ask_numpy(sides: tuple[Side, Side], stored: list[Any], exact: Fraction) -> Answer:
    """NumPy adds for itself."""
    found, why = DTYPES[numpys(*sides)], numpys_reason(*sides)
    operands = [
        each[None] if side.how == "array" else each.item() if side.how == "number" and side.held != found else each
        for side, each in zip(sides, stored, strict=True)
    ]
    with np.errstate(over="ignore"):
        try:
            total = np.add(operands[0], operands[1])
        except OverflowError:
            number = next(each for side, each in zip(sides, stored, strict=True) if side.how == "number")
            return Answer("NumPy", "", f"{number} does not fit {found}, and NumPy says so", None, None, None)
        left, right = (picture(each.astype(found.numpy), found, real(each)) for each in stored)
        return Answer("NumPy", found.name, why, left, right, picture(np.asarray(total).reshape(()), found, exact))


def tell_side(name: str, bits: Bits, side: Side) -> Sentence:
    what = {"array": "an array of", "0-d": "an array without dimensions, of", "number": "a"}[side.how]
    rounded = say(", which differs from what was typed by {}", bits.lost) if bits.lost else ""
    return say("On the {} is {} {}: {}, in {} bits{}.", name, what, bits.type, bits.value, len(bits.bits), rounded)


def tell_type(answer: Answer) -> Sentence:
    said = say("has the type {}", answer.type) if answer.type else "is refused"
    return say("In {} the sum {}: {}.", answer.library, said, answer.why)


def tell_convert(answers: list[Answer]) -> Sentence:
    parts = []
    for answer in answers:
        if not (answer.left and answer.right):
            parts.append(f"{answer.library} converts nothing")
            continue
        lost = [f"{each.value} ({each.lost})" for each in (answer.left, answer.right) if each.lost]
        what = f"makes {' and '.join(lost)} of what does not fit" if lost else "loses nothing"
        parts.append(f"to {answer.type} {answer.library} {what}")
    return say("Before they are added, both are converted: {}.", "; ".join(parts))


def tell_sum(answers: list[Answer], exact: str) -> Sentence:
    parts = [
        f"{answer.library} has {answer.sum.value}{f' ({answer.sum.lost})' if answer.sum.lost else ''}"
        if answer.sum
        else f"{answer.library} has no sum"
        for answer in answers
    ]
    return say("The sum is {}: {}.", exact, " and ".join(parts))
