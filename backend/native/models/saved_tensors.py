"""What autograd saves, and how to save less: products kept while the rest is computed again, or all in files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import CheckpointPolicy, create_selective_checkpoint_contexts


def _products(_: Any, operator: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
    if operator == torch.ops.aten.mm.default:
        return CheckpointPolicy.MUST_SAVE
    return CheckpointPolicy.PREFER_RECOMPUTE


keeps_products = partial(create_selective_checkpoint_contexts, _products)
"""The ``context_fn`` of a checkpoint that keeps the results of products"""


class Files:
    """``pack`` and ``unpack`` of saved tensors that wait for backward in a folder: a file for each name.

    What ``name`` has no name for is there anyway, and stays where it is.
    """

    def __init__(self, folder: Path, name: Callable[[Tensor], str]) -> None:
        self.folder, self.name = folder, name

    def pack(self, saved: Tensor) -> Any:
        name = self.name(saved)
        if not name:
            return saved
        self.write(name, saved.detach().numpy().tobytes())
        return partial(self.read, name, saved.dtype, saved.shape)

    def unpack(self, packed: Tensor | Callable[[], Tensor]) -> Tensor:
        return packed if isinstance(packed, Tensor) else packed()

    def write(self, name: str, content: bytes) -> None:
        (self.folder / name).write_bytes(content)

    def read(self, name: str, dtype: torch.dtype, shape: torch.Size) -> Tensor:
        return torch.frombuffer(bytearray((self.folder / name).read_bytes()), dtype=dtype).view(shape)
