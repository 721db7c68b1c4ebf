"""A chain of layers, each a matrix product and a gelu, run forward and backward under a policy."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
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

from native.models import private
from native.models.saved_tensors import Files, keeps_products
from native.pytorch.checkpointing.pictures import Policy, Segment
from native.pytorch.checkpointing.watch import Moment, Watch

BYTES = 4


class Chain:
    """Its weights, one input, and one gradient of the output. These are given, and not counted."""

    def __init__(self, widths: Sequence[int], rows: int, seed: int) -> None:
        chance = torch.Generator().manual_seed(seed)
        self.widths, self.rows, self.layers = widths, rows, len(widths) - 1
        self.x = torch.randn(rows, widths[0], generator=chance)
        self.direction = torch.randn(rows, widths[-1], generator=chance)
        self.weights = [
            (torch.randn(a, b, generator=chance) * (2 / a) ** 0.5).requires_grad_() for a, b in pairwise(widths)
        ]

    def through(self, start: int, stop: int, h: Tensor) -> Tensor:
        """As a torch.nn.Sequential does it: a name that is used again lets go of the tensor before."""
        for layer in range(start, stop):
            h = h @ self.weights[layer]
            h = gelu(h)
        return h

    def forward(self, plan: Sequence[Segment], selective: bool) -> Tensor:
        h = self.x
        more: dict[str, Any] = {}
        if selective:
            more["context_fn"] = keeps_products
        for each in plan:
            run = partial(self.through, each.start, each.stop)
            h = checkpoint(run, h, use_reentrant=False, **more) if each.checkpointed else run(h)
        return h


@dataclass(frozen=True)
class Passed:
    """A forward and a backward pass, moment by moment."""

    moments: list[Moment]
    gradients: list[Tensor]
    moved: int


def passed(chain: Chain, plan: Sequence[Segment], policy: Policy) -> Passed:
    for weight in chain.weights:
        weight.grad = None
    with tempfile.TemporaryDirectory() as folder, Watch(chain.x, chain.weights) as watch:
        files = WatchedFiles(Path(folder), watch)
        if policy == "offload":
            with saved_tensors_hooks(files.pack, files.unpack):
                h = chain.forward(plan, selective=False)
        else:
            h = chain.forward(plan, selective=policy == "selective")
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


def saves(chain: Chain) -> dict[str, tuple[str, list[str]]]:
    """For each result: the node behind it, and what this saved, read from the node."""
    with Watch(chain.x, chain.weights) as watch:
        h = chain.forward([Segment(0, chain.layers, checkpointed=False)], selective=False)
        node: Any = h.grad_fn
        found = {}
        for layer in range(chain.layers, 0, -1):
            found[f"h{layer}"] = (node.name(), [watch.name(private.kept(node, "self"))])
            node = node.next_functions[0][0]
            # Layer 1 keeps no weight: the input wants no gradient.
            inputs = (private.kept(node, "self"), private.kept(node, "mat2"))
            found[f"z{layer}"] = (
                node.name(),
                [watch.name(each, given=True) for each in inputs if each is not None],
            )
            node = node.next_functions[0][0]
    return found
