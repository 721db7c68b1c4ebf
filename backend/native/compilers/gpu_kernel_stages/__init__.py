"""A GPU compiler: a transformer block from tensors to fused kernels, CUDA C, PTX and machine code, stage by stage.

The block is written in the small tensor language of the fusing compiler. Its operations gather into kernels, each
kernel becomes loops, its loops tiles, its tiles CUDA C, which NVIDIA's compiler takes to PTX and SASS. No GPU is
needed: a model predicts the time of each kernel on a chosen GPU from published figures, and the kernels run on a
processor, a fiber for each thread, and are compared with PyTorch in float64. With a GPU, all is measured as well.

Reading order: `block` is the program. `groups` decides what becomes a kernel, `tiles` finds the matrices in loops,
`emit` writes them down. `price` predicts a time on one of `gpus`, by which `search` finds a tile. `toolchain` makes
PTX and SASS, `on_processor` and `on_gpu` run kernels. `story` tells it all, with `listing`, `pictures` and `tell`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Interval, Label

from native.compilers.gpu_kernel_stages.block import Value
from native.compilers.gpu_kernel_stages.gpus import Name
from native.compilers.gpu_kernel_stages.pictures import Picture

MEASURES = True
POSTER = 22


@dataclass(frozen=True)
class Params:
    follow: Annotated[
        Value, Label("Follow", main=True, help="The kernel that makes this value of the program.")
    ] = "qkv"
    tile: Annotated[
        Literal["search", "16", "32", "64", "128"],
        Label("Tiles", main=True, help="Their side in every product, or what the search predicts to be fastest."),
    ] = "search"
    fusion: Annotated[
        Literal["cost", "none"], Label("Fusion", help="By predicted cost, or one kernel for every operation.")
    ] = "cost"
    tokens: Annotated[
        int,
        Interval(ge=64, le=4096),
        Label("Tokens", help="Rows of the input; where tiles do not divide them, kernels get guards."),
    ] = 1024
    gpu: Annotated[Name, Label("Predict for", help="From the published figures of this GPU.")] = "H100"
    device: Annotated[Literal["cpu", "cuda"], Label("Run on", help="On a GPU, the kernels are also timed.")] = "cpu"
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    everything: Annotated[
        bool,
        Label(
            "Everything in one kernel",
            group="Mistakes",
            help="The blocks of one kernel cannot wait for each other, so all of it runs as a single block.",
        ),
    ] = False
    no_wait: Annotated[
        bool,
        Label(
            "Stop the clock too early",
            group="Mistakes",
            help="On a GPU: read the host's clock as soon as the kernel has been launched.",
        ),
    ] = False


def run(params: Params) -> Iterator[Picture]:
    from native.compilers.gpu_kernel_stages.story import Story

    yield from Story(params).tell()
