"""Every differentiable operation beside PyTorch's, and where its slope is defined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from labs.models.tensor import choices, elementwise, products, reductions, softmax, views
from labs.models.tensor.tensor import tensor
from labs.tensors.autograd_tape import spreads

T = torch


@dataclass(frozen=True)
class Case:
    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    low: float = -2.0
    high: float = 2.0
    shapes: tuple[tuple[tuple[int, ...], ...], ...] = (((),), ((3,),), ((2, 3),), ((2, 1, 4),))
    """Several choices of the shapes of all inputs."""
    apart: bool = False
    """Whether equal numbers, or those near 0, are left out: there a slope jumps."""


PAIRS = (
    ((), ()),
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((4, 1, 2), (3, 1)),
    ((), (2, 2)),
)
MATRICES = (
    ((2, 3), (3, 4)),
    ((3,), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3,)),
    ((5, 2, 3), (3, 4)),
    ((2, 1, 2, 3), (4, 3, 2)),
    ((3,), (2, 3, 2)),
)
SQUARES = (((2, 3),), ((3, 2),), ((3, 3),), ((2, 3, 4),))
ROWS = (((4,),), ((3, 4),), ((2, 3, 4),))
INDEX = np.array([[2, 0, 0], [1, 1, 2]])


def one(name: str, ours: Any, theirs: Any, low: float = -2.0, high: float = 2.0, **more: Any) -> Case:
    return Case(name, ours, theirs, low, high, **more)


def two(name: str, ours: Any, theirs: Any, low: float = -2.0, high: float = 2.0, **more: Any) -> Case:
    return Case(name, ours, theirs, low, high, **{"shapes": PAIRS} | more)


CASES = (
    two("add", lambda a, b: a + b, T.add),
    two("sub", lambda a, b: a - b, T.sub),
    two("mul", lambda a, b: a * b, T.mul),
    two("div", lambda a, b: a / b, T.div, 0.5, 3),
    two("pow", lambda a, b: a**b, T.pow, 0.3, 2),
    one("square", lambda x: x**2, lambda x: x**2),
    one("power of a number", lambda x: 2.0**x, lambda x: 2.0**x),
    one("plus a number", lambda x: 1 + x - 3, lambda x: 1 + x - 3),
    one("a number less x", lambda x: 1 - x, lambda x: 1 - x),
    one("a number over x", lambda x: 2 / x, lambda x: 2 / x, 0.5),
    two("maximum", lambda a, b: choices.Maximum()(a, b), T.maximum, apart=True),
    two("minimum", lambda a, b: choices.Minimum()(a, b), T.minimum, apart=True),
    two("where", lambda a, b: choices.where(a > b, a * 2, b), lambda a, b: T.where(a > b, a * 2, b), apart=True),
    one("neg", lambda x: -x, T.neg),
    one("abs", choices.absolute, T.abs, apart=True),
    one("exp", elementwise.exp, T.exp),
    one("expm1", elementwise.expm1, T.expm1),
    one("log", elementwise.log, T.log, 0.2, 3),
    one("log1p", elementwise.log1p, T.log1p, -0.5, 3),
    one("sqrt", elementwise.sqrt, T.sqrt, 0.2, 3),
    one("rsqrt", elementwise.rsqrt, T.rsqrt, 0.2, 3),
    one("reciprocal", elementwise.reciprocal, T.reciprocal, 0.3, 3),
    one("sin", elementwise.sin, T.sin),
    one("cos", elementwise.cos, T.cos),
    one("tan", elementwise.tan, T.tan, -1.2, 1.2),
    one("asin", elementwise.asin, T.asin, -0.8, 0.8),
    one("acos", elementwise.acos, T.acos, -0.8, 0.8),
    one("atan", elementwise.atan, T.atan),
    one("sinh", elementwise.sinh, T.sinh),
    one("cosh", elementwise.cosh, T.cosh),
    one("tanh", elementwise.tanh, T.tanh),
    one("erf", elementwise.erf, T.erf),
    one("sigmoid", elementwise.sigmoid, T.sigmoid, -6, 6),
    one("relu that keeps its result", choices.relu, T.relu),
    one("softplus", elementwise.softplus, T.nn.functional.softplus, -6, 6),
    one("relu", lambda x: choices.Maximum()(x, tensor(0.0).cast(x.dtype)), T.relu, apart=True),
    one("sum", reductions.total, T.sum),
    one("sum of columns", lambda x: x.sum(0), lambda x: x.sum(0), shapes=ROWS),
    one("sum kept", lambda x: x.sum([-1], True), lambda x: x.sum(-1, keepdim=True), shapes=ROWS),
    one("mean", lambda x: x.mean(-1), lambda x: x.mean(-1), shapes=ROWS),
    one("var", lambda x: spreads.var(x, -1), lambda x: T.var(x, -1), shapes=ROWS),
    one(
        "std",
        lambda x: spreads.std(x, 0, correction=0),
        lambda x: T.std(x, 0, correction=0),
        shapes=(((3, 4),),),
    ),
    one("norm", lambda x: spreads.norm(x, -1), lambda x: T.linalg.vector_norm(x, dim=-1), 0.2, 2, shapes=ROWS),
    one("amax", lambda x: reductions.amax(x, -1), lambda x: T.amax(x, -1), shapes=ROWS, apart=True),
    one("amin", lambda x: reductions.amin(x), lambda x: T.amin(x), shapes=ROWS, apart=True),
    one("prod", lambda x: reductions.prod(x, -1), lambda x: T.prod(x, -1), shapes=(*ROWS, ((2, 5),), ((2, 7),))),
    one("logsumexp", lambda x: softmax.logsumexp(x, 0), lambda x: T.logsumexp(x, 0), shapes=ROWS),
    one("softmax", softmax.softmax, lambda x: T.softmax(x, -1), shapes=ROWS),
    one("log_softmax", lambda x: softmax.log_softmax(x, 0), lambda x: T.log_softmax(x, 0), shapes=ROWS),
    one("cumsum", lambda x: reductions.cumsum(x, -1), lambda x: T.cumsum(x, -1), shapes=ROWS),
    one(
        "reshape", lambda x: x.reshape(-1, 2), lambda x: x.reshape(-1, 2), shapes=(((4,),), ((3, 4),), ((2, 3, 4),))
    ),
    one("reshape of a transpose", lambda x: x.mT.reshape(-1), lambda x: x.mT.reshape(-1), shapes=SQUARES),
    one("permute", lambda x: x.permute(2, 0, 1), lambda x: x.permute(2, 0, 1), shapes=(((2, 3, 4),),)),
    one("transpose", lambda x: views.transpose(x, 0, -1), lambda x: x.transpose(0, -1), shapes=SQUARES),
    one(
        "expand",
        lambda x: x.expand(3, 2, 4),
        lambda x: x.expand(3, 2, 4),
        shapes=(((4,),), ((2, 1),), ((1, 1, 4),)),
    ),
    one("squeeze", views.squeeze, T.squeeze, shapes=(((2, 1, 3, 1),), ((1,),))),
    one("unsqueeze", lambda x: views.unsqueeze(x, 1), lambda x: x.unsqueeze(1), shapes=SQUARES),
    one("flip", lambda x: views.flip(x, 0, 1), lambda x: T.flip(x, (0, 1)), shapes=SQUARES),
    one("diagonal", views.diagonal, lambda x: x.diagonal(dim1=-2, dim2=-1), shapes=SQUARES),
    one("windows", lambda x: views.windows(x, 3), lambda x: x.unfold(-1, 3, 1), shapes=ROWS),
    one("windows in steps", lambda x: views.windows(x, 2, 2), lambda x: x.unfold(-1, 2, 2), shapes=ROWS),
    one("index", lambda x: x[1, ..., ::2], lambda x: x[1, ..., ::2], shapes=SQUARES),
    one("index anew", lambda x: x[:, None, 1:], lambda x: x[:, None, 1:], shapes=SQUARES),
    one("copy", lambda x: views.contiguous(x.mT), lambda x: x.mT.contiguous(), shapes=SQUARES),
    one("cast", lambda x: x.cast("float32").cast("float64"), lambda x: x.float().double()),
    two("matmul", products.matmul, T.matmul, shapes=MATRICES),
    two(
        "cat",
        lambda a, b: products.cat([a, b, a], -1),
        lambda a, b: T.cat([a, b, a], -1),
        shapes=(((2, 3), (2, 1)),),
    ),
    two(
        "stack", lambda a, b: products.stack([a, b], 1), lambda a, b: T.stack([a, b], 1), shapes=(((2, 3), (2, 3)),)
    ),
    one(
        "pad",
        lambda x: products.pad(x, [1, 0], [2, 3]),
        lambda x: T.nn.functional.pad(x, (0, 3, 1, 2)),
        shapes=(((2, 3),),),
    ),
    one("roll", lambda x: products.roll(x, 2, 0), lambda x: T.roll(x, 2, 0), shapes=(((3, 2),), ((5,),))),
    one(
        "gather",
        lambda x: products.gather(x, 0, INDEX),
        lambda x: T.gather(x, 0, T.tensor(INDEX)),
        shapes=(((3, 3),),),
    ),
    one(
        "scatter_add",
        lambda x: products.scatter_add(x, 1, INDEX, 4),
        lambda x: T.zeros(2, 4, dtype=x.dtype).scatter_add(1, T.tensor(INDEX), x),
        shapes=(((2, 3),),),
    ),
    one("take", lambda x: products.take(x, [1, 1, 0]), lambda x: x[[1, 1, 0]], shapes=SQUARES),
    one("sort", products.sort, lambda x: T.sort(x, stable=True).values, shapes=ROWS, apart=True),
    two("conv1d", products.conv1d, T.nn.functional.conv1d, shapes=(((2, 3, 7), (4, 3, 3)),)),
)
