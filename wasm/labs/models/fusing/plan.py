"""What of a graph has to be computed and kept in memory, and where it lies."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from labs.models.fusing.affine import View, moved, row_major
from labs.models.fusing.graph import MOVE, Node, walk
from labs.models.fusing.loops import Buffer, Role

Group = tuple[Node, ...]
VIEWS = tuple(op for op in MOVE if op != "pad")
FREE = ("input", "const", *VIEWS)
"""What computes nothing."""


@dataclass
class Plan:
    outputs: tuple[Node, ...]
    nodes: tuple[Node, ...] = ()
    """All, inputs before what uses them; a node's number is its place here."""
    number: dict[Node, int] = field(default_factory=dict)
    users: dict[Node, list[Node]] = field(default_factory=dict)
    work: tuple[Node, ...] = ()
    """Those that have to be computed. The others are inputs, numbers, and movements, which say where to look."""
    kept: set[Node] = field(default_factory=set)
    """Of the work, what must lie in memory whatever is fused."""

    taken: set[str] = field(default_factory=set)
    views: dict[Node, View | None] = field(default_factory=dict)
    ends: tuple[Node, ...] = ()
    """What is written to each output: a last reshape moves nothing."""
    all: dict[str, Buffer] = field(default_factory=dict)
    """Every buffer that may be needed."""

    def __post_init__(self) -> None:
        self.nodes = tuple(walk(self.outputs))
        self.number = {node: place for place, node in enumerate(self.nodes)}
        self.taken = {node.arg for node in self.nodes if node.op == "input"}
        self.users = {node: [] for node in self.nodes}
        self.ends = tuple(map(end, self.outputs))
        self.kept |= set(self.ends)
        for node in self.nodes:
            for each in dict.fromkeys(node.inputs):
                self.users[each].append(node)
                if node.op == "matmul" and self.base(each).op == "const":
                    self.kept.add(self.base(each))
            if node.op == "reshape" and self.view(node) is None:
                self.kept.add(node.inputs[0])
        self.views = {node: self.view(node) for node in self.nodes}
        self.all = {self.name(node): self.buffer(node) for node in self.nodes if self.base(node) is node}
        self.work = tuple(
            node for node in self.nodes if node.op not in FREE or (node in self.kept and node.op != "input")
        )

    def view(self, node: Node) -> View | None:
        """How it lies in memory, if whatever is computed lay there; None if strides cannot say it."""
        if node in self.views:
            return self.views[node]
        if node.op in VIEWS and node not in self.kept:
            below = self.view(node.inputs[0])
            return below and moved(below, node)
        if node.op == "const" and node not in self.kept:
            return None
        return self.lies(node)

    def lies(self, node: Node) -> View:
        """How its own elements lie."""
        return View(self.name(node), node.dtype, node.shape, row_major(node.shape))

    def base(self, node: Node) -> Node:
        """The node whose elements a chain of movements moves."""
        while node.op in VIEWS and node not in self.kept:
            (node,) = node.inputs
        return node

    def sources(self, node: Node) -> list[Node]:
        """What its inputs move, in the end: inputs, numbers and other work."""
        return list(dict.fromkeys(self.base(each) for each in node.inputs))

    def name(self, node: Node) -> str:
        if node.op == "input":
            return str(node.arg)
        return self.fresh(self.output(self.ends.index(node)) if node in self.ends else f"t{self.number[node]}")

    def output(self, place: int) -> str:
        return self.fresh("out" if len(self.outputs) == 1 else f"out{place}")

    def fresh(self, name: str) -> str:
        """A name that no input has."""
        while name in self.taken:
            name += "_"
        return name

    def buffer(self, node: Node) -> Buffer:
        role: Role = "input" if node.op == "input" else "output" if node in self.ends else "temporary"
        return Buffer(self.name(node), node.dtype, math.prod(node.shape), role)

    def stored(self, group: Iterable[Node]) -> list[Node]:
        """Of a group's nodes, those which something outside of it needs."""
        inside = set(group)
        order = sorted(inside, key=self.number.__getitem__)
        return [node for node in order if node in self.kept or self.wanted(node, inside)]

    def wanted(self, node: Node, inside: set[Node]) -> bool:
        return any(
            self.wanted(each, inside) if each.op in VIEWS and each not in self.kept else each not in inside
            for each in self.users[node]
        )


def end(node: Node) -> Node:
    while node.op == "reshape":
        (node,) = node.inputs
    return node
