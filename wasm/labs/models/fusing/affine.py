"""Where an element lies: sums of loop variables times strides, and tensors seen as buffer, offset and strides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from labs.models.fusing.graph import Node
from labs.models.fusing.loops import Index

Shape = tuple[int, ...]
Place = tuple[Index, ...]
"""An index for each axis."""
ZERO = Index()


def variable(name: str, stride: int = 1) -> Index:
    return Index(((name, stride),) if stride else ())


def plus(*parts: Index) -> Index:
    """Variables in order of their names and none with stride 0, so that equal places are equal indices."""
    return combined(parts, (1,) * len(parts))


def times(index: Index, factor: int) -> Index:
    return combined((index,), (factor,))


def combined(parts: Sequence[Index], factors: Sequence[int], offset: int = 0) -> Index:
    """The sum of all parts, each as often as its factor says."""
    total: dict[str, int] = {}
    for (strides, start), factor in zip(parts, factors, strict=True):
        offset += start * factor
        for name, stride in strides:
            total[name] = total.get(name, 0) + stride * factor
    return Index(tuple([each for each in sorted(total.items()) if each[1]]), offset)


def put(index: Index, name: str, value: Index) -> Index:
    """The variable of this name becomes another sum."""
    stride = index.along(name)
    if not stride:
        return index
    rest = Index(tuple(part for part in index.strides if part[0] != name), index.offset)
    return plus(rest, times(value, stride))


def row_major(shape: Shape) -> Shape:
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


@dataclass(frozen=True)
class View:
    buffer: str
    dtype: str
    shape: Shape
    strides: Shape
    offset: int = 0

    def at(self, place: Sequence[Index]) -> Index:
        return combined(place, self.strides, self.offset)


def moved(view: View, node: Node) -> View | None:
    """What a movement makes of a view of its input: another view, if strides can say it."""
    shape, strides, offset = node.shape, view.strides, view.offset
    match node.op:
        case "broadcast":
            strides = tuple(0 if length == 1 else s for length, s in zip(view.shape, strides, strict=True))
        case "permute":
            strides = tuple(strides[axis] for axis in node.arg)
        case "slice":
            offset += sum(start * s for (start, _, _), s in zip(node.arg, strides, strict=True))
            strides = tuple(step * s for (_, _, step), s in zip(node.arg, strides, strict=True))
        case "reshape":
            new = restride(view.shape, strides, shape)
            if new is None:
                return None
            strides = new
        case _:
            return None
    return View(view.buffer, view.dtype, shape, strides, offset)


def restride(shape: Shape, strides: Shape, wanted: Shape) -> Shape | None:
    """Strides with which the same elements in the same order have another shape; None if there are none."""
    old = [(length, stride) for length, stride in zip(shape, strides, strict=True) if length != 1]
    new = [length for length in wanted if length != 1]
    found: list[int] = []
    while new:
        have, want = [old.pop(0)], [new.pop(0)]
        while (held := math.prod(length for length, _ in have)) != (asked := math.prod(want)):
            if held < asked:
                have.append(old.pop(0))
            else:
                want.append(new.pop(0))
        if any(s != length * inner for (_, s), (length, inner) in pairwise(have)):
            return None
        found += [stride * have[-1][1] for stride in row_major(tuple(want))]
    return tuple(0 if length == 1 else found.pop(0) for length in wanted)


def source(node: Node, place: Sequence[Index]) -> tuple[Index, ...] | None:
    """Which element of its input a movement takes; None where that is no affine expression."""
    (x,) = node.inputs
    match node.op:
        case "broadcast":
            return tuple(ZERO if length == 1 else each for length, each in zip(x.shape, place, strict=True))
        case "permute":
            order = dict(zip(node.arg, place, strict=True))
            return tuple(order[axis] for axis in range(len(place)))
        case "slice":
            steps = zip(node.arg, place, strict=True)
            return tuple(plus(times(each, step), Index((), start)) for (start, _, step), each in steps)
        case "reshape" if long(x.shape) == long(node.shape):
            rest = [each for length, each in zip(node.shape, place, strict=True) if length != 1]
            return tuple(ZERO if length == 1 else rest.pop(0) for length in x.shape)
    return None


def long(shape: Shape) -> Shape:
    """Without the axes of length 1, which move nothing."""
    return tuple(length for length in shape if length != 1)
