"""A Jacobian twice, side by side, and names for what its rows and columns belong to."""

from __future__ import annotations

from labs.models.decimals import minus
from torch import Tensor

from native.pytorch.custom_function.jacobians import close
from native.pytorch.custom_function.pictures import Tiles


def tiles(rows: list[str], columns: list[str], claimed: list[Tensor], measured: list[Tensor]) -> Tiles:
    """``claimed`` lists rows, ``measured`` columns; those that are not there yet are empty."""
    left = [
        [short(claimed[r][c]) if r < len(claimed) else "" for c in range(len(columns))] for r in range(len(rows))
    ]
    right = [
        [short(measured[c][r]) if c < len(measured) else "" for c in range(len(columns))] for r in range(len(rows))
    ]
    wrong = [
        [
            r < len(claimed) and c < len(measured) and not bool(close(claimed[r][c], measured[c][r]))
            for c in range(len(columns))
        ]
        for r in range(len(rows))
    ]
    return Tiles(rows, columns, left, right, wrong)


def named(tensors: list[tuple[str, Tensor]]) -> list[str]:
    return [name if each.numel() == 1 else f"{name}[{n}]" for name, each in tensors for n in range(each.numel())]


def short(value: float | Tensor) -> str:
    written = f"{float(value):.3g}"
    return "0" if abs(float(value)) < 1e-7 else written


def listed(values: Tensor) -> str:
    """As a sentence has them."""
    return minus(", ".join(short(each) for each in values))


def brief(value: Tensor) -> float:
    """As precise as a picture needs it."""
    return float(f"{float(value):.5g}")
