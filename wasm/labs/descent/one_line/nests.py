"""The line as nests of loops over tiles: a vector of four lanes at a time, and which rounds lead to the element."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from labs.descent.one_line.kernel import LANES
from labs.models.one_line.line import Line, Node, Shape, walk

Needed = dict[Node, set[Shape]]


@dataclass(frozen=True)
class Loop:
    """A line of a nest."""

    text: str
    depth: int
    rounds: str
    """What its variable is on the way to the chosen element, such as k = 0, 1, 2"""


@dataclass(frozen=True)
class Operand:
    """A factor of a product."""

    written: str
    shape: list[int]
    keys: list[str]
    """[elements] which input's number each is, such as x3, if the chosen element is made of it; + for a number that
    was computed; else empty"""


@dataclass(frozen=True)
class Nest:
    """A product, or what is done with each element."""

    loops: list[Loop]
    operands: list[Operand]
    """Left and right; of a nest that is no product none"""
    written: str
    """What its result is called"""
    shape: list[int]
    """[2] rows and columns of its result"""
    tile: int
    """Elements of a row that one vector holds"""
    wanted: list[int]
    """Of its result, which elements the chosen one is made of, or is"""


def nests(line: Line, index: Shape) -> list[Nest]:
    """In the order in which they run."""
    products = [node for node in walk(line.root) if node.op == "matmul"]
    names = {node: line.target if node is line.root else f"t{n}" for n, node in enumerate(products, 1)}
    found = needed(line.root, index)
    made = [product(line, node, names, found) for node in products]
    if line.root.op != "matmul":
        text = f"{line.target}[i, j:j+{LANES}] = {written(line, line.root, names)}"
        made.append(nest([], line.target, line.root.shape, found[line.root], [text]))
    return made


def needed(root: Node, index: Shape) -> Needed:
    """Of each part of the line, which of its elements the chosen one is made of."""
    found: Needed = defaultdict(set)

    def put(node: Node, at: Shape) -> None:
        at = at[len(at) - len(node.shape) :]
        if at in found[node]:
            return
        found[node].add(at)
        if node.op == "t":
            put(node.inputs[0], at[::-1])
        elif node.op == "matmul":
            left, right = node.inputs
            for k in range(left.shape[1]):
                put(left, (at[0], k))
                put(right, (k, at[1]))
        else:
            for each in node.inputs:
                put(each, at)

    put(root, index)
    return found


def product(line: Line, node: Node, names: dict[Node, str], found: Needed) -> Nest:
    left, right = (written(line, each, names) for each in node.inputs)
    depth = node.inputs[0].shape[1]
    sums = f"{names[node]}[i, j:j+{LANES}] += {left}[i, k] * {right}[k, j:j+{LANES}]"
    operands = [operand(each, text, found[each]) for each, text in zip(node.inputs, (left, right), strict=True)]
    return nest(operands, names[node], node.shape, found[node], [f"for k in range({depth}):", sums], depth)


def nest(
    operands: list[Operand], name: str, shape: Shape, wanted: set[Shape], inside: list[str], depth: int = 0
) -> Nest:
    rows, columns = shape if len(shape) == 2 else (1, *shape)
    pairs = [each if len(each) == 2 else (0, *each) for each in wanted]
    loops = [
        Loop(f"for i in range({rows}):", 0, f"i = {listed(i for i, _ in pairs)}"),
        Loop(f"for j in range(0, {columns}, {LANES}):", 1, f"j = {listed(j // LANES * LANES for _, j in pairs)}"),
    ]
    if depth:
        loops.append(Loop(inside[0], 2, f"k = {listed(range(depth))}"))
    lanes = listed(j % LANES for _, j in pairs)
    loops.append(Loop(inside[-1], len(loops), f"lane{'s' if ',' in lanes else ''} {lanes}"))
    places = sorted(i * columns + j for i, j in pairs)
    return Nest(loops, operands, name, [rows, columns], LANES, places)


def listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(set(numbers))))


def operand(node: Node, text: str, wanted: set[Shape]) -> Operand:
    return Operand(text, list(node.shape), [key(node, at) if at in wanted else "" for at in np.ndindex(node.shape)])


def key(node: Node, at: Shape) -> str:
    if node.op == "t":
        return key(node.inputs[0], at[::-1])
    return f"{node.name}{np.ravel_multi_index(at, node.shape)}" if node.op == "input" else "+"


def written(line: Line, node: Node, names: dict[Node, str]) -> str:
    """As it stands in the line, with the products' names in their places."""
    if node in names and node is not line.root:
        return names[node]
    text = line.source[node.begin : node.end]
    for inner in reversed(outermost(node, names)):
        text = text[: inner.begin - node.begin] + names[inner] + text[inner.end - node.begin :]
    return text if node.op in ("input", "relu", "t") or node is line.root else f"({text})"


def outermost(node: Node, names: dict[Node, str]) -> list[Node]:
    """The products in it that are in no other one, from left to right."""
    return [found for each in node.inputs for found in ([each] if each in names else outermost(each, names))]
