"""The small network as a list of calls, one for each line that a reader would write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from native.pytorch.memory_format.formats import laid_out

if TYPE_CHECKING:
    from native.pytorch.memory_format import Params

CLASSES = 10
TINY = (4, 2, 3)
"""Channels, height and width of the tensor that is drawn, or less where the real one has less."""


@dataclass(frozen=True)
class Line:
    """One call: what it does to the tensor that the line before made."""

    name: str
    written: str
    call: Callable[[Tensor], Tensor]
    computes: bool = True
    """Not only another view or another order of the same numbers"""
    weights: Tensor | None = None
    """Of a convolution"""
    moves: Callable[[Tensor], Tensor] | None = None
    """Where numbers go, if the call computes and does not leave each at its index"""


def fed(params: Params, dtype: torch.dtype = torch.float32) -> Tensor:
    source = torch.Generator().manual_seed(0)
    x = torch.randn(params.batch, params.channels, params.size, params.size, generator=source)
    return laid_out(x.to(dtype), params.input)


def network(params: Params, dtype: torch.dtype = torch.float32) -> list[Line]:
    """What is done to the input, in evaluation mode."""
    source = torch.Generator().manual_seed(1)

    def drawn(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=source).to(dtype)

    c, pooled = params.channels, min(params.pool, params.size)
    first, second = (laid_out(drawn(c, c, 3, 3) / (3 * c**0.5), params.weights) for _ in range(2))
    mean, scale, shift = drawn(c), drawn(c), drawn(c)
    spread = drawn(c).abs() + 0.5
    last, bias = drawn(CLASSES, c * pooled**2), drawn(CLASSES)

    def convolution(name: str, weights: Tensor) -> Line:
        return Line(
            name, "conv2d(x, w, padding=1)", lambda x: functional.conv2d(x, weights, padding=1), weights=weights
        )

    def flat(x: Tensor) -> Tensor:
        return x.view(x.shape[0], -1) if params.view else x.flatten(1)

    return [
        *placed(params, "at_the_input"),
        convolution("conv 1", first),
        Line("batch norm", "batch_norm(x, …)", lambda x: functional.batch_norm(x, mean, spread, scale, shift)),
        Line("relu", "relu(x)", functional.relu),
        *placed(params, "before_the_middle"),
        *middle(params, scale, shift),
        *placed(params, "after_the_middle"),
        convolution("conv 2", second),
        Line(
            "pool",
            f"adaptive_avg_pool2d(x, {pooled})",
            lambda x: functional.adaptive_avg_pool2d(x, pooled),
            moves=lambda x: functional.adaptive_max_pool2d(x, min(pooled, TINY[1], x.shape[2])),
        ),
        *placed(params, "before_flatten"),
        Line("flatten", "x.view(n, -1)" if params.view else "x.flatten(1)", flat, computes=False),
        Line("linear", "linear(x, w, b)", lambda x: functional.linear(x, last, bias)),
    ]


def placed(params: Params, where: str) -> Iterator[Line]:
    if params.place != where:
        return
    if params.convert == "contiguous":
        yield Line("convert", "x.contiguous()", lambda x: x.contiguous(), computes=False)
    else:
        written = "x.to(memory_format=channels_last)"
        yield Line("convert", written, lambda x: x.to(memory_format=torch.channels_last), computes=False)


def middle(params: Params, scale: Tensor, shift: Tensor) -> Iterator[Line]:
    c = params.channels
    groups = 2 if c % 2 == 0 else 1
    match params.middle:
        case "shuffle_by_hand":
            yield Line(
                "view",
                f"x.view(n, {groups}, {c // groups}, h, w)",
                lambda x: x.view(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]),
                computes=False,
            )
            yield Line("transpose", "x.transpose(1, 2)", lambda x: x.transpose(1, 2), computes=False)
            yield Line(
                "reshape",
                f"x.reshape(n, {c}, h, w)",
                lambda x: x.reshape(x.shape[0], x.shape[1] * x.shape[2], *x.shape[3:]),
                computes=False,
            )
        case "channel_shuffle":
            call = partial(functional.channel_shuffle, groups=groups)
            yield Line("shuffle", f"channel_shuffle(x, {groups})", call, moves=call)
        case "layer_norm":
            yield Line("to tokens", "x.permute(0, 2, 3, 1)", lambda x: x.permute(0, 2, 3, 1), computes=False)
            yield Line("layer norm", "layer_norm(x, …)", lambda x: functional.layer_norm(x, (c,), scale, shift))
            yield Line("and back", "x.permute(0, 3, 1, 2)", lambda x: x.permute(0, 3, 1, 2), computes=False)
