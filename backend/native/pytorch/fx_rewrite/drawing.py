"""Graphs as boxes in columns: a node stands to the right of all that it reads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import torch
from torch import fx

from native.pytorch.fx_rewrite.capture import line_of
from native.pytorch.fx_rewrite.pictures import Box, Edge, Extent

Sort = Literal["input", "weights", "module", "function", "output"]


class Drawing:
    """What stands where, of graphs that run one after the other."""

    def __init__(self, graphs: list[fx.GraphModule], file: str, first: int) -> None:
        self.file, self.first = file, first
        self.boxes: list[Box] = []
        self.edges: list[Edge] = []
        self.calls: dict[str, str] = {}
        self.extents = [self._draw(graph, number) for number, graph in enumerate(graphs)]

    def _draw(self, graph: fx.GraphModule, number: int) -> Extent:
        column: dict[str, int] = {}
        filled: Counter[int] = Counter()
        for node, reads in drawn(graph):
            name = called(node, number)
            at = max((column[called(each, number)] + 1 for each in reads), default=0)
            column[name] = at
            self.calls[name] = "weights and statistics" if weight(node) else str(node.format_node())
            self.edges += [Edge(called(each, number), name) for each in reads if called(each, number) != name]
            self.boxes.append(
                Box(
                    name=name,
                    says=said(node),
                    sort=sort(node),
                    line=line_of(node, self.file, self.first),
                    column=at,
                    row=1 if weight(node) else filled[at],
                    graph=number,
                    into="",
                    source="",
                )
            )
            filled[at] += not weight(node)  # below the input
        rows = max(1 + any(map(weight, graph.graph.nodes)), *filled.values())
        return Extent(max(column.values()) + 1, rows)


def drawn(graph: fx.GraphModule) -> Iterator[tuple[fx.Node, list[fx.Node]]]:
    """Each node with those that it reads. All weights are one."""
    met = False
    for node in graph.graph.nodes:
        if weight(node) and met:
            continue
        met = met or weight(node)
        reads: dict[str, fx.Node] = {}
        for each in node.all_input_nodes:
            reads.setdefault(said(each) if weight(each) else each.name, each)
        yield node, list(reads.values())


def weight(node: fx.Node) -> bool:
    """Whether it is an input that belongs to a module, as Dynamo passes it."""
    return node.op == "placeholder" and bool(re.search("parameters|buffers", str(node.target)))


def called(node: fx.Node, graph: int) -> str:
    name = "weights" if weight(node) else node.name
    return f"{name}'" * graph if graph else name


def said(node: fx.Node) -> str:
    if weight(node):
        return "weights"
    if node.op == "placeholder":
        return short(node.name)
    does = getattr(node.target, "__name__", node.name)
    return node.name if node.name.startswith(does) else does  # Dynamo names a node as the program does


def short(name: str) -> str:
    """Dynamo's inputs have the way to them in their names."""
    found = re.sub(r"^l_(self_modules_)?(\w+?)_*$", r"\2", name)
    return re.sub("_(parameters|buffers)_", "_", found)


def sort(node: fx.Node) -> Sort:
    if weight(node):
        return "weights"
    kinds: dict[str, Sort] = {"placeholder": "input", "output": "output", "call_module": "module"}
    return kinds.get(node.op, "function")


def code(graphs: list[fx.GraphModule]) -> list[str]:
    """What FX writes, without the names that it sets free; Dynamo's aliases of its inputs are left out."""
    lines: list[str] = []
    for graph in graphs:
        inputs = list(graph.graph.find_nodes(op="placeholder"))
        names = {str(each.target): said(each) for each in inputs}
        for line in graph.graph.python_code("self").src.splitlines():
            text = re.sub(r";  .*= None.*$", "", line).rstrip()
            if text.startswith("def "):
                text = f"def forward(self, {', '.join(dict.fromkeys(names.values()))}):"
            alias = re.match(r"\s*\w+ = (\w+)$", text)
            if text.strip() and not (alias and alias[1] in names):
                for each in inputs:
                    text = re.sub(rf"\b{each.name}\b", short(each.name), text)
                lines.append(text)
    return lines


def weights_of(graphs: list[fx.GraphModule], name: str) -> Any:
    """The module of that name in any of the graphs; None if there is none."""
    for graph in graphs:
        found = dict(graph.named_modules()).get(name)
        if isinstance(found, torch.nn.Conv2d):
            return found
    return None
