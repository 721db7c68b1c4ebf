"""How the chosen element is computed: the loop unrolled, the cache lines it touches, and who shares its vector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labs.descent.one_line.given import Floats
from labs.descent.one_line.memory import LINE, short
from labs.descent.one_line.scalar import Value, program
from labs.models.one_line.line import Shape

LANES = 4
"""Of float32 in a vector of 128 bits."""
SIGNS = {"mul": "×", "add": "+", "sub": "−", "neg": "−", "relu": "max"}


@dataclass(frozen=True)
class Step:
    """One operation on two numbers, or on one."""

    sign: str
    left: str
    right: str
    """Empty for an operation on one number"""
    result: str
    """Rounded to float32, as it is stored in a register."""
    keys: list[str]
    """[2] which inputs' numbers left and right are, such as x3; empty for what was computed"""
    error: float
    """How far the result was rounded, in its units in the last place (ulp): from -0.5 to 0.5"""


@dataclass(frozen=True)
class Touch:
    """A number in a cache line that is read, or written."""

    name: str
    place: int
    order: int
    """When: from 1."""


@dataclass(frozen=True)
class Lanes:
    """Neighbours along the last axis, which one vector instruction computes together."""

    numbers: list[str]
    first: int
    """The place of the first of them in the result."""
    lane: int
    """Which of them is the chosen one."""


def steps(root: Value) -> list[Step]:
    return [step(value) for value in program(root) if value.op not in ("load", "const")]


def step(value: Value) -> Step:
    left, right = value.inputs[0], value.inputs[1] if len(value.inputs) > 1 else None
    ulp = float(np.spacing(np.abs(value.number)))
    error = float(value.exact - type(value.exact)(float(value.number))) / ulp
    return Step(
        sign=SIGNS[value.op],
        left=short(left.number),
        right="0" if value.op == "relu" else short(right.number) if right else "",
        result=short(value.number),
        keys=[left.key, right.key if right else ""],
        error=round(-error, 4) + 0.0,
    )


def touches(root: Value, place: int) -> list[Touch]:
    """In the order of the program; the result is written last."""
    found: dict[tuple[str, int], None] = {}
    for value in program(root):
        if value.op == "load":
            found.setdefault((value.name, value.place))
    found["y", place] = None
    return [Touch(name, at, order) for order, (name, at) in enumerate(found, 1)]


def lines(touched: list[Touch]) -> int:
    """Cache lines, as every storage begins with one."""
    return len({(each.name, 4 * each.place // LINE) for each in touched})


def lanes(result: Floats, index: Shape) -> Lanes:
    column = index[-1] // LANES * LANES
    row = result[index[:-1]]
    first = int(np.ravel_multi_index((*index[:-1], column), result.shape))
    return Lanes([short(each) for each in row[column : column + LANES]], first, index[-1] - column)
