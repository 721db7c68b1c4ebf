"""The road from PyTorch to machine code: the passes, in the order in which they are run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from native.compilers.mlir_lowering.passes import (
    AFFINE,
    BUFFERS,
    FUSE_TENSORS,
    GENERIC,
    LINALG,
    LOOPS,
    MEMREF,
    TO_CF,
    TO_LLVM,
    TO_SCF,
    Level,
    Step,
)
from native.compilers.mlir_lowering.schedule import Plan, Tile
from native.compilers.mlir_lowering.scheduled import scheduled

Target = Literal["schedule", "cpu", "gpu"]
Fusion = Literal["off", "by cost", "maximal"]


NONE = Plan(Tile(0, 0), 0)


@dataclass(frozen=True)
class Choice:
    """What a reader has switched on."""

    target: Target
    fuse_tensors: bool
    fusion: Fusion
    scalars: bool
    tile: int
    """0 for none"""
    width: int
    """Lanes of a vector; 0 for none"""
    plan: Plan = NONE
    """On the road by a schedule: how the product is cut, copied and shared out."""
    keep: bool = True
    """Whether a tile of the result stays in registers for all steps of the sum."""


SHARED = (
    "two values share a buffer, and the pass has moved a read of one past a write of the other, or a loop that "
    "changes a buffer in place into one that runs it again"
)


def road(choice: Choice) -> list[Step]:
    if choice.target == "schedule":
        return list(scheduled(choice.plan, choice.keep))
    return [*front(choice), *(processor(choice) if choice.target == "cpu" else graphics(choice))]


def front(choice: Choice) -> Iterator[Step]:
    yield from (LINALG, GENERIC)
    if choice.fuse_tensors:
        yield FUSE_TENSORS
    yield MEMREF


def processor(choice: Choice) -> Iterator[Step]:
    yield AFFINE
    if choice.fusion != "off":
        most = "{maximal=true}" if choice.fusion == "maximal" else ""
        how = "whatever it costs" if most else "where that repeats little work"
        yield Step(
            "loops fused",
            "affine",
            f"func.func(affine-loop-fusion{most})",
            f"a loop that makes values moves into the loop that uses them, {how}",
            SHARED,
        )
    if choice.scalars:
        yield Step(
            "scalars",
            "affine",
            "func.func(affine-scalrep)",
            "a value that is stored and loaded again at once stays in a register",
        )
    if choice.tile:
        yield Step(
            "tiles",
            "affine",
            f"func.func(affine-loop-tile{{tile-size={choice.tile}}})",
            f"loops are cut into tiles of {choice.tile}, so that what is loaded is used again while it is cached",
        )
    if choice.width:
        yield Step(
            "vectors",
            "affine",
            f"func.func(affine-super-vectorize{{virtual-vector-size={choice.width} vectorize-reductions=true}}),"
            "canonicalize",
            f"a loop over adjacent elements takes {choice.width} of them at once",
            f"a vector of {choice.width} reaches past its tile of {choice.tile}" if choice.tile else "",
        )
    yield from (TO_SCF, TO_CF, TO_LLVM)


def graphics(choice: Choice) -> Iterator[Step]:
    yield Step(
        "parallel",
        "scf",
        "func.func(convert-linalg-to-parallel-loops),canonicalize",
        "each operation becomes loops that may run in any order, around those that may not",
    )
    if choice.tile:
        yield Step(
            "blocks",
            "scf",
            f"func.func(scf-parallel-loop-tiling{{parallel-loop-tile-sizes={choice.tile},{choice.tile} "
            "no-min-max-bounds=true})",
            f"parallel loops are cut into tiles of {choice.tile}, one for each block of threads",
        )
    yield Step(
        "launch",
        "gpu",
        "func.func(gpu-map-parallel-loops,convert-parallel-loops-to-gpu),lower-affine,canonicalize,cse",
        "outer parallel loops become a grid of blocks, inner ones the threads of a block",
    )
    yield Step("kernels", "gpu", "gpu-kernel-outlining", "what a launch holds becomes a function of its own")
    yield Step(
        "nvvm",
        "nvvm",
        "gpu.module(canonicalize,cse,convert-scf-to-cf,expand-strided-metadata,lower-affine,"
        "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},convert-math-to-llvm,reconcile-unrealized-casts,"
        "canonicalize,cse)",
        "kernels are written in LLVM's operations, with NVIDIA's registers for threads and blocks",
    )


def rest(step: Step) -> list[str]:
    """From a step down to LLVM with nothing made faster on the way, as passes one after another."""
    if step.rest is not None:
        return list(step.rest)
    ways: dict[Level, list[str]] = {
        "linalg": [BUFFERS, LOOPS, TO_SCF.passes, TO_CF.passes, TO_LLVM.passes],
        "memref": [LOOPS, TO_SCF.passes, TO_CF.passes, TO_LLVM.passes],
        "affine": [TO_SCF.passes, TO_CF.passes, TO_LLVM.passes],
        "scf": [TO_CF.passes, TO_LLVM.passes],
        "cf": [TO_LLVM.passes],
        "llvm": [],
    }
    return ways[step.level]
