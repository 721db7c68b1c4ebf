"""Follows a chain: after each operation how the tensor is read, whether its numbers had to be copied, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor.layout import Layout, axis, filled
from labs.tensors.strides.chain import Chain, ChainError, Step

MOST, MOST_DIMS = 64, 5
Outcome = Literal["made", "view", "copy", "same", "refused"]
Library = Literal["PyTorch", "NumPy"]


@dataclass(frozen=True)
class Read:
    """A tensor: numbers in memory, and how they are read."""

    numbers: NDArray[Any]
    """The storage, one number after the other."""
    layout: Layout
    storage: int = 0
    """How many storages there were before this one."""
    outcome: Outcome = "made"
    why: str = ""
    blocked: tuple[int, int] | None = None
    """Two dimensions that would have to be read as one, and cannot be."""

    @property
    def array(self) -> NDArray[Any]:
        """Its elements, in memory of their own."""
        flat = [self.numbers[place] for place in self.layout.places()]
        return np.array(flat, self.numbers.dtype).reshape(self.layout.shape)

    def view(self, layout: Layout, why: str) -> Read:
        return replace(self, layout=layout, outcome="view", why=why, blocked=None)

    def same(self, why: str) -> Read:
        return replace(self, outcome="same", why=why, blocked=None)

    def copy(self, layout: Layout, why: str, blocked: tuple[int, int] | None = None) -> Read:
        """New numbers: those of ``self`` in their order, put where ``layout`` reads them."""
        numbers = np.empty(self.layout.size, self.numbers.dtype)
        for to, place in zip(layout.places(), self.layout.places(), strict=True):
            numbers[to] = self.numbers[place]
        return Read(numbers, layout, self.storage + 1, "copy", why, blocked)


def follow(chain: Chain, dtype: str, library: Library) -> Iterator[tuple[Step | None, Read]]:
    """The tensor at first and after each step. A refused step is the last one. Raises ``ChainError``."""
    if not 1 <= chain.count <= MOST:
        raise ChainError(f"arange takes 1 to {MOST} here, so that every byte can be drawn", chain.begin + 1)
    tensor = Read(np.arange(chain.count).astype(dtype), Layout.rows((chain.count,)))
    yield None, tensor
    for step in chain.steps:
        try:
            tensor = after(tensor, step, library)
        except (ValueError, IndexError) as problem:
            raise ChainError(str(problem), step.begin + 1) from None
        if tensor.layout.size > MOST or len(tensor.layout.shape) > MOST_DIMS:
            shape = said(tensor.layout.shape)
            raise ChainError(f"the shape {shape} is too large to be drawn: {MOST} elements at most", step.begin + 1)
        yield step, tensor
        if tensor.outcome == "refused":
            return


def after(x: Read, step: Step, library: Library) -> Read:
    layout, numbers = x.layout, step.numbers()
    dims = len(layout.shape)
    match step.name:
        case "reshape" | "view" | "flatten":
            return reshaped(x, numbers if step.name != "flatten" else (-1,), step.name)
        case "permute":
            return x.view(layout.permute(numbers), "the dimensions change places, each with its stride")
        case "transpose" | "T" | "mT":
            order = list(range(dims))
            if step.name == "T":
                order.reverse()
            elif dims:
                first, second = (axis(d, dims) for d in (numbers or (-2, -1)))
                order[first], order[second] = order[second], order[first]
            return x.view(layout.permute(order), "the strides change places, and no number moves")
        case "expand":
            return x.view(expanded(layout, numbers), "what is repeated gets a stride of 0")
        case "unsqueeze":
            return x.view(layout.unsqueeze(numbers[0]), "a dimension of length 1 never steps")
        case "squeeze":
            return x.view(layout.squeeze(numbers or None), "a dimension of length 1 never stepped")
        case "diagonal":
            if dims != 2:
                raise ValueError(f"diagonal wants two dimensions here, and there are {dims}")
            return x.view(layout.diagonal(), "a step down is a step across as well: the two strides added")
        case "unfold":
            return x.view(
                unfolded(layout, *numbers), "windows overlap: two dimensions step through the same numbers"
            )
        case "as_strided":
            shape, strides, offset = (*step.arguments, layout.offset)[:3]
            return x.view(strided(x, shape, strides, offset), "shape and strides as they were asked for")
        case "contiguous":
            if layout.contiguous:
                return x.same("it is contiguous already, so nothing happens")
            return x.copy(
                Layout.rows(layout.shape), "the elements are put down row after row, in the order of reading"
            )
        case "flip":
            return flipped(x, numbers, library)
    if library == "PyTorch" and any(isinstance(key, slice) and (key.step or 1) < 0 for key in step.keys):
        return replace(
            x, outcome="refused", why="PyTorch has no negative strides; flip copies instead", blocked=None
        )
    return x.view(layout[step.keys], "a slice moves the offset, stretches a stride, or drops a dimension")


def reshaped(x: Read, shape: tuple[int, ...], name: str) -> Read:
    shape = filled(shape, x.layout.size)
    found = x.layout.reshape(shape)
    if found is not None:
        return x.view(found, "each new dimension steps evenly through the old ones")
    pair = blocked(x.layout, shape)
    assert pair
    first, second = pair
    step, length, stride = x.layout.strides[first], x.layout.shape[second], x.layout.strides[second]
    why = (
        f"dimensions {first} and {second} would be read as one, but a step along {first} is {step}"
        f", not {length} × {stride} = {length * stride}"
    )
    if name == "view":
        return replace(x, outcome="refused", why=f"view never copies, and {why}", blocked=pair)
    return x.copy(Layout.rows(shape), why, pair)


def blocked(layout: Layout, shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Two neighbouring dimensions that no view with this shape can keep apart, nor walk as one."""
    kept = {math.prod(shape[d:]) for d in range(len(shape) + 1)}
    long = [d for d, n in enumerate(layout.shape) if n != 1]
    for first, second in pairwise(long):
        behind = math.prod(layout.shape[second:])
        runs_on = layout.strides[first] == layout.shape[second] * layout.strides[second]
        if not runs_on and behind not in kept:
            return first, second
    return None


def expanded(layout: Layout, shape: tuple[int, ...]) -> Layout:
    """-1 leaves a length as it is."""
    extra = len(shape) - len(layout.shape)
    old = [-1] * extra + [*layout.shape]
    return layout.expand(
        [o if n == -1 and extra >= 0 else n for n, o in zip(shape, old, strict=False)] + [*shape[len(old) :]]
    )


def unfolded(layout: Layout, dim: int, size: int, step: int) -> Layout:
    dim = axis(dim, len(layout.shape))
    n = layout.shape[dim] if layout.shape else 0
    if not 1 <= size <= n or step < 1:
        raise ValueError(f"windows of {size} in steps of {step} do not fit {n} elements")
    shape, strides = list(layout.shape), list(layout.strides)
    shape[dim], strides[dim] = (n - size) // step + 1, strides[dim] * step
    return Layout((*shape, size), (*strides, layout.strides[dim]), layout.offset)


def strided(x: Read, shape: Any, strides: Any, offset: Any) -> Layout:
    if len(shape) != len(strides):
        raise ValueError(f"{len(shape)} lengths need as many strides, not {len(strides)}")
    if min((*shape, *strides, offset)) < 0:
        raise ValueError("as_strided takes no negative numbers here")
    found = Layout(shape, strides, offset)
    last = found.offset + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
    if found.size and last >= len(x.numbers):
        raise ValueError(f"that would read element {last} of a storage of {len(x.numbers)}")
    return found


def flipped(x: Read, dims: tuple[int, ...], library: Library) -> Read:
    layout = x.layout
    named = [axis(d, len(layout.shape)) for d in dims]
    if len(set(named)) < len(named):
        raise ValueError("flip names a dimension twice")
    found = layout.flip(named)
    if library == "NumPy":
        return x.view(found, "it begins at the other end, and its stride is negative")
    return replace(x, layout=found).copy(alike(layout), "a stride would be negative, which PyTorch does not have")


def alike(layout: Layout) -> Layout:
    """Without gaps, the dimensions in the order in which they lie now, as PyTorch lays out what is like another.

    Sorted by insertion, from the last: of equal strides the longer one is put outside, and 0 may be anywhere.
    """
    order: list[int] = []
    for d in reversed([d for d, n in enumerate(layout.shape) if n != 1]):
        at = len(order)
        for place in reversed(range(len(order))):
            (stride, n), (before, other) = (
                (layout.strides[each], layout.shape[each]) for each in (d, order[place])
            )
            if not stride or not before or (stride == before and other <= n):
                continue
            if stride > before:
                break
            at = place
        order.insert(at, d)
    strides, step = [0] * len(layout.shape), 1
    for d in order:
        strides[d] = step
        step *= max(1, layout.shape[d])
    return Layout(layout.shape, tuple(strides))


def said(numbers: tuple[int, ...] | list[int]) -> str:
    """A tuple as Python writes it."""
    return str(tuple(numbers))
