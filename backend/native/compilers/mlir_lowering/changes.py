"""What a pass did to the text of a module, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

MOST = 140  # lines of a picture


@dataclass(frozen=True)
class Line:
    text: str
    change: Literal["same", "new", "gone"]


@dataclass(frozen=True)
class Changes:
    lines: list[Line]
    left_out: int
    """Lines at the end that are not shown."""
    new: int
    gone: int
    places: dict[int, int]
    """Where a line of the new text stands in the picture."""


def changes(before: str, after: str) -> Changes:
    """Without what came before, no line is new."""
    found = list(
        compared(before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")) if before else every(after)
    )
    places: dict[int, int] = {}
    for place, (_, number) in enumerate(found[:MOST]):
        if number >= 0:
            places[number] = place
    lines = [line for line, _ in found]
    return Changes(
        lines[:MOST],
        max(0, len(lines) - MOST),
        sum(line.change == "new" for line in lines),
        sum(line.change == "gone" for line in lines),
        places,
    )


def every(text: str) -> Iterator[tuple[Line, int]]:
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        yield Line(line, "same"), number


def compared(old: list[str], new: list[str]) -> Iterator[tuple[Line, int]]:
    """Lines of both, those that went before those that came, each with its number in the new text or -1."""
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from ((Line(new[n], "same"), n) for n in range(c, d))
        else:
            yield from ((Line(old[n], "gone"), -1) for n in range(a, b))
            yield from ((Line(new[n], "new"), n) for n in range(c, d))
