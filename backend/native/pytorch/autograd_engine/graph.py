"""The graph as torch built it: nodes, and where each hands its gradients on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from native.models import private

ACCUMULATE = "AccumulateGrad"
MOST = 40  # nodes in one picture


@dataclass
class Known:
    """A node that was met. Holding it keeps it from being forgotten, and its number from being given again."""

    node: Any
    number: int
    line: int


class Nodes:
    """Gives each node a number when it is first met."""

    def __init__(self) -> None:
        self._known: dict[Any, Known] = {}
        # The next number that torch will give, so that the program's own begin at 1.
        self._start = first_number()

    def meet(self, roots: Iterable[Any], line: int) -> list[Any]:
        """All nodes behind these, in the order of their numbers."""
        found = reached(roots)
        for node in sorted(found, key=when_made):
            self._known.setdefault(node, Known(node, len(self._known) + 1, line))
        return sorted(found, key=self.number)

    def number(self, node: Any) -> int:
        return self._known[node].number

    def line(self, node: Any) -> int:
        return self._known[node].line

    def sequence(self, node: Any) -> int:
        return 0 if name(node) == ACCUMULATE else when_made(node) - self._start


def first_number() -> int:
    """The number that torch gives to a node made now."""
    made = torch.ones(1, requires_grad=True).exp().grad_fn
    return private.sequence(made)


def when_made(node: Any) -> int:
    return private.sequence(node)


def name(node: Any) -> str:
    return str(node.name()).rpartition("::")[2]


def edges(node: Any) -> list[Any]:
    """Where it hands its results on, in their order; None where nobody wants one."""
    return [each for each, _ in node.next_functions]


def reached(roots: Iterable[Any]) -> list[Any]:
    found: dict[Any, None] = {}
    waiting = [root for root in roots if root is not None]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting += [each for each in edges(node) if each is not None]
    return [*found]


def places(nodes: Iterable[Any]) -> dict[Any, tuple[int, int]]:
    """Column and row of each: as far to the right as its farthest leaf is away, in the order given."""
    columns: dict[Any, int] = {}

    def column(node: Any) -> int:
        if node not in columns:
            columns[node] = 1 + max((column(each) for each in edges(node) if each is not None), default=-1)
        return columns[node]

    found, filled = {}, dict[int, int]()
    for node in nodes:
        at = column(node)
        found[node] = (at, filled.get(at, 0))
        filled[at] = filled.get(at, 0) + 1
    return found


def waits(root: Any) -> dict[Any, int]:
    """For how many gradients each node behind the root waits: as many as there are edges to it."""
    counts = dict.fromkeys(reached([root]), 0)
    for node in counts:
        for each in edges(node):
            if each is not None:
                counts[each] += 1
    counts[root] += 1
    return counts


def written(value: Tensor | None) -> str:
    if value is None:
        return "nothing"
    numbers = [f"{each:.3g}" for each in value.detach().reshape(-1)[:6].tolist()]
    more = ", …" if value.numel() > len(numbers) else ""
    return numbers[0] if value.ndim == 0 else f"[{', '.join(numbers)}{more}]"
