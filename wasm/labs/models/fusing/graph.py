"""Graph IR: what a program computes, as operations on whole tensors; nothing is said of loops or memory.

A node is immutable and knows its inputs; a graph is its outputs. Every operation is elementwise on equal
shapes, a reduction, a movement of elements, or a matrix product: broadcasting is a movement of its own, so that
a pass never has to ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

FLOATS = ("f32", "f64", "bf16")
DTYPES = (*FLOATS, "i64", "i32", "i8", "bool")
BYTES = {"f32": 4, "f64": 8, "bf16": 2, "i64": 8, "i32": 4, "i8": 1, "bool": 1}

UNARY = (
    *(
        "neg",
        "abs",
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "erf",
        "gelu",
        "floor",
        "round",
    ),
    "not",
)
BINARY = ("add", "sub", "mul", "div", "pow", "max", "min")
COMPARE = ("lt", "le", "gt", "ge", "eq", "ne", "and", "or")
ELEMENTWISE = (*UNARY, *BINARY, *COMPARE, "where", "cast")
REDUCE = ("sum", "amax", "amin", "prod")
MOVE = ("broadcast", "reshape", "permute", "slice", "pad")
OPERATIONS = ("input", "const", *ELEMENTWISE, *REDUCE, *MOVE, "matmul")


@dataclass(frozen=True, eq=False)
class Node:
    """One operation. Two nodes are the same if they are one object; to make equal ones one is a pass's work."""

    op: str
    inputs: tuple[Node, ...]
    shape: tuple[int, ...]
    dtype: str
    arg: Any = None
    """
    input: its name · const: its number, in every place · reductions: the axes, which stay with length 1 ·
    permute: the axes in their new order · slice: ((start, stop, step), …) for each axis · broadcast: none, axes
    of length 1 are repeated · pad: ((start, stop, step), …), the places of zeros that the input goes to (a slice's
    way back)
    """
    line: int = 0
    """The line of the program that it came from, from 1; 0 if a pass made it."""


def walk(outputs: Iterable[Node], seen: set[Node] | None = None) -> Iterator[Node]:
    """Every node once, inputs before what uses them; none of those `seen`, to which it adds."""
    seen = set() if seen is None else seen
    stack: list[tuple[Node, bool]] = [(each, False) for each in reversed(list(outputs))]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(each, False) for each in reversed(node.inputs)]
