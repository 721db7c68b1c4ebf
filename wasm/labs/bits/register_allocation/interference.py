"""Who must not share a register: two names of which one is set while the other is alive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.bits.register_allocation.flat import Block
from labs.bits.register_allocation.liveness import through


@dataclass
class Graph:
    """A node is a name that stands for all those joined with it."""

    next: dict[str, set[str]] = field(default_factory=dict)
    """Of each node, its neighbours."""
    moves: list[tuple[str, str]] = field(default_factory=list)
    cost: dict[str, float] = field(default_factory=dict)
    """Reads and writes, each counted ten times for every loop around it; infinite for what a spill made."""
    joined: dict[str, list[str]] = field(default_factory=dict)
    """Of each node, the names that it stands for."""
    stands: dict[str, str] = field(default_factory=dict)
    """Of each name that was joined, its node."""

    def degree(self, node: str) -> int:
        return len(self.next[node])

    def of(self, name: str) -> str:
        return self.stands.get(name, name)

    def join(self, one: str, other: str) -> None:
        for neighbour in self.next.pop(other):
            self.next[neighbour].discard(other)
            self.next[neighbour].add(one)
            self.next[one].add(neighbour)
        self.cost[one] += self.cost.pop(other)
        self.stands |= dict.fromkeys(self.joined[other], one)
        self.joined[one] += self.joined.pop(other)


def build(blocks: list[Block], after: list[frozenset[str]]) -> Graph:
    graph = Graph()
    for block in blocks:
        for line in block.lines:
            for name in (*line.uses, line.result):
                if name and name not in graph.next:
                    graph.next[name], graph.cost[name], graph.joined[name] = set(), 0.0, [name]
                if name:
                    graph.cost[name] += float("inf") if line.temporary else 10.0**block.depth
    for block, last in zip(blocks, after, strict=True):
        for line, alive in zip(block.lines, through(block, last), strict=True):
            if line.op == "move" and line.uses:
                graph.moves.append((line.result, line.uses[0]))
            if line.result:
                # A move makes two names of one value: those two alone may share.
                others = alive - {line.result} - (set(line.uses) if line.op == "move" else set())
                for other in others:
                    graph.next[line.result].add(other)
                    graph.next[other].add(line.result)
    return graph


def coalesce(graph: Graph, registers: int) -> Iterator[tuple[str, str]]:
    """Join the two ends of a move wherever that cannot make the graph harder to colour."""
    joined = True
    while joined:
        joined = False
        for a, b in graph.moves:
            one, other = graph.of(a), graph.of(b)
            if one != other and other not in graph.next[one] and safe(graph, one, other, registers):
                graph.join(one, other)
                joined = True
                yield one, other


def safe(graph: Graph, one: str, other: str, registers: int) -> bool:
    """Briggs: fewer than k neighbours of the pair have k or more. Or George: each of the one's is small, or the
    other's as well. What a spill made must stay short, so it joins its own kind alone.
    """
    if (graph.cost[one] == float("inf")) != (graph.cost[other] == float("inf")):
        return False
    both = graph.next[one] | graph.next[other]
    shared = graph.next[one] & graph.next[other]
    if sum(graph.degree(each) - (each in shared) >= registers for each in both) < registers:
        return True
    return any(
        all(each in graph.next[b] or graph.degree(each) < registers for each in graph.next[a])
        for a, b in ((one, other), (other, one))
    )
