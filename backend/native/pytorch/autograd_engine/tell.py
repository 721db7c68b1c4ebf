"""What a picture of the graph shows, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from labs.contract import Sentence, joined, say
from labs.models.decimals import minus

from native.pytorch.autograd_engine.pictures import UNNAMED, Graph, Node

if TYPE_CHECKING:
    from native.pytorch.autograd_engine.walk import Ran


def begun(graph: Graph) -> Sentence:
    root = named(graph, graph.queue[0])
    if graph.depth > 1:
        return say("A walk inside the walk begins at {}.", root)
    return say("The walk begins at {}.", root)


def ran(what: Ran, graph: Graph) -> Sentence:
    node = next(each for each in graph.nodes if each.number == graph.now)
    if node.leaf:
        to = Sentence.plain("the .grad of a tensor without a name" if node.leaf == UNNAMED else f"{node.leaf}.grad")
        first = say("{} is added to {}", minus(what.given), to)
    else:
        handed = [minus(each) for each in what.handed if each != "nothing"]
        first = say(
            "{} receives {} and passes on {}", short(node), minus(what.given), several(handed or ["nothing"])
        )
    targets = {edge.target for edge in graph.edges if edge.source == graph.now}
    late = [each for each in graph.nodes if each.number in targets and each.state == "waiting"]
    if late:
        missing = late[0].expected - late[0].arrived
        words = "{} waits for one more gradient" if missing == 1 else "{} waits for {} more gradients"
        return say("{}; {}.", first, say(words, short(late[0]), *([missing] if missing > 1 else [])))
    return say("{}.", first)


def after_line(before: Graph | None, graph: Graph, walked: bool) -> Sentence:
    if walked:
        sums = [say("{}.grad is {}", leaf.name, minus(leaf.grad)) for leaf in graph.leaves if leaf.grad]
        return say("The walk is over: {}.", several(sums)) if sums else say("The walk is over.")
    known = {each.number for each in before.nodes} if before else set()
    new = [each for each in graph.nodes if each.number not in known and not each.leaf]
    if new:
        return say("{} {} recorded for the backward pass.", several([short(each) for each in new]), be(len(new)))
    leaves = {leaf.name for leaf in before.leaves} if before else set()
    if asked := [leaf.name for leaf in graph.leaves if leaf.name not in leaves]:
        return say("{} will receive a gradient.", several(asked))
    if before and len(before.nodes) > len(graph.nodes):
        return say("A part of the graph is freed, as nothing leads to it any more.")
    return say("This line adds no node to the graph.")


def be(many: int) -> str:
    return "is" if many == 1 else "are"


def short(node: Node) -> str:
    return f"AccumulateGrad of {node.leaf}" if node.leaf else node.name


def named(graph: Graph, number: int) -> str:
    return next(short(each) for each in graph.nodes if each.number == number)


def several(names: Sequence[str]) -> Sentence:
    *most, last = names
    return say("{} and {}", joined(", ", most), last) if most else Sentence.plain(last)
