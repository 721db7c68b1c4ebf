"""Which storages are alive after each operator: seen below autograd by a mode, through weak references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten


@dataclass(frozen=True)
class Alive:
    name: str
    """The operator's result: z3, h3, dz3, dh3"""
    again: bool
    """Whether it was computed or read once more, in backward"""
    bytes: int


@dataclass(frozen=True)
class Moment:
    """An operator has just written its result. Its inputs are still there."""

    made: Alive | None
    backward: bool
    alive: tuple[Alive, ...]
    filed: tuple[str, ...]
    """In files"""

    @property
    def bytes(self) -> int:
        return sum(each.bytes for each in self.alive)


class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Names storages by what flows into the operator that makes them. Weights and their gradients have no name: no
    policy changes how much room they take."""

    def __init__(self, x: Tensor, weights: Sequence[Tensor]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.weights = {each.untyped_storage()._cdata: n for n, each in enumerate(weights, 1)}
        self.x = x.untyped_storage()._cdata
        self.named: dict[int, tuple[StorageWeakRef, Alive]] = {}
        self.moments: list[Moment] = []
        self.filed: set[str] = set()
        self.backward = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if name := self.written(func, args):
            made = self.adopt(result, name)
            self.moments.append(Moment(made, self.backward, self.alive(), tuple(sorted(self.filed))))
        return result

    def written(self, func: Any, args: Any) -> str:
        if func is aten.gelu.default:
            return "h" + self.name(args[0])[1:]
        if func is aten.gelu_backward.default:
            return "d" + self.name(args[1])
        if func is not aten.mm.default:
            return ""
        layer = self.weights.get(args[1].untyped_storage()._cdata)
        if layer is None:
            return ""  # the gradient of a weight
        return f"dh{layer - 1}" if self.name(args[0]).startswith("dz") else f"z{layer}"

    def adopt(self, tensor: Tensor, name: str) -> Alive:
        storage = tensor.untyped_storage()
        made = Alive(name, self.backward and not name.startswith("d"), storage.nbytes())
        self.named[storage._cdata] = (StorageWeakRef(storage), made)  # type: ignore[no-untyped-call]
        return made

    def name(self, tensor: Tensor, given: bool = False) -> str:
        """Empty for what was given, unless its name is asked for."""
        storage = tensor.untyped_storage()._cdata
        if storage in self.named:
            return self.named[storage][1].name
        return ("x" if storage == self.x else f"W{self.weights[storage]}") if given else ""

    def alive(self) -> tuple[Alive, ...]:
        left = [each for each in self.named.items() if not each[1][0].expired()]  # type: ignore[no-untyped-call]
        self.named = dict(left)
        return tuple(made for _, made in self.named.values())

    def end(self) -> None:
        self.moments.append(Moment(None, self.backward, self.alive(), tuple(sorted(self.filed))))
