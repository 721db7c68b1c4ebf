"""Pictures of the graph: after each line of a program, and at each step of a walk back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labs.contract import LabError, Sentence
from torch import Tensor

from native.models.torch_programs.machine import Machine
from native.pytorch.autograd_engine.graph import ACCUMULATE, MOST, Nodes, edges, name, places, written
from native.pytorch.autograd_engine.pictures import UNNAMED, Edge, Graph, Leaf, Node
from native.pytorch.autograd_engine.tell import begun, ran
from native.pytorch.autograd_engine.walk import Ran, Walk, Watcher, checkpointed, hooked


@dataclass(frozen=True)
class Step:
    """Of a walk."""

    graph: Graph
    text: Sentence


class Recorder:
    def __init__(self, machine: Machine) -> None:
        self.machine, self.nodes = machine, Nodes()
        self.watcher = Watcher(self._look)
        machine.methods = {"backward": self.watcher.backward, "register_hook": hooked}
        machine.functions = {"checkpoint": checkpointed(self.watcher)}
        self._steps: list[Step] = []
        self._times: Counter[int] = Counter()

    def taken(self) -> list[Step]:
        """The steps since they were last taken."""
        steps, self._steps = self._steps, []
        return steps

    def graph(self, now: Any = None, thread: int = 1) -> Graph:
        """As it stands. Raises ``LabError`` if it is too large to be drawn."""
        walks = self.watcher.walks
        roots = [each.grad_fn for each in self._tensors() if each.grad_fn is not None]
        shown = self.nodes.meet([*roots, *(walk.root for walk in walks)], self.machine.line)
        if len(shown) > MOST:
            raise LabError(f"At most {MOST} nodes of a graph are drawn; make the program shorter.")
        leaves = self._leaves()
        at = places(shown)
        pictures = [self._node(node, at[node], walks, leaves, now) for node in shown]
        drawn = [
            Edge(self.nodes.number(node), self.nodes.number(to), way, any(node in walk.done for walk in walks))
            for node in shown
            for way, to in enumerate(edges(node))
            if to is not None
        ]
        queue = [self.nodes.number(node) for walk in reversed(walks) for node in walk.ready()]
        return Graph(
            nodes=pictures,
            edges=drawn,
            queue=queue,
            now=0 if now is None else self.nodes.number(now),
            depth=len(walks),
            thread=thread,
            leaves=[
                Leaf(leaf, "" if tensor.grad is None else written(tensor.grad), self._times[id(tensor)])
                for leaf, tensor in leaves.items()
            ],
        )

    def _node(
        self, node: Any, at: tuple[int, int], walks: list[Walk], leaves: Mapping[str, Tensor], now: Any
    ) -> Node:
        walk = next((each for each in reversed(walks) if node in each.expected), None)
        names = {id(tensor): leaf for leaf, tensor in leaves.items()}
        return Node(
            number=self.nodes.number(node),
            name=name(node),
            leaf=names.get(id(node.variable), UNNAMED) if name(node) == ACCUMULATE else "",
            sequence=self.nodes.sequence(node),
            line=self.nodes.line(node),
            column=at[0],
            row=at[1],
            state=state(node, walk, now),
            arrived=walk.arrived.get(node, 0) if walk else 0,
            expected=walk.expected[node] if walk else 0,
            gradient=walk.given.get(node, "") if walk else "",
        )

    def _tensors(self) -> list[Tensor]:
        named = [each for each in self.machine.names.values() if isinstance(each, Tensor)]
        return [*named, *(each.grad for each in named if each.is_leaf and each.grad is not None)]

    def _leaves(self) -> dict[str, Tensor]:
        """By the first of their names."""
        named = [(way, each) for way, each in self.machine.names.items() if isinstance(each, Tensor)]
        leaves = {id(each): (way, each) for way, each in reversed(named) if each.is_leaf and each.requires_grad}
        return dict(reversed(leaves.values()))

    def _look(self, what: Ran | None) -> None:
        if what is not None and name(what.node) == ACCUMULATE:
            self._times[id(what.node.variable)] += 1
        graph = self.graph(what and what.node, what.thread if what else 1)
        self._steps.append(Step(graph, ran(what, graph) if what else begun(graph)))


def state(node: Any, walk: Walk | None, now: Any) -> str:
    if node is now:
        return "running"
    if walk is None:
        return "idle"
    if node is walk.running:
        return "running"
    if node in walk.done:
        return "done"
    return "ready" if walk.arrived.get(node, 0) == walk.expected[node] else "waiting"
