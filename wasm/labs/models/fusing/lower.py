"""From a graph to loops: every group of nodes becomes one kernel, and movements become places in memory.

Unfused, a node is a group of its own. A group's loops run over one space: the axes that stay outside, and for every
place there the axes that its reductions go along, once for each reduction that needs the one before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from labs.models.fusing.accesses import named
from labs.models.fusing.affine import variable
from labs.models.fusing.attention import Attention
from labs.models.fusing.body import Body
from labs.models.fusing.graph import Node
from labs.models.fusing.loops import (
    Buffer,
    Const,
    Kernel,
    Load,
    Loop,
    Program,
    Statement,
    Store,
    statements,
)
from labs.models.fusing.plan import Group, Plan
from labs.models.fusing.space import wide
from labs.models.fusing.tidy import tidied

BLOCK = 96
"""Rows of a product that are computed at a time: a multiple of the packed kernel's 6."""


def lower(outputs: Sequence[Node], groups: Iterable[Group] | None = None, block: int = BLOCK) -> Program:
    plan = Plan(tuple(outputs))
    kernels: list[Kernel] = []
    for group in groups if groups is not None else [(node,) for node in plan.work]:
        kernels += kernels_of(plan, group, block, len(kernels))
    return assembled(plan, kernels)


def kernels_of(
    plan: Plan, group: Group, block: int = BLOCK, first: int = 0, share: bool = True, online: bool = False
) -> list[Kernel]:
    """One, and before it one that writes zeros where the group puts a smaller tensor into a larger one."""
    products = sum(node.op == "matmul" for node in group)
    body = Attention(plan, group, block) if products == 2 else Body(plan, group, block, share, online)
    parts = [zeros(plan, node) for node in group if node.op == "pad"] + [body.emit()]
    says = " → ".join(node.op for node in group)
    kernels = []
    for place, part in enumerate(parts, first):
        own = tuple(body.locals) if part is parts[-1] else ()
        kernels.append(tidied(Kernel(f"k{place}_{group[-1].op}", (*touched(plan, part), *own), part, says)))
    return kernels


def zeros(plan: Plan, node: Node) -> tuple[Statement, ...]:
    zero = Const(0.0, wide(node.dtype))
    fill = Store(plan.name(node), variable("i0"), zero, plan.number[node])
    return (Loop("i0", math.prod(node.shape), (fill,)),)


def touched(plan: Plan, body: tuple[Statement, ...]) -> tuple[Buffer, ...]:
    """Those of the program, in the order in which they are first named."""
    names = dict.fromkeys(name for each in statements(body) for name in named(each))
    return tuple(plan.all[name] for name in names if name in plan.all)


def assembled(plan: Plan, kernels: list[Kernel]) -> Program:
    """With copies for what is an output twice, or an input and an output. Outputs come last, in their order."""
    shapes = {str(node.arg): node.shape for node in plan.nodes if node.op == "input"}
    buffers = {str(node.arg): plan.buffer(node) for node in plan.nodes if node.op == "input"}
    for kernel in kernels:
        buffers |= {each.name: each for each in kernel.buffers if each.role != "local"}
    for place, (node, output) in enumerate(zip(plan.ends, plan.outputs, strict=True)):
        name, below = plan.output(place), plan.buffer(node)
        shapes[name] = output.shape
        if name != below.name:
            buffers[name] = Buffer(name, node.dtype, below.size, "output")
            here = variable("i0")
            copy = Store(name, here, Load(below.name, here, node.dtype), plan.number[node])
            loop = Loop("i0", below.size, (copy,))
            kernels.append(tidied(Kernel(f"k{len(kernels)}_copy", (below, buffers[name]), (loop,), "copy")))
    outputs = [buffers.pop(plan.output(place)) for place in range(len(plan.outputs))]
    return Program((*buffers.values(), *outputs), tuple(kernels), shapes)
