"""A way that is ready to be called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

Call = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Made:
    name: str
    says: str
    does: str
    call: Call
    seconds: float = 0.0
    peak: int = 0
