"""What a step did, in one sentence."""

from __future__ import annotations

from native.compilers.mlir_lowering.changes import Changes
from native.compilers.mlir_lowering.pictures import Part, Way
from native.compilers.mlir_lowering.road import Step

FASTER = ("linalg", "memref", "affine")  # levels on which steps are there to make it faster; others only translate


def given(n: int, shapes: tuple[tuple[int, ...], ...]) -> str:
    sizes = ", ".join(" × ".join(map(str, each)) for each in shapes)
    return f"The program as PyTorch is given it, for n = {n}, with inputs of {sizes}."


def imported(lines: int, way: Way | None) -> str:
    told = f"Written down in PyTorch's own operations, the program has {lines} lines and no loop"
    return f"{told}; PyTorch itself runs it at {way.speed[1]:.3g} GFLOP/s on one thread." if way else f"{told}."


def step(step: Step, found: Changes, now: Way | None, before: Way | None, held: int, holds: int) -> str:
    """``held`` and ``holds`` are bytes in between before and after it."""
    told = f"{step.says[0].upper()}{step.says[1:]}"
    if not found.new and not found.gone:
        return f"{told}; here it finds nothing to do."
    told += f"; {count(found.gone, 'line')} out, {found.new} in"
    if step.level == "affine" and holds < held:
        told += f", and of {held:,} bytes in between {f'{holds:,} are' if holds else 'none is'} left"
    if now and now.verdict == "broke":
        return f"{told}: what runs now writes where it should not, and breaks down."
    if now is None or not now.speed:
        return f"{told}."
    if now.verdict == "wrong":
        off = "no numbers" if now.error < 0 else f"off by {now.error:.2g} of the largest result"
        return f"{told}: what runs now is wrong, its results are {off}."
    told += f": {now.speed[1]:.3g} GFLOP/s"
    if step.level in FASTER and before and before.verdict == "right":
        ratio = now.speed[1] / before.speed[1]
        apart = now.speed[0] > before.speed[2] or now.speed[2] < before.speed[0]
        if apart and not 0.8 < ratio < 1.25:  # else it may as well be noise
            told += f", {ratio:.2g} times the speed of the step before"
    return f"{told}."


def llvm(lines: int, cpu: bool) -> str:
    ends = "of which LLVM makes the machine code that was timed" if cpu else "one module for each kernel"
    return f"The text for LLVM has {lines} lines, {ends}."


def code(mix: list[Part], kernels: int, outside: list[str]) -> str:
    all_ = sum(each.count for each in mix)
    told = f"{count(kernels, 'kernel')} in PTX, {all_} instructions"
    told += "".join(f", {each.count} for {each.name}" for each in mix)
    if outside:
        told += f"; {' and '.join(outside)} of NVIDIA's library is still to be linked"
    return f"{told}; nothing of it runs here."


def count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
