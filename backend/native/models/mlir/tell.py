"""What a step did, in one sentence."""

from __future__ import annotations

from native.models.mlir.changes import Changes
from native.models.mlir.pictures import Buffer, Part, Way


def eager(way: Way) -> str:
    return f"PyTorch itself runs the program in {seconds(way.seconds)}, which is {way.speed[1]:.3g} GFLOP/s."


def imported(lines: int) -> str:
    return f"Written down in PyTorch's own operations, the program has {lines} lines, and none of them is a loop."


def step(says: str, found: Changes, now: Way | None, before: Way | None, gone: list[Buffer]) -> str:
    told = f"{says[0].upper()}{says[1:]}"
    if not found.new and not found.gone:
        return f"{told}; here it finds nothing to do."
    told += f"; {count(found.gone, 'line')} out, {found.new} in"
    if gone:
        names = " and ".join(size(each) for each in gone[:2])
        told += f", and {names} in between {'is' if len(gone) == 1 else 'are'} gone"
    if now is None or not now.speed:
        return f"{told}."
    if now.verdict == "wrong":
        off = "no numbers" if now.error < 0 else f"off by {now.error:.2g} of the largest result"
        return f"{told}: what runs now is wrong, its results are {off}."
    told += f": {now.speed[1]:.3g} GFLOP/s"
    if before and before.speed and before.verdict == "right":
        ratio = now.speed[1] / before.speed[1]
        if ratio > 1.15 or ratio < 0.87:
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


def size(each: Buffer) -> str:
    return f"%{each.name} of {each.bytes:,} bytes"


def count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def seconds(value: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"
