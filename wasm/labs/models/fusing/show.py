"""Graphs and loops as text that a person reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from labs.models.fusing.graph import REDUCE, Node
from labs.models.fusing.loops import (
    Apply,
    Area,
    Const,
    Expr,
    Index,
    Kernel,
    Let,
    Load,
    Loop,
    Product,
    Ref,
    Start,
    Statement,
    Store,
    Update,
)

SIGNS = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "matmul": "@", "and": "&", "or": "|"},
    **{"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="},
}
NEUTRAL = {"sum": "0", "prod": "1", "amax": "−∞", "amin": "∞"}
DEEP = 5  # of a formula


@dataclass(frozen=True)
class Line:
    text: str
    depth: int
    node: int
    """Number of the graph's node that it computes; −1 if it is none's."""


def number(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return str(value).lower() if isinstance(value, bool) else f"{value:.6g}"


def kind(node: Node) -> str:
    return f"{node.dtype}[{', '.join(map(str, node.shape))}]"


def operation(node: Node, names: Callable[[Node], str]) -> str:
    """A node by the names of what it uses."""
    args = [number(each.arg) if each.op == "const" else names(each) for each in node.inputs]
    if node.op in SIGNS:
        return f"{args[0]} {SIGNS[node.op]} {args[1]}"
    match node.op:
        case "input":
            return "input"
        case "const":
            return number(node.arg)
        case "neg":
            return f"-{args[0]}"
        case "cast":
            return f"{args[0]}.to({node.dtype})"
        case "slice":
            whole = [range(*part) for part in node.arg]
            parts = [
                ":" if (each.start, each.step) == (0, 1) and each.stop == length else bounds(each)
                for each, length in zip(whole, node.inputs[0].shape, strict=True)
            ]
            return f"{args[0]}[{', '.join(parts)}]"
        case "permute":
            return f"{args[0]}.permute({', '.join(map(str, node.arg))})"
        case "reshape":
            return f"{args[0]}.reshape({', '.join(map(str, node.shape))})"
    if node.op in REDUCE:
        return f"{args[0]}.{node.op}({', '.join(map(str, node.arg))})"
    return f"{node.op}({', '.join(args)})"


def bounds(part: range) -> str:
    return f"{part.start}:{part.stop}" + (f":{part.step}" if part.step != 1 else "")


def formula(node: Node, inside: Callable[[Node], bool], names: Callable[[Node], str], deep: int = 0) -> str:
    """With what it is made of written out, as long as that is `inside`."""

    def part(each: Node) -> str:
        if each.op == "const":
            return number(each.arg)
        if not inside(each) or deep >= DEEP:
            return names(each)
        text = formula(each, inside, names, deep + 1)
        return f"({text})" if " " in text and each.op in SIGNS else text

    return operation(node, part) if inside(node) or node.op == "const" else names(node)


# -- loops ---------------------------------------------------------------------------------------------------------


def kernel(of: Kernel) -> Iterator[Line]:
    """Buffers that are its own first, then its statements."""
    for each in of.buffers:
        if each.role == "local":
            yield Line(f"{each.name} = {each.dtype}[{each.size}], which stays in the cache", 0, -1)
    yield from block(of.body, 0)


def block(body: Iterable[Statement], depth: int) -> Iterator[Line]:
    for each in body:
        match each:
            case Loop():
                yield Line(head(each), depth, -1)
                yield from block(each.body, depth + 1)
            case Let(name, value, node):
                yield Line(f"{name} = {scalar(value)}", depth, node)
            case Start(names, monoid, _, node):
                yield Line(f"{', '.join(names)} = {NEUTRAL.get(monoid, 'nothing yet')}", depth, node)
            case Update(names, monoid, values, node):
                args = ", ".join((*names, *map(scalar, values)))
                sign = {"sum": " + ", "prod": " * "}.get(monoid)
                made = args.replace(", ", sign, 1) if sign else f"{monoid.removeprefix('a')}({args})"
                yield Line(f"{', '.join(names)} = {made}", depth, node)
            case Store(buffer, where, value, node):
                yield Line(f"{buffer}[{index(where)}] = {scalar(value)}", depth, node)
            case Product(out, left, right, rows, columns, inner, node):
                shape = f"{rows}×{inner} times {inner}×{columns}"
                yield Line(f"{area(out)} = {area(left)} @ {area(right)}, {shape}", depth, node)


def head(loop: Loop) -> str:
    bound = f"{loop.variable} < {loop.extent}"
    if loop.limit and loop.outer:
        bound += f" and {loop.extent}·{loop.outer} + {loop.variable} < {loop.limit}"
    how = {"serial": "", "parallel": ", in parallel", "vector": ", as one vector", "unrolled": ", unrolled"}
    return f"for {bound}{how[loop.kind]}:"


def index(where: Index) -> str:
    parts = [name if stride == 1 else f"{stride}·{name}" for name, stride in where.strides if stride]
    if where.offset or not parts:
        parts.append(str(where.offset))
    return " + ".join(parts)


def area(of: Area) -> str:
    return f"{of.buffer}[{index(of.start)}…]"


def scalar(value: Expr, within: bool = False) -> str:
    match value:
        case Const():
            return number(value.value)
        case Load():
            return f"{value.buffer}[{index(value.index)}]"
        case Ref():
            return value.name
        case Apply("cast", (x,)):
            return f"{value.dtype}({scalar(x)})"
        case Apply("neg", (x,)):
            return f"-{scalar(x, True)}"
        case Apply(op, (x, y)) if op in SIGNS:
            text = f"{scalar(x, True)} {SIGNS[op]} {scalar(y, True)}"
            return f"({text})" if within else text
        case Apply(op, args):
            return f"{op}({', '.join(map(scalar, args))})"
