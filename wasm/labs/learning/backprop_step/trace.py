"""Runs a graph on the tape: values forwards, the order and the slopes of the way back, and a check by nudging."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labs.learning.backprop_step.grammar import Graph
from labs.learning.backprop_step.operations import OPERATIONS
from labs.models.tensor.tape import no_grad, walk
from labs.models.tensor.tensor import Tensor, tensor

NUDGE = 6e-6  # the cube root of float64's precision: there rounding and curvature err alike
SIDES = 1e-2  # slopes to the left and to the right that differ by more belong to a kink


@dataclass(frozen=True)
class Back:
    """The way back: which node comes when, and how steep each is in the nodes that it is computed from."""

    order: list[int]
    slopes: dict[int, list[float]]


def forward(graph: Graph, starts: dict[int, Tensor]) -> list[Tensor]:
    """All nodes, computed from the inputs."""
    found: list[Tensor] = []
    for number, node in enumerate(graph.nodes):
        if not node.operation:
            found.append(starts[number])
            continue
        taken = [found[each] if isinstance(each, int) else tensor(each) for each in node.arguments]
        found.append(OPERATIONS[node.operation].compute(*taken))
    return found


def run(graph: Graph, starts: dict[int, float]) -> tuple[list[float], Back]:
    """Every value, and the walk back from the result."""
    found = forward(graph, {number: tensor(start, requires_grad=True) for number, start in starts.items()})
    numbers = {each.origin: number for number, each in enumerate(found)}
    # Whatever comes back to a node is replaced by 1: what it passes on are then its slopes and nothing else.
    one = tensor(1.0)
    for each in found:
        each.register_hook(lambda _: one)
    order, slopes = [], {}
    begin = found[graph.result].origin
    for step in walk([(begin, one)] if begin else []):
        order.append(number := numbers[step.operation])
        steep = zip(
            graph.nodes[number].arguments, step.shares, strict=False
        )  # of a square the tape knows the 2, too
        slopes[number] = [
            float(share.item()) for each, share in steep if isinstance(each, int) and share is not None
        ]
    return [float(each.item()) for each in found], Back(order, slopes)


@dataclass(frozen=True)
class Nudged:
    slope: float
    """By how much the result changes when an input does, measured a little to both sides."""
    kink: bool
    """To the left it is another than to the right, so there is no one slope."""


def nudged(graph: Graph, starts: dict[int, float]) -> dict[int, Nudged]:
    """The gradients again, by no rule but trying: all inputs, each moved both ways, in one pass forwards."""
    count = len(starts)
    by = [NUDGE * max(0.01, abs(start)) for start in starts.values()]
    moved = np.zeros((count, 2 * count + 1))
    moved[range(count), range(count)] = by
    moved[range(count), range(count, 2 * count)] = [-each for each in by]
    with no_grad():
        rows = {number: tensor(start + moved[row]) for row, (number, start) in enumerate(starts.items())}
        result = forward(graph, rows)[graph.result].array
    found = {}
    for row, (number, start) in enumerate(starts.items()):
        up, down, here = (float(result[place]) for place in (row, count + row, 2 * count))
        # what was really added, after rounding
        right, left = (start + by[row]) - start, start - (start - by[row])
        sides = (up - here) / right, (here - down) / left
        kink = abs(sides[0] - sides[1]) > SIDES * max(1.0, *map(abs, sides))
        found[number] = Nudged((up - down) / (right + left), kink)
    return found


def agree(gradient: float, found: Nudged, result: float) -> bool:
    """As far as nudging can tell: it rounds the result, and divides what is left by something small."""
    room = 1e-3 * max(abs(gradient), abs(found.slope)) + 1e-8 * max(1.0, abs(result))
    return abs(gradient - found.slope) <= room
