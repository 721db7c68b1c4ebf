"""Rewrites, each as small as it can be told: a node that looks like this becomes that, and why.

Those of this file give the same bits, signs of zero, infinities and NaN included; only a sum may be added up in
another order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from labs.models.fusing import ops
from labs.models.fusing.evaluate import evaluate
from labs.models.fusing.graph import ELEMENTWISE, FLOATS, REDUCE, Node
from labs.models.fusing.ops import apply, like

COMMUTES = ("add", "mul", "max", "min", "eq", "ne", "and", "or")


@dataclass(frozen=True)
class Rule:
    name: str
    why: str
    group: str
    """What switches it on: one of GROUPS."""
    ops: tuple[str, ...]
    """Of the nodes it looks at."""
    find: Callable[[Node], Node | None]


RULES: list[Rule] = []


def rule(name: str, why: str, group: str, *ops: str) -> Callable[[Callable[[Node], Node | None]], None]:
    def enter(find: Callable[[Node], Node | None]) -> None:
        RULES.append(Rule(name, why, group, ops, find))

    return enter


def ways(node: Node) -> Iterator[tuple[Node, Node]]:
    """Both operands, in either order if it does not matter."""
    x, y = node.inputs
    yield x, y
    if node.op in COMMUTES:
        yield y, x


def is_const(node: Node, value: float) -> bool:
    """The sign of a zero counts."""
    return node.op == "const" and node.arg == value and math.copysign(1, node.arg) == math.copysign(1, value)


# -- constants -----------------------------------------------------------------------------------------------------


@rule("fold", "It can be computed now, once.", "constants", *ELEMENTWISE, *REDUCE, "permute", "slice")
def fold(node: Node) -> Node | None:
    if any(each.op != "const" for each in node.inputs):
        return None
    if node.op in ("permute", "slice"):
        return ops.const(node.inputs[0].arg, node.dtype, node.shape)
    shape = node.inputs[0].shape if node.op in REDUCE else ()
    if math.prod(shape) > 2**16:
        return None
    inputs = tuple(ops.const(each.arg, each.dtype, shape) for each in node.inputs)
    alone = Node(node.op, inputs, shape, node.dtype, node.arg)
    value = evaluate([alone], {}, exact=False)[0].reshape(-1)[0].item()
    return ops.const(value, node.dtype, node.shape)


# -- identities ----------------------------------------------------------------------------------------------------


@rule("one", "Times 1, by 1 and to the power of 1 change nothing.", "identities", "mul", "div", "pow")
def one(node: Node) -> Node | None:
    return next((x for x, y in ways(node) if is_const(y, 1)), None)


@rule("minus zero", "Minus 0 changes nothing, not even the sign of a zero.", "identities", "sub", "add")
def minus_zero(node: Node) -> Node | None:
    nothing = 0.0 if node.op == "sub" or node.dtype not in FLOATS else -0.0
    return next((x for x, y in ways(node) if is_const(y, nothing)), None)


@rule("minus one", "A sign is flipped without multiplying.", "identities", "mul", "div")
def minus_one(node: Node) -> Node | None:
    return next((apply("neg", x) for x, y in ways(node) if is_const(y, -1)), None)


@rule("double sign", "What is turned around twice stays as it was.", "identities", "neg", "not", "abs")
def double_sign(node: Node) -> Node | None:
    match node:
        case Node("neg", (Node("neg", (x,)),)) | Node("not", (Node("not", (x,)),)):
            return x
        case Node("abs", (Node("neg" | "abs", (x,)),)):
            return apply("abs", x)
    return None


@rule("signs meet", "Two signs become one operation, or none.", "identities", "add", "sub", "mul", "div")
def signs_meet(node: Node) -> Node | None:
    match node:
        case Node("mul" | "div", (Node("neg", (x,)), Node("neg", (y,)))):
            return apply(node.op, x, y)
        case Node("add", (x, Node("neg", (y,)))) | Node("add", (Node("neg", (y,)), x)):
            return apply("sub", x, y)
        case Node("sub", (x, Node("neg", (y,)))):
            return apply("add", x, y)
    return None


@rule("same", "Both are the same.", "identities", "max", "min", "and", "or", "where")
def same(node: Node) -> Node | None:
    return node.inputs[-1] if node.inputs[-1] is node.inputs[-2] else None


@rule("divide by a power of two", "1 / c is exact, and a product is several times faster.", "identities", "div")
def power_of_two(node: Node) -> Node | None:
    x, y = node.inputs
    if y.op == "const" and y.arg and abs(math.frexp(y.arg)[0]) == 0.5 and 2**-100 < abs(y.arg) < 2**100:
        return apply("mul", x, like(x, 1 / y.arg))
    return None


@rule("square", "A product instead of a power, rounded once as well.", "identities", "pow")
def square(node: Node) -> Node | None:
    x, y = node.inputs
    return apply("mul", x, x) if is_const(y, 2) else None


@rule("reciprocal", "A quotient instead of a power, rounded once as well.", "identities", "pow")
def reciprocal(node: Node) -> Node | None:
    x, y = node.inputs
    return apply("div", like(x, 1), x) if is_const(y, -1) and x.dtype in FLOATS else None


# -- casts ---------------------------------------------------------------------------------------------------------

HOLDS = {
    ("bf16", "f32"),
    ("bf16", "f64"),
    ("f32", "f64"),
    ("i8", "i32"),
    ("i8", "f32"),
    ("i8", "f64"),
    ("i8", "bf16"),
    ("i8", "i64"),
    ("i32", "i64"),
    ("i32", "f64"),
}
"""The second has every number of the first."""


@rule("there and back", "The type between holds every number of the first.", "casts", "cast")
def cast_pair(node: Node) -> Node | None:
    match node:
        case Node("cast", (Node("cast", (x,)) as between,)) if (x.dtype, between.dtype) in HOLDS:
            return ops.cast(x, node.dtype)
    return None


# -- movements -----------------------------------------------------------------------------------------------------


@rule("two transposes", "Two permutations of axes in a row are one, or none.", "transposes", "permute")
def two_transposes(node: Node) -> Node | None:
    match node:
        case Node("permute", (Node("permute", (x,)) as inner,)):
            return ops.permute(x, [inner.arg[axis] for axis in node.arg])
    return None


@rule("two reshapes", "Only the last shape counts.", "transposes", "reshape")
def two_reshapes(node: Node) -> Node | None:
    match node:
        case Node("reshape", (Node("reshape", (x,)),)):
            return ops.reshape(x, node.shape)
    return None


def bare(moved: Node, shape: tuple[int, ...]) -> Node:
    """What was moved; a constant just takes the shape that it had before."""
    return ops.const(moved.arg, moved.dtype, shape) if moved.op == "const" else moved.inputs[0]


@rule("transpose later", "All inputs lie in the same order: the result is turned instead, once.", "transposes",
      *ELEMENTWISE)  # fmt: skip
def transpose_later(node: Node) -> Node | None:
    turned = [each for each in node.inputs if each.op != "const"]
    orders = {each.arg if each.op == "permute" else None for each in turned}
    if len(orders) != 1 or None in orders:
        return None
    shape = turned[0].inputs[0].shape
    inputs = tuple(bare(each, shape) for each in node.inputs)
    return ops.permute(ops.node(node.op, inputs, shape, node.dtype), turned[0].arg)


@rule("reduce, then transpose", "The sum of each row is that of each column, turned.", "transposes", *REDUCE)
def reduce_first(node: Node) -> Node | None:
    match node:
        case Node(op, (Node("permute", (x,)) as turned,)):
            over = [turned.arg[axis] for axis in node.arg]
            return ops.permute(ops.reduce(op, x, over, True), turned.arg)
    return None


@rule("transposed product", "(A B)ᵀ = Bᵀ Aᵀ: reading a factor by columns costs nothing.", "transposes", "permute")
def transposed_product(node: Node) -> Node | None:
    axes = tuple(range(len(node.shape)))
    match node:
        case Node("permute", (Node("matmul", (x, y)),)) if node.arg == (*axes[:-2], axes[-1], axes[-2]):
            return ops.matmul(ops.permute(y, node.arg), ops.permute(x, node.arg))
    return None


# -- broadcasts ----------------------------------------------------------------------------------------------------


@rule("repeat later", "Computed before it is repeated, it is computed fewer times.", "broadcasts", *ELEMENTWISE)
def repeat_later(node: Node) -> Node | None:
    repeated = [each for each in node.inputs if each.op != "const"]
    if not repeated or any(each.op != "broadcast" for each in repeated):
        return None
    shape = ops.together(node.op, [each.inputs[0].shape for each in repeated])
    if shape == node.shape:
        return None
    inputs = tuple(ops.broadcast(bare(each, shape), shape) for each in node.inputs)
    return ops.broadcast(ops.node(node.op, inputs, shape, node.dtype), node.shape)


@rule("repeat once", "Repeated twice is repeated once, further.", "broadcasts", "broadcast")
def repeat_once(node: Node) -> Node | None:
    match node:
        case Node("broadcast", (Node("broadcast", (x,)),)):
            return ops.broadcast(x, node.shape)
    return None


@rule("greatest of equals", "The greatest of equal copies is any of them.", "broadcasts", "amax", "amin")
def greatest_of_equals(node: Node) -> Node | None:
    x = node.inputs[0]
    if x.op == "broadcast" and all(x.inputs[0].shape[axis] == 1 for axis in node.arg):
        return ops.broadcast(x.inputs[0], node.shape)
    return None
