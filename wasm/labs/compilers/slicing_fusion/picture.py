"""What a figure gets: one whole picture of a fusion at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.compilers.slicing_fusion.indices import Kind
from labs.compilers.slicing_fusion.judge import Criterion
from labs.contract import Axes, Event, Float32, Int32, Uint8

Role = Literal["input", "alone", "between", "stored", "result"]


@dataclass(frozen=True)
class Access:
    text: str
    line: int
    """In the program, from 1."""
    writes: bool
    verdict: Kind
    why: str


@dataclass(frozen=True)
class Row:
    """What was decided of a producer."""

    array: str
    legal: bool
    fused: bool
    """Whether it should be."""
    done: bool
    """Whether it is."""
    why: str
    """If it is not legal."""


@dataclass(frozen=True)
class Drawn:
    """An array in one picture."""

    name: str
    shape: list[int]
    role: Role
    """``alone``: made by a nest of its own, before any tile; ``stored``: in the tiles, and all of it written"""
    now: Uint8
    """[elements] in this tile: 0 untouched, 1 computed for the first time, 2 computed again, 3 read"""
    times: Uint8
    """[elements] how often it has been computed so far"""
    wrong: Uint8
    """[elements] 1 where the number is not as without fusion; of the last picture alone"""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The program, what was decided about it, and how far its tiles have come."""

    kind: Literal["picture"] = "picture"
    stage: Literal["program", "indices", "judge", "tile", "result"]
    accesses: list[Access]
    rows: list[Row]
    """What was decided of each producer, in the order of asking."""
    judged: int
    """The row that this picture is about; −1 for none."""
    criteria: list[Criterion]
    """Of that row, or of the last one."""
    arrays: list[Drawn]
    tile: int
    """The one that runs; −1 before the first, and as many as there are behind the last."""
    tiles: int
    grid: list[int]
    """How many of them in each tiled loop."""
    tile_of: Int32
    """[elements of the result] the tile that writes it; −1 for none"""
    firsts: Int32
    """[rows] sizes of a tile for the first loop"""
    seconds: Int32
    """[columns] and for the second"""
    shapes: Annotated[Float32, Axes(first="firsts", second="seconds")]
    """[rows, columns] work added by fusion into tiles of that shape, as a part of all; NaN where not known"""
    accepted: Annotated[Uint8, Axes(first="firsts", second="seconds")]
    """[rows, columns] whether everything would be accepted there"""
    apart: int
    """Operations of the nests as they are written."""
    work: int
    """Operations so far."""
    again: int
    """Instances that ran more than once, so far, each time but the first counted."""
    wrong: int
    """Numbers that are not as without fusion, at the end; −1 before."""
    compared: int
    between: int
    """Numbers in arrays between producer and consumer that are still there after fusion."""
    buffers: int
    """Numbers in the buffers of one tile."""
