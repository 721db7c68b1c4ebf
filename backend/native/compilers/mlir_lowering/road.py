"""The road from PyTorch to machine code: the passes, in the order in which they are run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from native.compilers.mlir_lowering import schedule
from native.compilers.mlir_lowering.schedule import Tile

Target = Literal["schedule", "cpu", "gpu"]
Fusion = Literal["off", "by cost", "maximal"]
Level = Literal["torch", "linalg", "vector", "memref", "affine", "scf", "cf", "llvm", "gpu", "nvvm"]


NONE = Tile(0, 0)


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
    registers: Tile = NONE
    """On the road by a schedule: the tile of the result that stays in registers."""
    rows_outside: bool = False
    keep: bool = True
    """Whether that tile stays there for all steps of the sum."""


@dataclass(frozen=True)
class Step:
    short: str
    """What it is called in a table."""
    level: Level
    """What the program is written in afterwards."""
    passes: str = ""
    """One after the other, or a part of a schedule."""
    says: str = ""
    """What it does, as a sentence without its end."""
    risk: str = ""
    """Why it may be wrong, where its results are."""
    rest: tuple[str, ...] | None = None
    """What takes the program from here to LLVM with nothing more made faster, where its level does not tell."""


SHARED = (
    "two values share a buffer, and the pass has moved a read of one past a write of the other, or a loop that "
    "changes a buffer in place into one that runs it again"
)

BUFFERS = (
    # Modules that bufferize functions give memory back to whom called them; without `modify-public-functions` the
    # results of a public one are silently left as they are.
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true hoist-static-allocs=true},canonicalize,cse"
)
LOOPS = "func.func(convert-linalg-to-affine-loops,affine-loop-normalize{promote-single-iter=true}),canonicalize"
FREE = "buffer-deallocation-pipeline"

LINALG = Step(
    "linalg",
    "linalg",
    "torch-backend-to-linalg-on-tensors-backend-pipeline",
    "PyTorch's operations become operations on whole tensors that say what is computed and not how",
)
GENERIC = Step(
    "generic",
    "linalg",
    "func.func(linalg-generalize-named-ops)",
    "each operation spells out its indices: which element of which tensor, and what is done with it",
)
FUSE_TENSORS = Step(
    "tensors fused",
    "linalg",
    "func.func(linalg-fuse-elementwise-ops),canonicalize,cse",
    "an operation on elements moves into the one that reads its result",
)
MEMREF = Step("buffers", "memref", BUFFERS, "tensors become buffers in memory, reused where nobody would notice")
AFFINE = Step("loops", "affine", LOOPS, "each operation becomes a nest of loops with loads and stores")

VALUES = BUFFERS.replace("},buffer-results", "},canonicalize,buffer-results") + ",canonicalize"
TO_LOOPS = Step(
    "scf",
    "scf",
    f"func.func(convert-linalg-to-loops),{FREE},expand-strided-metadata,lower-affine,"
    "convert-vector-to-scf{full-unroll=true},lower-affine,canonicalize,cse",
    "vectors of several rows become one for each row, indices become arithmetic, and buffers are given back",
)
TO_SCF = Step(
    "scf",
    "scf",
    f"{FREE},lower-affine,convert-vector-to-scf,lower-affine,canonicalize,cse",
    "bounds and indices become arithmetic, and buffers are given back",
)
TO_CF = Step("cf", "cf", "convert-scf-to-cf,canonicalize", "loops become blocks that jump to each other")
TO_LLVM = Step(
    "llvm",
    "llvm",
    "expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,"
    "convert-ub-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts,canonicalize,cse",
    "buffers become pointers with sizes and strides, and every operation one that LLVM knows",
)


def road(choice: Choice) -> list[Step]:
    if choice.target == "schedule":
        return list(scheduled(choice))
    return [*front(choice), *(processor(choice) if choice.target == "cpu" else graphics(choice))]


def front(choice: Choice) -> Iterator[Step]:
    yield from (LINALG, GENERIC)
    if choice.fuse_tensors:
        yield FUSE_TENSORS
    yield MEMREF


def scheduled(choice: Choice) -> Iterator[Step]:
    tile, fuse = choice.registers, choice.fuse_tensors
    down = (TO_LOOPS.passes, TO_CF.passes, TO_LLVM.passes)
    products = schedule.products()
    yield LINALG
    if fuse:
        yield replace(FUSE_TENSORS, short="formulas fused")
    yield Step(
        "packed",
        "linalg",
        schedule.packed(tile, fuse),
        f"both matrices are to be copied in strips, {tile.rows} rows of A and {tile.columns} columns of B each, so "
        "that what is read together lies together",
        rest=(schedule.copied(tile, fuse, cut=False), VALUES, *down),
    )
    inside = ", with bias and activation at the end of each" if fuse else ""
    yield Step(
        "tiles",
        "linalg",
        schedule.tiles(tile, fuse, choice.rows_outside),
        f"the result is cut in tiles of {tile}{inside}, and each sums up over k, a column of A times a row of B at "
        "a time",
        rest=(schedule.copied(tile, fuse, cut=True), VALUES, *down),
    )
    yield Step(
        "vectors",
        "vector",
        schedule.vectors(tile, fuse),
        f"a column of {tile.rows} numbers, a row of {tile.columns} and the whole tile are vectors, and a step over "
        "k is one contraction of the first two",
        rest=(VALUES, products, *down),
    )
    if choice.keep:
        yield Step(
            "registers",
            "vector",
            schedule.registers(),
            "the tile is handed from step to step of k as a value, no longer read and written in each",
            rest=(VALUES, products, *down),
        )
    yield Step(
        "buffers",
        "memref",
        VALUES,
        "tensors become buffers in memory: the copies in strips, and the result, into which each tile is written",
        rest=(products, *down),
    )
    yield Step(
        "products",
        "vector",
        products,
        "a contraction becomes a multiplication and addition of vectors for each row of the tile",
        rest=down,
    )
    yield from (TO_LOOPS, TO_CF, TO_LLVM)


def processor(choice: Choice) -> Iterator[Step]:
    yield AFFINE
    if choice.fusion != "off":
        most = "{maximal=true}" if choice.fusion == "maximal" else ""
        how = "whatever it costs" if most else "where that costs little work done twice"
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
            f"loops are cut into tiles of {choice.tile}, so that what is loaded is used again while it is near",
        )
    if choice.width:
        yield Step(
            "vectors",
            "affine",
            f"func.func(affine-super-vectorize{{virtual-vector-size={choice.width} vectorize-reductions=true}}),"
            "canonicalize",
            f"a loop over neighbours takes {choice.width} of them at once",
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
        "kernels are written in what LLVM knows, with NVIDIA's registers for threads and blocks",
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
