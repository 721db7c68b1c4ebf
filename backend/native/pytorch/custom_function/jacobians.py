"""Derivatives of a written function: as its backward claims them, and as differences show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from native.pytorch.custom_function.written import Written

STEP, RELATIVE, ABSOLUTE = 1e-6, 1e-3, 1e-5  # as gradcheck has them
Outputs = Callable[..., tuple[Tensor, ...]]


def leaves(inputs: Sequence[Tensor]) -> list[Tensor]:
    return [each.detach().clone().requires_grad_() for each in inputs]


def flat(tensors: Sequence[Tensor | None], like: Sequence[Tensor]) -> Tensor:
    """All numbers in a row; none at all are zeros."""
    parts = [torch.zeros_like(to) if each is None else each for each, to in zip(tensors, like, strict=True)]
    return torch.cat([each.detach().reshape(-1).to(torch.float64) for each in parts])


def differentiable(outputs: Sequence[Tensor]) -> list[Tensor]:
    return [each for each in outputs if each.requires_grad]


def pulled(written: Written, inputs: Sequence[Tensor], gradient: Tensor) -> Tensor:
    """What backward makes of a gradient of all outputs that have one, for all inputs."""
    given = leaves(inputs)
    outputs = differentiable(written.apply(*given))
    parts = torch.split(gradient, [each.numel() for each in outputs])
    shaped = [part.view(each.shape).to(each.dtype) for part, each in zip(parts, outputs, strict=True)]
    return flat(torch.autograd.grad(outputs, given, shaped, allow_unused=True), given)


def rows(written: Written, inputs: Sequence[Tensor], many: int) -> Iterator[Tensor]:
    """The Jacobian as backward claims it, an output after the other."""
    for unit in torch.eye(many, dtype=torch.float64):
        yield pulled(written, inputs, unit)


def columns(function: Outputs, inputs: Sequence[Tensor], keep: Sequence[bool]) -> Iterator[Tensor]:
    """The Jacobian by central differences, an input after the other."""
    for n, each in enumerate(inputs):
        for at in range(each.numel()):
            high, low = (moved(function, inputs, n, at, step, keep) for step in (STEP, -STEP))
            yield (high - low) / (2 * STEP)


def moved(
    function: Outputs, inputs: Sequence[Tensor], n: int, at: int, step: float, keep: Sequence[bool]
) -> Tensor:
    given = [each.detach().clone() for each in inputs]
    given[n].view(-1)[at] += step
    outputs = [each for each, kept in zip(function(*given), keep, strict=True) if kept]
    return flat(outputs, outputs)


def slopes(written: Written) -> Callable[..., tuple[Tensor, ...]]:
    """What backward makes of ones, as a function of the inputs. The ones want a gradient themselves, as what
    arrives from a loss that is not linear does; once_differentiable looks at that alone."""

    def function(*given: Tensor) -> tuple[Tensor, ...]:
        with torch.enable_grad():
            own = [each if each.requires_grad else each.detach().clone().requires_grad_() for each in given]
            outputs = differentiable(written.apply(*own))
            ones = [torch.ones_like(each, requires_grad=True) for each in outputs]
            made = torch.autograd.grad(outputs, own, ones, create_graph=True, allow_unused=True)
        return tuple(torch.zeros_like(to) if each is None else each for each, to in zip(made, own, strict=True))

    return function


def second(written: Written, inputs: Sequence[Tensor]) -> Tensor:
    """The derivative of what backward makes of ones, by going backward through backward."""
    given = leaves(inputs)
    made = slopes(written)(*given)
    found = []
    for each in made:
        for n in range(each.numel()):
            for leaf in given:
                leaf.grad = None
            if (one := each.reshape(-1)[n]).requires_grad:
                torch.autograd.backward(
                    one, retain_graph=True
                )  # grad() would step around what once_differentiable put there
            found.append(flat([leaf.grad for leaf in given], given))
    return torch.stack(found)


def close(claimed: Tensor, measured: Tensor) -> Tensor:
    """Which entries gradcheck takes for equal."""
    return torch.isclose(claimed, measured, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)


def kinks(written: Written, inputs: Sequence[Tensor], keep: Sequence[bool]) -> list[bool]:
    """For each number of the inputs: whether the slopes to its left and right differ."""
    found = []
    step = 100 * STEP
    for n, each in enumerate(inputs):
        for at in range(each.numel()):
            low, here, high = (moved(written.plain, inputs, n, at, by, keep) for by in (-step, 0.0, step))
            found.append(bool(((high - here) - (here - low)).abs().max() > 0.01 * step))
    return found
