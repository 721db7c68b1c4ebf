"""What is timed: loops in Python around the line, and the same arithmetic as machine code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import repeat
from typing import Any

import numpy as np
import torch
from labs.models.one_line.line import SHAPES, Line

from native.descent.line_clock.arithmetic import Arithmetic

Work = Callable[[int], object]


def nothing(rounds: int) -> None:
    """What the loop itself takes."""
    for _ in repeat(None, rounds):
        pass


def looped(lines: list[str], names: dict[str, Any]) -> Work:
    """A function that runs these lines so often, with these names as its local variables."""
    body = "\n        ".join(lines)
    source = f"def work(rounds, {', '.join(names)}):\n    for _ in repeat(None, rounds):\n        {body}\n"
    made: dict[str, Any] = {"repeat": repeat}
    exec(source, made)  # of one of our own lines: no reader's gets here
    return lambda rounds: made["work"](rounds, **names)


class OnIntegers(ast.NodeTransformer):
    """The same instructions on numbers that Python has itself: ``*`` for ``@``, and the real part for ``.T``."""

    def visit_MatMult(self, node: ast.MatMult) -> ast.Mult:
        return ast.Mult()

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        return ast.Attribute(node.value, "real", node.ctx)


def on_integers(line: Line) -> Work:
    """The same number of instructions on small integers, which are there already."""
    tree = OnIntegers().visit(ast.parse(line.source))
    return looped([ast.unparse(tree)], {"x": -3, "w": 4, "b": 5, "relu": abs})


def tensors(grad: bool) -> dict[str, Any]:
    source = torch.Generator().manual_seed(0)
    return {name: torch.randn(*shape, generator=source).requires_grad_(grad) for name, shape in SHAPES.items()}


def dispatching(calls: int) -> Work:
    """So many calls whose arguments are parsed and dispatched as an operator's are; then they compare shapes."""
    pairs = (("x", "w"), ("w", "b"), ("b", "x"))
    lines = [f"same({', '.join(pairs[n % 3])})" for n in range(calls)]
    work = looped(lines, tensors(grad=False) | {"same": torch.is_same_size})

    def inferring(rounds: int) -> None:
        with torch.inference_mode():
            work(rounds)

    return inferring


def on_tensors(line: Line, grad: bool) -> Work:
    return looped([line.source], tensors(grad) | {"relu": torch.relu})


def alone(arithmetic: Arithmetic, line: Line) -> tuple[Work, Any]:
    """The arithmetic on the same numbers, and the array into which it writes its result."""
    result = np.zeros(line.root.shape, np.float32)
    arrays = [each.numpy() for each in tensors(grad=False).values()]
    return (lambda rounds: arithmetic(rounds, *arrays, result)), result
