"""Several ways, timed: one result, computed by PyTorch as it is, rewritten, and compiled, timed in turns.

A convolution with a batch norm and an activation, of which a pass folds the norm; softcap, the operator of our own;
or a step of nine layers, forward and backward, in checkpoints of ours and yours. Each way is built, compared with
the result in float64, and then all are called in turns, so that whatever slows the machine for a while slows all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Interval, Label, Text
from labs.models.timing import QUARTILES

from native.pytorch.ways_timed.pictures import Way

MEASURES = True


@dataclass(frozen=True)
class Params:
    work: Annotated[
        Literal["convolution", "softcap", "checkpoint"],
        Label(
            "Work",
            help="A convolution with its batch norm and activation, our own operator, or forward and backward.",
            main=True,
        ),
    ] = "convolution"
    size: Annotated[Literal["4 K", "64 K", "1 M"], Label("Numbers", help="In the input.", main=True)] = "64 K"
    segments: Annotated[
        str,
        Text(80),
        Label(
            "Your segments",
            help="For forward and backward. 3: a checkpoint of 3 layers; k3 keeps all, s3 products, f3 uses files.",
        ),
    ] = "4 3 k2"
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Turns")] = 15
    inductor: Annotated[bool, Label("Time Inductor too", help="Compiling takes a few seconds.")] = True


@dataclass(frozen=True, kw_only=True)
class Timed(Event):
    """The ways that there are so far, and what their calls took so far."""

    kind: Literal["timed"] = "timed"
    stage: Literal["made", "turn", "worth"]
    ways: list[Way]
    now: str
    """The way that was made just now, or that was fastest in this turn or in the end"""
    turns: Annotated[Float32, Axes(way="ways.name", turn=None)]
    """[ways, turns] seconds of a call, in the fastest of five rounds, or in one if calls are long; NaN where the
    turn has not come"""
    took: Annotated[Float32, Axes(way="ways.name", quartile=QUARTILES)]
    """[ways, 3] seconds of a call, of the turns so far; NaN before the first"""
    gain: Annotated[Float32, Axes(way="ways.name", quartile=QUARTILES)]
    """[ways, 3] how many times as fast as the first way, turn by turn; NaN before the first"""
    peak: Annotated[list[int], Axes(way="ways.name")]
    """[ways] the most bytes alive at a time, besides weights, their gradients and the input; 0 if not counted"""
    numbers: int
    """In the input"""


def run(params: Params) -> Iterator[Timed]:
    from native.pytorch.ways_timed.story import story

    for fields in story(params):
        yield Timed(**fields)
