"""Make nodes: shapes and types are found here, and what cannot be is refused here, in words.

Broadcasting and promotion follow PyTorch's rules, and are written down as operations of their own. A number of the
program takes the type of the tensor it meets, as long as that can hold it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from labs.models.fusing.graph import BINARY, COMPARE, DTYPES, ELEMENTWISE, FLOATS, REDUCE, UNARY, Node

Operand = Node | float
WHOLE = ("i64", "i32", "i8")
REAL = tuple(op for op in UNARY if op not in ("neg", "abs", "not"))
"""Take floats alone; whole numbers become f32 first."""


LINE = ContextVar("LINE", default=0)


@contextmanager
def at(line: int) -> Iterator[None]:
    """What is made meanwhile comes from this line of the program."""
    before = LINE.set(line)
    try:
        yield
    finally:
        LINE.reset(before)


def node(op: str, inputs: tuple[Node, ...], shape: tuple[int, ...], dtype: str, arg: Any = None) -> Node:
    return Node(op, inputs, shape, dtype, arg, LINE.get())


def input(name: str, shape: Sequence[int], dtype: str = "f32") -> Node:
    if dtype not in DTYPES:
        raise ValueError(f"{name} is of type {dtype}; the types are {', '.join(DTYPES)}")
    if any(length < 1 for length in shape):
        raise ValueError(f"{name} is {said(shape)}; every axis needs a length of 1 or more")
    return node("input", (), tuple(shape), dtype, name)


def const(value: float, dtype: str = "f32", shape: Sequence[int] = ()) -> Node:
    """One number, in every place."""
    number = float(value) if dtype in FLOATS else bool(value) if dtype == "bool" else int(value)
    return node("const", (), tuple(shape), dtype, number)


def like(x: Node, value: float) -> Node:
    return const(value, x.dtype, x.shape)


def apply(op: str, *operands: Operand) -> Node:
    """An elementwise operation on whatever can be broadcast and promoted together."""
    if op not in ELEMENTWISE or op == "cast":
        raise ValueError(f"{op} is no elementwise operation")
    wanted = 3 if op == "where" else 1 if op in UNARY else 2
    if len(operands) != wanted:
        raise ValueError(f"{op} takes {wanted} tensors, not {len(operands)}")
    if op in ("and", "or", "not") or (op == "where" and isinstance(operands[0], bool)):
        operands = tuple(const(each, "bool") if isinstance(each, bool) else each for each in operands)
    if op == "where":
        chosen, *values = operands
        if not isinstance(chosen, Node) or chosen.dtype != "bool":
            raise ValueError("where takes a condition first, such as x > 0, and then two tensors")
        nodes = [chosen, *promoted(op, values)]
    else:
        nodes = promoted(op, operands)
    shape = together(op, [each.shape for each in nodes])
    dtype = "bool" if op in COMPARE or op == "not" else nodes[-1].dtype
    return node(op, tuple(broadcast(each, shape) for each in nodes), shape, dtype)


def promoted(op: str, operands: Sequence[Operand]) -> list[Node]:
    """Operands of one type: the widest of the tensors' with axes. Of those without, and of numbers, the type counts
    only if it is of a higher kind."""
    nodes = [each for each in operands if isinstance(each, Node)]
    dtype = joined([each.dtype for each in nodes if each.shape])
    alone = joined([each.dtype for each in nodes if not each.shape])
    if alone and (dtype is None or rank(alone) > rank(dtype)):
        dtype = alone
    for each in operands:
        if not isinstance(each, Node):
            kind = "bool" if isinstance(each, bool) else "i64" if isinstance(each, int) else "f32"
            if dtype is None or rank(kind) > rank(dtype):
                dtype = kind
    assert dtype, "an operation of numbers alone is the reader's to compute"
    if op in ("and", "or", "not"):
        if dtype != "bool":
            raise ValueError(f"{op} takes conditions, such as x > 0, not {dtype}; compare it with 0")
    elif (op in REAL or op == "div") and dtype not in FLOATS:
        dtype = "f32"
    elif (op in BINARY or op in ("neg", "abs")) and dtype == "bool":
        dtype = "i32"
    if op == "pow" and dtype in WHOLE:
        exponent = operands[1]
        value = exponent.arg if isinstance(exponent, Node) and exponent.op == "const" else exponent
        if isinstance(value, Node) or value < 0:
            raise ValueError("a whole number to the power of a tensor, or below 0: cast it first, x.to(f32)")
    return [cast(each, dtype) if isinstance(each, Node) else number(each, dtype) for each in operands]


def number(value: float, dtype: str) -> Node:
    low, high = {"i8": (-128, 127), "i32": (-(2**31), 2**31 - 1)}.get(dtype, (-math.inf, math.inf))
    if dtype in WHOLE and not low <= value <= high:
        raise ValueError(f"{value:g} does not fit into {dtype}, which ends at {high}; cast the tensor to f32")
    return const(value, dtype, ())


def rank(dtype: str) -> int:
    return 2 if dtype in FLOATS else 1 if dtype in WHOLE else 0


def joined(dtypes: Sequence[str]) -> str | None:
    """The type that tensors of these types meet in."""
    order = ("bool", "i8", "i32", "i64", "bf16", "f32", "f64")
    return max(dtypes, key=order.index, default=None)


def together(op: str, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that all of these are broadcast to; from the last axis, equal or 1."""
    axes = max(map(len, shapes))
    result = []
    for axis in range(-axes, 0):
        lengths = {shape[axis] for shape in shapes if len(shape) >= -axis}
        if len(lengths - {1}) > 1:
            raise ValueError(
                f"{op} of {' and '.join(map(said, shapes))}: counted from the right, axis {-axis} is "
                f"{' here and '.join(map(str, sorted(lengths - {1})))} there; lengths must be equal, or 1"
            )
        result.append(max(lengths))
    return tuple(result)


def cast(x: Node, dtype: str) -> Node:
    """To whole numbers it cuts what is behind the point, and stays at the end of the range; NaN becomes 0."""
    if dtype not in DTYPES:
        raise ValueError(f"{dtype} is no type here; the types are {', '.join(DTYPES)}")
    return x if x.dtype == dtype else node("cast", (x,), x.shape, dtype)


def axes(x: Node, wanted: int | Sequence[int] | None) -> tuple[int, ...]:
    """Axes from 0, in order; None means all."""
    given = range(len(x.shape)) if wanted is None else [wanted] if isinstance(wanted, int) else wanted
    result = set()
    for axis in given:
        if not -len(x.shape) <= axis < len(x.shape):
            raise ValueError(
                f"axis {axis} of {said(x.shape)}: it has {len(x.shape)}, counted from 0, or from −1 back"
            )
        result.add(axis % len(x.shape))
    return tuple(sorted(result))


def reduce(op: str, x: Node, wanted: int | Sequence[int] | None = None, keep: bool = False) -> Node:
    """Sums and products of whole numbers and conditions are i64."""
    if op not in REDUCE:
        raise ValueError(f"{op} is no reduction; they are {', '.join(REDUCE)}")
    over = axes(x, wanted)
    if op in ("sum", "prod") and x.dtype not in FLOATS:
        x = cast(x, "i64")
    if x.dtype == "bool":
        raise ValueError(f"{op} of conditions: cast them first, x.to(i32)")
    shape = tuple(1 if axis in over else length for axis, length in enumerate(x.shape))
    result = node(op, (x,), shape, x.dtype, over) if over else x
    kept = [length for axis, length in enumerate(shape) if axis not in over]
    return result if keep else reshape(result, kept)


def broadcast(x: Node, shape: Sequence[int]) -> Node:
    shape = tuple(shape)
    if x.op == "const":
        return const(x.arg, x.dtype, shape)
    if together("broadcast", [x.shape, shape]) != shape:
        raise ValueError(f"{said(x.shape)} cannot be repeated to {said(shape)}: only axes of length 1 are")
    whole = reshape(x, (1,) * (len(shape) - len(x.shape)) + x.shape)
    return whole if whole.shape == shape else node("broadcast", (whole,), shape, x.dtype)


def reshape(x: Node, shape: Sequence[int]) -> Node:
    """One length may be −1: whatever is left."""
    shape, size = list(shape), math.prod(x.shape)
    if shape.count(-1) == 1:
        rest = math.prod(length for length in shape if length != -1)
        shape[shape.index(-1)] = size // rest if rest else 0
    if math.prod(shape) != size or any(length < 1 for length in shape):
        raise ValueError(f"{said(x.shape)} has {size} elements, which do not make {said(shape)}")
    if x.op == "const":
        return const(x.arg, x.dtype, shape)
    return x if tuple(shape) == x.shape else node("reshape", (x,), tuple(shape), x.dtype)


def permute(x: Node, order: Sequence[int]) -> Node:
    if axes(x, order) != tuple(range(len(x.shape))) or len(order) != len(x.shape):
        raise ValueError(f"permute names each axis of {said(x.shape)} once, not {said(order)}")
    order = tuple(axis % len(x.shape) for axis in order)
    if order == tuple(range(len(order))):
        return x
    return node("permute", (x,), tuple(x.shape[axis] for axis in order), x.dtype, order)


def slice(x: Node, parts: Sequence[tuple[int, int, int]]) -> Node:
    """(start, stop, step) for each axis, 0 ≤ start < stop ≤ length and step ≥ 1."""
    if len(parts) != len(x.shape):
        raise ValueError(f"a slice of {said(x.shape)} needs {len(x.shape)} parts, not {len(parts)}")
    for length, (start, stop, step) in zip(x.shape, parts, strict=True):
        if not (0 <= start < stop <= length and step >= 1):
            raise ValueError(f"{start}:{stop}:{step} of an axis of {length} has no elements, or leads out of it")
    if all(part == (0, length, 1) for length, part in zip(x.shape, parts, strict=True)):
        return x
    shape = tuple(len(range(*part)) for part in parts)
    return node("slice", (x,), shape, x.dtype, tuple(parts))


def pad(x: Node, parts: Sequence[tuple[int, int, int]], shape: Sequence[int]) -> Node:
    """A slice's way back: zeros of this shape, and x in the places that the slice takes."""
    if tuple(len(range(*part)) for part in parts) != x.shape:
        raise ValueError(f"{said(x.shape)} does not fit into these places of {said(shape)}")
    whole = all(part == (0, length, 1) for length, part in zip(shape, parts, strict=True))
    return x if whole else node("pad", (x,), tuple(shape), x.dtype, tuple(parts))


def matmul(x: Node, y: Node) -> Node:
    """[…, m, k] @ [k, n] or […, k, n]. Products of i8 are added up as i32, of which they overflow less soon."""
    if len(x.shape) < 2 or len(y.shape) < 2:
        raise ValueError(
            f"{said(x.shape)} @ {said(y.shape)}: both need two axes or more; reshape it to [1, n] or [n, 1]"
        )
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(
            f"{said(x.shape)} @ {said(y.shape)}: {x.shape[-1]} columns meet {y.shape[-2]} rows; transpose one"
        )
    dtype = joined([x.dtype, y.dtype]) or "f32"
    if rank(x.dtype) != rank(y.dtype) or dtype == "bool":
        raise ValueError(f"{x.dtype} @ {y.dtype}: both must be floats, or both whole numbers; cast one with .to")
    x, y = cast(x, dtype), cast(y, dtype)
    batch = together("@", [x.shape[:-2], y.shape[:-2]]) if x.shape[:-2] or y.shape[:-2] else ()
    x, y = broadcast(x, batch + x.shape[-2:]), broadcast(y, batch + y.shape[-2:])
    shape = (*batch, x.shape[-2], y.shape[-1])
    return node("matmul", (x, y), shape, "i32" if dtype == "i8" else dtype, None)


def said(shape: Sequence[int]) -> str:
    return f"[{', '.join(map(str, shape))}]"
