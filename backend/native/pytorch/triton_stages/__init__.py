"""Triton, stage by stage: a kernel from Python to a GPU's machine code, each line traced to its source.

Triton's own compiler takes the kernel to TTIR, TTGIR, LLVM IR, PTX and SASS, for a GPU that need not be there. The
lab draws which thread holds which element, counts the instructions that matter, and computes how many blocks a
multiprocessor runs at once. Triton's interpreter runs the same kernel, and its values are compared with float64.

Reading order: `kernels` is what is compiled, `source` says how it is called. `worker` is the compiler and `values`
the interpreter, each in a process of its own, and `story` asks both. `trace` reads the stages, `counts` folds and
counts, and `layouts` computes who holds what. `pictures` shows it, and `tell` says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Interval, Label, LabError

from native.pytorch.triton_stages.pictures import Fits, Layout, Stage, Values
from native.pytorch.triton_stages.source import Order

POSTER = 6
MOST = 128
"""Sums that a thread may keep: above it the compiler takes far longer, for code that nobody would run"""


@dataclass(frozen=True)
class Params:
    kernel: Annotated[Literal["add", "softmax", "matmul"], Label("Kernel", main=True)] = "matmul"
    block: Annotated[
        Literal["16", "32", "64", "128", "256", "512", "1024"],
        Label("Block size", main=True, help="Elements of a block; for the product, its rows and columns."),
    ] = "64"
    warps: Annotated[Literal["1", "2", "4", "8"], Label("Warps in a block")] = "4"
    stages: Annotated[
        int, Interval(ge=1, le=5), Label("Stages", help="How many iterations of the loop are in flight at once.")
    ] = 3
    target: Annotated[Literal["sm_80", "sm_90", "sm_100"], Label("GPU", help="Ampere, Hopper and Blackwell.")] = (
        "sm_80"
    )
    multiple: Annotated[
        bool,
        Label("n is a multiple of 16", help="Triton compiles a specialised kernel for such n."),
    ] = True

    @property
    def order(self) -> Order:
        return Order(
            self.kernel, int(self.block), int(self.warps), self.stages, int(self.target[3:]), self.multiple
        )


def run(params: Params) -> Iterator[Stage | Layout | Fits | Values]:
    order = params.order
    if order.kernel == "matmul" and order.block > 128:
        raise LabError(
            f"A tile of {order.block} × {order.block} sums has no room: choose a block size of 128 or less."
        )
    if order.kernel == "matmul" and order.block**2 > MOST * 32 * order.warps:
        each = order.block**2 // (32 * order.warps)
        raise LabError(f"A thread would keep {each} sums: choose more warps, or a smaller block.")
    from native.pytorch.triton_stages.story import Story

    yield from Story(order).tell()
