"""The pictures of a compilation: two stages beside each other, and at the end what it was worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.contract import Event, Sentence, counted, joined, say

Marks = tuple[int, ...]

TITLES = {
    "source": "Python",
    "bytecode": "bytecode",
    "break": "graph break",
    "graph": "FX graph",
    "joint": "joint graph",
    "forward": "forward graph",
    "backward": "backward graph",
    "passes": "after passes",
    "loops": "Inductor's loops",
    "fused": "fused loops",
    "cpp": "C++",
    "assembly": "assembly",
    "rewritten": "new bytecode",
    "guards": "guards",
    "again": "recompiled",
}
COMES_FROM = {
    "bytecode": ("source",),
    "break": ("bytecode", "source"),
    "graph": ("bytecode",),
    "joint": ("graph",),
    "forward": ("joint", "graph"),
    "backward": ("joint",),
    "passes": ("forward",),
    "loops": ("passes",),
    "fused": ("loops",),
    "cpp": ("fused",),
    "assembly": ("cpp",),
    "rewritten": ("bytecode",),
    "guards": ("graph",),
    "again": ("guards",),
}
"""Which stage is shown beside; the first of these that there was."""


@dataclass(frozen=True)
class Operation:
    """One operation that Dynamo has seen, and its line, counted from the function's first."""

    name: str
    line: int


@dataclass(frozen=True)
class Row:
    """A line of a stage."""

    text: str
    operations: Marks = ()
    """Which of the program's operations it does; empty for none."""
    line: int = 0
    """Of the source, from 1, where it comes from that line as a whole; 0 for none."""
    head: bool = False


@dataclass(frozen=True)
class Call:
    rows: int
    done: str
    """compiled, reused, or Python"""
    why: str
    """The guard that failed, or nothing."""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    source: list[str]
    """The program."""
    operations: list[Operation]
    """What Dynamo has seen of it so far."""


@dataclass(frozen=True, kw_only=True)
class Stage(Picture):
    """One stage, beside the one that it was made from."""

    kind: Literal["stage"] = "stage"
    stage: str
    title: str
    part: str
    """Which graph of the program, which compilation of it, which way; empty for the whole."""
    rows: list[Row]
    before: str
    """The title of the stage beside."""
    earlier: list[Row]
    seconds: float
    """Since the call, that this has taken."""


@dataclass(frozen=True, kw_only=True)
class Worth(Picture):
    """What was compiled against what was not."""

    kind: Literal["worth"] = "worth"
    stage: str = "worth"
    eager_ms: float
    compiled_ms: float
    speedup: float
    compile_seconds: float
    """Of the first call."""
    pays_after: int | None
    """Calls until the compilation has paid for itself; None if it never does."""
    eager_kernels: int
    """What PyTorch calls, views left out."""
    kernels: int
    """What Inductor calls in the first compilation: its own, and those of libraries."""
    eager_bytes: int
    bytes: int
    graphs: int
    """That the first call was cut into."""
    difference: float
    """The largest between the two results, over the largest number in them."""
    compiler: str


@dataclass(frozen=True, kw_only=True)
class Calls(Picture):
    """Calls with other shapes, one after the other."""

    kind: Literal["calls"] = "calls"
    stage: str = "calls"
    calls: list[Call]
    compiled: int
    limit: int


def tell(stage: str, rows: list[Row], part: str) -> Sentence:
    """A sentence on a stage."""
    many = sum(bool(row.operations) for row in rows)
    operations = len({each for row in rows for each in row.operations})
    first = rows[0].text.removesuffix(".") if rows else ""
    heads = sum(row.head for row in rows)
    where = say(" ({})", part) if part else ""
    sentence = {
        "source": say("The program, {} lines of Python.", len(rows)),
        "bytecode": say(
            "Python has compiled it to {} instructions for its virtual machine; Dynamo reads these.", len(rows)
        ),
        "break": say("Here a graph ends, and Python goes on: {}.", first),
        "graph": say(
            "Dynamo has followed the bytecode without numbers, and recorded {} on tensors.",
            counted(many, "operation"),
        ),
        "joint": say("Forward and backward in one graph, in PyTorch's own basic operations: {} of them.", many),
        "forward": say("It has {}.", counted(many, "basic operation")),
        "backward": say("It has {}, and reads what the forward graph saved.", counted(many, "basic operation")),
        "passes": say("After Inductor's passes on graphs: {}.", counted(many, "operation")),
        "loops": say(
            "{} become {}; elementwise work is inlined.", counted(operations, "operation"), counted(heads, "loop")
        ),
        "fused": _fused(rows),
        "cpp": say("Inductor writes C++, {} lines, and the Python that calls it.", len(rows)),
        "assembly": say("A compiler turns the C++ into {} of assembly.", counted(len(rows), "line")),
        "rewritten": say(
            "What Python runs from now on: {}, which call what was compiled.", counted(len(rows), "instruction")
        ),
        "guards": say("This may be used again as long as {} hold.", counted(len(rows), "condition")),
        "again": say("The next call breaks a condition, and is compiled again: {}.", first),
    }[stage]
    title = TITLES[stage]
    return say("{}{}: {}", title[0].upper() + title[1:], where, sentence)


def _fused(rows: list[Row]) -> Sentence:
    groups = [row for row in rows if row.text.startswith("fused: ")]
    if not groups:
        return say("No two loops are left to fuse.")
    return say(
        "Loops that share what they read or write are fused: {}.", joined("; ", (row.text[7:] for row in groups))
    )
