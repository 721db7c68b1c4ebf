"""What torch's own checks say of a written function."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from labs.models.programs.trouble import StoppedError
from torch import Tensor

from native.pytorch.custom_function.jacobians import differentiable, flat, leaves, pulled
from native.pytorch.custom_function.written import Written

TOLERANCE = 1e-9


def verdict(check: Callable[[], Any]) -> tuple[bool, str]:
    """Whether it passes, and what torch says if it does not."""
    try:
        with warnings.catch_warnings(action="ignore"):
            check()
    except RuntimeError as wrong:
        return False, first(str(wrong))
    except StoppedError as wrong:
        return False, first(wrong.message)
    return True, ""


def first(message: str) -> str:
    """Its first line, without an address of Python's."""
    line = message.strip().partition("\n")[0].rstrip(",.: ")
    return line if len(line) <= 160 else line[:157] + "…"


def gradcheck(written: Written, inputs: Sequence[Tensor]) -> tuple[bool, str]:
    return verdict(lambda: torch.autograd.gradcheck(written.apply, tuple(leaves(inputs))))


def gradgradcheck(written: Written, inputs: Sequence[Tensor], gradient: Tensor) -> tuple[bool, str]:
    outputs = differentiable(written.apply(*leaves(inputs)))
    parts = torch.split(gradient, [each.numel() for each in outputs])
    shaped = [
        part.view(each.shape).to(each.dtype).clone().requires_grad_()
        for part, each in zip(parts, outputs, strict=True)
    ]
    return verdict(lambda: torch.autograd.gradgradcheck(written.apply, tuple(leaves(inputs)), tuple(shaped)))


def linear(written: Written, inputs: Sequence[Tensor], claimed: Tensor, gradient: Tensor) -> bool:
    """Whether backward makes of a gradient what its own Jacobian says."""
    return torch.allclose(pulled(written, inputs, gradient), gradient @ claimed, rtol=1e-6, atol=TOLERANCE)


def needed(written: Written, inputs: Sequence[Tensor]) -> list[list[int]]:
    """For each input: the lines of backward that run if its gradient alone is asked for."""
    found = []
    for n in range(len(inputs)):
        given = [each.detach().clone().requires_grad_(at == n) for at, each in enumerate(inputs)]
        outputs = differentiable(written.apply(*given))
        torch.autograd.grad(outputs, given[n], [torch.ones_like(each) for each in outputs], allow_unused=True)
        found.append(written.lines)
    return found


def changed(written: Written, inputs: Sequence[Tensor]) -> list[tuple[str, str]]:
    """What comes of a change in place between forward and backward, for each input and output: noticed, harmless,
    or a wrong gradient that nobody notices."""
    given = leaves(inputs)
    outputs = written.apply(*given)
    right = _gradient(outputs, given)
    several = len(outputs) > 1
    names = [*written.names, *(f"y{n}" if several else "y" for n in range(len(outputs)))]
    found = []
    for n, name in enumerate(names):
        given = leaves(inputs)
        outputs = written.apply(*given)
        try:
            with torch.no_grad():
                [*given, *outputs][n].add_(1)
        except RuntimeError:  # a view that was made inside of a Function may not be changed at all
            found.append((name, "noticed"))
            continue
        try:
            same = torch.allclose(_gradient(outputs, given), right)
        except RuntimeError as wrong:
            if "modified " not in str(wrong):
                raise
            found.append((name, "noticed"))
        except StoppedError as wrong:
            if "modified " not in wrong.message:
                raise
            found.append((name, "noticed"))
        else:
            found.append((name, "harmless" if same else "wrong"))
    return found


def _gradient(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> Tensor:
    ends = differentiable(outputs)
    ones = [torch.ones_like(each) for each in ends]
    return flat(torch.autograd.grad(ends, inputs, ones, allow_unused=True), inputs)
