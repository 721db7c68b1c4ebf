"""What moves elements, and computes nothing: other shapes, other orders, and tensors put together."""

from __future__ import annotations

import math
from functools import partial, reduce
from typing import Any

from labs.models.fusing import ops
from labs.models.fusing.graph import Node

Dims = int | tuple[int, ...] | None


def reshape(x: Node, *shape: int | tuple[int, ...]) -> Node:
    return ops.reshape(x, flat(shape))


def permute(x: Node, *dims: int | tuple[int, ...]) -> Node:
    return ops.permute(x, flat(dims))


def flat(given: tuple[Any, ...]) -> tuple[int, ...]:
    return given[0] if len(given) == 1 and isinstance(given[0], tuple) else given


def transpose(x: Node, dim0: int = -1, dim1: int = -2) -> Node:
    first, second = ops.axes(x, dim0)[0], ops.axes(x, dim1)[0]
    order = list(range(len(x.shape)))
    order[first], order[second] = second, first
    return ops.permute(x, order)


def unsqueeze(x: Node, dim: int) -> Node:
    if not -len(x.shape) - 1 <= dim <= len(x.shape):
        raise ValueError(f"{ops.said(x.shape)} has no place for a new axis {dim}")
    place = dim % (len(x.shape) + 1)
    return ops.reshape(x, (*x.shape[:place], 1, *x.shape[place:]))


def squeeze(x: Node, dim: Dims = None) -> Node:
    over = ops.axes(x, dim)
    return ops.reshape(x, [n for axis, n in enumerate(x.shape) if n != 1 or axis not in over])


def expand(x: Node, *shape: int | tuple[int, ...]) -> Node:
    """−1 keeps a length."""
    wanted = list(flat(shape))
    for axis in range(1, min(len(wanted), len(x.shape)) + 1):
        wanted[-axis] = x.shape[-axis] if wanted[-axis] == -1 else wanted[-axis]
    return ops.broadcast(x, wanted)


def flatten(x: Node, start_dim: int = 0, end_dim: int = -1) -> Node:
    if not x.shape:
        return ops.reshape(x, (1,))
    first, last = ops.axes(x, start_dim)[0], ops.axes(x, end_dim)[0]
    if first > last:
        raise ValueError(f"flatten from axis {first} to {last}: the first comes after the last")
    return ops.reshape(x, (*x.shape[:first], math.prod(x.shape[first : last + 1]), *x.shape[last + 1 :]))


def t(x: Node) -> Node:
    """All axes in reverse."""
    return ops.permute(x, range(len(x.shape))[::-1])


def cat(tensors: tuple[Node, ...], dim: int = 0) -> Node:
    """A sum of tensors that are 0 beyond their own part."""
    if not tensors or not tensors[0].shape:
        raise ValueError("cat takes tensors with one axis or more: cat([x, y], 0)")
    axis = ops.axes(tensors[0], dim)[0]
    rest = {each.shape[:axis] + each.shape[axis + 1 :] for each in tensors}
    if len(rest) > 1 or len({len(each.shape) for each in tensors}) > 1:
        shapes = " and ".join(ops.said(each.shape) for each in tensors)
        raise ValueError(f"cat of {shapes}: only the lengths of axis {axis} may differ")
    dtype = ops.joined([each.dtype for each in tensors]) or "f32"
    length, at, parts = sum(each.shape[axis] for each in tensors), 0, []
    for each in tensors:
        shape = (*each.shape[:axis], length, *each.shape[axis + 1 :])
        places = [(0, size, 1) for size in shape]
        places[axis] = (at, at + each.shape[axis], 1)
        at += each.shape[axis]
        parts.append(ops.pad(ops.cast(each, "i32" if dtype == "bool" else dtype), places, shape))
    whole = reduce(partial(ops.apply, "add"), parts)
    return ops.cast(whole, dtype)


def stack(tensors: tuple[Node, ...], dim: int = 0) -> Node:
    return cat(tuple(unsqueeze(each, dim) for each in tensors), dim)
