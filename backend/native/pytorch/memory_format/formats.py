"""Which of the two formats a tensor of four dimensions lies in. One may lie in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch

if TYPE_CHECKING:
    from torch import Tensor

Format = Literal["contiguous", "channels_last"]
FORMATS: tuple[Format, ...] = ("contiguous", "channels_last")
TORCH = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}


def format_of(x: Tensor) -> str:
    """contiguous, channels_last, both or neither; of other than four dimensions, contiguous or neither."""
    first = x.is_contiguous()
    last = x.dim() == 4 and x.is_contiguous(memory_format=torch.channels_last)
    if first and last:
        return "both"
    return "contiguous" if first else "channels_last" if last else "neither"


def laid_out(x: Tensor, name: Format) -> Tensor:
    """The same numbers in that format. A clone has its strides even where a size of 1 would allow others."""
    return x.clone(memory_format=TORCH[name])
