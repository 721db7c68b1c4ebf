"""Registers for the nodes of a graph: take away what is easy, put it back in the opposite order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from labs.bits.register_allocation.interference import Graph

Metric = Literal["cost / degree", "cost", "degree"]


@dataclass
class Colouring:
    stack: list[str] = field(default_factory=list)
    candidates: set[str] = field(default_factory=set)
    """Taken away though they had k neighbours or more: perhaps no register is left for them."""
    register: dict[str, int] = field(default_factory=dict)
    spilled: list[str] = field(default_factory=list)

    def left(self, graph: Graph) -> list[str]:
        """What is still in the graph while it is taken apart."""
        gone = {*self.stack, *self.spilled}
        return [node for node in graph.next if node not in gone]


@dataclass(frozen=True)
class Taken:
    """A node leaves the graph with ``degree`` neighbours left."""

    node: str
    degree: int
    easy: bool


@dataclass(frozen=True)
class Given:
    """A node comes back; ``register`` is -1 if its neighbours hold all of them."""

    node: str
    register: int
    held: dict[str, int]


def simplify(
    graph: Graph, made: Colouring, registers: int, metric: Metric, optimistic: bool = True
) -> Iterator[Taken]:
    while left := made.left(graph):
        degrees = {node: len(graph.next[node] & set(left)) for node in left}
        easy = [node for node in left if degrees[node] < registers]
        if easy:
            node = min(easy, key=lambda each: degrees[each])
            made.stack.append(node)
        else:
            node = min(left, key=lambda each: worth(graph, each, degrees[each], metric))
            if optimistic:
                made.stack.append(node)
                made.candidates.add(node)
            else:
                made.spilled.append(node)
        yield Taken(node, degrees[node], bool(easy))


def worth(graph: Graph, node: str, degree: int, metric: Metric) -> float:
    """The smaller, the better to spill. What a spill made is never worth it."""
    cost = graph.cost[node]
    if cost == float("inf"):
        return cost
    return {"cost / degree": cost / max(degree, 1), "cost": cost, "degree": -float(degree)}[metric]


def select(graph: Graph, made: Colouring, registers: int) -> Iterator[Given]:
    while made.stack:
        node = made.stack.pop()
        held = {each: made.register[each] for each in sorted(graph.next[node]) if each in made.register}
        free = [register for register in range(registers) if register not in held.values()]
        if free:
            made.register[node] = free[0]
        else:
            made.spilled.append(node)
        yield Given(node, free[0] if free else -1, held)
