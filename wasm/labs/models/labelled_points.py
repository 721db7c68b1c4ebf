"""Points in the plane that are to be told apart, as a reader types them: a line each, two numbers and a label."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from labs.models.dense import Floats

MOST = 40
REACH = 10.0  # of a coordinate, to either side


class PointsError(Exception):
    """A sentence that says which line cannot be read, and what would be."""


@dataclass(frozen=True)
class Points:
    x: Floats
    """[points, 2]"""
    y: Floats
    """[points, 1] the labels, 0 or 1"""
    lines: list[int]
    """Where each point stands in the text, counted from 0."""


def read(text: str) -> Points:
    rows, lines = [], []
    for at, line in enumerate(text.split("\n")):
        if words := re.split(r"[\s,;→]+", line.partition("#")[0].strip(" \t,;→")):
            if words == [""]:
                continue
            rows.append(point(words, at + 1))
            lines.append(at)
    if not 2 <= len(rows) <= MOST:
        raise PointsError(
            f"There are {len(rows)} points: give 2 to {MOST}, each on a line of its own, as in “0 1 1”."
        )
    table = np.array(rows)
    return Points(table[:, :2], table[:, 2:], lines)


def point(words: list[str], line: int) -> list[float]:
    if len(words) != 3:
        raise PointsError(f"Line {line} has {len(words)} parts: a point is two numbers and a label, as in “0 1 1”.")
    numbers = [number(word, line) for word in words]
    if max(map(abs, numbers[:2])) > REACH:
        raise PointsError(f"Line {line}: a coordinate lies between −{REACH:g} and {REACH:g}.")
    if numbers[2] not in (0, 1):
        raise PointsError(f"Line {line}: the label, its last number, is 0 or 1.")
    return numbers


def number(word: str, line: int) -> float:
    try:
        value = float(word.replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PointsError(f"Line {line}: “{word[:20]}” is not a number.")
    return value


def corners(*labels: int) -> str:
    """The four pairs of bits with what a gate makes of them."""
    return "\n".join(f"{i >> 1} {i & 1} {label}" for i, label in enumerate(labels))


def ring() -> str:
    """Six points around the middle, ten around those: no line parts them, and no two do."""
    turns = [(0.45, k / 6, 1) for k in range(6)] + [(1.2, (k + 0.5) / 10, 0) for k in range(10)]
    return "\n".join(
        f"{r * math.cos(math.tau * turn):.2f} {r * math.sin(math.tau * turn):.2f} {label}"
        for r, turn, label in turns
    )


def chequers() -> str:
    """Nine points of a board of three by three."""
    return "\n".join(f"{column} {row} {(column + row) % 2}" for row in range(3) for column in range(3))


EXAMPLES = {
    "XOR": corners(0, 1, 1, 0),
    "AND": corners(0, 0, 0, 1),
    "OR": corners(0, 1, 1, 1),
    "XNOR": corners(1, 0, 0, 1),
    "chequers": chequers(),
    "ring": ring(),
}
