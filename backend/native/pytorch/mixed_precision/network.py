"""A small network for the digits, and its batches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from native.models.digits import split

SIZES = (64, 48, 48, 48, 10)
BATCH = 128
RATE = 0.005


class Network(nn.Module):
    def __init__(self, seed: int) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.layers = nn.ModuleList(nn.Linear(*sizes) for sizes in pairwise(SIZES))

    def forward(self, images: Tensor) -> list[Tensor]:
        """What each layer gives, before its ReLU; the last are the scores."""
        outputs: list[Tensor] = []
        for layer in self.layers:
            outputs.append(layer(functional.relu(outputs[-1]) if outputs else images))
        return outputs


def same_in_float64(weights: Sequence[Tensor], images: Tensor) -> list[Tensor]:
    """The outputs of a network with these weights and biases."""
    outputs: list[Tensor] = []
    for weight, bias in zip(weights[::2], weights[1::2], strict=True):
        outputs.append((functional.relu(outputs[-1]) if outputs else images) @ weight.mT + bias)
    return outputs


class Batches:
    def __init__(self, seed: int) -> None:
        digits = split(np.random.default_rng(seed))
        self.images, self.labels = digits.train_images.flatten(1), digits.train_labels
        self.draw = torch.Generator().manual_seed(seed)

    def next(self) -> tuple[Tensor, Tensor]:
        """Images in float64, and their labels."""
        rows = torch.randint(len(self.images), (BATCH,), generator=self.draw)
        return self.images[rows], self.labels[rows]


def flat(tensors: Sequence[Tensor]) -> Tensor:
    return torch.cat([each.detach().flatten() for each in tensors])
