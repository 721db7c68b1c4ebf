"""How a call is launched: blocks and threads, how far they reach beyond the tensor, and how memory is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from native.pytorch.cuda_extension import Params

Kernel = Literal["scale_shift", "strided", "row_sum"]
MOST_THREADS = 1024
"""In a block, on every GPU of NVIDIA's"""
LOOP_BLOCKS = 2
"""So many blocks at most, where a loop takes the rest"""
MOST_ROWS = 8  # of threads in a picture, as long as the widest is not exceeded


@dataclass(frozen=True)
class Plan:
    rows: int
    """Of the tensor as the kernel is told; a block sums each"""
    columns: int
    blocks: int
    threads: int
    beyond: int
    """How many places beyond the end the threads would reach that have no element"""
    starts: bool
    """CUDA launches such a grid"""

    @property
    def n(self) -> int:
        return self.rows * self.columns


def plan(params: Params) -> Plan:
    rows, columns = params.rows, params.columns
    if params.tensor == "x.T":
        rows, columns = columns, rows
    n, threads = rows * columns, params.threads
    if params.kernel == "row_sum":
        blocks = rows
        beyond = -(-columns // threads) * threads - columns
    else:
        blocks = n // threads if params.round_down else -(-n // threads)
        if params.kernel == "strided":
            blocks = min(blocks, LOOP_BLOCKS)
        stride = max(1, blocks * threads)
        rounds = -(-n // stride) if params.kernel == "strided" else 1
        beyond = max(0, rounds * stride - n)
    return Plan(rows, columns, blocks, threads, beyond, blocks > 0 and threads <= MOST_THREADS)


def width(plan: Plan) -> int:
    """How many cells a row of the picture has."""
    most = max(plan.n, plan.blocks * plan.threads)
    return next((wide for wide in (32, 64, 128) if most <= wide * MOST_ROWS), 256)


@dataclass(frozen=True)
class Layout:
    """A zone, the numbers, and another zone; counted in floats of 32 bits."""

    before: int
    inside: int
    after: int

    @property
    def cells(self) -> int:
        return self.before + self.inside + self.after


def layout(inside: int, beyond: int, wide: int) -> Layout:
    """Zones fill the rows of the picture; at least one place of the last is out of the threads' reach."""
    return Layout(wide, inside, (inside + beyond) // wide * wide + wide - inside)
