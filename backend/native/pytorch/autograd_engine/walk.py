"""A walk back, watched: which node torch's engine runs when, what it is given, and what it hands on.

A hook before each node and one after it say so. What was ready beside it follows from the rule of the engine: a
node is ready once it has all its gradients, and of those that are ready the one made last is taken; an
AccumulateGrad comes before all others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from native.pytorch.autograd_engine.graph import edges, waits, when_made, written

Gradients = Sequence[Tensor | None]


@dataclass
class Walk:
    """One call of backward(), while it goes on."""

    root: Any
    expected: dict[Any, int]
    arrived: dict[Any, int] = field(default_factory=dict)
    given: dict[Any, str] = field(default_factory=dict)
    done: set[Any] = field(default_factory=set)
    running: Any = None

    def ready(self) -> list[Any]:
        """The next one first."""
        full = (node for node, count in self.expected.items() if self.arrived.get(node, 0) == count)
        waiting = [node for node in full if node not in self.done and node is not self.running]
        return sorted(waiting, key=when_made, reverse=True)


@dataclass(frozen=True)
class Ran:
    """A node has just run."""

    node: Any
    given: str
    handed: list[str]
    """Along each of its edges"""
    thread: int
    """Counted from 1, the one that called backward"""


class Watcher:
    """``look`` is called when a walk begins, and with each node that has run."""

    def __init__(self, look: Callable[[Ran | None], None]) -> None:
        self.walks: list[Walk] = []
        """Those that are open, the innermost last"""
        self._look = look
        self._threads: list[int] = []

    def backward(self, output: Tensor, gradient: Tensor | None = None, **named: Any) -> None:
        """``torch.autograd.backward`` does it."""
        if output.grad_fn is None:  # torch says what is wrong, or has only a leaf to add to
            torch.autograd.backward(output, gradient, **named)
            return
        walk = Walk(output.grad_fn, waits(output.grad_fn), {output.grad_fn: 1})
        self._threads = self._threads if self.walks else [threading.get_ident()]
        self.walks.append(walk)
        hooks = [hook for node in walk.expected for hook in self._hooks(walk, node)]
        try:
            self._look(None)
            torch.autograd.backward(output, gradient, **named)
            self.walks.remove(walk)  # if it has failed, where it stands is looked at once more
        finally:
            for hook in hooks:
                hook.remove()

    def _hooks(self, walk: Walk, node: Any) -> Iterator[Any]:
        """A leaf's node may have a place in several walks that are open: the innermost one runs it."""

        def before(given: Gradients) -> None:
            if self.walks[-1] is walk:
                walk.running = node
                walk.given[node] = ", ".join(written(each) for each in given)

        def after(handed: Gradients, _: Gradients) -> None:
            if self.walks[-1] is not walk:
                return
            walk.running = None
            walk.done.add(node)
            for each in edges(node):
                if each is not None:
                    walk.arrived[each] = walk.arrived.get(each, 0) + 1
            thread = threading.get_ident()
            if thread not in self._threads:
                self._threads.append(thread)
            number = 1 + self._threads.index(thread)
            self._look(Ran(node, walk.given[node], [written(each) for each in handed], number))

        yield node.register_prehook(before)
        yield node.register_hook(after)


def checkpointed(watcher: Watcher) -> Callable[..., Tensor]:
    """As ``torch.utils.checkpoint`` with ``use_reentrant=True``: a walk begins inside of another one."""

    class Checkpoint(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
            context.function = function
            context.save_for_backward(x)
            return function(x)

        @staticmethod
        def backward(context: Any, *gradients: Any) -> Any:
            (x,) = context.saved_tensors
            again = x.detach().requires_grad_()
            with torch.enable_grad():
                result = context.function(again)
            watcher.backward(result, *gradients)
            return None, again.grad

    def checkpoint(function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        return Checkpoint.apply(function, x)  # type: ignore[no-any-return, no-untyped-call]

    return checkpoint


def hooked(x: Tensor, function: Callable[[Tensor], Any]) -> None:
    """Hands nothing back that a program could hold on to."""
    x.register_hook(function)  # type: ignore[no-untyped-call]
