"""Both programs on many inputs: how far apart they are, how far rounding could bring them, and what each calls."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from native.pytorch.fx_rewrite.bounds import A, Bounds
from native.pytorch.fx_rewrite.programs import CHANNELS

INPUTS = 48
SHAPE = (2, CHANNELS, 6, 6)
SMALLEST, LARGEST = 1e-2, 1e2
UNCOUNTED = {A.clone, A.empty, A.empty_like, A.detach, A._local_scalar_dense}
"""They move no numbers to speak of."""
Run = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Compared:
    sizes: Any
    """[inputs] the largest number in each"""
    differences: Any
    """[inputs] the largest between both results"""
    bounds: Any
    """[inputs] what rounding allows where that difference is"""
    largest: float
    """The largest number of any result"""
    worst: float
    """The largest share of its bound that any number of any result takes"""


def inputs(seed: int, dtype: torch.dtype) -> list[Tensor]:
    """From small to large."""
    random = torch.Generator().manual_seed(seed + 1)
    scales = np.geomspace(SMALLEST, LARGEST, INPUTS)
    return [(torch.randn(SHAPE, generator=random) * scale).to(dtype) for scale in scales]


def seeded(run: Run, x: Tensor, number: int) -> Tensor:
    """Both programs draw the same random numbers, if they draw equally many. ``x`` stays as it is."""
    x = x.clone()
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(number)
        return run(x)


def bounded(module: nn.Module, x: Tensor, number: int, known: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """The result in float64, and how far the same in the type of x may be from it."""
    mode, double = Bounds(x.dtype, known), x.double()
    with mode:
        result = seeded(module, double, number)
    return result, mode.error(result)


def compared(original: nn.Module, other: Run, given: list[Tensor], off: dict[str, Tensor] | None) -> Compared:
    """``off`` has the errors of the other's weights by name; None if it is no module, and rounds as that does."""
    double = copy.deepcopy(original).double()
    pair: nn.Module | None = None
    known: list[tuple[Tensor, Tensor]] = []
    if off is not None:
        assert isinstance(other, nn.Module)
        pair = copy.deepcopy(other).double()
        known = [(value, off[name]) for name, value in pair.named_parameters() if name in off]
    differences, bounds, worst, largest = [], [], 0.0, 0.0
    for number, x in enumerate(given):
        # A module in training notes what it sees: each input meets it as it was.
        one, two = seeded(copy.deepcopy(original), x, number), seeded(fresh(other), x, number)
        _, error = bounded(double, x, number, [])
        error = error + (error if pair is None else bounded(pair, x, number, known)[1])
        apart = (one.double() - two.double()).abs()
        at = int(apart.argmax())
        differences.append(float(apart.flatten()[at]))
        bounds.append(float(error.flatten()[at]))
        largest = max(largest, float(one.double().abs().max()))
        worst = max(worst, float((apart / error.clamp(min=1e-300)).max()))
    sizes = [float(x.abs().max()) for x in given]
    arrays = [np.array(each, np.float32) for each in (sizes, differences, bounds)]
    return Compared(arrays[0], arrays[1], arrays[2], largest, worst)


def fresh(run: Run) -> Run:
    return copy.deepcopy(run) if isinstance(run, nn.Module) else run


class Counting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Calls of operators, and the bytes that they read and write."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.calls = self.moved = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func.overloadpacket not in UNCOUNTED:
            first = result[0] if isinstance(result, tuple) else result
            tensors = [each for each in (*args, first) if isinstance(each, Tensor)]
            self.calls += 1
            self.moved += sum(each.numel() * each.element_size() for each in tensors)
        return result
