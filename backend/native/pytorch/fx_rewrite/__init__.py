"""FX, rewritten: a pass changes the graph of a module, and the numbers say whether that was right.

A small module becomes an FX graph, by symbolic_trace or as torch.compile hands it to a backend. A pass that the
reader chooses looks for its pattern, asks its guards, and rewrites the graph. Then the module and the rewritten
graph run on 48 inputs, and their difference is held against a bound on what rounding can do to either of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Float32, Interval, Label

from native.pytorch.fx_rewrite.pictures import (
    Box,
    Capture,
    Dtype,
    Edge,
    Extent,
    Guard,
    Program,
    Rewrite,
    Stage,
    Who,
)

POSTER = 10
BY_PROCESSOR = True  # the last bits of a convolution depend on the width of its vectors


@dataclass(frozen=True)
class Params:
    program: Annotated[Program, Label("Program", main=True)] = "shared_conv"
    rewrite: Annotated[
        Rewrite,
        Label(
            "Rewrite",
            help="Fold batch norm into the convolution, write y · sigmoid(y) as silu, take dropout out, or compute "
            "once what is written twice.",
            main=True,
        ),
    ] = "fold"
    by: Annotated[
        Who,
        Label(
            "Whose pass",
            help="Ours, with its guards or (careless) without them; or the pass that PyTorch ships.",
            main=True,
        ),
    ] = "PyTorch"
    training: Annotated[bool, Label("In training mode")] = False
    capture: Annotated[Capture, Label("Captured by")] = "symbolic_trace"
    dtype: Annotated[Dtype, Label("Type")] = "float32"
    seed: Annotated[int, Interval(ge=0, le=9999), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Drawn(Event):
    """A graph at one step of its rewriting."""

    kind: Literal["drawn"] = "drawn"
    stage: Stage
    source: list[str]
    """The program"""
    line: int
    """Of the program, where the shown step comes from; 0 if from none"""
    nodes: list[Box]
    edges: list[Edge]
    graphs: list[Extent]
    now: list[str]
    """The nodes that the step is about"""
    about: str
    """The last of them as FX writes it: its op, target and arguments"""
    guards: list[Guard]
    """Of the match that was looked at last"""
    message: str
    """What PyTorch said when it stopped; empty if it did not"""
    code: list[str]
    """The Python that FX writes for the graphs; empty as long as they grow"""
    weights: Float32
    """[channels, 27] of the convolution, as the graph has it; empty if nothing is folded"""
    offsets: Float32
    """[channels] its bias"""
    factors: Float32
    """[channels] what batch norm multiplies each channel by"""
    span: float
    """The largest weight that there can be here"""
    calls: list[int]
    """Operators that a call of the module runs, before and after; empty until checked"""
    moved: list[int]
    """Bytes that they read and write for an input of 216 numbers, before and after; empty until checked"""
    sizes: Float32
    """[inputs] the largest number in each; empty until checked"""
    differences: Float32
    """[inputs] the largest difference between both results"""
    bounds: Float32
    """[inputs] what rounding allows where that difference is"""
    largest: float
    """The largest number of any result of the module"""
    worst: float
    """The largest difference over its bound, of all numbers of all results"""
    verdict: Literal["", "equal", "within", "wrong"]


def run(params: Params) -> Iterator[Drawn]:
    from native.pytorch.fx_rewrite.story import Story

    for fields in Story(params).tell():
        yield Drawn(**fields)
