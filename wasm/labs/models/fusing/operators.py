"""What +, @, < and [ ] mean, on tensors and on numbers."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from labs.models.fusing import ops
from labs.models.fusing.functions import kind, product
from labs.models.fusing.graph import Node

Table = dict[type[ast.AST], tuple[str, str, Callable[..., Any]]]
"""Sign, operation on tensors, and what it is on numbers."""


def power(base: float, exponent: float) -> Any:
    if abs(base) > 1e6 or abs(exponent) > 64:
        raise ValueError("a number that large is not computed here; write it out")
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("this power is no real number")
    return result


BINARY: Table = {
    ast.Add: ("+", "add", operator.add),
    ast.Sub: ("-", "sub", operator.sub),
    ast.Mult: ("*", "mul", operator.mul),
    ast.Div: ("/", "div", operator.truediv),
    ast.FloorDiv: ("//", "floordiv", operator.floordiv),
    ast.Pow: ("**", "pow", power),
    ast.MatMult: ("@", "matmul", operator.matmul),
    ast.BitAnd: ("&", "and", operator.and_),
    ast.BitOr: ("|", "or", operator.or_),
}
UNARY: Table = {
    ast.USub: ("-", "neg", operator.neg),
    ast.UAdd: ("+", "plus", operator.pos),
    ast.Not: ("not", "not", operator.not_),
    ast.Invert: ("~", "not", operator.invert),
}
COMPARE: Table = {
    ast.Lt: ("<", "lt", operator.lt),
    ast.LtE: ("<=", "le", operator.le),
    ast.Gt: (">", "gt", operator.gt),
    ast.GtE: (">=", "ge", operator.ge),
    ast.Eq: ("==", "eq", operator.eq),
    ast.NotEq: ("!=", "ne", operator.ne),
}
LARGEST = 2.0**53


def operate(table: Table, sign: ast.AST, *operands: Any) -> Any:
    said, op, on_numbers = table[type(sign)]
    for each in operands:
        if not isinstance(each, Node | int | float):
            raise TypeError(f"{said} takes tensors and numbers, not {kind(each)}")
    if not any(isinstance(each, Node) for each in operands):
        found = on_numbers(*operands)
        known = all(map(math.isfinite, operands))
        if known and (not math.isfinite(found) or (isinstance(found, int) and abs(found) > LARGEST)):
            raise ValueError("this number becomes too large")
        return found
    if op == "plus":
        return operands[0]
    if op == "floordiv":
        return divided_down(*operands)
    if op == "matmul":
        if not all(isinstance(each, Node) for each in operands):
            raise TypeError("@ stands between two tensors; write * for a number")
        return product(*operands)
    return ops.apply(op, *operands)


def divided_down(*operands: ops.Operand) -> Node:
    """Of whole numbers a whole number: its quotient in floats that are wide enough is on the right side of it."""
    dtype = ops.promoted("floordiv", operands)[0].dtype
    if dtype == "bool":
        raise ValueError("// of conditions: cast them first, x.to(i32)")
    if dtype in ops.WHOLE:
        wide = "f32" if dtype == "i8" else "f64"
        operands = tuple(ops.cast(each, wide) if isinstance(each, Node) else each for each in operands)
        quotient = ops.apply("floor", ops.apply("div", *operands))
        return ops.cast(ops.cast(quotient, "i32") if dtype == "i8" else quotient, dtype)
    return ops.apply("floor", ops.apply("div", *operands))


def indexed(value: Any, key: Any) -> Any:
    """A tensor's part, or one of several values."""
    if isinstance(value, tuple):
        if isinstance(key, int | slice) and not isinstance(key, bool):
            return value[key] if isinstance(key, slice) else pick(value, key)
        raise TypeError("several values are numbered; write [0]")
    if not isinstance(value, Node):
        raise TypeError(f"{kind(value)} has no parts")
    keys = list(key) if isinstance(key, tuple) else [key]
    used = sum(each is not None and each is not ... for each in keys)
    if used > len(value.shape):
        raise ValueError(f"{used} indices for {ops.said(value.shape)}, which has {len(value.shape)} axes")
    if keys.count(...) > 1:
        raise ValueError("… can stand once")
    fill = [slice(None)] * (len(value.shape) - used)
    place = keys.index(...) if ... in keys else len(keys)
    keys = keys[:place] + fill + keys[place + 1 :]
    parts, shape, axis = [], [], 0
    for each in keys:
        if each is None:
            shape.append(1)
            continue
        part = bounds(each, value.shape[axis], axis)
        parts.append(part)
        if isinstance(each, slice):
            shape.append(len(range(*part)))
        axis += 1
    return ops.reshape(ops.slice(value, parts), shape)


def bounds(key: Any, length: int, axis: int) -> tuple[int, int, int]:
    if isinstance(key, slice):
        for each in (key.start, key.stop, key.step):
            if each is not None and not isinstance(each, int):
                raise TypeError("the bounds of a slice are whole numbers")
        if key.step is not None and key.step < 1:
            raise ValueError("a slice goes forwards here; take a step of 1 or more")
        start, stop, step = key.indices(length)
        if start >= stop:
            raise ValueError(f"this slice of axis {axis}, of length {length}, has no elements")
        return start, stop, step
    if not isinstance(key, int) or isinstance(key, bool):
        raise TypeError(f"an index is a whole number or a slice, not {kind(key)}; for a condition write where(…)")
    if not -length <= key < length:
        raise ValueError(f"index {key} of axis {axis}, which has a length of {length}")
    return key % length, key % length + 1, 1


def pick(values: tuple[Any, ...], key: int) -> Any:
    if not -len(values) <= key < len(values):
        raise ValueError(f"number {key} of {len(values)} values")
    return values[key]
