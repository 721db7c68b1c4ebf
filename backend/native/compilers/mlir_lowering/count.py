"""How often loops run, what they read, write and calculate in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from native.compilers.mlir_lowering.nest import Node


@dataclass(frozen=True)
class Counts:
    """In elements, and in operations on floats."""

    reads: int = 0
    writes: int = 0
    floats: int = 0

    def plus(self, other: Counts, times: int = 1) -> Counts:
        return Counts(
            self.reads + times * other.reads,
            self.writes + times * other.writes,
            self.floats + times * other.floats,
        )


def counted(nodes: list[Node], values: Mapping[str, int] | None = None) -> Counts | None:
    """Of all these loops, for given numbers of the loops around them; None where nobody can say how often."""
    total = Counts()
    for node in nodes:
        found = of(node, values or {})
        if found is None:
            return None
        total = total.plus(found)
    return total


def of(node: Node, values: Mapping[str, int]) -> Counts | None:
    if node.kind == "work" and node.name:  # an operation that only looks at the same elements in another shape
        return Counts()
    if not node.lower or not node.upper:
        return None
    low = max(each.at(values) for each in node.lower)
    high = min(each.at(values) for each in node.upper)
    numbers = range(low, high, node.step)
    own = Counts(sum(x.lanes for x in node.reads), sum(x.lanes for x in node.writes), node.floats)
    total = Counts()
    # Trips around which all inner loops are equally long are counted together: tiles differ at the edges alone.
    shapes = Counter(shape(node.inside, node.name, number) for number in numbers)
    first = {shape(node.inside, node.name, number): number for number in numbers}
    for each, times in shapes.items():
        inside = counted(node.inside, {**values, node.name: first[each]})
        if inside is None:
            return None
        total = total.plus(own.plus(inside), times)
    return total


def shape(nodes: list[Node], name: str, number: int) -> tuple[int, ...]:
    """How long the loops inside are that hang on this one."""
    return tuple(lengths(nodes, name, number))


def lengths(nodes: list[Node], name: str, number: int) -> Iterator[int]:
    for node in nodes:
        spans = node.spans()
        if any(name in each.of for each in spans):
            yield min(each.at({name: number}) for each in spans)
            if not all(each.of.keys() <= {name} for each in spans):
                yield number
        yield from lengths(node.inside, name, number)
