"""A custom Function: what its backward claims, what finite differences show, and which checks notice an error.

The reader writes forward and backward of a torch.autograd.Function, and the lab makes one of them. It shows the
Jacobian that backward claims beside the one of central differences, asks gradcheck and gradgradcheck, tries random
inputs, and watches how long the storages live that forward leaves for backward.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Float32, Interval, Label, LabError, Text
from labs.models.programs.trouble import StoppedError, as_advice

from native.pytorch.custom_function.examples import EXAMPLES
from native.pytorch.custom_function.pictures import Check, Life, Point, Tiles

POSTER = 9


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        Text(1500, language="python", examples=EXAMPLES, listed=True),
        Label("Program", help="forward and backward with ctx, and below them a tensor for each input."),
    ] = EXAMPLES["right_at_two_points"]
    draws: Annotated[int, Interval(ge=0, le=8), Label("Random inputs", main=True)] = 3
    seed: Annotated[int, Interval(ge=0, le=9999), Label("Seed", help="For the random inputs.")] = 31


@dataclass(frozen=True, kw_only=True)
class Checked(Event):
    """A written function, as far as it has been checked."""

    kind: Literal["checked"] = "checked"
    stage: Literal[
        "forward", "backward", "difference", "compared", "random", "scaled", "asked", "twice", "held", "deleted",
        "collected", "changed", "stopped",
    ]  # fmt: skip
    line: int
    """Of the program, where the function that was called last ended"""
    draw: int
    """Which random inputs are shown, from 1; 0 for those of the program"""
    at: list[str]
    """[columns] the inputs"""
    grid: Float32
    """[samples] inputs of the curves"""
    curves: Float32
    """[curves, samples] an output against the input of the same number"""
    low: float
    """Of the values that are drawn"""
    high: float
    points: list[Point]
    tiles: Tiles
    asked: list[bool]
    """[columns] whether the gradient of that input was asked for"""
    second: bool
    """Whether the tiles are second derivatives"""
    wrong: int
    """How many entries differ"""
    entries: int
    checks: list[Check]
    lives: list[Life]
    alive: int
    """Bytes of the storages that are alive"""
    error: str
    """What torch said instead of going on"""


def run(params: Params) -> Iterator[Checked]:
    from native.pytorch.custom_function.story import Story
    from native.pytorch.custom_function.written import Written

    try:
        with as_advice():
            for fields in Story(Written(params.program), params.draws, params.seed).tell():
                yield Checked(**fields)
    except StoppedError as stopped:
        raise LabError(
            f"Line {stopped.line}: {stopped.message.rstrip('.')}; change forward or the inputs."
        ) from None
    except RuntimeError as wrong:
        raise LabError(f"Torch says: {str(wrong).partition(chr(10))[0]}; change forward or the inputs.") from None
