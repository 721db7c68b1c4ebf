"""The pictures of a program on its way down: what is written, its loops, its buffers, its speed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import Annotated, Literal

from labs.contract import Axes, Event
from labs.models.timing import QUARTILES

from native.compilers.mlir_lowering import jumps
from native.compilers.mlir_lowering.changes import Line
from native.compilers.mlir_lowering.count import Counts, counted
from native.compilers.mlir_lowering.hot import Hot
from native.compilers.mlir_lowering.nest import Access, Kind, Node, nest

MOST = 48  # rows of a picture of loops
MOST_PLACES = 6  # of one buffer that are told apart in a loop
WRONG = 1e-3  # a difference from float64 that no rounding of 32 bits explains in sums as short as ours
ARGUMENT = re.compile(r"%(arg\d+): memref<((?:\d+x)*)f32>")
ALLOC = re.compile(r"%(\w+) = memref\.alloc\(\).* : memref<((?:\d+x)*)(f32|i64)>$", re.MULTILINE)
VALUE = re.compile(r"%(arg\d+): tensor<((?:\d+x)*)f32>")
EMPTY = re.compile(r"%(\w+) = tensor\.empty\(\) : tensor<((?:\d+x)*)f32>$", re.MULTILINE)
BYTES = {"f32": 4, "i64": 8}


@dataclass(frozen=True)
class Row:
    """A loop, an operation on whole tensors, or a block of code."""

    depth: int
    kind: Kind
    name: str
    line: int
    """Where it stands among the lines that are shown; -1 for none of them."""
    trips: int
    """Of a loop, each time it runs; 0 for what is none, -1 where nobody can say"""
    step: int
    reads: list[str]
    writes: list[str]
    to: list[str]
    """Where a block jumps."""
    back: bool
    """Whether it jumps back."""


@dataclass(frozen=True)
class Buffer:
    name: str
    shape: list[int]
    bytes: int
    role: Literal["given", "result", "in between"]
    kept: bool
    """Whether it is a place in memory; else a value, of which nothing says where it is."""


@dataclass(frozen=True)
class Held:
    """The tile of the result that a program works on at a time."""

    rows: int
    columns: int
    lanes: int
    """numbers that a register of the processor holds"""
    depth: int
    """steps of the sum before the next tile has its turn"""
    times: int
    """how often it has its turn"""
    vectors: bool
    """Whether the tile is a vector by now."""
    kept: bool
    """Whether it stays in registers for all steps."""
    behind: bool
    """Whether bias and activation are done with it before it is written."""


@dataclass(frozen=True)
class Rival:
    """What else computes a product, in turns with the machine code at the end of the road."""

    name: str
    speed: Annotated[list[float], Axes(quartile=QUARTILES)]
    """GFLOP/s"""
    times: Annotated[list[float], Axes(quartile=QUARTILES)]
    """as fast as this the road's end is, turn by turn"""


@dataclass(frozen=True)
class Way:
    """What a step came to when it ran."""

    name: str
    speed: Annotated[list[float], Axes(quartile=QUARTILES)]
    """GFLOP/s that three, two and one quarter of the repetitions reached; empty if it was not measured"""
    seconds: float
    """median of the repetitions; 0 if it was not measured"""
    error: float
    """largest difference from float64, as a share of the largest result; -1 where a result is no number"""
    verdict: Literal["right", "wrong", "broke", "unknown"]


@dataclass(frozen=True)
class Part:
    """Instructions of one kind."""

    name: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Lowered(Event):
    """The program after one more step on its way down."""

    kind: Literal["lowered"] = "lowered"
    stage: str
    """What the program is written in."""
    name: str
    """The step."""
    passes: list[str]
    """In MLIR's words."""
    schedule: list[str]
    """The part of the schedule that did it, in the transform dialect; empty for passes."""
    tiles: list[Held]
    """One, where the program is cut in tiles by a schedule; else none."""
    lines: list[Line]
    left_out: int
    """Lines at the end that are not shown."""
    new: int
    gone: int
    loops: list[Row]
    loops_left_out: int
    reads: int
    """elements that all loops together load; -1 where loops are gone or not yet there"""
    writes: int
    """elements that they store; -1 as above"""
    floats: int
    """operations on floats that they do; -1 as above"""
    work: int
    """operations on floats that the result takes"""
    buffers: list[Buffer]
    ways: Annotated[list[Way], Axes(way="ways.name")]
    peak: float
    """GFLOP/s of multiply-adds in registers on all threads, the best so far; 0 where nothing runs"""
    hot: list[Hot]
    """the innermost loop of a product, where a schedule has led it to blocks and jumps of LLVM; else empty"""
    mix: list[Part]
    """instructions of the kernels by what they do; empty but for PTX"""
    rivals: Annotated[list[Rival], Axes(rival="rivals.name")]
    """at the end of the road by a schedule, the road's end itself first; else empty"""


def rows(text: str, level: str, places: dict[int, int]) -> list[Row]:
    if level in ("cf", "llvm", "nvvm", "LLVM IR", "PTX"):
        return [
            Row(0, "block", each.name or "start", places.get(each.line, -1), 0, 1, [], [], each.to, bool(each.back))
            for each in jumps.blocks(text)
        ]
    found: list[Row] = []
    for node in loops(text, level):
        flatten(node, 0, places, found)
    return found


def loops(text: str, level: str) -> list[Node]:
    """Of kernels, only what starts them: what is in them is on the picture before."""
    found = nest(text)
    return [node for node in found if node.kind == "grid" or "@" not in text] if level == "gpu" else found


def flatten(node: Node, depth: int, places: dict[int, int], into: list[Row]) -> None:
    plain = node.name.removeprefix("%")
    trips = 0 if node.kind == "work" else -1 if node.extent is None else node.extent
    into.append(
        Row(
            depth,
            kind(node),
            plain,
            places.get(node.line, -1),
            trips,
            node.step,
            shown(node.reads),
            shown(node.writes),
            [],
            False,
        )
    )
    for each in node.inside:
        flatten(each, depth + 1, places, into)


def shown(found: list[Access]) -> list[str]:
    """Of rows that stand side by side, as an unrolled loop has them, the first."""
    rows = Counter(each.buffer for each in found)
    seen: set[str] = set()
    kept = []
    for each in found:
        if rows[each.buffer] <= MOST_PLACES or each.buffer not in seen:
            kept.append(str(each))
        seen.add(each.buffer)
    return kept


def kind(node: Node) -> Kind:
    """Of loops that take longer steps: over tiles, or over the lanes of vectors."""
    if node.kind in ("loop", "parallel") and node.step > 1:
        return "vector" if lanes_along(node, node.name) and not starts(node.inside, node.name) else "tile"
    return node.kind


def lanes_along(node: Node, name: str) -> bool:
    """Whether what is read or written at once begins where this loop stands."""
    place = re.compile(rf"\b{name.removeprefix('%')}\b")
    here = any(each.lanes > 1 and place.search(each.index) for each in (*node.reads, *node.writes))
    return here or any(lanes_along(each, name) for each in node.inside)


def starts(nodes: list[Node], name: str) -> bool:
    """Whether one of these loops begins where an outer one stands."""
    return any(any(name in each.of for each in node.lower or ()) or starts(node.inside, name) for node in nodes)


def counts(text: str, level: str) -> Counts | None:
    """None where loops are not there yet or no longer, or ask before what they do."""
    if level not in ("linalg", "memref", "affine", "scf") or "scf.if" in text:
        return None
    if "vector.contract" in text or "vector.fma" in text:  # whose operations no line counts
        return None
    found = nest(text)
    return None if any(node.kind == "work" and node.name.startswith("linalg") for node in found) else counted(found)


def buffers(text: str) -> list[Buffer]:
    head = next((line for line in text.split("\n") if "func.func @main" in line), "")
    given = ARGUMENT.findall(head)
    if not given:
        return values(head, text)
    found = [
        Buffer(name, size(shape), 4 * prod(size(shape)), "result" if at == len(given) - 1 else "given", True)
        for at, (name, shape) in enumerate(given)
    ]
    for name, shape, kind in ALLOC.findall(text):
        found.append(Buffer(name, size(shape), BYTES[kind] * prod(size(shape)), "in between", True))
    return found


def values(head: str, text: str) -> list[Buffer]:
    """Tensors that a program is given, and those that it begins and that are to be filled."""
    given, result = VALUE.findall(head), head.rpartition("->")[2]
    found = [Buffer(name, size(shape), 4 * prod(size(shape)), "given", False) for name, shape in given]
    for name, shape in EMPTY.findall(text) if given else ():
        first = f"tensor<{shape}f32>" in result and all(each.role != "result" for each in found)
        role: Literal["result", "in between"] = "result" if first else "in between"
        found.append(Buffer(name, size(shape), 4 * prod(size(shape)), role, False))
    return found


def between(found: list[Buffer]) -> int:
    """Bytes that are neither given nor a result."""
    return sum(each.bytes for each in found if each.role == "in between" and each.kept)


def size(shape: str) -> list[int]:
    return [int(each) for each in shape.split("x") if each]
