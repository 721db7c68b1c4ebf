"""What a picture shows, in one sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from labs.contract import Sentence, counted, joined, say
from labs.tensors.autograd_tape.portrait import Grid, Named, Record


def words(grid: Grid) -> str:
    """A few numbers as they would be written."""
    rows = [f"[{', '.join(map(figure, row))}]" for row in grid.rows]
    if not grid.shape:
        return figure(grid.rows[0][0])
    if len(grid.shape) == 1:
        return rows[0] if len(grid.rows[0]) < 5 else say("[{}, …]", joined(", ", map(figure, grid.rows[0][:3])))
    return say("{} numbers", joined("×", map(str, grid.shape))) if grid.more else say("[{}]", ", ".join(rows))


def figure(number: float | str) -> str:
    return number if isinstance(number, str) else f"{number:.4g}".replace("-", "−")


def several(items: Sequence[str]) -> str:
    *most, last = items
    return say("{} and {}", joined(", ", most), last) if most else last


def line(
    statement: ast.stmt, records: Sequence[Record], tensors: Sequence[Named], kept: int, printed: str
) -> Sentence:
    """A line that was executed: what it wrote on the tape, what it changed."""
    new = [each for each in records if each.state == "new"]
    leaves = [each for each in new if each.leaf]
    done = [each for each in new if not each.leaf]
    parts = []
    if leaves:
        ends = "a leaf, where a gradient will end up" if len(leaves) == 1 else "leaves, where gradients will end up"
        parts.append(f"makes {several([each.makes or 'a tensor' for each in leaves])}, {ends}")
    if done:
        parts.append(f"writes {several([f'{each.name} #{each.number}' for each in done])} on the tape")
    if not new:
        changed = [each for each in tensors if each.change]
        parts += [changes(each) for each in changed[:3]] or ["changes no tensor"]
    if isinstance(statement, ast.FunctionDef):
        parts = [f"defines {statement.name}, which computes nothing yet"]
    if printed:
        parts.append("prints")
    ending = say("; for the way back {} are saved", counted(kept, "byte")) if done else ""
    return say("Line {} {}{}.", statement.lineno, several(parts), ending)


def changes(each: Named) -> Sentence:
    if each.change == "written":
        return say("writes over {}, whose numbers are now at version {}", each.name, each.version)
    if each.change == "grad":
        return (
            say("leaves {} in {}.grad", words(each.grad), each.name)
            if each.grad
            else say("clears {}.grad", each.name)
        )
    history = say("made by #{}", each.origin) if each.origin else "without a history"
    return say("gives {} = {}, {}", each.name, words(each.values), history)


def begins(number: int, name: str) -> Sentence:
    return say(
        "The walk back begins at {} #{}, with the derivative of the result with respect to itself.", name, number
    )


def label(each: Record) -> str:
    return each.makes.partition(",")[0] if each.leaf and each.makes else say("{} #{}", each.name, each.number)


def step(now: Record, records: dict[int, Record], before: str, hooked: str, adds: bool) -> Sentence:
    """One operation of a walk. ``before``: what was in .grad of a leaf, if it ``adds`` to that; ``hooked``: what a
    hook was given."""
    given = words(now.gradient) if now.gradient else "nothing"
    if hooked:
        given = say("{}, which a hook made of {},", given, hooked)
    if now.leaf:
        name = label(now)
        if not adds:
            return say("The gradient {} arrives at {}, and the walk returns it.", given, name)
        if before:
            return say(
                "The gradient {} arrives at {} and is added to {}, which {}.grad held.", given, name, before, name
            )
        return say("The gradient {} arrives at {} and becomes {}.grad.", given, name, name)
    passed = [
        f"{words(share)} to {label(records[edge])}"
        for edge, share in zip(now.edges, now.shares, strict=False)
        if edge and share is not None and edge in records
    ]
    if not passed:
        return say("The walk reaches {} #{} with {}, and ends there.", now.name, now.number, given)
    gone = ", and frees what it saved" if now.released and now.why.startswith("keeps") else ""
    return say("{} #{} is given {} and passes {}{}.", now.name, now.number, given, several(passed), gone)


def plainly(message: str) -> str:
    """The library's words as part of a sentence, with PyTorch's names for what a program can write."""
    for ours, theirs in (("keep=True", "retain_graph=True"), ("require_grad()", "requires_grad_()")):
        message = message.replace(ours, theirs)
    return re.sub(r"(?<!\.)\. ", "; ", " ".join(message.split())).rstrip(".")
