"""What a picture of the compiler shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.contract import Event

Stage = Literal[
    "graph", "backward", "rewrite", "fusion", "loops", "rows first", "tiles", "vectors", "C", "CUDA", "counted"
]
Change = Literal["same", "new", "changed", "gone"]


@dataclass(frozen=True)
class Row:
    """A node of the graph; numbers of the program are written where they are used."""

    number: int
    """Stays from picture to picture."""
    name: str
    text: str
    """What it computes, by the names of other rows."""
    type: str
    line: int
    """Of the program that it comes from."""
    uses: list[int]
    """Numbers of rows."""
    change: Change
    kernel: int
    """Of the fusion so far, from 0; −1 before it, and for inputs."""
    output: bool
    view: bool
    """It reads the same numbers in another order, and is no work of its own."""


@dataclass(frozen=True)
class Code:
    """A line of loops, of C or of CUDA."""

    text: str
    depth: int
    row: int
    """The number of the row that it computes; −1 if none."""
    line: int
    """Of the program; 0 if none."""
    new: bool
    """Not in the last picture."""


@dataclass(frozen=True)
class Work:
    """Predicted."""

    bytes: float
    """Through memory."""
    operations: float
    """In additions: an exponential counts as 10."""


@dataclass(frozen=True)
class Rule:
    """A rewrite: this formula became that."""

    name: str
    why: str
    group: str
    before: str
    after: str


@dataclass(frozen=True)
class Joint:
    """A decision about two kernels, and what is predicted for both ways."""

    first: str
    second: str
    """Their operations."""
    joined: bool
    why: str
    """In a word."""
    reason: str
    apart: Work
    together: Work | None
    """None where they cannot be one kernel at all."""


@dataclass(frozen=True)
class Kernel:
    name: str
    work: Work
    code: list[Code]


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The graph, and what is made of it at this step."""

    kind: Literal["picture"] = "picture"
    stage: Stage
    line: int
    """Of the program, that this is about; 0 if none."""
    rows: list[Row]
    work: Work
    """Predicted for all, as it is now: until the fusion as if each operation were a kernel."""
    before: Work
    """And one step before; of the first loops before the fusion."""
    rule: Rule | None = None
    joint: Joint | None = None
    changes: list[str]
    """What a pass over the loops did."""
    kernels: list[Kernel]
    written: list[Code]
    """The file, of C or of CUDA."""
