"""One sentence for each picture of the compiler."""

from __future__ import annotations

from labs.compilers.fusing_compiler.pictures import Work
from labs.models.fusing.graph import walk
from labs.models.fusing.plan import FREE
from labs.models.fusing.read import Graph

LONG = 60


def amount(size: float) -> str:
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if abs(size) >= unit:
            return f"{size / unit:.3g} {name}" if size < 1000 * unit else f"{size / unit:.0f} {name}"
    return f"{size:.0f} bytes"


def count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def operations(graph: Graph) -> int:
    return sum(node.op not in FREE for node in walk(graph.outputs))


def graph(of: Graph, work: Work) -> str:
    made = count(operations(of), "operation")
    return f"The program as a graph: {made}, which would move {amount(work.bytes)} one after the other."


def backward(forward: Graph, both: Graph) -> str:
    more = count(operations(both) - operations(forward), "operation")
    names = ", ".join(both.names[len(forward.names) :])
    return f"The way back is {more} more, and gives {names}: from here on both directions are one program."


def short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def rewrite(name: str, why: str, before: str, after: str) -> str:
    if not after:
        return (
            f"{short(before)} {'are' if ', ' in before else 'is'} not computed, for no output needs what is {name}."
        )
    return f"{short(before)} becomes {short(after)} ({name}): {why[:1].lower()}{why[1:]}"


def joint(first: str, second: str, joined: bool, reason: str) -> str:
    ends = "become one kernel" if joined else "stay two kernels"
    return f"{short(first)} and {short(second)} {ends}: {reason}."


def loops(stage: str, kernels: int, work: Work, changes: list[str]) -> str:
    made = count(kernels, "kernel")
    if stage == "loops":
        return f"{made} of loops, which move{'s' * (kernels == 1)} {amount(work.bytes)} in all."
    more = f" and {count(len(changes) - 1, 'more change')}" if len(changes) > 1 else ""
    return f"{stage[:1].upper()}{stage[1:]}: {changes[0]}{more}."


def counted(predicted: Work, found: Work, small: bool) -> str:
    if not small:
        return (
            f"Counting {amount(predicted.bytes)} line by line would take too long; give the tensors smaller shapes."
        )
    share = 100 * (predicted.bytes / max(1, found.bytes) - 1)
    far = f"{abs(share):.1f} % too {'high' if share > 0 else 'low'}" if abs(share) >= 0.05 else "right"
    return f"Counted line by line, with a cache, {amount(found.bytes)} are moved: the prediction was {far}."
