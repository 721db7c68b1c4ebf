"""What a step did, in one sentence."""

from __future__ import annotations

from labs.contract import Sentence, counted, joined, say

from native.compilers.mlir_lowering.changes import Changes
from native.compilers.mlir_lowering.passes import Step
from native.compilers.mlir_lowering.pictures import Part, Rival, Way

FASTER = (
    "linalg",
    "vector",
    "memref",
    "affine",
)  # levels on which steps are there to make it faster; others only translate


def given(n: int, shapes: tuple[tuple[int, ...], ...], elsewhere: bool) -> Sentence:
    """``elsewhere`` if it takes another road than it was sent."""
    sizes = joined(", ", (joined(" × ", map(str, each)) for each in shapes))
    told = say("The program as PyTorch is given it, for n = {}, with inputs of {}", n, sizes)
    if elsewhere:
        return say("{}; the schedule is written for one matrix product, so this goes by loops.", told)
    return say("{}.", told)


def imported(lines: int, way: Way | None, threads: int) -> Sentence:
    told = say("Written in PyTorch's own operations, the program has {} lines and no loop", lines)
    return (
        say(
            "{}; PyTorch itself runs it at {:.3g} GFLOP/s on {}.",
            told,
            way.speed[1],
            "one thread" if threads == 1 else counted(threads, "thread"),
        )
        if way
        else say("{}.", told)
    )


def step(step: Step, found: Changes, now: Way | None, before: Way | None, held: int, holds: int) -> Sentence:
    """``held`` and ``holds`` are bytes in between before and after it."""
    told = say("{}{}", step.says[0].upper(), step.says[1:])
    if not found.new and not found.gone:
        return say("{}; here it finds nothing to do.", told)
    told = say("{}; {} removed, {} added", told, counted(found.gone, "line"), found.new)
    if step.level == "affine" and holds < held:
        left = say("{:,} are", holds) if holds else "none is"
        told = say("{}, and of {:,} bytes of intermediate buffers {} left", told, held, left)
    if now and now.verdict == "broke":
        return say("{}: what runs now writes where it should not, and crashes.", told)
    if now is None or not now.speed:
        return say("{}.", told)
    if now.verdict == "wrong":
        off = "no numbers" if now.error < 0 else say("off by {:.2g} × the largest result", now.error)
        if before and before.verdict == "wrong":
            return say("{}: what runs is still wrong, its results are {}.", told, off)
        told = say("{}: what runs now is wrong, its results are {}", told, off)
        return say("{}, since {}.", told, step.risk) if step.risk else say("{}.", told)
    told = say("{}: {:.3g} GFLOP/s", told, now.speed[1])
    if step.level in FASTER and before and before.verdict == "right":
        ratio = now.speed[1] / before.speed[1]
        apart = now.speed[0] > before.speed[2] or now.speed[2] < before.speed[0]
        if apart and not 0.8 < ratio < 1.25:  # else it may as well be noise
            told = say("{}, {:.2g} times the speed of the step before", told, ratio)
    return say("{}.", told)


def llvm(lines: int, cpu: bool, rivals: list[Rival]) -> Sentence:
    ends = "of which LLVM makes the machine code that was timed" if cpu else "one module for each kernel"
    told = say("The text for LLVM has {} lines, {}", lines, ends)
    if not rivals:
        return say("{}.", told)
    own, *others = rivals
    sides = joined(" and ", (say("{:.2f} times as fast as {}", each.times[1], each.name) for each in others))
    return say("{}: taking turns with others, it reaches {:.3g} GFLOP/s, {}.", told, own.speed[1], sides)


def code(mix: list[Part], kernels: int, outside: list[str]) -> Sentence:
    all_ = sum(each.count for each in mix)
    told = say("{} in PTX, {} instructions", counted(kernels, "kernel"), all_)
    told = joined(", ", [told, *(say("{} for {}", each.count, each.name) for each in mix)])
    if outside:
        told = say("{}; {} of NVIDIA's library is still to be linked", told, joined(" and ", outside))
    return say("{}; none of it runs here.", told)
