"""Where a rewrite could be applied, whether its guards hold there, and the rewrite itself."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx, nn
from torch.nn import functional

from native.pytorch.fx_rewrite.drawing import said
from native.pytorch.fx_rewrite.folding import folded
from native.pytorch.fx_rewrite.pictures import Guard

CONV = {torch.conv2d, functional.conv2d}
PRODUCTS = {operator.mul, torch.mul, "mul"}
SIGMOIDS = {torch.sigmoid, "sigmoid"}
SUMS = {operator.add, operator.sub, operator.neg, torch.neg, functional.silu}
PURE = PRODUCTS | SIGMOIDS | SUMS | CONV
"""What gives equal results for equal inputs, and does nothing else"""


@dataclass
class Match:
    """Nodes that a rewrite would replace."""

    nodes: list[fx.Node]
    gone: list[tuple[fx.Node, fx.Node]]
    """What would be taken out, and the node that takes its place or takes it in"""
    guards: list[Guard]
    act: Callable[[], list[tuple[str, str]]] | None
    """Returns for each new node its name and that of one it replaces. None where there is nothing to work with."""
    names: tuple[str, ...]
    """Of the nodes, in the order in which a sentence names them"""

    @property
    def safe(self) -> bool:
        return all(each.holds for each in self.guards)


def matches(graph: fx.GraphModule, rewrite: str) -> Iterator[Match]:
    """One after the other; what is done to one is seen by the next."""
    return {"fold": _fold, "silu": _silu, "dropout": _dropout, "merge": _merge}[rewrite](graph)


def _module(graph: fx.GraphModule, node: Any, kind: type) -> Any:
    if not isinstance(node, fx.Node) or node.op != "call_module":
        return None
    found = graph.get_submodule(str(node.target))
    return found if type(found) is kind else None


def readers(node: fx.Node) -> str:
    return ", ".join(each.name for each in node.users)


def _fold(graph: fx.GraphModule) -> Iterator[Match]:
    for node in list(graph.graph.nodes):
        before = node.args[0] if node.args else None
        if node.target is functional.batch_norm and isinstance(before, fx.Node) and before.target in CONV:
            guard = Guard("The weights are in the graph", False, "they are inputs of it")
            yield Match([before, node], [(node, before)], [guard], None, (said(before), said(node)))
            continue
        norm = _module(graph, node, nn.BatchNorm2d)
        conv = _module(graph, before, nn.Conv2d)
        if norm is None or conv is None:
            continue
        assert isinstance(before, fx.Node)
        calls = [each.name for each in graph.graph.nodes if _module(graph, each, nn.Conv2d) is conv]
        guards = [
            Guard("Only norm reads conv’s result", len(before.users) == 1, f"read by {readers(before)}"),
            Guard("conv is called once", len(calls) == 1, f"called by {', '.join(calls)}"),
            Guard("norm is in eval mode", not norm.training, "training" if norm.training else "eval"),
        ]

        def act(node: fx.Node = node, before: fx.Node = before, conv: Any = conv, norm: Any = norm) -> Any:
            graph.add_submodule(str(before.target), folded(conv, norm))
            node.replace_all_uses_with(before)
            graph.graph.erase_node(node)
            return []

        yield Match([before, node], [(node, before)], guards, act, (said(before), said(node)))


def _silu(graph: fx.GraphModule) -> Iterator[Match]:
    for node in list(graph.graph.nodes):
        if node.target not in PRODUCTS or len(node.args) != 2:
            continue
        pair = [each for each in node.args if isinstance(each, fx.Node)]
        gates = [each for each in pair if each.target in SIGMOIDS]
        if len(pair) != 2 or len(gates) != 1:
            continue
        gate, value = gates[0], pair[1 - pair.index(gates[0])]
        inside = gate.args[0]
        assert isinstance(inside, fx.Node)
        guards = [
            Guard("Both factors come from one value", inside is value, f"{said(value)} and {said(inside)}"),
            unwritten(gate, node),
        ]

        def act(node: fx.Node = node, gate: fx.Node = gate, value: fx.Node = value) -> list[tuple[str, str]]:
            with graph.graph.inserting_before(node):
                made = graph.graph.call_function(functional.silu, (value,))
            made.stack_trace = node.stack_trace
            node.replace_all_uses_with(made)
            graph.graph.erase_node(node)
            if not gate.users:  # somebody else may still read it
                graph.graph.erase_node(gate)
            return [(made.name, node.name)]

        yield Match([gate, node], [(gate, node)], guards, act, (said(gate), said(node)))


def _dropout(graph: fx.GraphModule) -> Iterator[Match]:
    for node in list(graph.graph.nodes):
        drop = _module(graph, node, nn.Dropout)
        if drop is not None:
            training = drop.training
        elif node.target is functional.dropout:
            training = bool(node.args[2])
        else:
            continue
        guards = [Guard("drop is in eval mode", not training, "training" if training else "eval")]
        before = node.args[0]

        def act(node: fx.Node = node, before: Any = before) -> list[tuple[str, str]]:
            node.replace_all_uses_with(before)
            graph.graph.erase_node(node)
            return []

        yield Match([node], [(node, before)], guards, act, (said(node), said(before)))


def _merge(graph: fx.GraphModule) -> Iterator[Match]:
    met: dict[Any, fx.Node] = {}
    for node in list(graph.graph.nodes):
        if node.op not in ("call_function", "call_method") or in_place(node):
            continue
        key = (node.op, node.target, node.args, tuple(node.kwargs.items()))
        first = met.setdefault(key, node)
        if first is node:
            continue
        pure = node.target in PURE
        guards = [
            Guard("Equal inputs give equal results", pure, "a pure function" if pure else f"not {node.name}"),
            unwritten(first, None),  # whoever writes to one result later would write to the other
        ]

        def act(node: fx.Node = node, first: fx.Node = first) -> list[tuple[str, str]]:
            node.replace_all_uses_with(first)
            graph.graph.erase_node(node)
            return []

        yield Match([first, node], [(node, first)], guards, act, (said(first), said(node)))


def unwritten(first: fx.Node, last: fx.Node | None) -> Guard:
    """Views share memory, so any write counts, whatever it is to."""
    node, written = first.next, [""][:0]
    while node is not last and node.op != "root":
        if in_place(node):
            written.append(node.name)
        node = node.next
    return Guard("Nothing writes in place meanwhile", not written, ", ".join(written) or "nothing does")


def in_place(node: fx.Node) -> bool:
    """A method whose name ends in _, an operator such as +=, or what is told to."""
    if node.kwargs.get("inplace"):
        return True
    if node.op == "call_method":
        return str(node.target).endswith("_")
    return node.target in (operator.iadd, operator.isub, operator.imul)
