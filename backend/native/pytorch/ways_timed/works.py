"""The works, and the ways to do them."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, fx, nn
from torch.nn import functional

from native.models import softcap_kernel
from native.models.compiler import inductor
from native.pytorch.ways_timed import deep
from native.pytorch.ways_timed.made import Call, Made

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of what this module imports itself
    from torch.fx.experimental.optimization import fuse

CHANNELS, CAP = 16, 30.0


class Block(nn.Module):
    """A convolution, a batch norm that has seen data, and y · sigmoid(y)."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)
        self.norm = nn.BatchNorm2d(CHANNELS)
        random = torch.Generator().manual_seed(0)
        values = (*self.conv.parameters(), *self.norm.parameters(), self.norm.running_mean, self.norm.running_var)
        with torch.no_grad():
            for each in values:
                assert each is not None
                each.uniform_(0.1, 0.9, generator=random)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(self.conv(x))
        made: Tensor = product(y)
        return made


def product(y: Tensor) -> Tensor:
    return y * torch.sigmoid(y)


def smooth(y: Tensor) -> Tensor:
    return functional.silu(y)


def composed(x: Tensor) -> Tensor:
    return torch.tanh(x / CAP) * CAP


def given(work: str, numbers: int) -> Tensor:
    random = torch.Generator().manual_seed(1)
    if work == "softcap":
        return 40 * torch.randn(numbers, generator=random)
    if work == "checkpoint":
        return deep.chain(numbers // deep.WIDTH).x
    side = round((numbers / CHANNELS) ** 0.5)
    return torch.randn(1, CHANNELS, side, side, generator=random)


def exact(work: str, x: Tensor) -> Tensor:
    """The result in float64."""
    if work == "checkpoint":
        return deep.exact(x)
    return composed(x.double()) if work == "softcap" else Block().double().eval()(x.double())


def ways(work: str, x: Tensor, compiling: bool, own: str = "") -> Iterator[Made]:
    if work == "checkpoint":
        yield from deep.ways(x, own)
    else:
        yield from (softcap if work == "softcap" else convolution)(x, compiling)


def convolution(x: Tensor, compiling: bool) -> Iterator[Made]:
    block = Block().eval()
    yield Made("eager", "as it is", "y = norm(conv(x)); y * sigmoid(y)", block)
    folded: Any = fuse(block)
    yield Made("folded", "folded", "y = conv2(x); y * sigmoid(y)", folded)
    both: Any = fuse(block)
    fx.replace_pattern(both, product, smooth)
    yield Made("silu", "folded, with silu", "silu(conv2(x))", both)
    if compiling:
        yield compiled("compiled", "compiled", "torch.compile(model)", block, x)
        does = "torch.compile(model), freezing = True"
        yield compiled("frozen", "compiled, frozen", does, block, x, freezing=True)


def softcap(x: Tensor, compiling: bool) -> Iterator[Made]:
    yield Made("composed", "three operators", "tanh(x / cap) * cap", composed)
    for name, kernel, says, does in (
        ("scalar", "scalar", "ours, one by one", "vectors of one number"),
        ("vector", "right", "ours, eight at once", "vectors of eight, loaded one by one"),
        ("native", "native", "ours, for this processor", "vectors of eight, loaded as one, -march=native"),
    ):
        yield Made(name, says, does, ours(kernel))
    if compiling:
        yield compiled("inductor", "compiled", "torch.compile(three operators)", composed, x)


def ours(kernel: str) -> Call:
    def call(x: Tensor) -> Tensor:
        return softcap_kernel.into(torch.empty_like(x), kernel, x, CAP)

    return call


def compiled(name: str, says: str, does: str, model: Call, x: Tensor, **settings: Any) -> Made:
    """Of a copy: Dynamo keeps what it compiled with the code that it was compiled from."""
    copy = fx.symbolic_trace(model)
    with tempfile.TemporaryDirectory() as folder:
        call, seconds, _ = inductor.compile(copy, [x], Path(folder), 1, keep=True, **settings)
    return Made(name, says, does, call, seconds)
