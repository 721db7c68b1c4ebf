"""Table and sentence: which two numbers of a table a factor comes from.

A published table has the milliseconds of four programs for four sizes of matrices, and a sentence beside it names
one factor. Each step divides two times of one size. The last writes the sentence for the largest size: from its own
row, or, with the mistake, from the row above it, as when a table is measured again and its sentence is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Label, Sentence, say

Pair = Literal["C++_by_GPU", "Python_by_C++", "C++_by_NumPy", "Python_by_NumPy", "NumPy_by_GPU", "Python_by_GPU"]

PROGRAMS = ("Python", "C++", "NumPy", "GPU")
SIZES = (50, 100, 500, 1000)
TOOK = (
    (5.529, 40.246, 10784.230, 107350.155),
    (0.060, 0.439, 65.689, 1061.430),
    (0.006, 0.031, 3.845, 10.502),
    (0.268, 0.057, 0.340, 4.847),
)
"""[programs, sizes] milliseconds, as the table of Tiwari, Notes on SIMD (2026), has them."""
POSTER = 5


@dataclass(frozen=True)
class Params:
    divide: Annotated[
        Pair, Label("Divide", help="The time of one program, divided by that of another.", main=True)
    ] = "C++_by_GPU"
    kept: Annotated[
        bool,
        Label("Keep the old sentence", group="Mistakes", help="It says 1,000 rows, but its factor is that of 500."),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """Two times of one size and their factor; at the end the sentence about the largest size."""

    kind: Literal["picture"] = "picture"
    stage: Literal["row", "sentence"]
    programs: list[str]
    sizes: Int32
    """[sizes] rows and columns of the matrices"""
    took: Annotated[Float32, Axes(program="programs", size="sizes")]
    """[programs, sizes] milliseconds"""
    slow: int
    """Which of the programs."""
    fast: int
    """Which of the programs."""
    at: int
    """Which of the sizes."""
    factor: float
    """Time of the slow program over that of the fast one, at this size."""
    said: float | None
    """What the sentence says, once there is one."""


def run(params: Params) -> Iterator[Picture]:
    slow, fast = (PROGRAMS.index(name) for name in params.divide.split("_by_"))
    factors = [long / short for long, short in zip(TOOK[slow], TOOK[fast], strict=True)]
    last = len(SIZES) - 1
    for at in range(len(SIZES)):
        yield picture(slow, fast, at, factors[at], row(slow, fast, at, factors[at]))
    said = factors[last - 1] if params.kept else factors[last]
    yield picture(slow, fast, last, factors[last], sentence(slow, fast, factors, params.kept), said)


def picture(slow: int, fast: int, at: int, factor: float, text: Sentence, said: float | None = None) -> Picture:
    return Picture(
        text=text,
        stage="row" if said is None else "sentence",
        programs=list(PROGRAMS),
        sizes=np.array(SIZES, np.int32),
        took=np.array(TOOK, np.float32),
        slow=slow,
        fast=fast,
        at=at,
        factor=factor,
        said=said,
    )


def row(slow: int, fast: int, at: int, factor: float) -> Sentence:
    names = PROGRAMS[slow], PROGRAMS[fast]
    times = f"{TOOK[slow][at]:,g}", f"{TOOK[fast][at]:,g}"
    return say(
        "With {:,} rows, {} takes {} ms and {} {} ms: a factor of {:,.3g}.",
        SIZES[at],
        names[0],
        times[0],
        names[1],
        times[1],
        factor,
    )


def sentence(slow: int, fast: int, factors: list[float], kept: bool) -> Sentence:
    told = say(
        "“With {:,} rows, {} takes {:,.3g} times as long as {}”",
        SIZES[-1],
        PROGRAMS[slow],
        factors[-2 if kept else -1],
        PROGRAMS[fast],
    )
    if kept:
        return say(
            "{}: the table has {:,.3g} there; the sentence gives the factor of {:,} rows.",
            told,
            factors[-1],
            SIZES[-2],
        )
    return say("{}: the table agrees.", told)
