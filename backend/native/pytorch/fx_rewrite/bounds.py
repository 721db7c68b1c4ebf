"""How far rounding may lead: the program runs once more in float64, and each number carries its error.

A mode of the dispatcher sees every operator. Its rule adds what the operator makes of the errors of its inputs and
what it rounds itself, as the analysis of rounding errors has it: none of it looks at the other program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

A: Any = torch.ops.aten
SUM = 2.0**-24
"""Convolutions add in float32 in either type."""
LIBRARY = 8 * SUM
"""Of exp and what is built on it, relative to the result"""


class Bounds(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Runs in float64; `error(y)` is a bound on how far y in `dtype` may be off."""

    def __init__(self, dtype: torch.dtype, known: list[tuple[Tensor, Tensor]]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.dtype, self.u = dtype, torch.finfo(dtype).eps / 2
        self.kept = {id(value): (value, error) for value, error in known}  # kept alive, or another takes the id

    def error(self, value: Any) -> Any:
        if isinstance(value, Tensor) and id(value) in self.kept:
            return self.kept[id(value)][1]
        return torch.zeros_like(value) if isinstance(value, Tensor) else 0.0

    def rounded(self, value: Tensor, error: Tensor) -> Tensor:
        return error + self.u * (value.abs() + error)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        rule = RULES.get(func.overloadpacket)
        if rule is None:
            if func.overloadpacket in FREE:
                return func(*args, **kwargs)
            raise NotImplementedError(f"no rule for {func}")
        value, error = rule(self, func, args, kwargs)
        first = value[0] if isinstance(value, tuple) else value
        self.kept[id(first)] = (first, error)
        return value


Ruled = tuple[Any, Tensor]


def add(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    error = mode.error(args[0]) + mode.error(args[1])
    value = func(*args, **kwargs)
    return value, mode.rounded(value, error)


def mul(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    a, b = args
    ea, eb = mode.error(a), mode.error(b)
    error = abs(a) * eb + abs(b) * ea + ea * eb
    value = func(*args, **kwargs)
    return value, mode.rounded(value, error)


def sigmoid(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    value = func(*args)
    return value, mode.rounded(value, mode.error(args[0]) / 4 + LIBRARY * value)


def silu(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    (x,) = args
    e = mode.error(x)
    value = func(x)
    slope = torch.sigmoid(x) + (x.abs() + e) / 4 + e / 4  # s + |x| s (1 - s), and s grows by a quarter of e
    return value, mode.rounded(value, e * slope + LIBRARY * value.abs())


def convolution(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    x, weight, bias, *rest = args
    ex, ew, eb = (mode.error(each) for each in (x, weight, bias))
    value = func(*args)
    passed = func(ex, weight.abs() + ew, eb, *rest) + func(x.abs(), ew, torch.zeros_like(bias), *rest)
    size = func(x.abs() + ex, weight.abs() + ew, bias.abs() + eb, *rest)
    terms = weight[0].numel() + 1
    return value, mode.rounded(value, passed + terms * SUM / (1 - terms * SUM) * size)


def batch_norm(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    x, weight, bias, mean, var, training, _, eps = args
    e, shape = mode.error(x), (1, -1, 1, 1)
    value = func(*args)
    off = torch.zeros(())
    if training:  # mean and variance are computed, too, from numbers that are off
        axes, count = (0, 2, 3), x.numel() / x.shape[1]
        mean, var = x.mean(axes), x.var(axes, correction=0)
        sums = (count + 2) * SUM
        em = (e.mean(axes) + sums * (x.abs() + e).mean(axes)).view(shape)
        away, ea = (x - mean.view(shape)).abs(), e + em
        ev = ((2 * away + ea) * ea).mean(axes) + sums * ((away + ea) ** 2).mean(axes)
        relative = (ev / (var + eps)).view(shape)  # half of it for a small one
        off = em + (away + ea) * relative
    each = (weight / torch.sqrt(var + eps)).abs().view(shape)
    sizes = each * (x.abs() + e + mean.abs().view(shape)) + bias.abs().view(shape)
    return value, mode.rounded(value[0], each * (e + off) + 6 * mode.u * sizes)


def negative(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    return func(*args), mode.error(args[0])


def drawn(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    """The same random numbers as in the other type: they have no error."""
    like = torch.empty(args[0].shape, dtype=mode.dtype)
    if func.overloadpacket is A.rand_like:
        value = func(like).double()
    else:
        value = args[0].copy_(func(like, *args[1:], **kwargs))
    return value, torch.zeros_like(value)


def divided(mode: Bounds, func: Any, args: Any, kwargs: Any) -> Ruled:
    value = func(*args)
    return value, mode.rounded(value, mode.error(args[0]) / args[1])


RULES: dict[Any, Callable[[Bounds, Any, Any, Any], Ruled]] = {
    A.add: add,
    A.add_: add,
    A.sub: add,
    A.mul: mul,
    A.sigmoid: sigmoid,
    A.silu: silu,
    A.convolution: convolution,
    A.native_batch_norm: batch_norm,
    A.neg: negative,
    A.rand_like: drawn,
    A.bernoulli_: drawn,
    A.div_: divided,
}
FREE = {A.clone, A.sum, A.gt, A._local_scalar_dense, A.empty, A.empty_like, A.detach}
"""What only decides which way Python goes, or makes room."""
