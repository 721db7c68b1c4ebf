"""What a name can stand for beside a tensor, how large anything may become, and how it is printed."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labs.models.programs.accept import LARGEST
from labs.models.programs.trouble import TooMuchError
from labs.models.tensor.dtypes import DType
from labs.models.tensor.tape import Operation
from labs.models.tensor.tensor import Tensor, tensor

ELEMENTS = 10_000  # of one tensor, and of one list
DIMENSIONS = 6
OPERATIONS = 3_000  # of a whole run
NUMBERS = 1_000_000  # that all of them make together


class Items(tuple[Any, ...]):
    """A list or a tuple; nothing changes it, so that it can be weighed once."""

    weight: int
    depth: int

    def __new__(cls, items: Any) -> Items:
        made = super().__new__(cls, items)
        made.weight = 1 + sum(each.weight if isinstance(each, Items) else 1 for each in made)
        made.depth = 1 + max((each.depth for each in made if isinstance(each, Items)), default=0)
        if made.weight > ELEMENTS or made.depth > DIMENSIONS:
            raise TooMuchError(
                f"a list holds at most {ELEMENTS:,} values here, in at most {DIMENSIONS} lists of lists"
            )
        return made


class Extremes(Items):
    """The largest or smallest along a dimension, and where they are; two values, which have names as well."""

    names = ("values", "indices")


@dataclass(eq=False)
class Scope:
    """Names, and where to look for others."""

    names: dict[str, Any] = field(default_factory=dict)
    outer: Scope | None = None

    def find(self, name: str) -> Any:
        scope: Scope | None = self
        while scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        raise KeyError(name)


@dataclass(frozen=True, eq=False)
class Function:
    """One that the program defines."""

    name: str
    parameters: tuple[str, ...]
    body: list[ast.stmt]
    scope: Scope


@dataclass
class Budget:
    """What a run may still compute."""

    operations: int = OPERATIONS
    numbers: int = NUMBERS

    def spend(self, _: Operation, inputs: Sequence[Tensor], result: Tensor) -> None:
        sized(result.shape)
        self.operations -= 1
        self.numbers -= result.layout.size
        if self.operations < 0 or self.numbers < 0:
            raise TooMuchError(
                "this program computes more than is drawn here; make its loops or its tensors smaller"
            )


def sized(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Refuse a shape before anybody makes numbers for it."""
    if len(shape) > DIMENSIONS:
        raise TooMuchError(f"a tensor has at most {DIMENSIONS} dimensions here, not {len(shape)}")
    if math.prod(n for n in shape if n > 0) > ELEMENTS:
        raise TooMuchError(f"a tensor has at most {ELEMENTS:,} elements here; make {plain(shape)} smaller")
    return shape


def number(value: Any) -> Any:
    """A number of the program's own arithmetic, if it stays within bounds."""
    if isinstance(value, complex) or (abs(value) > LARGEST and isinstance(value, int)):
        raise TooMuchError("this number is none that is taken here; stay real, and below 2**53")
    return value


def numbers(data: Any, dtype: DType | None) -> Tensor:
    """A tensor from a number or lists of numbers that are equally long."""
    sized(shape_of(data))
    return tensor(_lists(data), dtype)


def _lists(data: Any) -> Any:
    return [_lists(each) for each in data] if isinstance(data, Items) else data


def shape_of(data: Any) -> tuple[int, ...]:
    if not isinstance(data, Items):
        if not isinstance(data, int | float):
            raise TypeError(f"a tensor is made of numbers, not of {kind(data)}")
        return ()
    shapes = {shape_of(each) for each in data}
    if len(shapes) > 1:
        raise ValueError("the lists inside of one list have to be equally long")
    return (len(data), *(shapes.pop() if shapes else ()))


def kind(value: Any) -> str:
    for types, name in (
        (Tensor, "a tensor"),
        (bool, "True or False"),
        (int | float, "a number"),
        (str, "text"),
        (Items, "a list"),
        (tuple, "several values"),
        (slice, "a slice"),
        (range, "a range"),
        (DType, "a type of numbers"),
        (type(None), "None"),
    ):
        if isinstance(value, types):
            return name
    return "a function"


def plain(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def show(value: Any) -> str:
    """As ``print`` shows it: four digits, and not more than fits."""
    if isinstance(value, Tensor):
        with np.printoptions(precision=4, threshold=24, edgeitems=3, suppress=True):
            return np.array2string(value.array, separator=", ")
    if isinstance(value, Items):
        return f"[{', '.join(show(each) for each in value[:8])}{', …' if len(value) > 8 else ''}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Function):
        return f"function {value.name}"
    return str(value) if isinstance(value, int | str | range | DType) or value is None else "function"
