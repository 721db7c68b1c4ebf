"""Below Python: each operation is a call of one of PyTorch's operators, and the dispatcher finds its kernels.

Which keys have their turn and what is registered there was asked of PyTorch, operator by operator, and lies in
`dispatch.json` (`scripts/ask_the_line.py` writes it, and a test asks again).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from labs.models.one_line.line import Line, Node, walk

OPERATORS = {
    "matmul": ("aten::matmul", "aten::mm"),
    "add": ("aten::add.Tensor",),
    "sub": ("aten::sub.Tensor",),
    "rsub": ("aten::rsub.Scalar",),
    "mul": ("aten::mul.Tensor",),
    "neg": ("aten::neg",),
    "relu": ("aten::relu",),
    "t": ("aten::numpy_T", "aten::permute"),
}
"""What Python's operation calls first, and what that calls after it."""


@dataclass(frozen=True)
class Stop:
    """A key of the dispatcher at which something runs, or nothing does."""

    key: str
    state: str
    """``ran``, ``falls through`` or ``excluded``"""
    file: str
    """Where in PyTorch's sources the kernel was registered."""


@dataclass(frozen=True)
class Called:
    """One operator on its way through the dispatcher."""

    operator: str
    schema: str
    """How its arguments are parsed: names, types and defaults."""
    stops: list[Stop]


@dataclass(frozen=True)
class Call:
    """An operation of the line."""

    begin: int
    end: int
    given: list[str]
    """Its arguments, as the operator is given them."""
    operators: list[Called]


@cache
def table() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(__package__).joinpath("dispatch.json").read_text(encoding="utf-8"))
    return found


def called(operator: str) -> Called:
    row = table()["operators"][operator]
    return Called(operator, row["schema"], [Stop(*each) for each in row["stops"]])


@lru_cache(maxsize=16)
def calls(line: Line) -> list[Call]:
    """In the order in which they are made."""
    return [call(node) for node in walk(line.root) if node.op not in ("input", "const")]


def call(node: Node) -> Call:
    op, inputs = node.op, node.inputs
    if op in ("sub", "add", "mul") and inputs[0].op == "const":  # Python asks the tensor on the right
        op, inputs = ("rsub" if op == "sub" else op), inputs[::-1]
    given = ["float" if each.op == "const" else f"float32[{', '.join(map(str, each.shape))}]" for each in inputs]
    return Call(node.begin, node.end, given, [called(each) for each in OPERATORS[op]])
