"""What each level says, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import Sentence, say

if TYPE_CHECKING:
    from labs.descent.one_line import Cut


def count(number: int, one: str, more: str = "") -> Sentence:
    return say("{} {}", number, one if number == 1 else more or f"{one}s")


def whole(cut: Cut) -> Sentence:
    """The sentence of the picture."""
    return say(
        "{}[{}] is {}: made of {} by {} in {}, and kept in {}.",
        cut.target,
        ", ".join(map(str, cut.index)),
        cut.value,
        count(len(cut.touches) - 1, "number"),
        count(len(cut.steps), "operation"),
        count(len(cut.machines[0].rows), "instruction") if cut.machines else "no instructions",
        "32 bits",
    )


def levels(cut: Cut) -> list[str]:
    """One for each level, from the top."""
    deepest = max(len(each.stack) for each in cut.code)
    operators = [each for call in cut.calls for each in call.operators]
    kernels = sum(stop.state == "ran" for each in operators for stop in each.stops)
    answers = sum(len(each.path) for each in cut.gradients)
    kept = sum(each.bytes for each in cut.tape)
    products = sum(each.sign == "×" for each in cut.steps)
    timed = cut.clock
    return [
        say(
            "Python makes {} of the line, and {}; its stack is {} high.",
            count(len(cut.tree), "node"),
            count(len(cut.code), "instruction"),
            deepest,
        ),
        say(
            "{} of PyTorch are called, and the dispatcher finds {}.",
            count(len(operators), "operator"),
            count(kernels, "kernel"),
        ),
        say("The number lies {} into the storage of {}.", count(4 * cut.place, "byte"), cut.target),
        say("The tape keeps {} for the way back; {} have a slope.", count(kept, "byte"), count(answers, "number")),
        say(
            "{} become {}; {} are not moved through memory.",
            count(sum(row.kernel >= 0 for row in cut.graph), "operation"),
            count(cut.kernels, "kernel"),
            count(cut.saved, "byte"),
        )
        if not cut.why_compiler
        else cut.why_compiler,
        say(
            "{} and {} in {}.",
            count(products, "product"),
            count(len(cut.steps) - products, "other operation"),
            count(cut.lines, "cache line"),
        ),
        say(
            "{} of x86-64 in {}.",
            count(len(cut.machines[0].rows), "instruction"),
            count(cut.machines[0].size, "byte"),
        )
        if cut.machines
        else cut.why_machine,
        say("{} had to round; 32 bits keep {}.", count(cut.bits.roundings, "operation"), cut.value),
        say(
            "The arithmetic takes {:.2%} of {:.2f} microseconds.", timed.took[-1] / timed.whole, timed.whole / 1000
        ),
    ]
