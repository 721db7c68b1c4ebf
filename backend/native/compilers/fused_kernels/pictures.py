"""The pictures of the lab that compares: the kernels, and all ways with what was measured of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32
from labs.models.timing import QUARTILES

from native.compilers.fused_kernels.flow import Given, Made
from native.models.stages.pictures import Operation, Row


@dataclass(frozen=True)
class Piece:
    """One kernel of ours."""

    name: str
    bytes: float
    """Predicted to move"""
    seconds: float | None
    """Of the kernel alone, on memory that is kept for it; None where not yet measured"""
    rows: list[Row]
    """The loop that it spends its time in"""


@dataclass(frozen=True, kw_only=True)
class Kernels(Event):
    """The kernels are made, or one more thing is measured."""

    kind: Literal["kernels"] = "kernels"
    stage: str
    """The way that was measured just now; empty before the first"""
    program: list[str]
    operations: list[Operation]
    """Of the graph that was compiled"""
    given: list[Given]
    made: list[Made]
    """[operations] what each takes and makes"""
    pieces: list[Piece]
    ways: list[str]
    """In the order in which they are measured; those without a pass of ours begin with “without”"""
    says: Annotated[list[str], Axes(way="ways")]
    """[ways] what it is"""
    passes: Annotated[list[list[list[int]]], Axes(way="ways")]
    """[ways] the operations of each of its passes through memory; empty where that is not known"""
    lanes: Annotated[list[int], Axes(way="ways")]
    """[ways] numbers that one of its instructions works on; 0 where that is not known"""
    idle: list[str]
    """Passes that change nothing in this program."""
    missing: Annotated[list[str], Axes(way="ways")]
    """[ways] why it cannot be had; empty if it can"""
    seconds: Annotated[Float32, Axes(way="ways", quartile=QUARTILES)]
    """[ways, 3] of one call: what one, two and three quarters of the repetitions stayed below; NaN if unmeasured"""
    ratio: Annotated[Float32, Axes(way="ways")]
    """[ways] its median to that of ours, measured in turns with it"""
    compile_seconds: Annotated[Float32, Axes(way="ways")]
    """[ways] until it was ready; NaN where nothing is compiled, or unmeasured"""
    error: Annotated[Float32, Axes(way="ways")]
    """[ways] greatest difference from float64, as a share of the greatest number"""
    bytes: float
    """That all kernels are predicted to move"""
    footprint: float
    """Bytes of inputs and outputs: less cannot be moved"""
    bandwidth: float | None
    """GB/s of reading, or of adding two arrays, whichever is faster: of as many bytes, on as many threads"""
    threads: int
