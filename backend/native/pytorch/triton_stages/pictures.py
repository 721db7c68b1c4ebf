"""The pictures of a kernel on its way down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Uint8

from native.models.occupancy import Limit


@dataclass(frozen=True)
class Row:
    text: str
    """Nothing where lines are folded away"""
    line: int
    """Of the source that it comes from, from 1; 0 for none"""
    more: int
    """How many lines are folded away here"""


@dataclass(frozen=True)
class Count:
    name: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Stage(Event):
    """The kernel in the language of one stage."""

    kind: Literal["stage"] = "stage"
    stage: Literal["source", "ttir", "ttgir", "llir", "ptx", "sass"]
    source: list[str]
    focus: int
    """Line of the source that is followed, from 1"""
    rows: list[Row]
    lines: int
    """of the whole stage"""
    traced: int
    """of them, those that come from a line of the source"""
    counts: Annotated[list[Count], Axes(count="counts.name")]


@dataclass(frozen=True, kw_only=True)
class Layout(Event):
    """Which thread holds which element of a block."""

    kind: Literal["layout"] = "layout"
    stage: Literal["layout"] = "layout"
    source: list[str]
    focus: int
    """Line of the source that is followed, from 1"""
    role: Literal["loads", "sums", "stores"]
    name: str
    """In TTGIR"""
    attribute: str
    shape: list[int]
    columns: int
    """Elements in a row of the picture"""
    warps: Uint8
    """[elements] of the part that is drawn: the first warp that holds it"""
    lanes: Uint8
    """[elements] its lane"""
    registers: Uint8
    """[elements] which of the thread's values it is"""
    each: int
    """values that a thread holds"""
    copies: int
    """threads that hold one element"""
    run: int
    """neighbours along the last axis that a thread holds together"""


@dataclass(frozen=True, kw_only=True)
class Fits(Event):
    """How many blocks a multiprocessor runs at once."""

    kind: Literal["fits"] = "fits"
    stage: Literal["fits"] = "fits"
    source: list[str]
    focus: int
    """Line of the source that is followed, from 1"""
    taken: int
    """registers of a thread"""
    spilled: int
    """bytes of a thread's stack, in memory"""
    shared: int
    """bytes of a block that the kernel asks for"""
    limits: Annotated[list[Limit], Axes(limit="limits.name")]
    tightest: Literal["warps", "registers", "shared memory", "tensor memory", "blocks"]
    blocks: int
    """at once on a multiprocessor; 0 where it does not start"""
    running: int
    """warps at once on a multiprocessor"""
    most: int
    """warps that a multiprocessor has room for"""


@dataclass(frozen=True, kw_only=True)
class Values(Event):
    """What the kernel computes, in Triton's interpreter."""

    kind: Literal["values"] = "values"
    stage: Literal["values"] = "values"
    source: list[str]
    focus: int
    """Line of the source that is followed, from 1"""
    n: int
    programs: int
    type: str
    got: Float32
    """[first elements] from the interpreter"""
    exact: Float32
    """[first elements] in float64"""
    elements: int
    off: float
    """the largest difference of all"""
    largest: float
    untouched: bool
    """whether memory behind the result is as it was"""
