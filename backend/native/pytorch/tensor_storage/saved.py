"""What autograd has saved for the way back, asked of torch's own nodes without keeping any of them alive.

Torch shows what a node has saved, but for CopySlices, which stands for a change in place of a view: it has another
node inside, and keeps that to itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from native.models import private

CELLS = 64  # of a storage, and elements of a tensor, that are shown
_VERSION = re.compile(r"is at version (\d+); expected version (\d+)")


@dataclass(frozen=True)
class Kept:
    """One tensor that a node has saved."""

    node: str
    number: int
    """Of the node, in the order in which they are met"""
    storage: int
    """Which, by torch's address of it; 0 if that could no longer be asked"""
    saved: int
    """Its version then"""
    now: int
    """Its version now"""
    bytes: int = 0
    item: int = 1
    cells: tuple[str, ...] = ()
    """The numbers in its storage, while torch hands them out"""


class Saved:
    """Follows what is saved from statement to statement."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], Kept] = {}
        self._numbers: dict[int, int] = {}

    def look(self, roots: Iterable[Tensor]) -> list[Kept]:
        """What the nodes behind these tensors hold now, the oldest first."""
        found: dict[tuple[int, str], Kept] = {}
        for node in sorted(nodes(roots), key=private.sequence):
            number = self._numbers.setdefault(private.sequence(node), len(self._numbers) + 1)
            for field in private.saved(node):
                if kept := self._ask(node, number, field):
                    found[number, field] = kept
        self._known = found
        return list(found.values())

    def _ask(self, node: Any, number: int, field: str) -> Kept | None:
        before = self._known.get((number, field))
        try:
            value = private.kept(node, field)
        except RuntimeError as error:  # it was changed, or let go of
            if not (versions := _VERSION.search(str(error))):
                return None
            now, saved = map(int, versions.groups())
            known = before or Kept(plain(node), number, 0, saved, now)
            return replace(known, now=now, cells=("?",) * len(known.cells))
        if not isinstance(value, Tensor):
            return None
        at = 0 if value.is_inference() else value._version
        whole, item = value.untyped_storage(), value.element_size()
        return Kept(plain(node), number, storage_of(value), at, at, whole.nbytes(), item, tuple(cells(value)))


def nodes(roots: Iterable[Tensor]) -> Iterator[Any]:
    """Every node that can be reached and saves anything; a leaf's own node has no number of that kind."""
    waiting, seen = [root.grad_fn for root in roots if root.grad_fn is not None], set[Any]()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.name() != ACCUMULATE:
            yield node
        waiting += [each for each, _ in node.next_functions if each is not None]


ACCUMULATE = "torch::autograd::AccumulateGrad"


def plain(node: Any) -> str:
    return str(node.name()).rpartition("::")[2]


def storage_of(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def cells(tensor: Tensor) -> list[str]:
    """The numbers in its storage, as its own type."""
    whole = tensor.untyped_storage()
    numbers = torch.empty(0, dtype=tensor.dtype).set_(whole)[:CELLS]
    return [written(each) for each in numbers.tolist()]


def written(value: float | bool) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
