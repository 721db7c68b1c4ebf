"""The numbers that stations and tests try, and what they should become: the formula in Python's own arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

EDGES = (0.003, 20.0, 300.0, 30000.0)


def numbers(n: int) -> Tensor:
    """[n] from -60 to 60, the one in the middle exactly 0."""
    return (2 * torch.arange(n) - (n - 1)) * (60 / max(n - 1, 1))


def both_signs() -> Tensor:
    """[8] the edges, and the same below zero."""
    return torch.tensor([*EDGES, *(-each for each in EDGES)])


LAYOUTS: dict[str, Callable[[], Tensor]] = {
    "16 numbers": lambda: numbers(16),
    "19 numbers": lambda: numbers(19),
    "every second of 32": lambda: numbers(32)[::2],
    "8 × 2, transposed": lambda: numbers(16).view(8, 2).mT,
    "no numbers": lambda: numbers(0),
    "eight edges": lambda: torch.tensor([math.nan, math.inf, -math.inf, 3e38, 1e-30, -0.0, 0.003, 300.0]),
}


def softcap(x: float, cap: float = 30.0) -> float:
    return cap * math.tanh(x / cap)


def slope(x: float, cap: float = 30.0) -> float:
    return 1 / math.cosh(x / cap) ** 2


def alike(got: float, expected: float, digits: float) -> bool:
    """Up to a relative error, with NaN and the sign of zero."""
    if math.isnan(expected) or math.isnan(got):
        return math.isnan(expected) and math.isnan(got)
    signed = expected != 0 or math.copysign(1, got) == math.copysign(1, expected)
    return signed and math.isclose(got, expected, rel_tol=digits, abs_tol=0)


def close(y: Tensor, x: Tensor, cap: float = 30.0) -> bool:
    """Whether y is softcap of x, to the precision of their type."""
    expected = [softcap(each, cap) for each in x.flatten().tolist()]
    digits = 2e-6 if x.dtype == torch.float32 else 1e-13
    same = all(alike(a, b, digits) for a, b in zip(y.flatten().tolist(), expected, strict=True))
    return y.shape == x.shape and same
