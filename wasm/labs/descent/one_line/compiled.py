"""What a compiler makes of the line: a graph, and of its operations as few loops as can be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from labs.descent.one_line.line import SHAPES, Line
from labs.models.fusing import show
from labs.models.fusing.fuse import fuse
from labs.models.fusing.graph import Node, walk
from labs.models.fusing.passes import Passes
from labs.models.fusing.read import read


@dataclass(frozen=True)
class Row:
    """An operation of the captured graph."""

    name: str
    text: str
    shape: list[int]
    kernel: int
    """In which kernel it is computed, from 0; -1 if it is an input, a number or a view"""


@dataclass(frozen=True)
class Written:
    """A line of the loops."""

    text: str
    depth: int
    kernel: int
    node: int
    """Which row of the graph it computes; -1 if it is none's"""


@dataclass(frozen=True)
class Fused:
    rows: list[Row]
    loops: list[Written]
    kernels: int
    saved: int
    """Bytes that are neither written to memory nor read again, since their operations share a loop."""


def program(line: Line) -> str:
    arguments = ", ".join(f"{name}: f32[{', '.join(map(str, shape))}]" for name, shape in SHAPES.items())
    return f"def f({arguments}):\n    {line.source}\n    return {line.target}\n"


def compiled(line: Line) -> Fused:
    """Raises ``ProgramError``."""
    return fused(program(line))


@lru_cache(maxsize=8)
def fused(source: str) -> Fused:
    """Kept for while only the numbers change: no compiler looks at them."""
    graph = read(source)
    fusion = fuse(graph.outputs, "greedy", passes=Passes(width=0))
    nodes = list(walk(graph.outputs))
    number = {node: n for n, node in enumerate(nodes)}
    home = {n: kernel for kernel, group in enumerate(fusion.groups) for n in group}
    names = {node: str(node.arg) if node.op == "input" else f"v{n}" for n, node in enumerate(nodes)}
    shown = [node for node in nodes if node.op not in ("input", "const")]
    place = {number[node]: n for n, node in enumerate(shown)}
    rows = [
        Row(names[each], show.operation(each, names.__getitem__), list(each.shape), home.get(number[each], -1))
        for each in shown
    ]
    loops = [
        Written(text.text, text.depth, kernel, place.get(text.node, -1))
        for kernel, each in enumerate(fusion.program.kernels)
        for text in show.kernel(each)
    ]
    return Fused(rows, loops, len(fusion.program.kernels), between(shown, fusion.groups, number))


def between(nodes: list[Node], groups: tuple[tuple[int, ...], ...], number: dict[Node, int]) -> int:
    """Bytes of the tensors that stay inside of a kernel: written once and read once if each were on its own."""
    inside = 0
    for group in groups:
        members = [node for node in nodes if number[node] in group]
        used = {each for node in members for each in node.inputs}
        inside += sum(2 * 4 * size(node.shape) for node in members if node in used)
    return inside


def size(shape: tuple[int, ...]) -> int:
    total = 1
    for each in shape:
        total *= each
    return total
