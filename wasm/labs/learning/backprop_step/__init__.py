"""Backpropagation step by step: values flow forwards through a graph, gradients flow back along its edges.

An expression becomes a graph of single operations on the tape of a tensor library. Each node computes its value.
Then the gradient of the result, which is 1, goes back: each edge multiplies it by the slope of what is done there,
and where edges come together their shares are added up. At the end every input is nudged a little, to see
whether the result answers as its gradient says.

Reading order: `operations` says what can be computed and how steep it is, `grammar` reads a text into a `Graph`,
`trace` runs that forwards and back, `layers` finds every node a place on paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Label, LabError, Sentence, Text, say
from labs.learning.backprop_step import tell, trace
from labs.learning.backprop_step.examples import EXAMPLES
from labs.learning.backprop_step.grammar import ExpressionError, Graph, read
from labs.learning.backprop_step.layers import Layout, place
from labs.learning.backprop_step.operations import OPERATIONS, numeral

MOST = 30
NUMBER = r"[-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-−+]?\d+)?"
MOVED = re.compile(rf"([^\W\d]\w*)\s*=\s*({NUMBER})\s*[,;]?\s*")

Number = float | str | None
"""JSON has neither nan nor infinity, so they are words; None as long as a number is not known."""

POSTER = 15


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        Text(1500, language="expression", examples=EXAMPLES),
        Label(
            "Expression",
            help="A value or formula on each line, the result last: + − * / **, brackets, tanh(x) and others.",
        ),
    ] = EXAMPLES["one_neuron"]
    moved: Annotated[
        str,
        Text(200),
        Label("Inputs moved", help="Such as x = 2, w = -1, in place of the values in the expression."),
    ] = ""
    overwrite: Annotated[
        bool,
        Label("Overwrite instead of add", group="Mistakes", help="Of several shares, only the last is kept."),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The graph, and all that is known of it so far."""

    kind: Literal["picture"] = "picture"
    stage: Literal["inputs", "forward", "backward", "check"]
    names: list[str]
    """Of each node; v with a number where the reader gave none."""
    signs: list[str]
    """The operation of each node; empty for inputs."""
    formulas: list[str]
    """How each node is computed; {3} stands for node 3."""
    layers: list[int]
    """Where each node is drawn, along the way forwards."""
    slots: list[float]
    """And across."""
    sources: list[int]
    """Of each edge, the node that is used."""
    targets: list[int]
    """The node that uses it."""
    rules: list[str]
    """The slope of each edge's target in its source, as a formula."""
    bends: list[list[float]]
    """Of each edge, its slots in the layers between its ends."""
    result: int
    """The node whose gradient is asked for."""
    moved: list[int]
    """Inputs that stand elsewhere than in the text."""
    node: int
    """The one that this picture is about."""
    edge: int
    """The edge along which something flows, else -1."""
    values: list[Number]
    gradients: list[Number]
    """How the result answers to each node, as far as shares have come; none for what does not lead to it."""
    slopes: list[Number]
    """Of each edge, the local derivative."""
    shares: list[Number]
    """Of each edge: its slope times the gradient of its target."""
    lost: list[int]
    """Edges whose share was overwritten by another."""
    nudged: list[Number]
    """The gradient of each input, found by nudging it."""
    verdicts: list[str]
    """Of each input: whether both agree."""


@dataclass(frozen=True)
class Prepared:
    """What does not depend on the values of inputs."""

    graph: Graph
    edges: list[tuple[int, int]]
    rules: list[str]
    layout: Layout
    out: dict[int, list[int]]
    """The edges that leave each node: its consumers."""


@lru_cache(maxsize=4)  # while an input is dragged, only values change
def prepare(program: str) -> Prepared:
    graph = read(program)
    count = len(graph.nodes)
    if count > MOST:
        raise ExpressionError(f"This has {count} nodes, but at most {MOST} can be drawn; make it shorter")
    edges = graph.edges
    out: dict[int, list[int]] = {}
    for number, (source, _) in enumerate(edges):
        out.setdefault(source, []).append(number)
    rules = [rule for number in range(count) for rule in tell.slopes(graph, number)]
    return Prepared(graph, edges, rules, place(count, edges, set(graph.inputs.values())), out)


def run(params: Params) -> Iterator[Picture]:
    try:
        known = prepare(params.program)
    except ExpressionError as error:
        raise LabError(f"{error}.") from None
    typed = {number: known.graph.nodes[number].start for number in known.graph.inputs.values()}
    starts = typed | read_moved(params.moved, known.graph)
    with np.errstate(all="ignore"):  # what is no number is shown
        values, back = trace.run(known.graph, starts)
        found = trace.nudged(known.graph, starts)
    moved = [number for number, start in starts.items() if start != typed[number]]
    painter = Painter(known, values, moved)
    yield painter.paint("inputs", known.graph.result, tell.beginning(known.graph))
    yield from painter.forward()
    yield from painter.backward(back, overwrite=params.overwrite)
    yield painter.check(found)


def read_moved(text: str, graph: Graph) -> dict[int, float]:
    """Inputs with other values than in the text; a name of another text is let be."""
    found, at = {}, len(text) - len(text.lstrip())
    while at < len(text):
        pair = MOVED.match(text, at)
        if not pair or not math.isfinite(value := float(pair[2].replace("−", "-"))):
            raise LabError(f"Inputs moved: character {at + 1} cannot be read; write x = 2, w = -1 and so on.")
        if pair[1] in graph.inputs:
            found[graph.inputs[pair[1]]] = value
        at = pair.end()
    return found


def exact(number: float) -> float | str:
    return number if math.isfinite(number) else str(number)


class Painter:
    """Fills in what becomes known, and draws a picture of it."""

    def __init__(self, known: Prepared, values: list[float], moved: list[int]) -> None:
        graph, self.known, self.computed = known.graph, known, values
        count = len(graph.nodes)
        self.values: list[Number] = [
            None if node.operation else exact(values[n]) for n, node in enumerate(graph.nodes)
        ]
        self.gradients: list[Number] = [None] * count
        self.slopes: list[Number] = [None] * len(known.edges)
        self.shares: list[Number] = [None] * len(known.edges)
        self.sums: dict[int, float] = {}
        self.lost: list[int] = []
        self.still = Picture(
            text=say(""),
            stage="inputs",
            names=[node.name for node in graph.nodes],
            signs=[OPERATIONS[node.operation].sign if node.operation else "" for node in graph.nodes],
            formulas=[tell.formula(graph, number) for number in range(count)],
            layers=known.layout.layers,
            slots=known.layout.slots,
            sources=[source for source, _ in known.edges],
            targets=[target for _, target in known.edges],
            rules=known.rules,
            bends=known.layout.bends,
            result=graph.result,
            moved=moved,
            node=-1,
            edge=-1,
            values=[],
            gradients=[],
            slopes=[],
            shares=[],
            lost=[],
            nudged=[None] * count,
            verdicts=[""] * count,
        )

    def paint(
        self, stage: Literal["inputs", "forward", "backward"], node: int, text: Sentence, edge: int = -1
    ) -> Picture:
        return replace(
            self.still,
            stage=stage,
            text=text,
            node=node,
            edge=edge,
            values=list(self.values),
            gradients=list(self.gradients),
            slopes=list(self.slopes),
            shares=list(self.shares),
            lost=list(self.lost),
        )

    def forward(self) -> Iterator[Picture]:
        for number, node in enumerate(self.known.graph.nodes):
            if node.operation:
                self.values[number] = exact(self.computed[number])
                yield self.paint(
                    "forward", number, say("{}.", tell.computed(self.known.graph, self.computed, number))
                )

    def backward(self, back: trace.Back, overwrite: bool) -> Iterator[Picture]:
        graph, result = self.known.graph, self.known.graph.result
        self.sums[result] = self.gradients[result] = 1.0
        name = graph.nodes[result].name
        yield self.paint(
            "backward", result, say("The backward pass starts at the result: ∂{}/∂{} = 1.", name, name)
        )
        into: dict[int, list[int]] = {}
        for edge, (_, target) in enumerate(self.known.edges):
            into.setdefault(target, []).append(edge)
        for number in back.order:
            for edge, slope in zip(into.get(number, []), back.slopes[number], strict=True):
                yield self.flow(edge, slope, overwrite)

    def flow(self, edge: int, slope: float, overwrite: bool) -> Picture:
        """The chain rule along one edge, and the sum where it leads to."""
        graph, (source, target) = self.known.graph, self.known.edges[edge]
        upstream, before = self.sums[target], self.sums.get(source)
        share = slope * upstream
        self.sums[source] = share if before is None or overwrite else before + share
        earlier = [each for each in self.known.out[source] if self.shares[each] is not None]
        if overwrite:
            self.lost += [each for each in earlier if each not in self.lost]
        self.slopes[edge], self.shares[edge] = exact(slope), exact(share)
        self.gradients[source] = exact(self.sums[source])
        rule = tell.passed(graph, self.computed, (source, target), self.known.rules[edge], slope)
        wanted = len(self.known.out[source])
        told = tell.summed(graph.nodes[source].name, len(earlier) + 1, wanted, before, self.sums[source])
        if before is not None and overwrite:
            told = say("which overwrites the {} that {} had", numeral(before), graph.nodes[source].name)
        text = say(
            "{}, times the gradient of {}: {}, {}.",
            rule,
            graph.nodes[target].name,
            tell.times(slope, upstream),
            told,
        )
        return self.paint("backward", source, text, edge)

    def check(self, found: dict[int, trace.Nudged]) -> Picture:
        graph, last = self.known.graph, self.paint("backward", self.known.graph.result, say(""))
        nudged: list[Number] = list(last.nudged)
        verdicts = list(last.verdicts)
        for number, each in found.items():
            nudged[number] = exact(each.slope)
            gradient = self.sums.get(number, 0.0)
            if not math.isfinite(gradient) or not math.isfinite(each.slope):
                verdicts[number] = "no number"
            elif trace.agree(gradient, each, self.computed[graph.result]):
                verdicts[number] = "agrees"
            else:
                verdicts[number] = "kink" if each.kink else "differs"
        text = tell.checked(graph, {number: verdicts[number] for number in found})
        return replace(last, stage="check", text=text, nudged=nudged, verdicts=verdicts)
