"""What a picture shows, in one sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from labs.tensors.autograd_tape.portrait import Grid, Named, Record


def words(grid: Grid) -> str:
    """A few numbers as they would be written."""
    rows = [f"[{', '.join(map(figure, row))}]" for row in grid.rows]
    if not grid.shape:
        return figure(grid.rows[0][0])
    if len(grid.shape) == 1:
        return rows[0] if len(grid.rows[0]) < 5 else f"[{', '.join(map(figure, grid.rows[0][:3]))}, …]"
    return f"{'×'.join(map(str, grid.shape))} numbers" if grid.more else f"[{', '.join(rows)}]"


def figure(number: float | str) -> str:
    return number if isinstance(number, str) else f"{number:.4g}".replace("-", "−")


def several(items: Sequence[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def line(statement: ast.stmt, records: Sequence[Record], tensors: Sequence[Named], kept: int, printed: str) -> str:
    """A line that was executed: what it wrote on the tape, what it changed."""
    new = [each for each in records if each.state == "new"]
    leaves = [each for each in new if each.leaf]
    done = [each for each in new if not each.leaf]
    parts = []
    if leaves:
        ends = "a leaf, where a gradient will end" if len(leaves) == 1 else "leaves, where gradients will end"
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
    ending = f"; for the way back {count(kept, 'byte')} are saved" if done else ""
    return f"Line {statement.lineno} {several(parts)}{ending}."


def changes(each: Named) -> str:
    if each.change == "written":
        return f"writes over {each.name}, whose numbers are now at version {each.version}"
    if each.change == "grad":
        return f"leaves {words(each.grad)} in {each.name}.grad" if each.grad else f"lets go of {each.name}.grad"
    history = f"made by #{each.origin}" if each.origin else "without a history"
    return f"gives {each.name} = {words(each.values)}, {history}"


def begins(number: int, name: str) -> str:
    return f"The walk back begins at {name} #{number}, with the derivative of the result by itself."


def label(each: Record) -> str:
    return each.makes.partition(",")[0] if each.leaf and each.makes else f"{each.name} #{each.number}"


def step(now: Record, records: dict[int, Record], before: str, hooked: str, adds: bool) -> str:
    """One operation of a walk. ``before``: what was in .grad of a leaf, if it ``adds`` to that; ``hooked``: what a
    hook was given."""
    given = words(now.gradient) if now.gradient else "nothing"
    if hooked:
        given = f"{given}, which a hook made of {hooked},"
    if now.leaf:
        name = label(now)
        if not adds:
            return f"The gradient {given} arrives at {name}, and the walk returns it."
        if before:
            return f"The gradient {given} arrives at {name} and is added to {before}, which {name}.grad held."
        return f"The gradient {given} arrives at {name} and becomes {name}.grad."
    passed = [
        f"{words(share)} to {label(records[edge])}"
        for edge, share in zip(now.edges, now.shares, strict=False)
        if edge and share is not None and edge in records
    ]
    if not passed:
        return f"The walk reaches {now.name} #{now.number} with {given}, and ends there."
    gone = ", and lets go of what it saved" if now.released and now.why.startswith("keeps") else ""
    return f"{now.name} #{now.number} is given {given} and passes {several(passed)}{gone}."


def plainly(message: str) -> str:
    """The library's words as part of a sentence, with PyTorch's names for what a program can write."""
    for ours, theirs in (("keep=True", "retain_graph=True"), ("require_grad()", "requires_grad_()")):
        message = message.replace(ours, theirs)
    return re.sub(r"(?<!\.)\. ", "; ", " ".join(message.split())).rstrip(".")
