"""Formulas and sentences: what a node computes, what an edge passes back, and what is wrong with a number.

In a formula ``{3}`` stands for node 3: a figure and a sentence put its name or its value there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from labs.contract import Sentence, counted, joined, say
from labs.learning.backprop_step.grammar import Argument, Graph
from labs.learning.backprop_step.operations import OPERATIONS, numeral

NODE = re.compile(r"(^|\(|, |of )?\{(\d+)\}(²| \*\*)?")


def formula(graph: Graph, number: int) -> str:
    """How a node comes from others."""
    node = graph.nodes[number]
    return _fill(OPERATIONS[node.operation].formula, number, node.arguments) if node.operation else ""


def slopes(graph: Graph, number: int) -> list[str]:
    """How steep a node is in each of the nodes that it is computed from."""
    node = graph.nodes[number]
    if not node.operation:
        return []
    rules = zip(OPERATIONS[node.operation].slopes, node.arguments, strict=True)
    return [_fill(rule, number, node.arguments) for rule, argument in rules if isinstance(argument, int)]


def _fill(words: str, number: int, arguments: tuple[Argument, ...]) -> str:
    named = dict(zip("ab", map(_argument, arguments), strict=False))
    return words.format(**named, y=f"{{{number}}}")


def _argument(argument: Argument) -> str:
    return f"{{{argument}}}" if isinstance(argument, int) else _within(argument)


def _within(number: float) -> str:
    return f"({numeral(number)})" if number < 0 else numeral(number)


def named(graph: Graph, words: str) -> str:
    return re.sub(r"\{(\d+)\}", lambda found: graph.nodes[int(found[1])].name, words)


def filled(values: list[float], words: str) -> str:
    """A minus gets brackets where it needs some."""

    def put(found: re.Match[str]) -> str:
        before, number, power = found[1], values[int(found[2])], found[3] or ""
        return (before or "") + (_within(number) if before is None or power else numeral(number)) + power

    return NODE.sub(put, words)


def computed(graph: Graph, values: list[float], number: int) -> Sentence:
    """The sentence of a node that has just been computed."""
    words, value = formula(graph, number), values[number]
    sentence = say(
        "{} = {} = {} = {}", graph.nodes[number].name, named(graph, words), filled(values, words), numeral(value)
    )
    return sentence if math.isfinite(value) else say("{}: {}", sentence, _why(graph, values, number))


REASONS: list[tuple[str, Callable[..., bool], str]] = [
    ("div", lambda _, b: b == 0, "division by 0 has no result"),
    ("log", lambda a: a <= 0, "only numbers above 0 have a real logarithm"),
    ("sqrt", lambda a: a < 0, "a number below 0 has no real square root"),
    ("pow", lambda a, b: a == 0 and b < 0, "division by 0 has no result"),
    ("pow", lambda a, b: a < 0 and b % 1 != 0, "only whole powers of a number below 0 are real"),
]


def _why(graph: Graph, values: list[float], number: int) -> str:
    node = graph.nodes[number]
    taken = [values[each] if isinstance(each, int) else each for each in node.arguments]
    for source in node.sources:
        if not math.isfinite(values[source]):
            return say("{} is already {}", graph.nodes[source].name, numeral(values[source]))
    known = (reason for operation, applies, reason in REASONS if operation == node.operation and applies(*taken))
    return next(known, "the value is too large for 64 bits")


def passed(graph: Graph, values: list[float], edge: tuple[int, int], rule: str, slope: float) -> Sentence:
    """The slope along an edge, as a formula and with numbers put in."""
    source, target = (graph.nodes[each].name for each in edge)
    numbers = filled(values, rule)
    steps = [named(graph, rule), *([numbers] if "{" in rule and numbers != numeral(slope) else [])]
    if steps[-1] != numeral(slope):
        steps.append(numeral(slope))
    return say("∂{}/∂{} = {}", target, source, " = ".join(steps))


def times(slope: float, upstream: float) -> Sentence:
    return say("{} × {} = {}", numeral(slope), _within(upstream), numeral(slope * upstream))


def beginning(graph: Graph) -> Sentence:
    inputs = len(graph.inputs)
    wait = counted(len(graph.nodes) - inputs, "operation")
    has = "has its value" if inputs == 1 else "have their values"
    result = graph.nodes[graph.result].name
    return say("{} {}, {} wait, and {} is the result.", counted(inputs, "input"), has, wait, result)


def summed(name: str, come: int, wanted: int, before: float | None, now: float) -> Sentence:
    if wanted == 1:
        return say("the whole gradient of {}", name)
    if before is None:
        return say("the first of {} shares of {}", wanted, name)
    so_far = "" if come == wanted else " so far"
    return say("which makes the sum of {}{} {}", name, so_far, numeral(now))


def checked(graph: Graph, verdicts: dict[int, str]) -> Sentence:
    def those(*which: str) -> list[str]:
        return [graph.nodes[number].name for number, verdict in verdicts.items() if verdict in which]

    wrong, kinks, lost = those("differs"), those("kink"), those("no number")
    name = graph.nodes[graph.result].name
    if not (wrong or kinks or lost):
        each = "the input" if len(verdicts) == 1 else "each input"
        return say("Nudge {} a little, and {} changes as the gradient predicts.", each, name)
    parts = [f"the gradient of {enumerated(wrong)} is wrong" if len(wrong) == 1 else ""]
    parts += [f"the gradients of {enumerated(wrong)} are wrong" if len(wrong) > 1 else ""]
    have = "has" if len(kinks) == 1 else "have"
    parts += [f"at a kink, {enumerated(kinks)} {have} no single slope" if kinks else ""]
    parts += [f"there is nothing to compare for {enumerated(lost)}" if lost else ""]
    return say("After a nudge, {} does not change as predicted: {}.", name, joined("; ", filter(None, parts)))


def enumerated(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
