"""One sentence for each picture of the compiler."""

from __future__ import annotations

from labs.compilers.fusing_compiler.last_axis import Past
from labs.compilers.fusing_compiler.pictures import Work
from labs.contract import Sentence, joined, say
from labs.models.fusing.graph import walk
from labs.models.fusing.plan import FREE
from labs.models.fusing.read import Graph

LONG = 60


def amount(size: float) -> Sentence:
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if abs(size) >= unit:
            return (
                say("{:.3g} {}", size / unit, name) if size < 1000 * unit else say("{:.0f} {}", size / unit, name)
            )
    return say("{:.0f} bytes", size)


def count(number: int, word: str) -> Sentence:
    return say("{} {}{}", number, word, "s" * (number != 1))


def operations(graph: Graph) -> int:
    return sum(node.op not in FREE for node in walk(graph.outputs))


def graph(of: Graph, work: Work) -> Sentence:
    made = count(operations(of), "operation")
    return say(
        "The program as a graph: {}, which would move {} if run one after the other.", made, amount(work.bytes)
    )


def backward(forward: Graph, both: Graph) -> Sentence:
    more = count(operations(both) - operations(forward), "operation")
    names = joined(", ", both.names[len(forward.names) :])
    return say("The way back is {} more, and gives {}: from here on both directions are one program.", more, names)


def short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def rewrite(name: str, why: str, before: str, after: str) -> Sentence:
    if not after:
        return say(
            "{} {} not computed, because no output needs what is {}.",
            short(before),
            "are" if ", " in before else "is",
            name,
        )
    return say("{} becomes {} ({}): {}{}", short(before), short(after), name, why[:1].lower(), why[1:])


def joint(first: str, second: str, joined: bool, reason: str) -> Sentence:
    ends = "become one kernel" if joined else "stay two kernels"
    return say("{} and {} {}: {}.", short(first), short(second), ends, reason)


def loops(stage: str, kernels: int, work: Work, changes: list[str]) -> Sentence:
    made = count(kernels, "kernel")
    if stage == "loops":
        return say("{} of loops, which move{} {} in all.", made, "s" * (kernels == 1), amount(work.bytes))
    more = say(", and {}", count(len(changes) - 1, "more change")) if len(changes) > 1 else ""
    return say("{}{}: {}{}.", stage[:1].upper(), stage[1:], changes[0], more)


def past(each: Past) -> Sentence:
    return say(
        "{} sums along the last axis: of its {:,} stores {:,} land past the end of the result",
        each.kernel,
        each.stores,
        each.past,
    )


def counted(predicted: Work, found: Work, small: bool) -> Sentence:
    if not small:
        return say(
            "Counting {} line by line would take too long; give the tensors smaller shapes.",
            amount(predicted.bytes),
        )
    share = 100 * (predicted.bytes / max(1, found.bytes) - 1)
    far = say("{:.1f} % too {}", abs(share), "high" if share > 0 else "low") if abs(share) >= 0.05 else "right"
    return say("Counted line by line, with a cache, {} are moved: the prediction was {}.", amount(found.bytes), far)
