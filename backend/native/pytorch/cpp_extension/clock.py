"""Nanoseconds of a call: the extension's operator with its parts, torch's own operator, and Python's loop."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from labs.contract import Float32

from native.models.thread_clock import Work, in_turns
from native.pytorch.cpp_extension.calls import A, given, inputs, operator

if TYPE_CHECKING:
    from native.pytorch.cpp_extension import Params

PATIENCE = 0.12  # seconds for all repetitions of one work, as far as one round allows


def timed(library: Path, params: Params) -> dict[str, Any]:
    """[ways, quartile] and [parts, quartile] nanoseconds, every work in turns with the others."""
    x, y = inputs(params.n)
    op, arguments = params.op, given(params.op, x, y)
    made = ctypes.CDLL(str(library))
    z = torch.empty(params.n)
    at = [ctypes.c_void_p(each.data_ptr()) for each in (x, y if len(arguments) > 1 else x)]
    n = ctypes.c_int64(params.n)
    end = (ctypes.c_float(A), ctypes.c_void_p(z.data_ptr()), n)
    works: list[Work] = [
        calling(operator(op), arguments),
        own(op, x, y),
        python(op, x.tolist(), y.tolist()),
        calling(operator("nothing"), arguments),
        lambda rounds: made.results(rounds, at[0], n),
        lambda rounds: made.loops(rounds, *at, *end),
    ]
    taken = in_turns(works, params.repetitions, PATIENCE)
    call, torchs, pythons, dispatch, memory, loop = taken.T
    parts = [loop, memory, dispatch, call - loop - memory - dispatch]
    return {"ways": _quartiles([call, torchs, pythons]), "parts": _quartiles(parts)}


def _quartiles(rows: Sequence[Float32]) -> list[list[float]]:
    return [[float(each) for each in np.percentile(row, (25, 50, 75))] for row in rows]


def calling(function: Any, arguments: tuple[Any, ...]) -> Work:
    def work(rounds: int) -> None:
        for _ in repeat(None, rounds):
            function(*arguments)

    return work


def own(op: str, x: torch.Tensor, y: torch.Tensor) -> Work:
    """The same by torch's own operators: one of them, and two for relu_squared, which has none."""
    if op == "scale_add":
        return _adding(x, y)
    if op == "sum_squares":
        return calling(torch.dot, (x, x))

    def work(rounds: int) -> None:
        relu = torch.relu
        for _ in repeat(None, rounds):
            relu(x).square()

    return work


def _adding(x: torch.Tensor, y: torch.Tensor) -> Work:
    def work(rounds: int) -> None:
        add = torch.add
        for _ in repeat(None, rounds):
            add(y, x, alpha=A)

    return work


def python(op: str, x: list[float], y: list[float]) -> Work:
    """The loop in Python, over its own numbers."""

    def scale_add() -> object:
        return [A * p + q for p, q in zip(x, y, strict=True)]

    def relu_squared() -> object:
        return [p * p if p > 0 else 0.0 for p in x]

    def sum_squares() -> object:
        return sum(p * p for p in x)

    one = {"scale_add": scale_add, "relu_squared": relu_squared, "sum_squares": sum_squares}[op]

    def work(rounds: int) -> None:
        for _ in repeat(None, rounds):
            one()

    return work
