"""Operators, indices and what stands behind a dot, for tensors and for plain numbers."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from labs.models.programs.trouble import TooMuchError
from labs.models.tensor import views
from labs.models.tensor.dtypes import BOOL, DTYPES
from labs.models.tensor.storage import Storage
from labs.models.tensor.tape import recording
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape import functions
from labs.tensors.autograd_tape.values import Items, kind, number, plain

EXPONENT = 64  # of plain numbers
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: lambda _, x: -x,
    ast.UAdd: lambda _, x: +x if not isinstance(x, Tensor) else x,
}
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
}
TURNED: dict[type, type] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Eq: ast.Eq}


def compute(op: ast.operator | ast.unaryop, left: Any, right: Any) -> Any:
    for each in (left, right):
        if not isinstance(each, Tensor | int | float):
            raise TypeError(f"this takes tensors and numbers, not {kind(each)}")
    plainly = not isinstance(left, Tensor) and not isinstance(right, Tensor)
    if isinstance(op, ast.MatMult):
        if not (isinstance(left, Tensor) and isinstance(right, Tensor)):
            raise TypeError("@ takes a tensor on either side; use * for numbers")
        return functions.matmul(left, right)
    if plainly and isinstance(op, ast.Pow) and abs(right) > EXPONENT:
        raise TooMuchError(f"the exponent of a plain number is at most {EXPONENT} here")
    found = OPERATORS[type(op)](*functions.together(left, right))
    return number(found) if plainly else found


def compare(op: ast.cmpop, left: Any, right: Any) -> Any:
    for each in (left, right):
        if not isinstance(each, Tensor | int | float):
            raise TypeError(f"this compares tensors and numbers, not {kind(each)}")
    kept = type(op)
    if isinstance(right, Tensor) and not isinstance(left, Tensor):
        left, right, kept = right, left, TURNED[kept]
    if isinstance(left, Tensor) and kept is ast.Eq:
        return left.equals(right)
    if isinstance(left, Tensor) and kept is ast.LtE:
        return left._tensor(right) >= left
    return COMPARISONS[kept](left, right)


# -- in place --------------------------------------------------------------------------------------------------


def write_over(x: Tensor, op: ast.operator, by: Any) -> Tensor:
    """``x += by`` and the like: the numbers change, for all who read them."""
    if isinstance(op, ast.MatMult):
        raise TypeError("@= is not taken here; write x = x @ y")
    if isinstance(by, Tensor) and by is not x and overlap(x, by):
        raise RuntimeError("this reads a part of what it writes over; use clone() to read a copy")
    slope_takes_x = isinstance(op, ast.Mult | ast.Div | ast.Pow) and isinstance(by, Tensor) and by.requires_grad
    before = views.Copy()(x) if slope_takes_x and recording() else x  # what it was is needed on the way back
    result = compute(op, before, by)
    if result.dtype.exponent and not x.dtype.exponent:
        raise RuntimeError(f"a result with fractions cannot be written over numbers of {x.dtype}")
    if result.shape != x.shape:
        raise RuntimeError(f"a result of shape {plain(result.shape)} does not fit into {plain(x.shape)}")
    return x.copy_(result)


def overlap(x: Tensor, y: Tensor) -> bool:
    """Whether they read some numbers in common, but not the same in the same order."""
    if x.storage is not y.storage or x.layout == y.layout:
        return False
    marks = Storage(np.zeros(x.storage.numbers.size, bool))
    Tensor(marks, x.layout, BOOL).array[...] = True
    return bool(Tensor(marks, y.layout, BOOL).array.any())


def in_place(op: ast.operator) -> Callable[..., Tensor]:
    def called(x: Tensor, other: Tensor | float) -> Tensor:
        return write_over(x, op, other)

    return called


def copy_(x: Tensor, other: Tensor | float) -> Tensor:
    return x.copy_(other)


def zero_(x: Tensor) -> Tensor:
    return x.zero_()


# -- indices ---------------------------------------------------------------------------------------------------


def indexed(owner: Any, key: Any) -> Any:
    if isinstance(owner, Items):
        if not isinstance(key, int):
            raise TypeError(f"a list is indexed by a number, not by {kind(key)}")
        return owner[key]
    if not isinstance(owner, Tensor):
        raise TypeError(f"{kind(owner)} cannot be indexed")
    return owner[checked(key)]


def checked(key: Any) -> Any:
    for each in key if type(key) is tuple else (key,):
        parts = (each.start, each.stop, each.step) if isinstance(each, slice) else (each,)
        for part in parts:
            if isinstance(part, bool) or not (part is None or part is Ellipsis or isinstance(part, int)):
                raise TypeError(f"an index is a whole number, a slice, ... or None here, not {kind(part)}")
        if isinstance(each, slice) and (each.step or 1) < 1:
            raise ValueError("a slice steps forwards here, as in PyTorch; flip turns a tensor round")
    return key


def put_in(owner: Any, key: Any, value: Any) -> None:
    """``owner[key] = value``"""
    if not isinstance(owner, Tensor):
        raise TypeError(f"{kind(owner)} cannot be changed here; only elements of a tensor can")
    if not isinstance(value, Tensor | int | float):
        raise TypeError(f"an element takes a number or a tensor, not {kind(value)}")
    owner[checked(key)] = value


# -- behind a dot ----------------------------------------------------------------------------------------------


def transposed(x: Tensor) -> Tensor:
    """All dimensions the other way round. PyTorch warns where they are not two, and so far goes on."""
    return views.permute(x, *reversed(range(len(x.shape))))


def detach(x: Tensor) -> Tensor:
    return x.detach()


def requires_grad_(x: Tensor) -> Tensor:
    return x.require_grad()


def item(x: Tensor) -> Any:
    if x.layout.size != 1:
        raise RuntimeError(f"item() takes a tensor of one number, not of shape {plain(x.shape)}")
    return x.item()


def cast(dtype: str) -> Callable[..., Tensor]:
    def called(x: Tensor) -> Tensor:
        return x.cast(DTYPES[dtype])

    return called


ATTRIBUTES: dict[str, dict[str, Callable[..., Any]]] = {
    "read": {
        "grad": lambda x: x.grad,
        "shape": lambda x: Items(x.shape),
        "dtype": lambda x: x.dtype,
        "requires_grad": lambda x: x.requires_grad,
        "is_leaf": lambda x: x.is_leaf,
        "T": transposed,
        "mT": lambda x: views.transpose(x),
    },
    "called": {
        "detach": detach,
        "item": item,
        "requires_grad_": requires_grad_,
        "float": cast("float32"),
        "double": cast("float64"),
        "add_": in_place(ast.Add()),
        "sub_": in_place(ast.Sub()),
        "mul_": in_place(ast.Mult()),
        "div_": in_place(ast.Div()),
        "copy_": copy_,
        "zero_": zero_,
    },
}
