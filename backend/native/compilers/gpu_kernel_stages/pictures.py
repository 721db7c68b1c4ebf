"""What a picture of the compilation shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event

from native.models.occupancy import Limit

StageName = Literal[
    "graph", "fusion", "loops", "search", "CUDA", "PTX", "SASS", "fits", "checked", "predicted", "tiles", "measured"
]


@dataclass(frozen=True)
class Op:
    """An operation of the graph that is work of its own."""

    number: int
    op: str
    line: int
    """Of the program, from 1"""
    kernel: int
    """Place of its kernel among the kernels"""


@dataclass(frozen=True)
class Kernel:
    """Of the kernels so far: until the fusion is over, each group of operations is one."""

    key: int
    """The first of its operations, which stays as others come in"""
    name: str
    value: str
    """What the program calls its result; nothing if it has no name"""
    tile: list[int]
    """Rows, columns and depth; in attention queries, keys at a time, and the length of a query; else empty"""
    blocks: int
    bytes: int
    """Of each tensor that it reads or writes, once"""
    fetched: int
    """Bytes that its blocks ask for"""
    operations: float
    """A multiply-add is two"""
    predicted: float | None
    """Seconds on the chosen GPU"""
    floor: float
    """Seconds that its products take if all lanes of the chosen GPU multiply all the time"""
    registers: int
    """Of a thread; 0 until assembled"""
    shared: int
    """Bytes of a block"""
    spilled: int
    """Bytes of a thread that lie in memory for want of registers"""
    resident: int
    """Blocks that a multiprocessor runs at once"""
    error: float | None
    """Largest difference of its result from PyTorch's in float64, as a share of the largest number"""
    measured: float | None
    """Seconds, median"""


@dataclass(frozen=True)
class Row:
    """A line of a listing."""

    text: str
    op: int
    """The number of the operation that it does; −1 for none"""
    more: int
    """How many lines are folded away here"""


@dataclass(frozen=True)
class Count:
    name: str
    count: int


@dataclass(frozen=True)
class Branch:
    """A choice of the search."""

    key: int
    parent: int
    """The key of the choice before; −1 for none"""
    level: Literal["rows", "columns", "depth"]
    size: int
    state: Literal["open", "cut", "tried", "best"]
    bound: float
    """Seconds that none of its tiles can do in, by the model"""
    seconds: float | None
    """Predicted, of a whole tile that was tried"""
    measured: float | None


@dataclass(frozen=True)
class Way:
    """A whole block, measured."""

    name: str
    says: str
    seconds: float
    ratio: float
    """How many times as long ours takes"""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The block on its way to a GPU."""

    kind: Literal["picture"] = "picture"
    stage: StageName
    program: list[str]
    line: int
    """Of the program, that this is about; 0 for none"""
    ops: list[Op]
    kernels: Annotated[list[Kernel], Axes(kernel="kernels.value")]
    follow: int
    """Place of the kernel that is followed"""
    touched: list[int]
    """Numbers of the operations that a decision is about"""
    refused: bool
    """Whether it was a refusal"""
    rows: list[Row]
    lines: int
    """Of the whole listing of the kernel that is followed"""
    counts: Annotated[list[Count], Axes(count="counts.name")]
    branches: list[Branch]
    limits: Annotated[list[Limit], Axes(limit="limits.name")]
    predicted: float | None
    """Seconds of all kernels"""
    floor: float
    """Seconds of all products at the published speed of the chosen GPU"""
    moved: int
    """Bytes that all kernels read and write, each tensor once in a kernel"""
    measured: float | None
    """Seconds of all kernels, one after the other"""
    behind: float | None
    """How many times as long as the fastest tile that was measured the predicted one takes"""
    ways: Annotated[list[Way], Axes(way="ways.name")]
    impossible: list[str]
    """Measured kernels that would be faster than the hardware, and are refused"""
    together: bool
    """Whether all kernels are one"""
    gpu: str
    """The one that times are predicted for"""
    on: str
    """The one that was measured on; nothing if none was"""
