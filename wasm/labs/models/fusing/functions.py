"""What a program can call, and what each call is made of. Names and defaults are PyTorch's.

A parameter's annotation says what it takes; `dim` may also be written `axis`, `keepdim` also `keepdims`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

from labs.models.fusing import ops
from labs.models.fusing.graph import DTYPES, FLOATS, Node
from labs.models.fusing.movements import (
    Dims,
    cat,
    expand,
    flatten,
    permute,
    reshape,
    squeeze,
    stack,
    transpose,
    unsqueeze,
)
from labs.models.fusing.pytorch import Extremes, Places


def unary(op: str) -> Callable[..., Node]:
    def function(x: Node) -> Node:
        return ops.apply(op, x)

    return function


def binary(op: str) -> Callable[..., Node]:
    def function(x: Node | float, other: Node | float) -> Node:
        return ops.apply(op, x, other)

    return function


def reduction(op: str) -> Callable[..., Node]:
    def function(x: Node, dim: Dims = None, keepdim: bool = False) -> Node:
        return ops.reduce(op, x, dim, keepdim)

    return function


def where(condition: Node, x: Node | float, other: Node | float) -> Node:
    return ops.apply("where", condition, x, other)


def relu(x: Node) -> Node:
    return ops.apply("max", x, 0)


def silu(x: Node) -> Node:
    return ops.apply("mul", x, ops.apply("sigmoid", x))


def square(x: Node) -> Node:
    return ops.apply("mul", x, x)


def clamp(x: Node, min: float | None = None, max: float | None = None) -> Node:
    """At a bound it still has a slope, where the greater of a number and a tensor has none."""
    low = x if min is None else ops.apply("where", ops.apply("lt", x, min), min, x)
    return low if max is None else ops.apply("where", ops.apply("gt", low, max), max, low)


def gelu(x: Node, approximate: str = "none") -> Node:
    if approximate not in ("none", "tanh"):
        raise ValueError('gelu is approximated by "none" or by "tanh"')
    if approximate == "none":
        return ops.apply("gelu", x)
    cube = ops.apply("mul", ops.apply("mul", x, x), x)
    inner = ops.apply("mul", ops.apply("add", x, ops.apply("mul", cube, 0.044715)), math.sqrt(2 / math.pi))
    return ops.apply("mul", ops.apply("mul", x, 0.5), ops.apply("add", ops.apply("tanh", inner), 1))


def mean(x: Node, dim: Dims = None, keepdim: bool = False) -> Node:
    x = x if x.dtype in FLOATS else ops.cast(x, "f32")
    return ops.apply("div", ops.reduce("sum", x, dim, keepdim), count(x, dim))


def var(x: Node, dim: Dims = None, keepdim: bool = False, correction: int = 1) -> Node:
    far = ops.apply("sub", x, mean(x, dim, True))
    parts = count(x, dim) - correction
    if parts < 1:
        raise ValueError(f"the variance of {count(x, dim)} elements divides by {parts}; say correction=0")
    return ops.apply("div", ops.reduce("sum", square(far), dim, keepdim), parts)


def std(x: Node, dim: Dims = None, keepdim: bool = False, correction: int = 1) -> Node:
    return ops.apply("sqrt", var(x, dim, keepdim, correction))


def count(x: Node, dim: Dims) -> int:
    return math.prod(x.shape[axis] for axis in ops.axes(x, dim))


def softmax(x: Node, dim: int = -1) -> Node:
    high = ops.reduce("amax", x, dim, True)
    small = ops.apply("exp", ops.apply("sub", x, high))
    return ops.apply("div", small, ops.reduce("sum", small, dim, True))


def log_softmax(x: Node, dim: int = -1) -> Node:
    low = ops.apply("sub", x, ops.reduce("amax", x, dim, True))
    return ops.apply("sub", low, ops.apply("log", ops.reduce("sum", ops.apply("exp", low), dim, True)))


def logsumexp(x: Node, dim: Dims = None, keepdim: bool = False) -> Node:
    high = ops.reduce("amax", x, dim, True)
    total = ops.reduce("sum", ops.apply("exp", ops.apply("sub", x, high)), dim, True)
    result = ops.apply("add", high, ops.apply("log", total))
    return result if keepdim else squeeze(result, ops.axes(x, dim))


def layer_norm(
    x: Node, weight: Node | None = None, bias: Node | None = None, dim: Dims = -1, eps: float = 1e-5
) -> Node:
    far = ops.apply("sub", x, mean(x, dim, True))
    spread = ops.apply("rsqrt", ops.apply("add", mean(square(far), dim, True), eps))
    result = ops.apply("mul", far, spread)
    result = result if weight is None else ops.apply("mul", result, weight)
    return result if bias is None else ops.apply("add", result, bias)


def rms_norm(x: Node, weight: Node | None = None, dim: Dims = -1, eps: float = 1e-6) -> Node:
    result = ops.apply("mul", x, ops.apply("rsqrt", ops.apply("add", mean(square(x), dim, True), eps)))
    return result if weight is None else ops.apply("mul", result, weight)


def linear(x: Node, weight: Node, bias: Node | None = None) -> Node:
    """weight is [out, in], as PyTorch keeps it."""
    result = product(x, transpose(weight, -1, -2))
    return result if bias is None else ops.apply("add", result, bias)


def product(x: Node, y: Node) -> Node:
    """[…, m, k] @ [k, n], where a vector is a row on the left and a column on the right."""
    left = ops.reshape(x, (1, *x.shape)) if len(x.shape) == 1 else x
    right = ops.reshape(y, (*y.shape, 1)) if len(y.shape) == 1 else y
    result = ops.matmul(left, right)
    shape = list(result.shape)
    if len(y.shape) == 1:
        shape.pop()
    if len(x.shape) == 1:
        shape.pop(-2 if len(y.shape) > 1 else -1)
    return ops.reshape(result, shape)


def to(x: Node, dtype: str) -> Node:
    return ops.cast(x, dtype)


UNARY = ("neg", "abs", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "sigmoid", "erf", "floor", "round")
METHODS: dict[str, Callable[..., Any]] = {
    **{op: unary(op) for op in UNARY},
    **{"relu": relu, "silu": silu, "square": square, "clamp": clamp, "gelu": gelu, "to": to},
    **{"sum": reduction("sum"), "amax": reduction("amax"), "amin": reduction("amin"), "prod": reduction("prod")},
    **{"max": reduction("amax"), "min": reduction("amin"), "mean": mean, "var": var, "std": std},
    **{"softmax": softmax, "log_softmax": log_softmax, "logsumexp": logsumexp, "pow": binary("pow")},
    **{"reshape": reshape, "view": reshape, "permute": permute, "transpose": transpose, "expand": expand},
    **{
        "unsqueeze": unsqueeze,
        "flatten": flatten,
        "squeeze": squeeze,
        "maximum": binary("max"),
        "minimum": binary("min"),
    },
    "matmul": product,
}
"""After a dot; each may also be called by name alone, with the tensor first."""
FUNCTIONS = METHODS | {"where": where, "layer_norm": layer_norm, "rms_norm": rms_norm, "linear": linear}
FUNCTIONS |= {"cat": cat, "stack": stack}
NUMBERS: dict[str, Callable[..., float]] = {
    **{"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "tanh": math.tanh, "abs": abs, "floor": math.floor},
    **{"round": round, "max": max, "min": min},
}
"""What can be called on numbers alone."""
SPELT = {"axis": "dim", "keepdims": "keepdim"}
KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "Node": ("a tensor", lambda value: isinstance(value, Node)),
    "Node | None": ("a tensor", lambda value: value is None or isinstance(value, Node)),
    "Node | float": ("a tensor or a number", lambda value: isinstance(value, Node | int | float)),
    "tuple[Node, ...]": ("tensors in [ ]", lambda value: isinstance(value, tuple) and all(map(is_node, value))),
    "Dims": ("an axis, or several in ( )", lambda value: value is None or whole(value) or wholes(value)),
    "int": ("a whole number", lambda value: whole(value)),
    "int | tuple[int, ...]": ("whole numbers", lambda value: whole(value) or wholes(value)),
    "float": ("a number", lambda value: isinstance(value, int | float)),
    "float | None": ("a number", lambda value: value is None or isinstance(value, int | float)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "str": ("a word, or a type such as bf16", lambda value: isinstance(value, str)),
}


def is_node(value: Any) -> bool:
    return isinstance(value, Node)


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def wholes(value: Any) -> bool:
    return isinstance(value, tuple) and all(map(whole, value))


def call(name: str, function: Callable[..., Any], given: list[Any], named: dict[str, Any]) -> Any:
    """Raises ``ValueError`` or ``TypeError``, in words, where an argument does not fit."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*given, **{SPELT.get(key, key): value for key, value in named.items()})
    except TypeError as wrong:
        raise TypeError(f"{name}: {wrong}") from None
    for parameter, value in bound.arguments.items():
        known = signature.parameters[parameter]
        what, fits = KINDS[str(known.annotation)]
        for each in value if known.kind is known.VAR_POSITIONAL else [value]:
            if not fits(each):
                raise TypeError(f"{name} takes {what} as {parameter}, not {kind(each)}")
    return function(*bound.args, **bound.kwargs)


def kind(value: Any) -> str:
    match value:
        case Node():
            return "a tensor"
        case bool() | int() | float():
            return f"the number {value}"
        case str() if value in DTYPES:
            return f"the type {value}"
        case Extremes():
            return "values and places, which max and min of an axis are in PyTorch; write [0], or amax and amin"
        case Places():
            return "the places of max or min, which are not computed here"
        case tuple():
            return "several values"
        case None:
            return "None"
    return "a function" if callable(value) else "this"
