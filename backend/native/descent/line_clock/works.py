"""What is timed: loops in Python around the line, and the same arithmetic in C (wasm/kernels/one_line.c)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import repeat
from typing import Any

import numpy as np
import torch

from native.models.kernel import LIBRARY, Kernel, at, load

Work = Callable[[int], object]
ARITHMETIC_KERNEL = Kernel("one_line.c", ("-O3", "-mcpu=native", *LIBRARY))
FLOPS = 2 * 4 * (3 + 2 + 1 + 1)
"""Of one round: for each of eight elements three products, two sums, the bias, and the comparison with zero."""


def nothing(rounds: int) -> None:
    """What the loop itself takes."""
    for _ in repeat(None, rounds):
        pass


def on_integers(rounds: int) -> None:
    """The same number of instructions on small integers, which are there already."""
    x, w, b = -3, 4, 5
    for _ in repeat(None, rounds):
        y = abs(x * w + b)  # noqa: F841 -- as in the line


def tensors(grad: bool) -> tuple[Any, Any, Any]:
    source = torch.Generator().manual_seed(0)
    return tuple(torch.randn(*shape, generator=source).requires_grad_(grad) for shape in ((2, 3), (3, 4), (4,)))  # type: ignore[return-value]


def dispatching() -> Work:
    """Three calls whose arguments are parsed and dispatched as an operator's are, and which then compare shapes."""
    x, w, b = tensors(grad=False)
    same = torch.is_same_size

    def work(rounds: int) -> None:
        with torch.inference_mode():
            for _ in repeat(None, rounds):
                same(x, w)
                same(w, b)
                same(b, x)

    return work


def line(grad: bool) -> Work:
    x, w, b = tensors(grad)
    relu = torch.relu

    def work(rounds: int) -> None:
        for _ in repeat(None, rounds):
            y = relu(x @ w + b)  # noqa: F841 -- as in the line

    return work


def arithmetic() -> Work:
    x, w, b = (each.numpy() for each in tensors(grad=False))
    y = np.zeros((2, 4), np.float32)
    function = load(ARITHMETIC_KERNEL).one_line
    function.restype = None

    def work(rounds: int) -> None:
        function(ctypes.c_long(rounds), at(x), at(w), at(b), at(y))

    return work


def computed() -> Any:
    """The kernel's result and PyTorch's, on the same numbers: what is timed is the line."""
    x, w, b = tensors(grad=False)
    y = np.zeros((2, 4), np.float32)
    load(ARITHMETIC_KERNEL).one_line(ctypes.c_long(1), *(at(each.numpy()) for each in (x, w, b)), at(y))
    return y, torch.relu(x @ w + b).numpy()
