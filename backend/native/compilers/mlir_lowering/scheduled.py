"""The road of a matrix product by a schedule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from native.compilers.mlir_lowering import schedule
from native.compilers.mlir_lowering.passes import FUSE_TENSORS, LINALG, TO_CF, TO_LLVM, TO_LOOPS, VALUES, Step
from native.compilers.mlir_lowering.schedule import Plan
from native.compilers.mlir_lowering.tiling import tiles


def scheduled(plan: Plan, keep: bool) -> Iterator[Step]:
    """By a schedule; ``keep`` a tile of the result in registers."""
    tile, fuse, products = plan.tile, plan.fuse, schedule.products()
    end = last(plan.threads)
    down = parts(end)

    def run_by(cut: bool) -> tuple[str, ...]:
        return (*((schedule.copied(plan, cut),) if plan.pack else ()), VALUES, *down)

    yield LINALG
    if fuse:
        yield replace(FUSE_TENSORS, short="formulas fused")
    if plan.pack:
        yield Step(
            "packed",
            "linalg",
            schedule.packed(tile, fuse),
            f"both matrices are to be copied in strips, {tile.rows} rows of A and {tile.columns} columns of B "
            "each, so that what is read together lies together",
            rest=run_by(cut=False),
        )
    words = f"the result is cut in tiles of {tile}"
    if plan.threads > 1:
        words += f", which {plan.threads} threads share"
    if fuse and not plan.depth:
        words += ", with bias and activation at the end of each"
    steps = f"{plan.depth} steps of k before the next tile has its turn" if plan.depth else "k"
    words += f", and each sums up over {steps}, a column of A times a row of B at a time"
    yield Step("tiles", "linalg", tiles(plan), words, rest=run_by(cut=True))
    yield Step(
        "vectors",
        "vector",
        schedule.vectors(plan),
        f"a column of {tile.rows} numbers, a row of {tile.columns} and the whole tile are vectors, and a step over "
        "k is one contraction of the first two",
        rest=(VALUES, products, *down),
    )
    if keep:
        yield Step(
            "registers",
            "vector",
            schedule.registers(),
            "the tile is handed from step to step of k as a value, no longer read and written in each",
            rest=(VALUES, products, *down),
        )
    kept = "the copies in strips, and the result" if plan.pack else "matrices and result"
    yield Step(
        "buffers",
        "memref",
        VALUES,
        f"tensors become buffers in memory: {kept}, into which each tile is written",
        rest=(products, *down),
    )
    yield Step(
        "products",
        "vector",
        products,
        "a contraction becomes a multiplication and addition of vectors for each row of the tile",
        rest=down,
    )
    yield from end


def last(threads: int) -> tuple[Step, ...]:
    """From loops to machine code."""
    loops, llvm, team = TO_LOOPS, TO_LLVM, list[Step]()
    flat = replace(
        TO_CF,
        note=schedule.jump(),
        says=f"{TO_CF.says}, and the jump back over k tells LLVM not to do two steps at once, for which a "
        "processor may have too few registers",
    )
    if threads > 1:
        loops = replace(loops, passes=f"scf-forall-to-parallel,{loops.passes}")
        below = "convert-cf-to-llvm,convert-openmp-to-llvm"
        llvm = replace(llvm, passes=llvm.passes.replace("convert-cf-to-llvm", below))
        passes = f"convert-scf-to-openmp{{num-threads={threads}}},canonicalize"
        words = f"OpenMP's, which starts {threads} threads and gives each its share"
        team = [Step("omp", "omp", passes, f"loops whose iterations are independent become {words}")]
    steps = (loops, *team, flat, llvm)
    return tuple(replace(each, rest=parts(steps[at + 1 :])) for at, each in enumerate(steps))


def parts(steps: Iterable[Step]) -> tuple[str, ...]:
    return tuple(part for each in steps for part in each.parts)
