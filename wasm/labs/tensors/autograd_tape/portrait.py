"""The tape at one moment, and all tensors about it, as a picture shows them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.storage import Storage
from labs.models.tensor.tape import Leaf, Operation
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape import memory
from labs.tensors.autograd_tape.reasons import reason

ROWS, COLUMNS, ALONE = 4, 4, 8  # of a matrix, and of a row that stands alone


@dataclass(frozen=True)
class Grid:
    """The first numbers of a tensor."""

    shape: list[int]
    dtype: str
    rows: list[list[float | str]]
    """Words for what is no number: nan, inf, -inf."""
    more: int
    """Numbers that are not listed."""


@dataclass(frozen=True)
class Saved:
    of: str
    values: Grid | None
    """None if it was forgotten, to be computed once more."""
    storage: int
    """0 if it is no tensor's."""
    version: int
    """Of the storage when it was saved."""
    now: int
    """Of the storage."""
    bytes: int
    alone: bool
    """Nothing but the tape keeps these bytes."""
    again: bool
    """It was forgotten, and computed once more."""


@dataclass(frozen=True)
class Record:
    number: int
    """Its place on the tape, from 1."""
    name: str
    line: int
    shape: list[int]
    """Of what it made."""
    makes: str
    """Names that stand for it."""
    leaf: bool
    edges: list[int]
    """For each input the number of the operation that made it, 0 where no gradient is wanted."""
    saved: list[Saved]
    bytes: int
    """That it keeps and nothing but the tape does."""
    released: bool
    hooks: int
    why: str
    """What it saves, and what for."""
    state: Literal["", "new", "waiting", "now", "passed"]
    gradient: Grid | None
    """The sum of what it was passed so far."""
    shares: list[Grid | None]
    """What it passes on at this step, for each input."""


@dataclass(frozen=True)
class Named:
    name: str
    values: Grid
    strides: list[int]
    """In elements."""
    offset: int
    storage: int
    version: int
    bytes: int
    """Of its storage."""
    shared: list[str]
    """Other names that read the same storage."""
    wants: bool
    leaf: bool
    origin: int
    """The number of the operation that made it, 0 if it has no history."""
    grad: Grid | None
    change: Literal["", "new", "written", "grad"]
    """Since the picture before: it is another tensor, its numbers were written over, or its gradient is another."""


@dataclass
class Painter:
    """Knows the numbers of operations and storages, so that they keep them from picture to picture."""

    numbers: dict[Operation, int] = field(default_factory=dict)
    lines: dict[Operation, int] = field(default_factory=dict)
    shapes: dict[Operation, tuple[int, ...]] = field(default_factory=dict)
    storages: dict[Storage, int] = field(default_factory=dict)
    before: dict[str, Named] = field(default_factory=dict)

    def seen(self, tape: Sequence[Operation], line: int) -> list[Operation]:
        """Those that are new are given the next numbers."""
        new = [each for each in tape if each not in self.numbers]
        for each in new:
            self.numbers[each] = len(self.numbers) + 1
            self.lines.setdefault(each, line)
        return new

    def storage(self, of: Storage) -> int:
        return self.storages.setdefault(of, len(self.storages) + 1)

    def named(self, names: dict[str, Any]) -> list[Named]:
        tensors = {name: each for name, each in names.items() if isinstance(each, Tensor)}
        drawn = [self.one(name, each, tensors) for name, each in tensors.items()]
        found = [replace(each, change=change(self.before.get(each.name), each)) for each in drawn]
        self.before = {each.name: each for each in drawn}
        return found

    def one(self, name: str, each: Tensor, beside: dict[str, Tensor]) -> Named:
        origin = each.origin
        return Named(
            name=name,
            values=grid(each.array),
            strides=list(each.layout.strides),
            offset=each.layout.offset,
            storage=self.storage(each.storage),
            version=each.storage.version,
            bytes=each.storage.numbers.nbytes,
            shared=[other for other, one in beside.items() if other != name and one.storage is each.storage],
            wants=each.requires_grad,
            leaf=each.is_leaf,
            origin=0 if origin is None else self.numbers.get(origin, 0),
            grad=None if each.grad is None else grid(each.grad.array),
            change="",
        )

    def record(
        self,
        operation: Operation,
        names: dict[str, Tensor],
        owned: set[int],
        state: Literal["", "new", "waiting", "now", "passed"],
        gradient: Grid | None,
        shares: list[Grid | None],
    ) -> Record:
        """``owned`` storages are kept alive by names or by gradients."""
        saved = [self.saved(each, operation, names, owned) for each in memory.held(operation)]
        own = [name for name, each in names.items() if each.origin is operation]
        if isinstance(operation, Leaf):
            self.shapes[operation] = operation.tensor.shape
        alone = {
            (each.storage, n if not each.storage else 0): each.bytes for n, each in enumerate(saved) if each.alone
        }
        return Record(
            number=self.numbers[operation],
            name="leaf" if isinstance(operation, Leaf) else operation.name,
            line=self.lines[operation],
            shape=list(self.shapes.get(operation, ())),
            makes=", ".join(own),
            leaf=isinstance(operation, Leaf),
            edges=[0 if edge is None else self.numbers[edge] for edge in operation.edges],
            saved=saved,
            bytes=sum(alone.values()),
            released=memory.released(operation),
            hooks=len(operation.hooks),
            why=reason(operation),
            state=state,
            gradient=gradient,
            shares=shares,
        )

    def saved(self, each: memory.Held, operation: Operation, names: dict[str, Tensor], owned: set[int]) -> Saved:
        if each.array is not None:
            return Saved("a mask", grid(each.array), 0, 0, 0, each.array.nbytes, True, False)
        if each.tensor is None:
            return Saved("forgotten", None, 0, 0, 0, 0, False, False)
        storage = each.tensor.storage
        readers = [name for name, one in names.items() if one.storage is storage]
        made: Any = each.tensor._origin
        if each.own:
            words = "its own result"
        elif made in self.numbers:
            words = f"the result of #{self.numbers[made]}"
        else:
            words = "what was computed again" if each.again else "a constant"
        return Saved(
            of=readers[0] if readers else words,
            values=grid(each.tensor.array),
            storage=self.storage(storage),
            version=each.version,
            now=storage.version,
            bytes=storage.numbers.nbytes,
            alone=id(storage) not in owned,
            again=each.again,
        )


def change(before: Named | None, now: Named) -> Literal["", "new", "written", "grad"]:
    if before is None or (before.storage, before.strides, before.offset) != (now.storage, now.strides, now.offset):
        return "new"
    if before.version != now.version:
        return "written"
    return "grad" if before.grad != now.grad else ""


def total(shares: Iterable[Tensor]) -> NDArray[Any]:
    """Of gradients on their way to one operation."""
    return np.asarray(np.sum([each.array for each in shares], axis=0))


def grid(array: NDArray[Any]) -> Grid:
    shape = list(array.shape)
    flat = array.reshape(-1, shape[-1] if shape else 1) if array.size else array.reshape(1, 0)
    part = flat[:ROWS, :COLUMNS] if len(flat) > 1 else flat[:, :ALONE]
    return Grid(shape, array.dtype.name, [[said(x) for x in row] for row in part.tolist()], array.size - part.size)


def said(value: complex) -> float | str:
    number = float(value.real)
    return number if math.isfinite(number) else str(number)
