"""What a program costs as it is, and compiled: kernels, bytes, milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from native.models.timing import Timing, together

SECONDS = 0.4
REPETITIONS = 5


class Counted(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts what PyTorch calls, and the bytes that it reads and writes; a view moves none."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kernels = 0
        self.bytes = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        if not func.is_view:
            self.kernels += 1
            self.bytes += sum(
                each.numel() * each.element_size()
                for each in tree_leaves((args, kwargs, found))
                if isinstance(each, torch.Tensor)
            )
        return found


def step(function: Callable[..., Any], inputs: list[torch.Tensor], gradient: bool) -> Callable[[], Any]:
    """A call; with its gradients, the way back as well. What comes out is the result and the gradients."""
    wanted = [each for each in inputs if each.requires_grad]

    def work() -> Any:
        found = function(*inputs)
        return (found.detach(), *torch.autograd.grad(found.sum(), wanted)) if gradient else (found,)

    return work


def times(works: list[Callable[[], Any]]) -> list[Timing]:
    """Milliseconds of each, measured in turns."""

    def rounds(work: Callable[[], Any]) -> Callable[[int], None]:
        def many(count: int) -> None:
            for _ in range(count):
                work()

        return many

    return together([rounds(work) for work in works], REPETITIONS, SECONDS)
