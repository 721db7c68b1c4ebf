"""Apply the rules until none finds anything more; every application is one step that can be shown.

Groups follow each other, so that a rule meets what those before have tidied, and the round begins again while
something changes. A node that is only rebuilt, because an input of it was, keeps its number and its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from labs.models.fusing import formulas, ops
from labs.models.fusing.graph import Node, walk
from labs.models.fusing.read import Graph
from labs.models.fusing.rules import COMMUTES

GROUPS = {
    "dead code": "What no output needs is not computed.",
    "common": "Equal operations become one.",
    "constants": "What is known already is computed now.",
    "identities": "Operations that change nothing, or cost more than they need to.",
    "casts": "Casts there and back again.",
    "transposes": "Transposes that cancel are removed.",
    "broadcasts": "What is repeated is computed before it is repeated.",
    "patterns": "Formulas that another formula computes better.",
    "fast math": "Laws of the real numbers, which floats do not obey.",
}
EXACT = tuple(GROUPS)[:-1]
MOST = 400  # rewrites
RULES = {group: [each for each in formulas.ALL if each.group == group] for group in GROUPS}


@dataclass(frozen=True)
class Rewrite:
    name: str
    why: str
    group: str
    before: tuple[Node, ...]
    """What was found: the node that is replaced, or all that are dead."""
    after: Node | None
    graph: Graph
    """As it is then."""
    numbers: dict[Node, int] = field(repr=False)
    """A node keeps its number from picture to picture; from 0, in the order in which they came up."""


class Rewriter:
    def __init__(self, graph: Graph, groups: Collection[str], numbers: Mapping[Node, int] | None = None) -> None:
        self.graph, self.groups = graph, groups
        self.numbers = dict(numbers or {})
        for node in walk((*graph.inputs, *graph.called, *graph.outputs)):
            self.numbers.setdefault(node, len(self.numbers))

    def run(self) -> Iterator[Rewrite]:
        left, changed = MOST, True
        while changed and left:
            changed = False
            for group in GROUPS:
                if group not in self.groups:
                    continue
                for each in self.steps(group):
                    changed, left = True, left - 1
                    yield each
                    if not left:
                        return

    def steps(self, group: str) -> Iterator[Rewrite]:
        match group:
            case "dead code":
                return self.dead()
            case "common":
                return self.common()
        return self.apply(group)

    def apply(self, group: str) -> Iterator[Rewrite]:
        looked: set[int] = set()
        kept: list[Node] = []  # so that no other node is given one's id
        found = True
        while found:
            found = False
            for node in walk(self.graph.outputs):
                if id(node) in looked:
                    continue
                looked.add(id(node))
                kept.append(node)
                for each in RULES[group]:
                    if node.op in each.ops:
                        with ops.at(node.line):
                            after = each.find(node)
                        if after is not None:
                            yield self.put(each.name, each.why, group, node, after)
                            found = True
                            break
                if found:
                    break

    def common(self) -> Iterator[Rewrite]:
        """Constants are equal by what they say; the order of operands counts only where it matters."""
        found = True
        while found:
            found = False
            seen: dict[object, Node] = {}
            for node in walk(self.graph.outputs):
                if node.op in ("input", "const"):
                    continue
                parts = [constant(each) if each.op == "const" else id(each) for each in node.inputs]
                inputs = frozenset(parts) if node.op in COMMUTES else tuple(parts)
                first = seen.setdefault((node.op, inputs, len(parts), node.shape, node.dtype, node.arg), node)
                if first is not node:
                    why = "The same operation on the same inputs was computed before."
                    yield self.put("equal", why, "common", node, first)
                    found = True
                    break

    def dead(self) -> Iterator[Rewrite]:
        alive = set(walk((*self.graph.outputs, *self.graph.inputs)))
        dead = tuple(node for node in walk(self.graph.called) if node not in alive)
        if dead:
            called = {node: name for node, name in self.graph.called.items() if node in alive}
            self.graph = replace(self.graph, called=called)
            why = "No output needs them."
            yield Rewrite("dead", why, "dead code", dead, None, self.graph, dict(self.numbers))

    def put(self, name: str, why: str, group: str, before: Node, after: Node) -> Rewrite:
        """The graph with one in the other's place."""
        found: dict[Node, Node] = {}
        graph = self.graph
        for node in walk((*graph.outputs, *graph.called)):
            if node is before:
                found[node] = after
                continue
            inputs = tuple(found[each] for each in node.inputs)
            same = all(one is other for one, other in zip(inputs, node.inputs, strict=True))
            found[node] = node if same else Node(node.op, inputs, node.shape, node.dtype, node.arg, node.line)
        called: dict[Node, str] = {}
        for node, mine in graph.called.items():
            called.setdefault(found[node], mine)
        for node, now in found.items():
            if node in self.numbers:
                self.numbers.setdefault(now, self.numbers[node])
        self.graph = replace(graph, outputs=tuple(found[each] for each in graph.outputs), called=called)
        for each in after.inputs:
            self.number(each)
        return Rewrite(name, why, group, (before,), after, self.graph, dict(self.numbers))

    def number(self, node: Node) -> None:
        """New ones get new numbers; what they are made of was there."""
        if node not in self.numbers:
            for each in node.inputs:
                self.number(each)
            self.numbers[node] = len(self.numbers)


def constant(node: Node) -> object:
    return (repr(node.arg), node.dtype, node.shape)


def rewritten(graph: Graph, groups: Collection[str] = EXACT) -> Graph:
    """After all of them."""
    for step in Rewriter(graph, groups).run():
        graph = step.graph
    return graph
