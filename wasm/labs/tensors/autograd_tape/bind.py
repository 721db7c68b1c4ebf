"""Arguments of a call, matched to parameters and checked: a function below is never given what it cannot take.

What a parameter takes is read off its annotation, so that a function's own line says it once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from labs.models.tensor.dtypes import DType
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.values import Function, Items, kind


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def wholes(value: Any) -> bool:
    return isinstance(value, Items) and all(map(whole, value))


TAKES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "Tensor": ("a tensor", lambda value: isinstance(value, Tensor)),
    "Tensor | None": ("a tensor", lambda value: value is None or isinstance(value, Tensor)),
    "Tensor | float": (
        "a tensor or a number",
        lambda value: isinstance(value, Tensor | float) or whole(value),
    ),
    "float": ("a number", lambda value: isinstance(value, float) or whole(value)),
    "int": ("a whole number", whole),
    "Sizes": ("whole numbers", lambda value: whole(value) or wholes(value)),
    "Wholes": ("a list of whole numbers", wholes),
    "Dim": ("a dimension, or a list of them", lambda value: whole(value) or wholes(value)),
    "Bound": ("a number", lambda value: value is None or isinstance(value, float) or whole(value)),
    "Other": (
        "a tensor, or a dimension",
        lambda value: value is None or whole(value) or isinstance(value, Tensor),
    ),
    "Dims": ("a dimension, or a list of them", lambda value: value is None or whole(value) or wholes(value)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "DType | None": ("a type such as float32", lambda value: value is None or isinstance(value, DType)),
    "DType": ("a type such as float32", lambda value: isinstance(value, DType)),
    "Data": ("numbers, or lists of them", lambda value: isinstance(value, int | float | Items)),
    "Tensors": (
        "a list of tensors",
        lambda value: isinstance(value, Items) and all(isinstance(each, Tensor) for each in value),
    ),
    "Inputs": (
        "a tensor, or a list of them",
        lambda value: isinstance(value, Tensor) or TAKES["Tensors"][1](value),
    ),
    "Function": ("a function that takes tensors", lambda value: isinstance(value, Function)),
    "Any": ("anything", lambda value: True),
}
signature = cache(inspect.signature)


def call(name: str, function: Callable[..., Any], given: list[Any], named: dict[str, Any]) -> Any:
    """Raises ``TypeError`` where an argument does not fit."""
    try:
        bound = signature(function).bind(*given, **named)
    except TypeError as wrong:
        raise TypeError(f"{name}: {wrong}") from None
    for parameter, value in bound.arguments.items():
        known = function_parameter(function, parameter)
        what, fits = TAKES[str(known.annotation)]
        for each in value if known.kind is known.VAR_POSITIONAL else [value]:
            if not fits(each):
                raise TypeError(f"{name} takes {what} as {parameter}, not {kind(each)}")
    return function(*bound.args, **bound.kwargs)


def function_parameter(function: Callable[..., Any], name: str) -> inspect.Parameter:
    return signature(function).parameters[name]
