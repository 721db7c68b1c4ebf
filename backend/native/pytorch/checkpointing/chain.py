"""A chain of layers, each a matrix product and a gelu, run forward and backward under a policy."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.functional import gelu
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

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
            more["context_fn"] = partial(create_selective_checkpoint_contexts, products)
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


def products(_: Any, operator: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
    if operator == torch.ops.aten.mm.default:
        return CheckpointPolicy.MUST_SAVE
    return CheckpointPolicy.PREFER_RECOMPUTE


def passed(chain: Chain, plan: Sequence[Segment], policy: Policy) -> Passed:
    for weight in chain.weights:
        weight.grad = None
    with tempfile.TemporaryDirectory() as folder, Watch(chain.x, chain.weights) as watch:
        files = Files(Path(folder), watch)
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


class Files:
    """Where saved tensors wait for backward: a file for each storage."""

    def __init__(self, folder: Path, watch: Watch) -> None:
        self.folder, self.watch, self.moved = folder, watch, 0

    def pack(self, saved: Tensor) -> Any:
        name = self.watch.name(saved)
        if not name:  # a weight, or the input: these are there anyway
            return saved
        path = self.folder / name
        path.write_bytes(saved.detach().numpy().tobytes())
        self.moved += path.stat().st_size
        self.watch.filed.add(name)
        return partial(self.read, name, saved.shape)

    def unpack(self, packed: Tensor | Callable[[], Tensor]) -> Tensor:
        return packed if isinstance(packed, Tensor) else packed()

    def read(self, name: str, shape: torch.Size) -> Tensor:
        path = self.folder / name
        self.moved += path.stat().st_size
        found = torch.frombuffer(bytearray(path.read_bytes()), dtype=torch.float32).view(shape)
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
            found[f"h{layer}"] = (node.name(), [watch.name(node._saved_self)])
            node = node.next_functions[0][0]
            inputs = (node._saved_self, node._saved_mat2)  # layer 1 keeps no weight: the input wants no gradient
            found[f"z{layer}"] = (
                node.name(),
                [watch.name(each, given=True) for each in inputs if each is not None],
            )
            node = node.next_functions[0][0]
    return found
