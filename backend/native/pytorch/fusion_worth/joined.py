"""Which steps are one kernel, and what that moves and computes: counted on the loops of our compiler."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from labs.models.fusing.accesses import values
from labs.models.fusing.graph import BYTES, REDUCE, Node
from labs.models.fusing.loops import Apply, Expr, Loop, Product, Program, Statement, Update
from labs.models.fusing.lower import lower
from labs.models.fusing.plan import Group, Plan
from labs.models.fusing.read import read
from labs.models.fusing.weights import weight

from native.pytorch.fusion_worth.pictures import Crossing, Step
from native.pytorch.fusion_worth.programs import Setting

BLOCK = 112
"""Rows of a product at a time."""


@dataclass(frozen=True)
class Kernel:
    """What one kernel moves and computes."""

    bytes: int
    work: int
    writes: bool
    """Whether it writes a whole tensor, and not one number"""


class Joined:
    """A program, cut into kernels between some of its steps."""

    def __init__(self, setting: Setting, joined: int = 0, nodes: bool = False) -> None:
        """The first ``joined`` steps are one kernel, and each other one is a kernel of its own; with ``nodes``, so
        is each operation of a step."""
        self.setting = setting
        self.graph = read(setting.text)
        self.plan = Plan(self.graph.outputs)
        lines = sorted({node.line for node in self.plan.work})
        self.lines: list[Group] = [tuple(node for node in self.plan.work if node.line == line) for line in lines]
        parts = [tuple(node for group in self.lines[:joined] for node in group), *self.lines[joined:]]
        if nodes:
            parts = [(node,) for node in self.plan.work]
        self.groups: list[Group] = [group for group in parts if group]
        self.program: Program = lower(self.plan.outputs, self.groups, BLOCK)
        number = self.plan.number
        self.work = Counter({number[node]: once(node) for node in self.plan.work})
        if setting.name == "window":  # where a number may be computed again for each of its uses
            self.work = Counter()
            for kernel in self.program.kernels:
                self.work.update(counted(kernel.body))

    def of(self, node: Node) -> int:
        return self.work[self.plan.number[node]]

    @property
    def steps(self) -> list[Step]:
        found = []
        seen: set[tuple[int, Node]] = set()
        named = zip(self.setting.steps, self.setting.shown, self.lines, strict=True)
        for (name, _), code, line in named:
            kernel = next(n for n, group in enumerate(self.groups) if line[0] in group)
            group = self.groups[kernel]
            reads: dict[str, Crossing] = {}
            for source in (each for node in line for each in self.sources(node) if each not in line):
                crosses = source not in group and (kernel, source) not in seen
                seen.add((kernel, source))
                reads.setdefault(self.name(source), Crossing(self.name(source), size(source), crosses))
            stored = self.plan.stored(group)
            writes = [Crossing(name, size(node), node in stored) for node in line[-1:]]
            found.append(Step(code, kernel, [*reads.values()], writes, sum(map(self.of, line))))
        return found

    @property
    def kernels(self) -> list[Kernel]:
        found = []
        for group in self.groups:
            read_ = {source for node in group for source in self.sources(node)} - set(group)
            stored = self.plan.stored(group)
            found.append(
                Kernel(
                    sum(map(size, read_)) + sum(map(size, stored)),
                    sum(map(self.of, group)),
                    any(math.prod(node.shape) > 1 for node in stored),
                )
            )
        return found

    @property
    def bytes(self) -> int:
        return sum(kernel.bytes for kernel in self.kernels)

    def sources(self, node: Node) -> list[Node]:
        return [each for each in self.plan.sources(node) if each.op != "const"]

    def name(self, node: Node) -> str:
        return str(node.arg) if node.op == "input" else self.graph.called.get(node, "")


def size(node: Node) -> int:
    return math.prod(node.shape) * BYTES[node.dtype]


def once(node: Node) -> int:
    """Operations of a node that is computed once."""
    if node.op == "matmul":
        return 2 * math.prod(node.shape) * node.inputs[0].shape[-1]
    whole = node.inputs[0] if node.op in REDUCE else node
    return math.prod(whole.shape) * weight(node.op)


def counted(body: tuple[Statement, ...], turns: int = 1) -> Counter[int]:
    """Operations that loops carry out, by the number of the node that they are for."""
    found: Counter[int] = Counter()
    for each in body:
        if isinstance(each, Loop):
            found.update(counted(each.body, turns * each.extent))
        elif not isinstance(each, Product) and (values(each)):
            found[each.node] += turns * (sum(map(applied, values(each))) + isinstance(each, Update))
    return found


def applied(value: Expr) -> int:
    return weight(value.op) + sum(map(applied, value.args)) if isinstance(value, Apply) else 0
