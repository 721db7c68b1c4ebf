"""The parts of a call, each the difference of two times that were taken in turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from labs.contract import Float32, Int32

from native.models.thread_clock import in_turns
from native.pytorch.dispatch_overhead import calls, kernel
from native.pytorch.dispatch_overhead.sizes import COUNT, SIZES

if TYPE_CHECKING:
    from torch import Tensor

    from native.pytorch.dispatch_overhead import Params

FIRST = 0.03  # seconds for the whole call, of which a reader hears at once
PATIENCE = 0.04  # seconds for all repetitions of one size, as far as one round allows
LAYERS_PATIENCE = 0.1  # of a part, which is subtracted from others


def quarters(each: Float32) -> Float32:
    """[…, 3]: low, median, high along the repetitions, which are first."""
    return np.moveaxis(np.percentile(each, (25, 50, 75), axis=0), 0, -1).astype(np.float32)


def tensors(n: int, grad: bool = False) -> tuple[Tensor, Tensor]:
    import torch

    source = torch.Generator().manual_seed(0)
    x, y = (torch.randn(n, generator=source) for _ in range(2))
    return x.requires_grad_(grad), y


def whole(params: Params) -> Float32:
    """[3] nanoseconds of the call, from a few repetitions."""
    taken = in_turns([calls.evaluating(params.op, *tensors(params.n, params.grad))], 5, FIRST)
    return quarters(taken[:, 0])


def layers(params: Params) -> tuple[Float32, Float32]:
    """[3] nanoseconds of the call, and [layers, 3] of its parts, in the order of ``LAYERS``: low, middle, high.

    All but the call and its arithmetic is timed on tensors of one number, where nothing else varies.
    """
    import torch

    op, n = params.op, params.n
    x, y = tensors(n, params.grad)
    one, other = tensors(1, params.grad)
    bare, z = one.detach(), torch.empty(n)
    works = {
        "loop": calls.nothing,
        "integers": calls.python(op),
        "asked": calls.asking(op, bare, other),
        "asked in C": kernel.asking(calls.QUESTIONS[op], *(bare, other)[: 1 if op == "neg" else 2]),
        "direct": kernel.direct(op, bare, other),
        "into": kernel.into(op, bare, other, z[:1]),
        "dispatched into": kernel.into(op, bare, other, z[:1], dispatched=True),
        "arithmetic of one": kernel.working(op, bare, other, z[:1]),
        "out=None": calls.into(op, bare, other, given=False),
        "out=z": calls.into(op, bare, other, given=True),
        "inference": calls.without_autograd(calls.evaluating(op, bare, other)),
        "one": calls.evaluating(op, one, other),
        "arithmetic": kernel.working(op, x.detach(), y, z),
        "call": calls.evaluating(op, x, y),
    }
    taken = in_turns([*works.values()], params.repetitions, LAYERS_PATIENCE)
    of = dict(zip(works, taken.T, strict=True))
    call = of["call"] - of["loop"]
    parts = [
        of["integers"] - of["loop"],
        of["asked"] - of["integers"] - of["asked in C"],
        of["dispatched into"] - of["into"],
        of["one"] - of["inference"],
        of["direct"] - of["into"],
        of["into"] - of["arithmetic of one"],
        of["arithmetic"],
        of["out=None"] - of["out=z"] - (of["direct"] - of["into"]),
    ]
    split = np.array([call, *parts, call - sum(parts)]).T
    taken = quarters(split)
    taken[:, 1] = split[middle(call)].mean(axis=0)
    return taken[0], taken[1:]


def middle(call: Float32) -> Int32:
    """The half of the repetitions whose calls are nearest to the median: means over them add up as a call does."""
    order = np.argsort(call).astype(np.int32)
    return order[len(call) // 4 : len(call) - len(call) // 4]


def across(params: Params) -> Iterator[Float32]:
    """[2, 3] nanoseconds for each size: the call, and the arithmetic alone."""
    import torch

    for n in SIZES:
        x, y = tensors(n, params.grad)
        call = calls.evaluating(params.op, x, y)
        work = kernel.working(params.op, x.detach(), y, torch.empty(n))
        yield quarters(in_turns([call, work], params.repetitions, PATIENCE))


def together_or_apart(params: Params) -> Float32:
    """[2, 3] nanoseconds for many small tensors: a call for each, and one call on a tensor that holds them all."""
    x, y = tensors(COUNT * params.n, params.grad)
    pairs = [(a.detach().clone(), b.clone()) for a, b in zip(x.chunk(COUNT), y.chunk(COUNT), strict=True)]
    for a, _ in pairs:
        a.requires_grad_(params.grad)
    works = [calls.apart(params.op, pairs), calls.evaluating(params.op, x, y)]
    return quarters(in_turns(works, params.repetitions, PATIENCE))
