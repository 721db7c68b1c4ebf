"""What a picture shows, in one sentence."""

from __future__ import annotations

from labs.contract import Sentence, counted, joined, say

from native.models.occupancy import Limit
from native.pytorch.triton_stages.pictures import Count
from native.pytorch.triton_stages.source import Order

TITLES = {
    "ttir": "TTIR has operations on whole blocks, and no threads",
    "ttgir": "TTGIR gives every block a layout, and loads blocks before the loop needs them",
    "llir": "LLVM IR is the program of one thread",
    "ptx": "PTX is assembly for a GPU with as many registers as you like",
    "sass": "SASS is what the GPU runs",
}


def source(order: Order, focus: int) -> Sentence:
    return say(
        "The kernel as it is written, for blocks of {} and {}; line {} is followed down to machine code.",
        order.block,
        counted(order.warps, "warp"),
        focus,
    )


def stage(name: str, lines: int, from_focus: int, focus: int, found: list[Count]) -> Sentence:
    title = (
        TITLES[name]
        if name != "ttgir" or any("async" in each.name for each in found)
        else ("TTGIR gives every block a layout")
    )
    if not found:
        return say("{}: {} lines ({} from line {}).", title, lines, from_focus, focus)
    counts = joined(", ", (say("{} {}", each.count, each.name) for each in found[:3]))
    return say("{}: {} lines ({} from line {}), with {}.", title, lines, from_focus, focus, counts)


def layout(role: str, shape: tuple[int, ...], each: int, copies: int, run: int) -> Sentence:
    size = joined(" × ", map(str, shape))
    what = {"loads": "loaded", "sums": "summed up", "stores": "stored"}[role]
    told = say("A block of {} as it is {}: a thread holds {}", size, what, counted(each, "element"))
    told = say("{}, {} of them side by side", told, run) if 1 < run < each else told
    return say("{}, and each element lies in {} threads.", told, copies) if copies > 1 else say("{}.", told)


def fits(blocks: int, warps: int, most: int, tightest: Limit, spilled: int) -> Sentence:
    if not blocks:
        return say("The kernel does not start: a block needs more {} than there is.", tightest.name)
    told = say(
        "{} at once: {} of {} warps, {:.0f} %, limited by {}",
        counted(blocks, "block"), warps, most, 100 * warps / most, tightest.name,
    )  # fmt: skip
    return say("{}, and each thread spills {} bytes into memory.", told, spilled) if spilled else say("{}.", told)


def values(off: float, largest: float, programs: int, elements: int) -> Sentence:
    return say(
        "{} in Triton's interpreter, {:,} elements: the largest difference from float64 is {:.2g}, for numbers "
        "up to {:.2g}.",
        counted(programs, "program"),
        elements,
        off,
        largest,
    )
