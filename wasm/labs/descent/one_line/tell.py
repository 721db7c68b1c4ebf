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
        "{}[{}] is {}: computed from {} by {}{}, and stored in {}.",
        cut.target,
        ", ".join(map(str, cut.index)),
        cut.value,
        count(len(cut.touches) - 1, "number"),
        count(len(cut.steps), "operation"),
        say(" in {}", count(len(cut.machines[0].rows), "instruction")) if cut.machines else "",
        "32 bits",
    )


def levels(cut: Cut) -> list[str]:
    """One for each level, from the top."""
    deepest = max(len(each.stack) for each in cut.code)
    operators = [each for call in cut.calls for each in call.operators]
    kernels = sum(stop.state == "ran" for each in operators for stop in each.stops)
    answers = sum(len(each.path) for each in cut.gradients)
    operations = sum(row.kernel >= 0 for row in cut.graph)
    products = sum(each.sign == "×" for each in cut.steps)
    timed, rounded = cut.clock, cut.bits.roundings
    return [
        say(
            "Python parses the line into {}; {} of its {} matter here, and the stack grows to {}.",
            count(len(cut.tree), "node"),
            len(cut.code),
            count(cut.listed, "instruction"),
            deepest,
        ),
        say(
            "PyTorch calls {}; the dispatcher finds {}.",
            count(len(operators), "operator"),
            count(kernels, "kernel"),
        ),
        say("The number lies {} into the storage of {}.", count(4 * cut.place, "byte"), cut.target),
        say(
            "The tape keeps {}{} for the backward pass; {} a slope.",
            count(cut.kept, "byte"),
            ", each storage counted once," if cut.kept < sum(each.bytes for each in cut.tape) else "",
            say("{} {}", count(answers, "number"), "has" if answers == 1 else "have")
            if answers
            else "no number has",
        ),
        say(
            "{} {} {}; {}.",
            count(operations, "operation"),
            "becomes" if operations == 1 else "become",
            count(cut.kernels, "kernel"),
            say("{} need not go through memory", count(cut.saved, "byte"))
            if cut.saved
            else "every result goes through memory",
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
        say(
            "{} had to round; the 32 bits hold {}.",
            count(rounded, "operation") if rounded else "No operation",
            cut.value,
        ),
        say(
            "The arithmetic takes {:.2g} % of {:.3g} microseconds.",
            100 * timed.took[-1] / timed.whole,
            timed.whole / 1000,
        )
        if cut.timed
        else say("Your line was not timed; this is {}.", timed.line),
    ]
