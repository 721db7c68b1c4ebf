"""What may stand at the stations, right and wrong. The figure shows the source of these very functions."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

import torch
from torch import Tensor

SCHEMAS = {
    "int cap": "softcap(Tensor x, int cap=30) -> Tensor",
    "right": "softcap(Tensor x, float cap=30.0) -> Tensor",
}


def reference(x: Tensor, cap: float) -> Tensor:
    m = torch.expm1(-2 * (x / cap).abs())
    return torch.copysign(m / (m + 2), x) * cap


def overflows(x: Tensor, cap: float) -> Tensor:
    e = torch.exp(2 * x / cap)
    return cap * (e - 1) / (e + 1)


def like(x: Tensor, cap: float = 30.0) -> Tensor:
    return torch.empty_like(x)


def contiguous(x: Tensor, cap: float = 30.0) -> Tensor:
    return x.new_empty(x.shape)


def keep(ctx: Any, inputs: tuple[Tensor, float], output: Tensor) -> None:
    x, ctx.cap = inputs
    ctx.save_for_backward(x)


def slope(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
    (x,) = ctx.saved_tensors
    e = torch.exp(-2 * (x / ctx.cap).abs())
    return gradient * 4 * e / (1 + e) ** 2, None


def times_cap(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
    (x,) = ctx.saved_tensors
    return gradient * ctx.cap * (1 - torch.tanh(x / ctx.cap) ** 2), None


def decomposed(x: Tensor, cap: float = 30.0) -> Tensor:
    return cap * torch.tanh(x / cap)


def decomposed_overflows(x: Tensor, cap: float = 30.0) -> Tensor:
    e = torch.exp(2 * x / cap)
    return cap * (e - 1) / (e + 1)


def branching(operator: Any, x: Tensor, **cap: float) -> Tensor:
    if not x.isfinite().all():
        raise ValueError("softcap takes finite numbers")
    made: Tensor = operator(x, **cap)
    return made


REFERENCES = {"right": reference, "overflows": overflows}
METAS = {"right": like, "contiguous": contiguous}
SLOPES = {"right": slope, "times cap": times_cap}
RULES = {"right": decomposed, "overflows": decomposed_overflows}


def lines(*functions: Any) -> list[str]:
    found = [textwrap.dedent(inspect.getsource(each)).splitlines() for each in functions]
    return [line for n, each in enumerate(found) for line in ([""] if n else []) + each]
