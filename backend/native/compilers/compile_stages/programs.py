"""Thirteen programs on tensors, each of which shows another side of the compiler.

They are real functions, not texts: Dynamo reads their bytecode, and the page their source.
"""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.nn import functional


def chain(x):  # type: ignore[no-untyped-def]
    y = x * 2 + 1
    z = torch.relu(y) - x
    return torch.sqrt(z * z + 1)


def branch(x):  # type: ignore[no-untyped-def]
    y = torch.tanh(x)
    if y.sum() > 0:
        return y * 2
    return y - 1


def dimensions(x):  # type: ignore[no-untyped-def]
    for dim in range(x.dim()):
        x = x - x.mean(dim, keepdim=True)
    return x


def softmax(x):  # type: ignore[no-untyped-def]
    high = x.amax(1, keepdim=True)
    e = torch.exp(x - high)
    return e / e.sum(1, keepdim=True)


def layer_norm(x, weight, bias):  # type: ignore[no-untyped-def]
    mean = x.mean(1, keepdim=True)
    spread = ((x - mean) ** 2).mean(1, keepdim=True)
    y = (x - mean) * torch.rsqrt(spread + 1e-5)
    return y * weight + bias


def attention(q, k, v):  # type: ignore[no-untyped-def]
    scores = q @ k.T / math.sqrt(q.shape[1])
    weights = torch.softmax(scores, 1)
    return weights @ v


def mlp(x, w1, w2, target):  # type: ignore[no-untyped-def]
    hidden = torch.relu(x @ w1)
    found = hidden @ w2
    return ((found - target) ** 2).mean()


def halves(x):  # type: ignore[no-untyped-def]
    n = x.shape[0] // 2
    return x[:n] * x[n : 2 * n] + n


def talks(x):  # type: ignore[no-untyped-def]
    y = torch.sin(x) + 1
    print("rows:", len(y))  # noqa: T201
    return torch.cos(y) * y


def in_place(x):  # type: ignore[no-untyped-def]
    x = x.clone()
    x.mul_(3)
    x[0].zero_()
    return x.add_(1)


@torch.library.custom_op("underhood::clamped", mutates_args=())
def clamped(x: torch.Tensor, most: float) -> torch.Tensor:
    return x.clamp(-most, most)


@clamped.register_fake
def _(x: torch.Tensor, most: float) -> torch.Tensor:
    return torch.empty_like(x)


def _keep(ctx: Any, inputs: tuple[torch.Tensor, float], output: torch.Tensor) -> None:
    x, ctx.most = inputs
    ctx.save_for_backward(x)


def _back(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
    (x,) = ctx.saved_tensors
    return gradient * (x.abs() <= ctx.most), None


clamped.register_autograd(_back, setup_context=_keep)


def custom(x):  # type: ignore[no-untyped-def]
    y = torch.exp(x) - 1
    z = clamped(y, 2.0)
    return z * z + y


def quantized(x, codes, scales, bias):  # type: ignore[no-untyped-def]
    step = x.abs().amax(1, keepdim=True) / 127
    rounded = torch.round(x / step).to(torch.int8)
    sums = torch._int_mm(rounded, codes)
    return torch.relu(sums * step * scales + bias)


def conv_norm(x, weight, bias, mean, variance):  # type: ignore[no-untyped-def]
    y = functional.conv2d(x, weight, bias, padding=1)
    y = functional.batch_norm(y, mean, variance)
    return y * torch.sigmoid(y)


class Program(NamedTuple):
    function: Callable[..., Any]
    inputs: Callable[[int, int], list[torch.Tensor]]
    """From rows and columns."""


def alone(rows: int, columns: int) -> list[torch.Tensor]:
    return [torch.randn(rows, columns)]


def with_weights(rows: int, columns: int) -> list[torch.Tensor]:
    return [torch.randn(rows, columns), torch.randn(columns), torch.randn(columns)]


def three_alike(rows: int, columns: int) -> list[torch.Tensor]:
    return [torch.randn(rows, columns) for _ in range(3)]


def two_layers(rows: int, columns: int) -> list[torch.Tensor]:
    return [
        torch.randn(rows, columns),
        torch.randn(columns, 64) / math.sqrt(columns),
        torch.randn(64, 8) / 8,
        torch.randn(rows, 8),
    ]


def with_codes(rows: int, columns: int) -> list[torch.Tensor]:
    codes = torch.randint(-127, 128, (columns, 64), dtype=torch.int8)
    return [torch.randn(rows, columns), codes, torch.rand(64) / 127, torch.randn(64)]


def picture(rows: int, columns: int) -> list[torch.Tensor]:
    """Three channels, and what a batch norm has seen of them."""
    weights = torch.randn(3, 3, 3, 3) / 5, torch.randn(3)
    return [torch.randn(1, 3, rows, columns), *weights, torch.randn(3), torch.rand(3) + 0.5]


PROGRAMS = {
    "chain": Program(chain, alone),
    "branch": Program(branch, alone),
    "dimensions": Program(dimensions, alone),
    "softmax": Program(softmax, alone),
    "layer_norm": Program(layer_norm, with_weights),
    "attention": Program(attention, three_alike),
    "mlp": Program(mlp, two_layers),
    "halves": Program(halves, alone),
    "talks": Program(talks, alone),
    "in_place": Program(in_place, alone),
    "custom": Program(custom, alone),
    "quantized": Program(quantized, with_codes),
    "conv_norm": Program(conv_norm, picture),
}


def source(program: Program) -> tuple[list[str], int, str]:
    """The lines of its text, the number of the first in its file, and the file."""
    lines, first = inspect.getsourcelines(program.function)
    text = re.sub(r"  # (type|noqa): .*", "", textwrap.dedent("".join(lines)))
    return text.rstrip().splitlines(), first, inspect.getsourcefile(program.function) or ""
