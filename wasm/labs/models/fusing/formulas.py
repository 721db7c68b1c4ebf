"""Rewrites that change bits: formulas that are computed better by another one, and laws of the real numbers.

Floats do not obey those laws (x · 0 is not 0 if x is infinite), so "fast math" is off at first.
"""

from __future__ import annotations

import math

from labs.models.fusing import ops, patterns
from labs.models.fusing.graph import FLOATS, MOVE, Node
from labs.models.fusing.ops import apply, like
from labs.models.fusing.rules import RULES, is_const, rule, ways

NEAR = 1e-6  # relative: how a constant is written is not the formula


def near(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= NEAR * abs(wanted)


def factors(node: Node, deep: int = 4) -> tuple[float, list[Node]]:
    """A product as one number and the rest. What was squared again and again has no end of factors."""
    match node:
        case Node("const"):
            return node.arg, []
        case Node("mul", (x, y)) if deep:
            (a, left), (b, right) = factors(x, deep - 1), factors(y, deep - 1)
            return a * b, left + right
        case Node("div", (x, Node("const") as y)) if y.arg and deep:
            a, left = factors(x, deep - 1)
            return a / y.arg, left
    return 1.0, [node]


def times(nodes: list[Node]) -> Node:
    result = nodes[0]
    for each in nodes[1:]:
        result = apply("mul", result, each)
    return result


def one_plus(node: Node, op: str) -> Node | None:
    """u of 1 + op(u)"""
    if node.op == "add":
        for x, y in ways(node):
            if is_const(y, 1) and x.op == op:
                return x.inputs[0]
    return None


def whole(node: Node) -> bool:
    """What were whole numbers, of which a quotient may be cut: there the last bit is a whole one."""
    while node.op in MOVE:
        (node,) = node.inputs
    return node.op == "cast" and node.inputs[0].dtype in ops.WHOLE


# -- patterns ------------------------------------------------------------------------------------------------------


@rule("GELU", "It has one polynomial of its own, and needs neither erf nor a product more.", "patterns", "mul")
def gelu(node: Node) -> Node | None:
    """x · ½ (1 + erf(x / √2))"""
    number, parts = factors(node)
    if node.dtype not in FLOATS or not near(number, 0.5) or len(parts) != 2:
        return None
    for x, curve in (parts, parts[::-1]):
        inner = one_plus(curve, "erf")
        if inner:
            scale, within = factors(inner)
            if len(within) == 1 and within[0] is x and near(scale, math.sqrt(0.5)):
                return apply("gelu", x)
    return None


@rule("sigmoid in tanh", "½ (1 + tanh u) = σ(2u): one exp, and two operations fewer.", "patterns", "mul", "div")
def sigmoid_in_tanh(node: Node) -> Node | None:
    number, parts = factors(node)
    curves = [each for each in parts if one_plus(each, "tanh")]
    if len(curves) != 1 or number != 0.5:
        return None
    inner = one_plus(curves[0], "tanh")
    assert inner
    curve = apply("sigmoid", apply("mul", inner, 2))
    return times([each for each in parts if each is not curves[0]] + [curve])


@rule("sigmoid", "1 / (1 + e⁻ˣ) has a name, and a derivative without exp.", "patterns", "div")
def sigmoid(node: Node) -> Node | None:
    x, y = node.inputs
    inner = one_plus(y, "exp")
    return apply("mul", x, apply("sigmoid", inner.inputs[0])) if inner and inner.op == "neg" else None


@rule(
    "safe softmax",
    "exp overflows from 89 on; with the greatest element subtracted, nothing does.",
    "patterns",
    "div",
)
def safe_softmax(node: Node) -> Node | None:
    found = patterns.softmax(node)
    if not found or found.shift is not None:
        return None
    small = apply("exp", apply("sub", found.x, ops.reduce("amax", found.x, found.axes, True)))
    return apply("div", small, ops.reduce("sum", small, found.axes, True))


@rule(
    "log of softmax", "A share that is rounded to 0 has no finite log; x − log Σ eˣ is finite.", "patterns", "log"
)
def log_of_softmax(node: Node) -> Node | None:
    found = patterns.softmax(node.inputs[0])
    return apply("sub", found.z, apply("log", found.total)) if found else None


# -- fast math -----------------------------------------------------------------------------------------------------


@rule("plus zero", "Only −0 + 0 would differ, in its sign.", "fast math", "add", "sub")
def plus_zero(node: Node) -> Node | None:
    return next((x for x, y in ways(node) if y.op == "const" and y.arg == 0), None)


@rule("times zero", "Only infinities and NaN would differ.", "fast math", "mul")
def times_zero(node: Node) -> Node | None:
    return next((like(node, 0) for _, y in ways(node) if y.op == "const" and y.arg == 0), None)


@rule("itself", "Only infinities, NaN and 0 / 0 would differ.", "fast math", "sub", "div")
def itself(node: Node) -> Node | None:
    x, y = node.inputs
    return like(node, 0 if node.op == "sub" else 1) if x is y else None


@rule(
    "constants together", "Two constants are one; the last bit may differ.", "fast math", "mul", "div", "add", "sub"
)
def together(node: Node) -> Node | None:
    if node.dtype not in FLOATS:
        return None
    if node.op in ("mul", "div"):
        held = sum(each.op == "const" for each in node.inputs)
        number, parts = factors(node)
        inner = [each for each in node.inputs if each.op in ("mul", "div")]
        if held == 1 and len(inner) == 1 and factors(inner[0])[0] != 1 and math.isfinite(number) and parts:
            return apply("mul", times(parts), number)
        return None
    x, y = node.inputs
    match x:
        case Node("add" | "sub", (z, Node("const") as c)) if y.op == "const":
            total = (c.arg if x.op == "add" else -c.arg) + (y.arg if node.op == "add" else -y.arg)
            return apply("add", z, total)
    return None


@rule("times the reciprocal", "A product is several times faster than a quotient; the last bit may differ.",
      "fast math", "div")  # fmt: skip
def times_reciprocal(node: Node) -> Node | None:
    x, y = node.inputs
    if y.op == "const" and y.arg and node.dtype in FLOATS and not whole(x):
        return apply("mul", x, 1 / y.arg)
    return None


@rule(
    "divide once", "The reciprocal is taken once for each repetition; the last bit may differ.", "fast math", "div"
)
def divide_once(node: Node) -> Node | None:
    x, y = node.inputs
    if y.op == "broadcast" and not is_const(x, 1) and not whole(y):
        return apply("mul", x, ops.broadcast(apply("div", 1, y.inputs[0]), node.shape))
    return None


@rule("small power", "Products instead of a power, each rounded.", "fast math", "pow")
def small_power(node: Node) -> Node | None:
    x, y = node.inputs
    if y.op == "const" and y.arg in (3, 4):
        twice = apply("mul", x, x)
        return apply("mul", twice, x if y.arg == 3 else twice)
    return None


@rule("root", "Only −0 and −∞ would differ.", "fast math", "pow")
def root(node: Node) -> Node | None:
    x, y = node.inputs
    if y.op == "const" and abs(y.arg) == 0.5 and x.dtype in FLOATS:
        return apply("sqrt" if y.arg > 0 else "rsqrt", x)
    return None


@rule("reciprocal root", "One rounding instead of two.", "fast math", "div")
def reciprocal_root(node: Node) -> Node | None:
    x, y = node.inputs
    return apply("mul", x, apply("rsqrt", y.inputs[0])) if y.op == "sqrt" else None


@rule("there and back", "Each undoes the other, where both are defined.", "fast math", "exp", "log")
def there_and_back(node: Node) -> Node | None:
    x = node.inputs[0]
    return x.inputs[0] if {node.op, x.op} == {"exp", "log"} else None


@rule("out of the sum", "The sum is multiplied once, instead of each summand.", "fast math", "sum")
def out_of_the_sum(node: Node) -> Node | None:
    x = node.inputs[0]
    if x.op == "mul" and node.dtype in FLOATS:
        for part, factor in ways(x):
            if factor.op == "const":
                return apply("mul", ops.reduce("sum", part, node.arg, True), factor.arg)
    return None


@rule("sum of equals", "Copies are counted, not added.", "fast math", "sum")
def sum_of_equals(node: Node) -> Node | None:
    x = node.inputs[0]
    if x.op == "broadcast" and node.dtype in FLOATS and all(x.inputs[0].shape[axis] == 1 for axis in node.arg):
        count = math.prod(x.shape[axis] for axis in node.arg)
        return ops.broadcast(apply("mul", x.inputs[0], count), node.shape)
    return None


@rule("relu", "One operation instead of two; only NaN would differ.", "fast math", "where")
def relu(node: Node) -> Node | None:
    match node:
        case Node("where", (Node("gt" | "ge", (x, zero)), y, other)) if x is y:
            return apply("max", x, 0) if is_const(zero, 0) and is_const(other, 0) else None
    return None


ALL = tuple(RULES)
"""Those of the file before this one, too."""
