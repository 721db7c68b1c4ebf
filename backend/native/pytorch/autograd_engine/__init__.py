"""The autograd engine: in which order the nodes of a graph run, and which of them wait for more gradients.

The program runs on torch. After each line stands the graph as torch built it. When backward() is called, hooks on
every node tell which one torch's engine has run, and the queue beside it is what the engine's rule makes of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from labs.contract import Event, Label, Sentence, Text, say
from labs.models.programs.accept import parse
from labs.models.programs.trouble import StoppedError, as_advice

from native.models.messages import first_sentence
from native.pytorch.autograd_engine.examples import EXAMPLES
from native.pytorch.autograd_engine.pictures import Edge, Graph, Leaf, Node

if TYPE_CHECKING:
    from native.models.torch_programs.machine import Machine

POSTER = 10


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        Text(1200, language="python", examples=EXAMPLES, listed=True),
        Label("Program", help="PyTorch tensors, loops, hooks, checkpoint(lambda a: …, x), and backward()."),
    ] = EXAMPLES["two_ways"]


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The graph after a line, or after one node of a walk has run."""

    kind: Literal["picture"] = "picture"
    stage: Literal["lines", "walk", "stopped"]
    line: int
    """Of the program, that is executed"""
    nodes: list[Node]
    edges: list[Edge]
    queue: list[int]
    """Numbers of the nodes that are ready, the next one first"""
    now: int
    """The number of the node that has just run; 0 if none has"""
    depth: int
    """Walks that are open, one inside the other"""
    thread: int
    """In which the node ran, counted from 1, the one that called backward"""
    leaves: list[Leaf]
    steps: int
    """Nodes that have run so far, in all walks"""
    columns: int
    """That the widest picture of this run has"""
    rows: int
    """That the highest picture of this run has"""
    error: str
    """What torch said instead of going on"""


def run(params: Params) -> Iterator[Picture]:
    with as_advice():
        tree = parse(params.program)
        from native.models.torch_programs.machine import Machine

        yield from sized([*look_on(Machine(tree))])


def look_on(machine: Machine) -> Iterator[Picture]:
    from native.pytorch.autograd_engine.record import Recorder
    from native.pytorch.autograd_engine.tell import after_line

    recorder = Recorder(machine)
    before, ran = None, 0
    try:
        for statement in machine.run():
            steps = recorder.taken()
            for step in steps:
                ran += bool(step.graph.now)
                yield picture(step.graph, "walk", machine.line, step.text, ran)
            graph = recorder.graph()
            yield picture(graph, "lines", statement.lineno, after_line(before, graph, bool(steps)), ran)
            before = graph
    except StoppedError as stopped:
        for step in recorder.taken():
            ran += bool(step.graph.now)
            yield picture(step.graph, "walk", stopped.line, step.text, ran)
        said = Sentence.plain(first_sentence(stopped.message))
        yield picture(recorder.graph(), "stopped", stopped.line, say("Torch says: {}", said), ran, said)


def picture(
    graph: Graph,
    stage: Literal["lines", "walk", "stopped"],
    line: int,
    text: Sentence,
    ran: int,
    error: str = "",
) -> Picture:
    return Picture(**vars(graph), text=text, stage=stage, line=line, steps=ran, columns=0, rows=0, error=error)


def sized(log: list[Picture]) -> Iterator[Picture]:
    """All with the size that the largest of them needs, so that nothing jumps."""
    places = [(node.column + 1, node.row + 1) for event in log for node in event.nodes]
    columns, rows = (max((at[n] for at in places), default=1) for n in (0, 1))
    return (replace(event, columns=columns, rows=rows) for event in log)
