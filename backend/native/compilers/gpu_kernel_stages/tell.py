"""What a picture shows, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from labs.contract import Sentence, counted, joined, say

from native.compilers.gpu_kernel_stages.pictures import Count, Kernel, Way
from native.models.occupancy import Limit


def time(seconds: float) -> Sentence:
    for unit, name in ((1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return say("{:.3g} {}", seconds / unit, name)
    return say("{:.3g} ns", seconds * 1e9)


def graph(ops: int, size: int) -> Sentence:
    return say(
        "The block is {} on whole tensors, which would move {:,.0f} MiB as {} kernels.",
        counted(ops, "operation"),
        size / 2**20,
        ops,
    )


def decision(first: str, second: str, joins: bool, reason: str, more: int) -> Sentence:
    others = say(" (and {} like it)", more) if more else ""
    if joins:
        return say("{} and {} become one kernel{}: {}.", first, second, others, reason)
    return say("{} and {} stay two kernels{}: {}.", first, second, others, reason)


def sunk(op: str, maker: str, kernels: int) -> Sentence:
    return say(
        "{} only copies, so the kernel of {} writes in its order, and {} are left.",
        op,
        maker,
        counted(kernels, "kernel"),
    )


def loops(name: str, blocks: int, lines: int) -> Sentence:
    return say("{} as loops over elements, not yet split over threads: {}.", name, counted(lines, "line"))


def searched(tile: Sequence[int], blocks: int, cut: int, tried: int, seconds: float) -> Sentence:
    size = joined(" × ", map(str, tile))
    return say(
        "{} tried and {} cut: {} is predicted to be fastest, {} in {}.",
        counted(tried, "tile"),
        say("1 branch") if cut == 1 else say("{} branches", cut),
        size,
        counted(blocks, "block"),
        time(seconds),
    )


def chosen(name: str, tile: Sequence[int], blocks: int, seconds: float) -> Sentence:
    size = joined(" × ", map(str, tile))
    made = counted(blocks, "block")
    return say("You chose the tiles: {} has {}, {}, and a predicted {}.", name, size, made, time(seconds))


def no_tiles(name: str, blocks: int, seconds: float) -> Sentence:
    return say(
        "{} multiplies no matrices, so it has no tiles: {}, a predicted {}.",
        name,
        counted(blocks, "block"),
        time(seconds),
    )


def listing(
    stage: str, name: str, lines: int, found: list[Count], guarded: Sequence[tuple[int, int]] = ()
) -> Sentence:
    title = {
        "CUDA": "{} in CUDA C, the program of one thread",
        "PTX": "{} in PTX, with as many registers as it likes",
        "SASS": "{} in SASS, which the GPU runs",
    }[stage]
    kinds = joined(", ", (say("{:,} {}", each.count, each.name) for each in found[:3]))
    told = say("{}: {}", say(title, name), counted(lines, "line"))
    if found:
        return say("{}, with {}.", told, kinds)
    if guarded:
        why = (say("{} does not divide {:,}", side, whole) for side, whole in dict.fromkeys(guarded))
        return say("{}, with guards, because {}.", told, joined(" and ", why))
    return say("{}.", told)


def absent(what: str) -> Sentence:
    return say(
        "{} is not installed on this server, so PTX and SASS are left out; the recorded run shows them.", what
    )


def fits(it: Kernel, tightest: Limit) -> Sentence:
    return say(
        "A thread of {} takes {} and a block {:,} bytes of shared memory: {} at once on a multiprocessor, "
        "limited by {}.",
        it.name, counted(it.registers, "register"), it.shared, counted(tightest.blocks, "block"), tightest.name,
    )  # fmt: skip


def checked(kernels: int, tokens: int, width: int, off: float) -> Sentence:
    return say(
        "{} for {} tokens of {} numbers, on a processor with a fiber for each thread: no value is further than "
        "{:.1g} from PyTorch in float64.",
        all_of(kernels), tokens, width, off,
    )  # fmt: skip


def checked_on(gpu: str, kernels: int, off: float) -> Sentence:
    return say("{} on an {}: no value is further than {:.1g} from PyTorch in float64.", all_of(kernels), gpu, off)


def all_of(kernels: int) -> Sentence:
    return say("The kernel") if kernels == 1 else say("All {} kernels", kernels)


def predicted(kernels: int, seconds: float, floor: float, gpu: str) -> Sentence:
    return say(
        "Predicted for the {}: {} in {}, {:.3g} times what its lanes need for the products alone.",
        gpu, time(seconds), counted(kernels, "kernel"), seconds / floor,
    )  # fmt: skip


def trial(name: str, tried: int, best: str, chosen: str, ratio: float) -> Sentence:
    if best == chosen:
        return say("{} with {} tiles, measured: the predicted one, {}, is the fastest.", name, tried, chosen)
    return say(
        "{} with {} tiles, measured: {} is the fastest, and the predicted {} takes {:.2f} × as long.",
        name,
        tried,
        best,
        chosen,
        ratio,
    )


def refused(name: str, seconds: float, floor: float) -> Sentence:
    return say(
        "At {}, {} would be faster than the hardware, which needs {} for the products alone, so no time is kept.",
        time(seconds), name, time(floor),
    )  # fmt: skip


def measured(seconds: float, predicted: float) -> Sentence:
    return say("Measured: {} for the whole block, {:.2f} × the prediction.", time(seconds), seconds / predicted)


def rival(way: Way) -> Sentence:
    return say("{} takes {}: ours takes {:.3g} × as long.", way.name, time(way.seconds), way.ratio)
