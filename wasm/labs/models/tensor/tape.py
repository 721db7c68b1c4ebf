"""The tape: what was computed from what, and the walk back along it that brings each input its gradient.

Each operation remembers the operations that made its inputs (its edges) and what its derivative needs (`saved`).
They are numbered as they come, so an operation's number is above those of its inputs. A walk back by falling
number therefore meets an operation only when all that used its result have passed their share on.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labs.models.tensor.tensor import Tensor

Numbers = Any
"""An array. Where NumPy's types lose track of what arithmetic makes of one, this says so."""
_numbers = count(1)
_recording = [True]


def recording() -> bool:
    """Whether operations are written on the tape just now."""
    return _recording[-1]


@contextmanager
def recorded(on: bool) -> Iterator[None]:
    _recording.append(on)
    try:
        yield
    finally:
        _recording.pop()


def no_grad() -> Any:
    """``with no_grad():`` nothing inside is written on the tape."""
    return recorded(False)


# -- what an operation keeps for the way back ------------------------------------------------------------------


class Kept:
    """A tensor as it was when it was saved."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor, self.version = tensor, tensor.storage.version

    def __call__(self) -> Tensor:
        if self.tensor.storage.version != self.version:
            raise RuntimeError(
                f"a tensor of shape {self.tensor.shape} that a gradient needs was changed in place since: it is at "
                f"version {self.tensor.storage.version}, and version {self.version} was saved"
            )
        return self.tensor


_keepers: list[Callable[[Tensor], Callable[[], Tensor]]] = [Kept]
Watcher = Callable[["Operation", Sequence["Tensor"], "Tensor"], None]
_watchers: list[Watcher] = []


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Show ``watcher`` every operation with its inputs and its result, written on the tape or not."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.pop()


@contextmanager
def keeping(keeper: Callable[[Tensor], Callable[[], Tensor]]) -> Iterator[None]:
    """Let ``keeper`` decide what is kept of a tensor that is saved; what it returns gives the tensor back."""
    _keepers.append(keeper)
    try:
        yield
    finally:
        _keepers.pop()


class Section:
    """A part of a computation that keeps its inputs alone: what it saved is computed once more when asked for."""

    def __init__(self, function: Callable[..., Tensor], inputs: Sequence[Tensor]) -> None:
        self.function, self.inputs = function, [Kept(each) for each in inputs]
        self.again: list[Kept] = []
        """What the second time has saved: empty until then."""
        self._forgotten: list[tuple[int, ...]] = []  # their shapes

    def forget(self, tensor: Tensor) -> Forgotten:
        self._forgotten.append(tensor.shape)
        return Forgotten(self, len(self._forgotten) - 1)

    def repeat(self) -> None:
        with recorded(True), keeping(self.remember):
            self.function(*(each() for each in self.inputs))
        if [each.tensor.shape for each in self.again] != self._forgotten:
            self.again.clear()
            raise RuntimeError(
                "the function of a checkpoint saved other tensors the second time; it must do the same"
            )

    def remember(self, tensor: Tensor) -> Kept:
        self.again.append(Kept(tensor))
        return self.again[-1]


class Forgotten:
    """In place of a tensor that was saved: which of its section's it was."""

    def __init__(self, section: Section, number: int) -> None:
        self.section, self.number = section, number

    def __call__(self) -> Tensor:
        section = self.section
        if not section.again:
            section.repeat()
        return section.again[self.number]()


def checkpoint(function: Callable[..., Tensor], *inputs: Tensor) -> Tensor:
    """``function(*inputs)``, but nothing that it saves is kept: the way back computes it once more.

    It must do the same when it is called again. Memory for one layer is paid with one more forward pass of it.
    """
    with keeping(Section(function, inputs).forget):
        return function(*inputs)


# -- operations ------------------------------------------------------------------------------------------------


class Operation:
    """One step of a computation. A subclass says how it is done and how a gradient passes back through it.

    It is made with what is constant (dimensions, say) and called once, with tensors.
    """

    keeps_result = False
    called = ""
    """Its name, where it is another than its type's."""

    def __init__(self) -> None:
        self.number = 0
        self.edges: tuple[Operation | None, ...] = ()
        self.hooks: list[Callable[[Tensor], Tensor | None]] = []
        self._saved: list[Callable[[], Tensor] | None] | None = []

    forward: Callable[..., Numbers]
    """Takes the inputs, returns the numbers of the result."""

    backward: Callable[..., Sequence[Tensor | None]]
    """For each input the derivative of the end with respect to it, from that with respect to the result."""

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        if any(self.needs) and self._saved is not None:
            self._saved += [None if each is None else _keepers[-1](each) for each in tensors]

    @property
    def saved(self) -> tuple[Any, ...]:
        """Raises ``RuntimeError`` where it was let go of, or changed since."""
        if self._saved is None:
            raise RuntimeError(
                f"{self.name} was walked back through before and has let go of what it saved; "
                "pass keep=True to the first walk"
            )
        found = [None if each is None else each() for each in self._saved]
        if self.keeps_result and (result := found[-1]) is not None:
            found[-1] = own = result.detach()
            own.made_by(self)
        return tuple(found)

    @property
    def needs(self) -> list[bool]:
        """Whether each input wants a gradient."""
        return [edge is not None for edge in self.edges]

    @property
    def name(self) -> str:
        return self.called or type(self).__name__.lower()

    def record(self, edges: Iterable[Operation | None]) -> None:
        """Take the next place on the tape, behind ``edges``."""
        self.edges = tuple(edges)
        self.number = next(_numbers)

    def __call__(self, *inputs: Tensor) -> Tensor:
        self.record(each.origin if recording() else None for each in inputs)
        with recorded(False):
            result = self.result(*inputs)
        if any(self.needs) and result.dtype.differentiable:
            if self.keeps_result:
                self.save_for_backward(result.detach())  # it leads back here: with its history it would never go
            result.made_by(self)
        for watcher in _watchers:
            watcher(self, inputs, result)
        return result

    def result(self, first: Tensor, *others: Tensor) -> Tensor:
        return first.fresh(self.forward(first, *others))

    def release(self) -> None:
        self._saved = None


class Leaf(Operation):
    """Where a walk ends: a tensor that nobody computed and that wants its gradient."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__()
        self.tensor = tensor
        self.record(())

    def backward(self, grad: Tensor) -> Sequence[Tensor | None]:
        """Add to what is there, in place unless that is recorded; what flows is copied, for others may read it."""
        before = self.tensor.grad
        if before is None:
            self.tensor.grad = grad.copied() if recording() else grad.fresh(grad.array.copy())
        elif recording():
            self.tensor.grad = before + grad
        else:
            before.copy_(before + grad)
        return ()

    def release(self) -> None:
        """It saved nothing, and is walked to again and again."""


# -- the way back ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One operation of a walk back."""

    operation: Operation
    grad: Tensor
    """With respect to its result: the sum of what all its consumers passed on."""
    shares: Sequence[Tensor | None]
    """With respect to each of its inputs."""


def walk(
    begin: Iterable[tuple[Operation, Tensor]], *, among: set[Operation] | None = None, keep: bool = False
) -> Iterator[Step]:
    """Go back from results with their gradients, an operation at a time; only through ``among`` if given."""
    waiting: dict[int, tuple[Operation, Tensor]] = {}

    def pass_on(operation: Operation, grad: Tensor) -> None:
        if operation.number not in waiting:
            heapq.heappush(queue, -operation.number)
            waiting[operation.number] = operation, grad
        else:
            waiting[operation.number] = operation, waiting[operation.number][1] + grad

    queue: list[int] = []
    for operation, grad in begin:
        pass_on(operation, grad)
    while queue:
        operation, grad = waiting.pop(-heapq.heappop(queue))
        for hook in operation.hooks:
            changed = hook(grad)
            grad = grad if changed is None else changed
        shares: Sequence[Tensor | None] = ()
        if among is None or not among.isdisjoint(operation.edges):
            shares = operation.backward(grad)
            if not keep:
                operation.release()
        for edge, share in zip(operation.edges, shares, strict=bool(shares)):
            if edge is not None and share is not None and (among is None or edge in among):
                pass_on(edge, share)
        yield Step(operation, grad, shares)


def between(ends: Iterable[Operation], starts: Iterable[Operation]) -> set[Operation]:
    """The operations on any path from ``starts`` to ``ends``."""
    reached, stack = set(), list(ends)
    while stack:
        if (operation := stack.pop()) not in reached:
            reached.add(operation)
            stack += [edge for edge in operation.edges if edge is not None]
    found = set(starts)
    for operation in sorted(reached, key=lambda each: each.number):
        if not found.isdisjoint(operation.edges):
            found.add(operation)
    return found & reached
