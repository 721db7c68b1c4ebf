# mypy: disable-error-code="no-any-return"
# The lines are shown to readers: what a layer returns is not declared there.
"""The programs: small modules with real layers, each with a reason to look twice before it is rewritten."""

from __future__ import annotations

import inspect

import torch
from torch import Tensor, nn

CHANNELS = 3


class Layers(nn.Module):
    """A convolution, a batch norm that has seen data, and dropout."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)
        self.norm = nn.BatchNorm2d(CHANNELS)
        self.drop = nn.Dropout(0.5)
        random = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for each, low, high in (
                (self.conv.weight, -0.35, 0.35),
                (self.conv.bias, -0.5, 0.5),
                (self.norm.weight, 0.5, 2.0),
                (self.norm.bias, -1.0, 1.0),
                (self.norm.running_mean, -0.5, 0.5),
                (self.norm.running_var, 0.25, 2.0),
            ):
                assert each is not None
                each.uniform_(low, high, generator=random)


class Block(Layers):
    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(self.conv(x))
        y = y * torch.sigmoid(y)
        return self.drop(y) + x


class SecondUser(Layers):
    def forward(self, x: Tensor) -> Tensor:
        c = self.conv(x)
        y = self.norm(c)
        return y * torch.sigmoid(y) + c


class SharedConv(Layers):
    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(self.conv(x))
        y = y * torch.sigmoid(y)
        return self.conv(y)


class Gate(Layers):
    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        return x * torch.sigmoid(y)


class EqualTerms(Layers):
    def forward(self, x: Tensor) -> Tensor:
        a = torch.sigmoid(x) * x
        b = torch.sigmoid(x) + 1
        return a * b


class InPlace(Layers):
    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        a = torch.sigmoid(y)
        y.add_(1)
        b = torch.sigmoid(y)
        return b - a


class Noise(Layers):
    def forward(self, x: Tensor) -> Tensor:
        a = torch.rand_like(x)
        b = torch.rand_like(x)
        return x + a - b


class Branch(Layers):
    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        if y.sum() > 0:
            y = -y
        return y * torch.sigmoid(y)


PROGRAMS: dict[str, type[Layers]] = {
    "block": Block,
    "second_user": SecondUser,
    "shared_conv": SharedConv,
    "gate": Gate,
    "equal_terms": EqualTerms,
    "in_place": InPlace,
    "noise": Noise,
    "branch": Branch,
}


def source(program: str) -> tuple[list[str], int]:
    """The lines of its forward without types, and the number of the first of them in this file."""
    lines, first = inspect.getsourcelines(PROGRAMS[program].forward)
    text = [line[4:].rstrip().replace(": Tensor", "").replace(" -> Tensor", "") for line in lines]
    return text, first
