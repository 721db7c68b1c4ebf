"""A call of an operator, of torch's or of ours, that can be made again and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from native.pytorch.operator_schema.ours import SOURCE, Ours

Given = tuple[list[Any], dict[str, Any]]
A: Any = torch.ops.aten


@dataclass(frozen=True)
class Case:
    call: Any
    """The overload"""
    make: Callable[[], Given]
    program: Callable[..., Any]
    source: list[str]
    ours: Ours | None = None


def square() -> Tensor:
    return torch.tensor([[1.0, 2.0], [3.0, 4.0]])


def wide() -> Tensor:
    return torch.tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])


NATIVE: dict[str, tuple[Any, Callable[[], Given], str]] = {
    "add_": (A.add_.Tensor, lambda: ([wide(), torch.ones(3)], {}), "x.add_(other)"),
    "view": (A.view.default, lambda: ([wide(), [3, 2]], {}), "x.view(3, 2)"),
    "reshape": (A.reshape.default, lambda: ([wide().mT, [6]], {}), "x.mT.reshape(6)"),
    "max": (A.max.dim, lambda: ([wide(), 1], {}), "x.max(dim=1)"),
    "sort": (
        A.sort.values,
        lambda: (
            [wide(), 1],
            {"values": torch.zeros(2, 3), "indices": torch.zeros(2, 3, dtype=torch.int64)},
        ),
        "torch.sort(x, 1, out=(values, indices))",
    ),
    "split": (A.split.Tensor, lambda: ([wide(), 1], {}), "x.split(1)"),
    "_foreach_add_": (
        A._foreach_add_.Scalar,
        lambda: ([[wide(), torch.ones(2)], 1.0], {}),
        "torch._foreach_add_([x, y], 1.0)",
    ),
    "native_batch_norm": (
        A.native_batch_norm.default,
        lambda: ([wide(), None, None, torch.zeros(3), torch.ones(3), True, 0.1, 1e-5], {}),
        "batch_norm(x, mean, var, training=True)",
    ),
}


def native(name: str) -> Case:
    call, make, source = NATIVE[name]

    def program(*args: Any, **kwargs: Any) -> Any:
        return call(*args, **kwargs)

    return Case(call, make, program, [source])


def own(ours: Ours) -> Case:
    return Case(ours.call, lambda: ([square()], {}), ours.program, SOURCE, ours)


def tensors(value: Any) -> list[Tensor]:
    """Those in it, in order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in tensors(part)] if isinstance(value, list | tuple) else []
