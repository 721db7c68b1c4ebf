"""What a compiler makes of the line: a graph, and of its operations as few loops as can be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from labs.models.fusing import show
from labs.models.fusing.fuse import fuse
from labs.models.fusing.graph import Node, walk
from labs.models.fusing.loops import Kernel, Product, Store, statements
from labs.models.fusing.passes import Passes
from labs.models.fusing.read import read
from labs.models.one_line.line import SHAPES, Line


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
    """Bytes that are neither written to memory nor read again, since the loop that makes them uses them at once."""


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
    inside = passed_on(nodes, home, number) - stored(fusion.program.kernels)
    saved = sum(2 * 4 * math.prod(node.shape) for node in nodes if number[node] in inside)
    return Fused(rows, loops, len(fusion.program.kernels), saved)


def passed_on(nodes: list[Node], home: dict[int, int], number: dict[Node, int]) -> set[int]:
    """Operations whose result is used in their own kernel, as it is or through views."""
    found = set()
    for user in nodes:
        for base in user.inputs:
            while number[base] not in home and base.inputs:
                base = base.inputs[0]
            n = number[base]
            if n in home and home[n] == home.get(number[user]):
                found.add(n)
    return found


def stored(kernels: tuple[Kernel, ...]) -> set[int]:
    """Operations whose result a kernel writes to memory: a product as a whole, all others at the end of a loop."""
    written = (each for kernel in kernels for each in statements(kernel.body))
    return {each.node for each in written if isinstance(each, Store | Product)}
