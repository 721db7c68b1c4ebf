"""Reverse mode: a graph's gradients as more graph, so that both directions are one program and are fused together.

A node of the way back comes from the line of the node whose derivative it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from labs.models.fusing import ops, patterns
from labs.models.fusing.graph import FLOATS, Node, walk
from labs.models.fusing.ops import apply, broadcast, cast, like, permute, reduce
from labs.models.fusing.read import Graph

Shares = Iterator[tuple[Node, Node]]
"""Nodes, and what each is given of the gradient."""


def with_backward(graph: Graph) -> Graph:
    """The graph and a gradient for each input of floats. One number is walked back from with 1; anything else with
    inputs of its own, the gradients that come from outside."""
    taken = {each.arg for each in graph.inputs} | set(graph.names)
    seeds, inputs, outputs, names = [], list(graph.inputs), list(graph.outputs), list(graph.names)
    named = [(name, each) for name, each in zip(graph.names, graph.outputs, strict=True) if each.dtype in FLOATS]
    ends = [end for _, end in named]
    for name, end in named:
        with ops.at(end.line):
            if end.shape == () and len(ends) == 1:
                seeds.append(like(end, 1))
            else:
                seeds.append(ops.input(free(f"d_{name}", taken), end.shape, end.dtype))
                inputs.append(seeds[-1])
    leaves = [each for each in graph.inputs if each.dtype in FLOATS]
    for leaf, grad in zip(leaves, gradients(ends, seeds, leaves), strict=True):
        outputs.append(grad)
        names.append(free(f"d_{leaf.arg}", taken))
    called = graph.called | dict(zip(outputs, names, strict=True))
    return replace(graph, inputs=tuple(inputs), outputs=tuple(outputs), names=tuple(names), called=called)


def free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def gradients(ends: Sequence[Node], seeds: Sequence[Node], leaves: Sequence[Node]) -> list[Node]:
    order = list(walk([*ends, *leaves]))
    wanted = {id(each) for each in leaves}
    for node in order:
        if node.dtype in FLOATS and any(id(each) in wanted for each in node.inputs):
            wanted.add(id(node))
    sums: dict[int, Node] = {}

    def give(to: Node, share: Node) -> None:
        if id(to) in wanted:
            sums[id(to)] = apply("add", sums[id(to)], share) if id(to) in sums else share

    for end, seed in zip(ends, seeds, strict=True):
        give(end, seed)
    for node in reversed(order):
        if id(node) in sums:
            with ops.at(node.line):
                for to, share in shares(node, sums[id(node)]):
                    give(to, share)
    return [sums.get(id(each)) or replace(like(each, 0), line=each.line) for each in leaves]


def shares(node: Node, grad: Node) -> Shares:
    for find, rule in NAMED:
        if found := find(node):
            return iter([(found.x, rule(node, found, grad))])
    return RULES.get(node.op, none)(node, grad)


def none(node: Node, grad: Node) -> Shares:
    """Steps are flat."""
    return iter(())


# -- what has a name: the shift that keeps exp small has no slope -----------------------------------------------


def softmax(node: Node, found: patterns.Exponentials, grad: Node) -> Node:
    part = apply("mul", grad, node)
    return apply("sub", part, apply("mul", node, reduce("sum", part, found.axes, True)))


def log_softmax(node: Node, found: patterns.Exponentials, grad: Node) -> Node:
    shares = apply("div", found.e, found.total)
    return apply("sub", grad, apply("mul", shares, reduce("sum", grad, found.axes, True)))


def logsumexp(node: Node, found: patterns.Exponentials, grad: Node) -> Node:
    return apply("mul", grad, apply("div", found.e, found.total))


NAMED: tuple[
    tuple[Callable[[Node], patterns.Exponentials | None], Callable[[Node, patterns.Exponentials, Node], Node]],
    ...,
] = (
    (patterns.softmax, softmax),
    (patterns.log_softmax, log_softmax),
    (patterns.logsumexp, logsumexp),
)


# -- operation by operation ---------------------------------------------------------------------------------------


def unary(slope: Callable[[Node, Node], Node | float]) -> Callable[[Node, Node], Shares]:
    """Of its input and its result."""

    def rule(node: Node, grad: Node) -> Shares:
        yield node.inputs[0], apply("mul", grad, slope(node.inputs[0], node))

    return rule


def gelu_slope(x: Node) -> Node:
    """Φ(x) + x φ(x)"""
    below = apply("mul", apply("add", apply("erf", apply("mul", x, math.sqrt(0.5))), 1), 0.5)
    bell = apply("mul", apply("exp", apply("mul", apply("mul", x, x), -0.5)), 1 / math.sqrt(2 * math.pi))
    return apply("add", below, apply("mul", x, bell))


def erf_slope(x: Node) -> Node:
    return apply("mul", apply("exp", apply("neg", apply("mul", x, x))), 2 / math.sqrt(math.pi))


def absolute(node: Node, grad: Node) -> Shares:
    x = node.inputs[0]
    down = apply("where", apply("lt", x, 0), apply("neg", grad), 0.0)
    yield x, apply("where", apply("gt", x, 0), grad, down)


def multiply(node: Node, grad: Node) -> Shares:
    x, y = node.inputs
    yield x, apply("mul", grad, y)
    yield y, apply("mul", grad, x)


def divide(node: Node, grad: Node) -> Shares:
    x, y = node.inputs
    part = apply("div", grad, y)
    yield x, part
    if y.op != "const":
        yield y, apply("neg", apply("mul", part, node))


def power(node: Node, grad: Node) -> Shares:
    x, y = node.inputs
    if y.op == "const":
        if y.arg != 0:
            yield x, apply("mul", grad, apply("mul", power_of(x, y.arg - 1), y.arg))
        return
    yield x, apply("mul", grad, apply("mul", y, apply("pow", x, apply("sub", y, 1))))
    slope = apply("mul", node, apply("log", x))
    flat = apply("and", apply("eq", x, 0), apply("ge", y, 0))
    yield y, apply("mul", grad, apply("where", flat, 0.0, slope))


def power_of(x: Node, exponent: float) -> Node | float:
    return 1.0 if exponent == 0 else x if exponent == 1 else apply("pow", x, exponent)


def larger(op: str) -> Callable[[Node, Node], Shares]:
    """Of two equal ones each is given half, of a number and a tensor the tensor nothing: so relu is flat at 0."""

    def rule(node: Node, grad: Node) -> Shares:
        for one, other in (node.inputs, node.inputs[::-1]):
            tie = 0.0 if other.op == "const" else apply("where", apply("eq", one, other), half(grad), 0.0)
            yield one, apply("where", apply(op, one, other), grad, tie)

    return rule


def half(grad: Node) -> Node:
    return apply("mul", grad, 0.5)


def choose(node: Node, grad: Node) -> Shares:
    chosen, x, y = node.inputs
    yield x, apply("where", chosen, grad, 0.0)
    yield y, apply("where", chosen, 0.0, grad)


def extreme(node: Node, grad: Node) -> Shares:
    """Shared by all that are equally large."""
    x = node.inputs[0]
    best = cast(apply("eq", x, node), x.dtype)
    yield x, apply("mul", best, apply("div", grad, reduce("sum", best, node.arg, True)))


def product(node: Node, grad: Node) -> Shares:
    """The product of all others: with one 0 that of those, with two nothing."""
    x = node.inputs[0]
    zero = apply("eq", x, 0)
    zeros = reduce("sum", cast(zero, "i32"), node.arg, True)
    safe = apply("where", zero, 1.0, x)
    others = reduce("prod", safe, node.arg, True)
    at_zero = apply("where", apply("eq", zeros, 1), others, 0.0)
    elsewhere = apply("where", apply("eq", zeros, 0), apply("div", others, safe), 0.0)
    yield x, apply("mul", grad, apply("where", zero, at_zero, elsewhere))


def repeat(node: Node, grad: Node) -> Shares:
    x = node.inputs[0]
    over = tuple(axis for axis, length in enumerate(x.shape) if length != node.shape[axis])
    yield x, reduce("sum", grad, over, True)


def matmul(node: Node, grad: Node) -> Shares:
    x, y = node.inputs
    yield x, ops.matmul(grad, turned(y))
    yield y, ops.matmul(turned(x), grad)


def turned(x: Node) -> Node:
    axes = range(len(x.shape))
    return permute(x, [*axes[:-2], axes[-1], axes[-2]])


def inverse(order: Sequence[int]) -> list[int]:
    return sorted(range(len(order)), key=order.__getitem__)


RULES: dict[str, Callable[[Node, Node], Shares]] = {
    "add": lambda node, grad: iter([(each, grad) for each in node.inputs]),
    "sub": lambda node, grad: iter([(node.inputs[0], grad), (node.inputs[1], apply("neg", grad))]),
    "mul": multiply,
    "div": divide,
    "pow": power,
    "max": larger("gt"),
    "min": larger("lt"),
    "where": choose,
    "neg": lambda node, grad: iter([(node.inputs[0], apply("neg", grad))]),
    "abs": absolute,
    "exp": unary(lambda x, y: y),
    "log": lambda node, grad: iter([(node.inputs[0], apply("div", grad, node.inputs[0]))]),
    "sqrt": lambda node, grad: iter([(node.inputs[0], apply("div", half(grad), node))]),
    "rsqrt": unary(lambda x, y: apply("mul", apply("mul", apply("mul", y, y), y), -0.5)),
    "sin": unary(lambda x, y: apply("cos", x)),
    "cos": unary(lambda x, y: apply("neg", apply("sin", x))),
    "tanh": unary(lambda x, y: apply("sub", 1.0, apply("mul", y, y))),
    "sigmoid": unary(lambda x, y: apply("mul", y, apply("sub", 1.0, y))),
    "erf": unary(lambda x, y: erf_slope(x)),
    "gelu": unary(lambda x, y: gelu_slope(x)),
    "cast": lambda node, grad: iter([(node.inputs[0], cast(grad, node.inputs[0].dtype))]),
    "sum": lambda node, grad: iter([(node.inputs[0], broadcast(grad, node.inputs[0].shape))]),
    "amax": extreme,
    "amin": extreme,
    "prod": product,
    "broadcast": repeat,
    "reshape": lambda node, grad: iter([(node.inputs[0], ops.reshape(grad, node.inputs[0].shape))]),
    "permute": lambda node, grad: iter([(node.inputs[0], permute(grad, inverse(node.arg)))]),
    "slice": lambda node, grad: iter([(node.inputs[0], ops.pad(grad, node.arg, node.inputs[0].shape))]),
    "pad": lambda node, grad: iter([(node.inputs[0], ops.slice(grad, node.arg))]),
    "matmul": matmul,
}
