"""The order in memory of a tensor that is small enough to be drawn, on the same way through the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from labs.contract import Int32
from torch import Tensor

from native.pytorch.memory_format.chain import TINY, Line
from native.pytorch.memory_format.formats import Format, format_of, laid_out


def orders(lines: Sequence[Line], x: Tensor, results: Sequence[Tensor]) -> Iterator[tuple[Tensor, Tensor]]:
    """For each line the small tensor before and after it. Its numbers are the indices at which they began.

    ``x`` is the real input, and ``results`` what the lines really made: where a line computes, the small tensor
    takes the format that the real one took.
    """
    sizes = [1, *(min(have, draw) for have, draw in zip(x.shape[1:], TINY, strict=True))]
    small = like(torch.arange(torch.Size(sizes).numel(), dtype=torch.float32).reshape(sizes), x)
    for line, result in zip(lines, results, strict=True):
        before = small
        if not line.computes:
            small = line.call(before)
        elif result.dim() == 4:
            small = like(line.moves(before) if line.moves else before, result)
        else:  # of the classes there is nothing to draw
            small = torch.empty(0)
        yield before, small


def like(small: Tensor, real: Tensor) -> Tensor:
    """In the format of the real one."""
    form: Format = "contiguous" if real.is_contiguous() or format_of(real) == "neither" else "channels_last"
    return laid_out(small, form)


def memory(x: Tensor) -> Int32:
    """The numbers from the lowest address to the highest. No tensor here has gaps."""
    return np.asarray(x.as_strided((x.numel(),), (1,)).numpy(), np.int32)
