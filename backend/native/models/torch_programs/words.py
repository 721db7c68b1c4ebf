"""What a program may call, and what may stand behind a dot: torch's own, by name. The rest is refused."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import chain
from math import prod
from typing import Any

import torch
from labs.models.programs.accept import LARGEST
from labs.models.programs.trouble import TooMuchError
from torch import Tensor

ELEMENTS = 1024  # of one tensor
EXPONENT = 64  # of plain numbers
DTYPES = {
    name: getattr(torch, name)
    for name in ("bool", "uint8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
}
MAKE = frozenset({"tensor", "arange", "zeros", "ones", "full", "empty", "eye", "linspace"})
COMPUTE = frozenset({
    "exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "sqrt", "matmul", "mm", "cat", "stack", "where", "add",
    "mul", "sub", "div", "abs", "sign",
})  # fmt: skip
LOOK = frozenset({
    "view", "reshape", "flatten", "transpose", "permute", "t", "expand", "expand_as", "unfold", "squeeze",
    "unsqueeze", "narrow", "select", "diagonal", "as_strided", "detach", "chunk", "split", "view_as",
})  # fmt: skip
"""Methods that make another view of the same numbers, or may."""
OTHER = frozenset({
    "clone", "contiguous", "sum", "mean", "max", "min", "pow", "neg", "to", "float", "double", "int", "long",
    "half", "repeat", "flip", "is_contiguous", "storage_offset", "stride", "size", "numel", "element_size",
    "requires_grad_", "retain_grad", "backward", "item", "dim",
})  # fmt: skip
IN_PLACE = frozenset({
    "add_", "sub_", "mul_", "div_", "pow_", "neg_", "exp_", "relu_", "sigmoid_", "tanh_", "zero_", "fill_", "copy_",
    "clamp_", "t_", "transpose_", "squeeze_", "unsqueeze_", "resize_", "set_", "detach_",
})  # fmt: skip
METHODS = LOOK | OTHER | IN_PLACE | COMPUTE - {"cat", "stack", "where"}
READ = frozenset({
    "T", "mT", "shape", "dtype", "grad", "data", "requires_grad", "is_leaf", "ndim", "_base", "_version",
})  # fmt: skip
NAMED = frozenset({
    "dtype", "requires_grad", "dim", "keepdim", "size", "retain_graph", "create_graph", "gradient",
    "start", "step", "alpha", "min", "max",
})  # fmt: skip
"""Arguments that are given by name."""
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "Pow": lambda x, y: power(x, y),
    "MatMult": operator.matmul,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Eq": operator.eq,
}
OVER: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "Div": operator.itruediv,
    "Pow": operator.ipow,
    "MatMult": operator.imatmul,
}
"""What ``x += y`` and the like do to a tensor."""
CONTEXTS: dict[str, Callable[[], Any]] = {
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "detect_anomaly": lambda: torch.autograd.set_detect_anomaly(True),  # which does not warn that it is slow
}


def whole(values: Iterable[Any]) -> list[int]:
    """The whole numbers among arguments, also of those in a list or a tuple."""
    lists = (each if isinstance(each, tuple | list) else (each,) for each in values)
    return [each for each in chain.from_iterable(lists) if isinstance(each, int)]


def careful(name: str, given: list[Any]) -> None:
    """Raises ``TooMuchError`` before memory is taken for what a program has no use for here."""
    match name:
        case "arange":
            many = max((abs(each) for each in given if isinstance(each, int | float)), default=0)
        case "linspace":
            many = prod(whole(given[2:3]))
        case "full" | "as_strided":
            many = prod(whole(given[:1]))
        case "zeros" | "ones" | "empty" | "eye" | "expand" | "repeat" | "resize_":
            many = prod(whole(given))
        case _:
            return
    if many > ELEMENTS:
        raise TooMuchError(f"{name} makes more than {ELEMENTS:,} numbers here; make the tensor smaller")


def checked(value: Any) -> Any:
    """What a name may stand for. Raises ``TooMuchError``."""
    if isinstance(value, Tensor) and value.numel() > ELEMENTS:
        raise TooMuchError(f"a tensor has at most {ELEMENTS:,} elements here, and this one {value.numel():,}")
    if isinstance(value, int | float) and abs(value) > LARGEST:
        raise TooMuchError("this number is too large; stay below 2**53")
    return value


def power(base: Any, exponent: Any) -> Any:
    """Raises ``TooMuchError``: whole numbers of Python grow without end."""
    if isinstance(base, int | float) and isinstance(exponent, int | float) and abs(exponent) > EXPONENT:
        raise TooMuchError(f"the exponent of a plain number is at most {EXPONENT} here")
    return base**exponent
