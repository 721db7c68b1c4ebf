"""What one element of the result takes: loads, products, sums, one after the other, each rounded as float32 is.

The chosen element is followed back from the result to the numbers that it is made of. What comes out is a program
without loops and without names. The machine code of every processor is made from it, and so are the sum in the
kernel and the bits of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul, neg, sub
from typing import Any

import numpy as np

from labs.descent.one_line.given import Floats
from labs.models.one_line.line import Node, Shape


@dataclass(frozen=True, eq=False)
class Value:
    """One number on the way. ``op`` is ``load``, ``const``, ``mul``, ``add``, ``sub``, ``neg`` or ``relu``."""

    op: str
    inputs: tuple[Value, ...]
    node: Node
    number: np.float32
    """As it is stored."""
    exact: Fraction
    """As it would be, were its inputs combined without rounding."""
    name: str = ""
    place: int = -1
    """Which element of which input, for a load."""

    @property
    def key(self) -> str:
        """What tells it from others where it is drawn: ``x3`` is the element 3 of x."""
        return f"{self.name}{self.place}" if self.op == "load" else ""


def follow(node: Node, index: Shape, inputs: dict[str, Floats]) -> Value:
    """The element of ``node`` at ``index``, and what it is made of."""
    match node.op:
        case "input":
            place = int(np.ravel_multi_index(index, node.shape))
            number = inputs[node.name].reshape(-1)[place]
            return Value("load", (), node, number, Fraction(float(number)), node.name, place)
        case "const":
            number = np.float32(node.number)
            return Value("const", (), node, number, Fraction(float(number)))
        case "t":
            return follow(node.inputs[0], index[::-1], inputs)
        case "matmul":
            left, right = node.inputs
            total: Value | None = None
            for k in range(left.shape[1]):
                one = operate(
                    "mul", node, follow(left, (index[0], k), inputs), follow(right, (k, index[1]), inputs)
                )
                total = one if total is None else operate("add", node, total, one)
            assert total is not None
            return total
    parts = (follow(each, index[len(index) - len(each.shape) :], inputs) for each in node.inputs)
    return operate(node.op, node, *parts)


def operate(op: str, node: Node, *parts: Value) -> Value:
    numbers = [each.number for each in parts]
    exact = [Fraction(float(each)) for each in numbers]
    return Value(op, parts, node, OPERATIONS[op](*numbers), OPERATIONS[op](*exact))


def relu(number: Any) -> Any:
    """A NaN comes out as 0, and so does -0."""
    return number if number > 0 else type(number)(0)


OPERATIONS: dict[str, Callable[..., Any]] = {"mul": mul, "add": add, "sub": sub, "neg": neg, "relu": relu}


def program(root: Value) -> list[Value]:
    """Every value, after those it is made of; what is loaded twice stands there twice."""
    found: list[Value] = []

    def put(value: Value) -> None:
        for each in value.inputs:
            put(each)
        found.append(value)

    put(root)
    return found


def whole(value: Value) -> Fraction:
    """The number that it would be if nothing had been rounded since the inputs were stored."""
    if not value.inputs:
        return value.exact
    number: Fraction = OPERATIONS[value.op](*map(whole, value.inputs))
    return number


def evaluated(node: Node, inputs: dict[str, Floats]) -> Floats:
    """Every element, with the roundings of the chosen one: the same operations in the same order."""
    parts = [evaluated(each, inputs) for each in node.inputs]
    match node.op:
        case "input":
            return inputs[node.name]
        case "const":
            return np.array(node.number, np.float32)
        case "t":
            return parts[0].T
        case "matmul":
            left, right = parts
            total = left[:, :1] * right[:1]
            for k in range(1, left.shape[1]):
                total = total + left[:, k : k + 1] * right[k : k + 1]
            return total
        case "relu":
            return np.where(parts[0] > 0, parts[0], np.float32(0))
    result: Floats = OPERATIONS[node.op](*parts)
    return result
