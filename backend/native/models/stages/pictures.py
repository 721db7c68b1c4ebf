"""The pictures of a compilation: two stages beside each other, and at the end what it was worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.contract import Event

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


def tell(stage: str, rows: list[Row], part: str) -> str:
    """A sentence on a stage."""
    many = sum(bool(row.operations) for row in rows)
    operations = len({each for row in rows for each in row.operations})
    heads = sum(row.head for row in rows)
    where = f" ({part})" if part else ""
    sentence = {
        "source": f"The program, {len(rows)} lines of Python.",
        "bytecode": f"Python has compiled it to {len(rows)} instructions for its own machine; Dynamo reads these.",
        "break": f"Here a graph ends, and Python goes on: {rows[0].text if rows else ''}.",
        "graph": f"Dynamo has followed the bytecode without numbers, and noted {_s(many, 'operation')} on tensors.",
        "joint": f"Forward and backward in one graph, in PyTorch's own basic operations: {many} of them.",
        "forward": f"The graph that goes forward: {_s(many, 'basic operation')}.",
        "backward": f"The graph that goes back: {_s(many, 'basic operation')}; it reads what was kept.",
        "passes": f"After Inductor's passes on graphs: {_s(many, 'operation')}.",
        "loops": f"{_s(operations, 'operation')} become {_s(heads, 'loop')}; elementwise work is inlined.",
        "fused": _fused(rows),
        "cpp": f"Inductor writes C++, {len(rows)} lines, and the Python that calls it.",
        "assembly": f"The C++ compiler makes {_s(len(rows), 'line')} of assembly of it.",
        "rewritten": f"What Python runs from now on: {_s(len(rows), 'instruction')}, which call what was compiled.",
        "guards": f"This may be used again as long as {_s(len(rows), 'condition')} hold.",
        "again": f"The next call breaks a condition, and is compiled anew: {rows[0].text if rows else ''}.",
    }[stage]
    title = TITLES[stage]
    return f"{title[0].upper()}{title[1:]}{where}: {sentence}".replace("..", ".")


def _s(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _fused(rows: list[Row]) -> str:
    groups = [row for row in rows if row.text.startswith("fused: ")]
    if not groups:
        return "No two loops are left to fuse."
    return f"Loops that share what they read or write are fused: {'; '.join(row.text[7:] for row in groups)}."
