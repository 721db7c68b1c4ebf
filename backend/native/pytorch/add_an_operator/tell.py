"""What the pictures say."""

from __future__ import annotations

from collections.abc import Sequence

from labs.contract import Sentence, joined, say

from native.pytorch.add_an_operator.pictures import Cell, Mutant, Try


def tried(station: str, one: Try, choice: str) -> Sentence:
    if one.state == "fails":
        return failed(station, one)
    if one.state == "missing":
        return say("In {} there is no reference to compare the kernel with.", one.name)
    wrong = [each for each in one.cells if not each.right]
    wrong = [each for each in wrong if each.got != each.expected] or wrong
    return {
        "schema": schema,
        "reference": reference,
        "meta": meta,
        "backward": backward,
        "kernel": without if choice == "missing" else kernel,
        "compile": compiled,
        "docs": documented,
    }[station](one, wrong)


def failed(station: str, one: Try) -> Sentence:
    if station == "docs":
        return say("The docs promise {}, but doctest gets {}.", one.cells[0].expected, one.cells[0].got)
    if one.name == "backward" and "autograd kernel" in one.says:
        return say("No gradient reaches x, and torch warns: {}.", one.says)
    return say("{} fails: {}.", one.name, one.says)


def schema(one: Try, wrong: Sequence[Cell]) -> Sentence:
    if one.says:
        return say("{} is refused, as it should be: {}.", one.name, one.says)
    return say("{} fits the schema.", one.name)


def reference(one: Try, wrong: Sequence[Cell]) -> Sentence:
    if wrong:
        got, expected = (joined(" and ", [getattr(each, name) for each in wrong]) for name in ("got", "expected"))
        return say("In {} the reference gives {} where the formula gives {}.", one.name, got, expected)
    return say("In {} the reference agrees with the formula, from 0.003 to 30,000.", one.name)


def meta(one: Try, wrong: Sequence[Cell]) -> Sentence:
    if one.name == "export":
        return say("The exported program calls {}.", joined(", ", [each.got for each in one.cells]))
    if wrong:
        return say("For {}, Meta predicts {}, but the result has {}.", one.name, wrong[0].got, wrong[0].expected)
    return say("For {}, Meta predicts what the result has: {}.", one.name, one.cells[1].got)


def backward(one: Try, wrong: Sequence[Cell]) -> Sentence:
    if one.name == "gradcheck":
        return say("gradcheck passes: in float64 the gradient is the slope.")
    if wrong:
        return say("A gradient is {} where the slope is {}, and nothing says so.", wrong[0].got, wrong[0].expected)
    return say("Each gradient is the slope at its number.")


def kernel(one: Try, wrong: Sequence[Cell]) -> Sentence:
    unwritten = sum(not each.got for each in one.cells)
    if unwritten:
        return say("With {}, the kernel never writes the last {}, and nothing says so.", one.name, unwritten)
    if wrong:
        words = "With {}, {} of {} results are wrong, and nothing says so."
        return say(words, one.name, len(wrong), len(one.cells))
    if not one.cells:
        return say("With {}, the kernel returns an empty tensor.", one.name)
    return say("With {}, the kernel agrees with the formula.", one.name)


def without(one: Try, wrong: Sequence[Cell]) -> Sentence:
    if wrong:
        return say("With {}, the reference runs, and {} results are wrong.", one.name, len(wrong))
    return say("With {}, the reference runs, and agrees with the formula.", one.name)


def compiled(one: Try, wrong: Sequence[Cell]) -> Sentence:
    if one.name == "graph":
        return say("The compiled graph calls {}.", joined(", ", [each.got for each in one.cells]))
    if wrong:
        words = "Compiled, the program gives {} where eager gives {}, and nothing says so."
        return say(words, wrong[-1].got, wrong[-1].expected)
    return say("Compiled, the program gives the same numbers as eager.")


def documented(one: Try, wrong: Sequence[Cell]) -> Sentence:
    return say("The example prints what the docs say: {}.", one.cells[0].got)


def undocumented() -> Sentence:
    return say("Without a docstring doctest has nothing to try, and nothing fails.")


def untested(mutants: int) -> Sentence:
    return say("Without a test none of the {} mistakes is caught.", mutants)


def tested(one: Try, caught: Sequence[Mutant], left: int) -> Sentence:
    own = say("accepts your operator") if one.state == "works" else say("rejects your operator ({})", one.says)
    if not caught:
        return say("The test “{}” {}, and catches none of the {} mistakes left.", one.name, own, left)
    found = joined(", ", [say("“{}” ({})", each.name, each.station) for each in caught])
    return say("The test “{}” {}, and catches {}; mistakes left: {}.", one.name, own, found, left)
