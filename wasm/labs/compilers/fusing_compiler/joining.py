"""Fusion told decision by decision: which kernels there are after each, and the rows in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from labs.models.fusing.fuse import Decision, Fusion
from labs.models.fusing.graph import Node, walk
from labs.models.fusing.plan import Plan

Groups = list[frozenset[int]]


def states(fusion: Fusion, plan: Plan) -> Iterator[tuple[Decision, Groups]]:
    """Each decision, and the kernels behind it."""
    groups = [frozenset([plan.number[node]]) for node in plan.work]
    for decision in fusion.decisions:
        if decision.joined:
            both = frozenset(decision.first) | frozenset(decision.second)
            groups = [each for each in groups if not each <= both] + [both]
        yield decision, ordered(groups, plan)


def ordered(groups: Iterable[frozenset[int]], plan: Plan) -> Groups:
    """Kernels, each behind those it reads from."""
    home = {number: group for group in groups for number in group}
    found: dict[frozenset[int], None] = {}

    def visit(group: frozenset[int]) -> None:
        if group in found:
            return
        for number in sorted(group):
            for base in plan.sources(plan.nodes[number]):
                other = home.get(plan.number[base])
                if other and other is not group:
                    visit(other)
        found[group] = None

    for number in sorted(home):
        visit(home[number])
    return list(found)


def arranged(groups: Sequence[frozenset[int]], plan: Plan) -> tuple[list[Node], dict[Node, int]]:
    """Nodes kernel by kernel, inputs before all of it, movements right before who needs them; and whose each is."""
    order: list[Node] = []
    kernels: dict[Node, int] = {}
    placed: set[Node] = set()

    def put(nodes: Sequence[Node], kernel: int) -> None:
        for each in sorted(walk(nodes, placed), key=lambda node: node.op != "input"):
            if each.op != "const" or each in plan.work:
                order.append(each)
                kernels[each] = -1 if each.op == "input" else kernel

    for place, group in enumerate(groups):
        nodes = [plan.nodes[number] for number in sorted(group)]
        put([*nodes, *(node for node in plan.outputs if plan.base(node) in nodes)], place)
    put(plan.outputs, -1)
    return order, kernels
