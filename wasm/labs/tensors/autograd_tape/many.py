"""What makes one number of many, under PyTorch's names: sums, extremes, spreads, softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labs.models.programs.trouble import TooMuchError
from labs.models.tensor import choices, reductions, softmax
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape import spreads
from labs.tensors.autograd_tape.values import Extremes

Dim = Any
Dims = Any
Other = Any


def reduced(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def called(x: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
        return function(x, dim, keepdim)

    return called


def averaged(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def called(x: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
        return function(fractions(x), dim, keepdim)

    return called


def fractions(x: Tensor) -> Tensor:
    if not x.dtype.exponent:
        raise RuntimeError(f"this takes numbers with fractions, not {x.dtype}; write 1. in place of 1")
    return x


def logsumexp(x: Tensor, dim: Dim, keepdim: bool = False) -> Tensor:
    return softmax.logsumexp(x, dim, keepdim)


def spread(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def called(x: Tensor, dim: Dims = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
        return function(fractions(x), dim, keepdim, correction)

    return called


def norm(x: Tensor, p: int = 2, dim: Dims = None, keepdim: bool = False) -> Tensor:
    if p not in (1, 2):
        raise TooMuchError(f"norm takes p = 1 or 2 here, not {p}")
    return spreads.norm(fractions(x), dim, keepdim, p)


def extreme(least: bool) -> Callable[..., Any]:
    """``max(x)``, ``max(x, y)``, or along a dimension the values and where they are."""

    def called(x: Tensor, dim: Other = None, keepdim: bool = False) -> Any:
        if isinstance(dim, Tensor):
            return (choices.Minimum if least else choices.Maximum)()(x, dim)
        if dim is None:
            return (reductions.smallest if least else reductions.largest)(x)
        return Extremes(reductions.picked(x, dim, keepdim, least=least))

    return called


def along(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def called(x: Tensor, dim: int) -> Tensor:
        return function(x, dim)

    return called


REDUCED: dict[str, Callable[..., Any]] = {
    "sum": reduced(reductions.total),
    "mean": averaged(reductions.mean),
    "var": spread(spreads.var),
    "std": spread(spreads.std),
    "norm": norm,
    "max": extreme(least=False),
    "min": extreme(least=True),
    "amax": reduced(reductions.amax),
    "amin": reduced(reductions.amin),
    "logsumexp": logsumexp,
    "softmax": along(lambda x, dim: softmax.softmax(fractions(x), dim)),
    "log_softmax": along(lambda x, dim: softmax.log_softmax(fractions(x), dim)),
    "cumsum": along(reductions.cumsum),
}
