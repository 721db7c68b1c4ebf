"""Who keeps which bytes alive: names, gradients, what the tape saved, and gradients on their way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from labs.models.tensor.storage import Storage
from labs.models.tensor.tape import Forgotten, Kept, Leaf, Operation
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.values import Items


@dataclass(frozen=True)
class Held:
    """One tensor that an operation saved, or one array that it keeps beside."""

    tensor: Tensor | None
    """None if it was forgotten, to be computed once more."""
    version: int
    """Of its storage when it was saved."""
    array: np.ndarray[Any, Any] | None = None
    again: bool = False
    """It was forgotten, and is there again."""
    own: bool = False
    """What the operation itself came to."""


def tensors_of(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, Items):
        for each in value:
            yield from tensors_of(each)


def reached(begin: Iterable[Operation | None]) -> list[Operation]:
    """The tape: what can be walked to, in the order in which it was written."""
    found: set[Operation] = set()
    pending = [each for each in begin if each is not None]
    while pending:
        if (operation := pending.pop()) not in found:
            found.add(operation)
            pending += [edge for edge in operation.edges if edge is not None]
    return sorted(found, key=lambda each: each.number)


def released(operation: Operation) -> bool:
    return operation._saved is None


def held(operation: Operation) -> Iterator[Held]:
    saved = operation._saved or []
    for each in saved:
        if isinstance(each, Kept):
            yield Held(each.tensor, each.version, own=operation.keeps_result and each is saved[-1])
        elif isinstance(each, Forgotten):
            if not each.number:
                yield from (Held(one.tensor, one.version) for one in each.section.inputs)
            there = next(iter(each.section.again[each.number :]), None)
            yield Held(there.tensor if there else None, there.version if there else 0, again=there is not None)
    if not released(operation):
        for value in vars(operation).values():
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, np.ndarray):
                    yield Held(None, 0, each)


def sections(operation: Operation) -> Iterator[Kept]:
    """What a checkpoint keeps so that it can compute once more, and what it has computed."""
    for each in operation._saved or []:
        if isinstance(each, Forgotten):
            yield from (*each.section.inputs, *each.section.again)


@dataclass(frozen=True)
class Memory:
    """Bytes, each counted once: under the first of the four that keeps it."""

    named: int
    gradients: int
    tape: int
    flowing: int
    saved: int
    """By the tape, even if a name keeps it, too."""

    @property
    def total(self) -> int:
        return self.named + self.gradients + self.tape + self.flowing


def measure(named: list[Tensor], tape: list[Operation], flowing: Iterable[list[Tensor]]) -> Memory:
    """``flowing``: for each operation that waits, the shares it was passed; a walk keeps their sum alone."""
    seen: set[int] = set()
    waiting = list(flowing)

    def new(storages: Iterable[Storage]) -> int:
        found = {id(each): each.numbers.nbytes for each in storages if id(each) not in seen}
        seen.update(found)
        return sum(found.values())

    leaves = [each.tensor for each in tape if isinstance(each, Leaf)]
    grads = (each.grad.storage for each in [*named, *leaves] if each.grad is not None)
    kept = [one for each in tape for one in held(each)]
    saved = [one.tensor.storage for one in kept if one.tensor is not None]
    saved += [one.tensor.storage for each in tape for one in sections(each)]
    masks = sum(one.array.nbytes for one in kept if one.array is not None)
    distinct = {id(each): each.numbers.nbytes for each in saved}
    saved += [each.storage for each in leaves]
    return Memory(
        named=new(each.storage for each in named),
        gradients=new(grads),
        tape=new(saved) + masks,
        flowing=new(shares[0].storage for shares in waiting if len(shares) == 1)
        + sum(shares[0].array.nbytes for shares in waiting if len(shares) > 1),
        saved=sum(distinct.values()) + masks,
    )
