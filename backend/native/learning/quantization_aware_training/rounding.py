"""Fake quantization: numbers are rounded to a grid on the way forward, and gradients pass on the way back.

``x`` is replaced by ``s · clip(round(x / s))``, which is a staircase in x: flat, but for jumps. Its derivative is
zero, so nothing before it would ever learn. The straight-through estimator (Bengio et al., 2013) takes the rounding
for the identity on the way back: the gradient passes unchanged within the grid, and is zero beyond its ends.

The step s may be learned as well (LSQ, Esser et al., 2020). With v = x / s, and ends low and high of the codes:

    d x̂ / d s = round(v) - v   within the grid,   low or high   beyond its ends

which is what remains if the rounding residue, round(v) - v, is held constant.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor


class _Staircase(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, step: Tensor, low: Tensor, high: Tensor, straight: bool) -> Tensor:
        v = x / step
        code = torch.maximum(torch.minimum(torch.round(v), high), low)
        ctx.straight = straight
        ctx.save_for_backward(v, code, step, low, high)
        return code * step

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        v, code, step, low, high = ctx.saved_tensors
        within = (v >= low) & (v <= high)
        to_x = to_step = None
        if ctx.needs_input_grad[0]:
            to_x = gradient * within if ctx.straight else torch.zeros_like(gradient)
        if ctx.needs_input_grad[1]:
            slope = torch.where(within, code - v, code) if ctx.straight else code
            to_step = (gradient * slope).sum_to_size(step.shape)
        return to_x, to_step, None, None, None


def rounded(x: Tensor, step: Tensor, low: Tensor, high: Tensor, straight: bool = True) -> Tensor:
    """``x`` on the grid of codes ``low`` to ``high``, ``step`` apart; all of them broadcast to the shape of ``x``.

    Without ``straight`` the gradients are those of the staircase itself: zero for ``x``, the code for ``step``.
    """
    found: Tensor = _Staircase.apply(x, step, low, high, straight)  # type: ignore[no-untyped-call]
    return found


def damped(step: Tensor, high: Tensor, values: int) -> Tensor:
    """The step itself, whose gradient is divided by ``sqrt(values · high)``, as LSQ does.

    A step hears of every one of the ``values`` that it rounds, so its gradient would outgrow theirs.
    """
    factor = 1 / torch.sqrt(high * values)
    return step * factor + (step - step * factor).detach()


def widest(weights: Tensor, high: Tensor, each_row: bool) -> Tensor:
    """The step whose highest code is the largest weight of a matrix ``[..., out, in]``, or of each of its rows."""
    largest = weights.detach().abs().amax(dim=-1 if each_row else (-2, -1), keepdim=True)
    return torch.where(largest == 0, torch.ones_like(largest), largest) / high


def first_step(weights: Tensor, high: Tensor, each_row: bool) -> Tensor:
    """Where LSQ starts: twice the mean size of a weight over the square root of the highest code."""
    mean = weights.detach().abs().mean(dim=-1 if each_row else (-2, -1), keepdim=True)
    return torch.where(mean == 0, torch.ones_like(mean), 2 * mean) / torch.sqrt(high)


def initial(shape: tuple[int, ...], draw: Any) -> Tensor:
    """Uniform within 1/sqrt(inputs of a neuron), as ``torch.nn.Linear`` draws; the last axis is the inputs."""
    bound = 1 / math.sqrt(shape[-1])
    return torch.from_numpy(draw(-bound, bound, shape))
