"""The functions of a program that walk back along the tape, or that have a say while somebody does."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from labs.models.programs.trouble import StoppedError, TooMuchError
from labs.models.tensor import tape
from labs.models.tensor.tape import Operation, Step
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.values import Function, Items, show

Inputs = Any
PRINTED = 2_000  # characters


Waiting = dict[Operation, list[Tensor]]
"""Shares that operations further down the tape have been passed so far."""


class Observer(Protocol):
    def after(self, statement: ast.stmt) -> None:
        """A statement of the program itself has been executed."""

    def begin(self, result: Tensor, grad: Tensor, waiting: Waiting, adds: bool) -> None:
        """A walk back from ``result`` begins; ``adds`` to .grad of leaves."""

    def step(self, step: Step, waiting: Waiting) -> None:
        """One operation of a walk back is done."""

    def leaf(self, made: Tensor) -> None:
        """The program asked for a gradient of what it made."""


class Walks:
    """The half of the machine that has to do with gradients."""

    observer: Observer | None
    depth: int
    output: str
    line: int
    walking = 0
    """Walks back that are under way."""
    call: Callable[[Function, Any], Any]

    def print(self, *values: Any) -> None:
        self.output += " ".join(map(show, values)) + "\n"
        if len(self.output) > PRINTED:
            raise TooMuchError(f"a program prints at most {PRINTED:,} characters here; print less")

    def backward(
        self, x: Tensor, gradient: Tensor | None = None, retain_graph: bool = False, create_graph: bool = False
    ) -> None:
        for _ in self.walked(x, gradient, None, retain_graph, create_graph):
            pass

    def grad(
        self,
        output: Tensor,
        inputs: Inputs,
        grad_outputs: Tensor | None = None,
        retain_graph: bool = False,
        create_graph: bool = False,
    ) -> Items:
        asked = [each.origin for each in ([inputs] if isinstance(inputs, Tensor) else inputs)]
        if None in asked:
            raise RuntimeError(f"input {asked.index(None)} wants no gradient")
        ends = {each for each in asked if each is not None}
        steps = self.walked(output, grad_outputs, ends, retain_graph, create_graph)
        found = {step.operation: step.grad for step in steps if step.operation in ends}
        if len(found) < len(ends):
            raise RuntimeError("the result does not depend on every input")
        return Items(found[each] for each in asked if each is not None)

    def walked(
        self, result: Tensor, gradient: Tensor | None, ends: set[Operation] | None, keep: bool, create_graph: bool
    ) -> Iterator[Step]:
        """As the library's ``backward`` and ``grad`` walk, to leaves or to ``ends``, and look at every step."""
        begin = result._begin(gradient)
        among = None if ends is None else tape.between([begin[0]], ends)
        waiting: dict[Operation, list[Tensor]] = defaultdict(list, {begin[0]: [begin[1]]})
        if self.observer:
            self.observer.begin(result, begin[1], waiting, ends is None)
        self.walking += 1
        try:
            with tape.recorded(create_graph):
                for step in tape.walk([begin], among=among, keep=keep or create_graph):
                    waiting.pop(step.operation)
                    for edge, share in zip(step.operation.edges, step.shares, strict=bool(step.shares)):
                        if edge is not None and share is not None and (among is None or edge in among):
                            waiting[edge].append(share)
                    if self.observer:
                        self.observer.step(step, waiting)
                    yield step
        finally:
            self.walking -= 1

    def checkpoint(self, function: Function, *inputs: Tensor) -> Any:
        return tape.checkpoint(lambda *given: self.tensor_of(function, *given), *inputs)

    def register_hook(self, x: Tensor, hook: Function) -> None:
        x.register_hook(lambda given: self.tensor_of(hook, given, none=True))

    def tensor_of(self, function: Function, *given: Tensor, none: bool = False) -> Any:
        result = self.call(function, given)
        if not isinstance(result, Tensor) and not (none and result is None):
            raise StoppedError(f"{function.name} has to return a tensor", self.line)
        return result
