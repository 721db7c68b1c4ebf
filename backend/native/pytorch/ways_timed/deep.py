"""A network of nine layers, forward and backward, in the checkpoints that the chapter on saved state draws."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.functional import gelu
from torch.utils.checkpoint import checkpoint

from native.models.saved_tensors import Files, keeps_products
from native.pytorch.ways_timed.made import Made

LAYERS, WIDTH = 9, 64


class Deep:
    """Each layer is a product and a gelu."""

    def __init__(self, dtype: torch.dtype = torch.float32) -> None:
        random = torch.Generator().manual_seed(2)
        weights = (2 / WIDTH) ** 0.5 * torch.randn(LAYERS, WIDTH, WIDTH, generator=random)
        self.weights = [each.to(dtype, copy=True).requires_grad_() for each in weights]

    def through(self, start: int, stop: int, h: Tensor) -> Tensor:
        for weight in self.weights[start:stop]:
            h = gelu(h @ weight)
        return h

    def in_segments(self, h: Tensor, lengths: Sequence[int], **settings: Any) -> Tensor:
        """A checkpoint for each length; layers that are left over keep all."""
        at = 0
        for length in lengths:
            run = partial(self.through, at, at + length)
            h = checkpoint(run, h, use_reentrant=False, **settings)
            at += length
        return self.through(at, LAYERS, h)

    def step(self, lengths: Sequence[int], x: Tensor, **settings: Any) -> Tensor:
        """Forward and backward. All gradients are computed; that of the first weights has come the longest way."""
        with torch.enable_grad():
            result = self.in_segments(x, lengths, **settings)
        return torch.autograd.grad(result, self.weights, torch.ones_like(result))[0]

    def in_files(self, x: Tensor) -> Tensor:
        """What nodes save waits in files, except for weights and input, which are there anyway."""
        given = {each.data_ptr() for each in (x, *self.weights)}
        names = count(1)
        with tempfile.TemporaryDirectory() as folder:
            files = Files(Path(folder), lambda saved: "" if saved.data_ptr() in given else str(next(names)))
            with saved_tensors_hooks(files.pack, files.unpack):
                return self.step((), x)


def exact(x: Tensor) -> Tensor:
    return Deep(torch.float64).step((), x.double())


def ways() -> Iterator[Made]:
    deep = Deep()
    for name, says, does, lengths in (
        ("all", "keeps all", "h = gelu(h @ w), nine times", ()),
        ("threes", "three checkpoints", "checkpoint(three layers, h)", (3, 3, 3)),
        ("best", "the best borders", "checkpoints of 3, 2 and 2 layers", (3, 2, 2)),
        ("one", "one checkpoint", "checkpoint(nine layers, h)", (LAYERS,)),
    ):
        yield Made(name, says, does, partial(deep.step, lengths))
    selective = partial(deep.step, (3, 3, 3), context_fn=keeps_products)
    yield Made("selective", "selective", "three checkpoints that keep products", selective)
    yield Made("files", "in files", "saved_tensors_hooks(write, read)", deep.in_files)
