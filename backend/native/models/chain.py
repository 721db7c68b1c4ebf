"""A chain of layers, each a product and a gelu, goes forward and backward in pieces that keep more or less."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.functional import gelu
from torch.utils.checkpoint import checkpoint

from native.models.chain_pieces import Piece
from native.models.saved_tensors import Files, keeps_products
from native.models.watch import Moment, Watch


class Chain:
    """Its weights, one input, and one gradient of the output. These are given, and not counted."""

    def __init__(self, widths: Sequence[int], rows: int, seed: int, dtype: torch.dtype = torch.float32) -> None:
        def drawn(rows: int, columns: int, scale: float = 1.0) -> Tensor:
            return (scale * torch.randn(rows, columns, generator=chance)).to(dtype)

        chance = torch.Generator().manual_seed(seed)
        self.widths, self.rows, self.layers = widths, rows, len(widths) - 1
        self.x = drawn(rows, widths[0])
        self.direction = drawn(rows, widths[-1])
        self.weights = [drawn(a, b, (2 / a) ** 0.5).requires_grad_() for a, b in pairwise(widths)]

    def through(self, start: int, stop: int, h: Tensor) -> Tensor:
        """As a torch.nn.Sequential does it: a name that is used again lets go of the tensor before."""
        for layer in range(start, stop):
            h = h @ self.weights[layer]
            h = gelu(h)
        return h

    def forward(self, pieces: Sequence[Piece], files: Files | None = None) -> Tensor:
        h = self.x
        for each in pieces:
            run = partial(self.through, each.start, each.stop)
            if each.keeps in ("input", "products"):
                more: dict[str, Any] = {"context_fn": keeps_products} if each.keeps == "products" else {}
                h = checkpoint(run, h, use_reentrant=False, **more)
            elif each.keeps == "files":
                assert files is not None, "a piece is kept in files, and there are none"
                with saved_tensors_hooks(files.pack, files.unpack):
                    h = run(h)
            else:
                h = run(h)
        return h


@contextmanager
def folder_for(pieces: Sequence[Piece]) -> Iterator[Path]:
    """Made only for pieces that are kept in files: it takes milliseconds."""
    some = any(each.keeps == "files" for each in pieces)
    with tempfile.TemporaryDirectory() if some else nullcontext("") as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Passed:
    """A forward and a backward pass, moment by moment."""

    moments: list[Moment]
    gradients: list[Tensor]
    moved: int
    """Bytes written to files and read from them"""

    @property
    def peak(self) -> int:
        return max(each.bytes for each in self.moments)


def passed(chain: Chain, pieces: Sequence[Piece]) -> Passed:
    for weight in chain.weights:
        weight.grad = None
    with folder_for(pieces) as folder, torch.enable_grad(), Watch(chain.x, chain.weights) as watch:
        files = WatchedFiles(folder, watch)
        h = chain.forward(pieces, files)
        watch.backward = True
        torch.autograd.backward(h, chain.direction)
        watch.end()
    gradients = [weight.grad for weight in chain.weights if weight.grad is not None]
    return Passed(watch.moments, gradients, files.moved)


class WatchedFiles(Files):
    """A file for each storage; how many bytes were written and read is counted."""

    def __init__(self, folder: Path, watch: Watch) -> None:
        super().__init__(folder, watch.name)
        self.watch, self.moved = watch, 0

    def write(self, name: str, content: bytes) -> None:
        super().write(name, content)
        self.moved += len(content)
        self.watch.filed.add(name)

    def read(self, name: str, dtype: torch.dtype, shape: torch.Size) -> Tensor:
        found = super().read(name, dtype, shape)
        self.moved += found.nbytes
        self.watch.filed.discard(name)
        self.watch.adopt(found, name)
        return found
