"""What a graph computes, by NumPy, an operation at a time: what every faster way is compared with.

In float64 every float is one, and nothing is rounded on the way to a narrower one: that is the program's
meaning. In the graph's own types each operation rounds its result, as an eager library does, and whole numbers wrap
around. A float that is cast to them stays at the end of their range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.fusing.graph import FLOATS, Node, walk

Array = NDArray[Any]
NUMPY = {
    **{"f32": np.float32, "f64": np.float64, "bf16": np.float32},
    **{"i64": np.int64, "i32": np.int32, "i8": np.int8, "bool": np.bool_},
}
WHOLE = ("i64", "i32", "i8")
erf = np.vectorize(math.erf, otypes=[np.float64])
erfc = np.vectorize(math.erfc, otypes=[np.float64])


def evaluate(outputs: Sequence[Node], inputs: Mapping[str, Array], exact: bool = True) -> list[Array]:
    """In float64, or in the graph's own types; bf16 is then held in float32."""
    found: dict[int, Array] = {}
    with np.errstate(all="ignore"):
        for node in walk(outputs):
            if node.op == "input":
                value = np.asarray(inputs[node.arg])
                if value.shape != node.shape:
                    raise ValueError(f"{node.arg} is of shape {list(node.shape)}, not {list(value.shape)}")
            elif node.op == "const":
                value = np.full(node.shape, node.arg)
            else:
                value = compute(node, [found[id(each)] for each in node.inputs])
            found[id(node)] = held(value, node.dtype, exact)
    return [found[id(each)] for each in outputs]


def held(value: Array, dtype: str, exact: bool) -> Array:
    """As this type holds it."""
    if dtype in WHOLE and value.dtype.kind == "f":
        low, high = np.iinfo(NUMPY[dtype]).min, np.iinfo(NUMPY[dtype]).max
        beyond = float(high) + 1
        inside = np.nan_to_num(value.astype(np.float64), nan=0.0).clip(low, np.nextafter(beyond, 0))
        value = np.where(value >= beyond, high, inside.astype(np.int64))
    if dtype in FLOATS and exact:
        return value.astype(np.float64)
    return rounded(value.astype(np.float32)) if dtype == "bf16" else value.astype(NUMPY[dtype])


def rounded(value: Array) -> Array:
    """float32 to the nearest bf16, ties to even; the lower 16 bits end up 0."""
    bits = np.ascontiguousarray(value, dtype=np.float32).view(np.uint32).astype(np.uint64)
    near = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(value), np.float32(np.nan), near.reshape(value.shape))


def compute(node: Node, args: Sequence[Array]) -> Array:
    x = args[0]
    if node.op in ELEMENTWISE:
        wide = {"float32": np.float64 if node.op in WIDE else np.float32, "int8": np.int32}
        return np.asarray(
            ELEMENTWISE[node.op](*(each.astype(wide.get(each.dtype.name, each.dtype)) for each in args))
        )
    if node.op in REDUCE:
        # float32 is added up in float64 and rounded once, so that the order cannot matter
        sums = np.float64 if x.dtype.kind == "f" else np.int64
        return np.asarray(REDUCE[node.op](x.astype(sums), axis=node.arg, keepdims=True)).astype(sums)
    match node.op:
        case "cast":
            return x != 0 if node.dtype == "bool" else x
        case "broadcast":
            return np.broadcast_to(x, node.shape)
        case "reshape":
            return x.reshape(node.shape)
        case "permute":
            return x.transpose(node.arg)
        case "slice":
            return x[tuple(slice(*part) for part in node.arg)]
        case "pad":
            result = np.zeros(node.shape, x.dtype)
            result[tuple(slice(*part) for part in node.arg)] = x
            return result
        case "matmul":
            sums = np.float64 if x.dtype.kind == "f" else np.int64
            return np.asarray(args[0].astype(sums) @ args[1].astype(sums))
    raise ValueError(f"{node.op} is no operation of graphs")


def sigmoid(x: Array) -> Array:
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1, small) / (1 + small))


def gelu(x: Array) -> Array:
    return np.asarray(0.5 * x * erfc(-x / math.sqrt(2)))


def power(x: Array, y: Array) -> Array:
    return np.asarray(np.power(x, y) if x.dtype.kind == "f" else np.power(x.astype(np.int64), y).astype(x.dtype))


ELEMENTWISE: dict[str, Callable[..., Array]] = {
    **{"neg": np.negative, "abs": np.abs, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh},
    **{"sin": np.sin, "cos": np.cos},
    **{"rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": sigmoid, "gelu": gelu, "floor": np.floor, "round": np.rint},
    **{"erf": erf, "not": np.logical_not},
    **{"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": power},
    **{"max": np.maximum, "min": np.minimum, "where": np.where},
    **{"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal},
    **{"eq": np.equal, "ne": np.not_equal, "and": np.logical_and, "or": np.logical_or},
}
WIDE = ("pow", "exp", "log", "rsqrt", "sin", "cos", "tanh", "sigmoid", "gelu", "erf")
"""Computed in float64 and rounded, so that no library's own way to compute them is taken for the truth."""
REDUCE: dict[str, Callable[..., Array]] = {"sum": np.sum, "amax": np.max, "amin": np.min, "prod": np.prod}
