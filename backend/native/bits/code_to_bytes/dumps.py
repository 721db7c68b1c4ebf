"""What LLVM prints on its way: the module after each pass, the functions' machine code after each stage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

HEAD = re.compile(r"^(?:; |# )?\*\*\* IR Dump (?:After|At) (.+?) \*\*\*:?$", re.MULTILINE)
DEBUG = re.compile(r",? ?!(?:dbg|llvm\.loop|tbaa|prof|range|noundef) !\d+")
LOCATION = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+)", re.MULTILINE)
NOISE = re.compile(r" (?:local_unnamed_addr|unnamed_addr|#\d+)(?= |$)|\s*; preds = .*")
PLACE = re.compile(r",? ?debug-location .*")
# What the code generator notes for itself.
DETAIL = re.compile(r"\b(?:renamable|killed|dead) |\(tied-def \d+\)")
IMPLIED = re.compile(r",? implicit(?:-def)? \$\w+")


@dataclass(frozen=True)
class Line:
    """``place`` is the line of the stage before that it comes from, counted from 0; -1 for none."""

    text: str
    place: int
    change: Literal["same", "new", "gone"] = "same"


@dataclass(frozen=True)
class Pass:
    """A pass that changed the code: the code after it, with what went and what came."""

    name: str
    of: str
    """What it worked on: a function, a loop in it, or the module."""
    lines: list[Line]


def dumps(printed: str) -> Iterator[tuple[str, str]]:
    """What each heading says, and what follows it."""
    found = HEAD.split(printed)
    yield from zip(found[1::2], found[2::2], strict=True)


def code_of(module: str) -> list[tuple[int, Line]]:
    """The functions of a module without what only tools read; each line with its number in the text."""
    places = {name: int(line) - 1 for name, line in LOCATION.findall(module)}
    lines: list[tuple[int, Line]] = []
    inside = False
    for number, line in enumerate(module.split("\n")):
        inside = inside or line.startswith("define")
        if inside:
            mark = re.search(r"!dbg (!\d+)", line)
            place = places.get(mark[1], -1) if mark and not line.startswith("define") else -1
            lines.append((number, Line(NOISE.sub("", DEBUG.sub("", line)).rstrip(), place)))
        inside = inside and line != "}"
    return lines


def passes(before: str, printed: str) -> Iterator[Pass]:
    """Each pass that changed a line of the code, in order."""
    old = [line for _, line in code_of(before)]
    for heading, module in dumps(printed):
        name, _, of = heading.replace(" (invalidated)", "").partition(" on ")
        new = [line for _, line in code_of(module)]
        if [line.text for line in new] != [line.text for line in old]:
            yield Pass(name.removesuffix("Pass"), of.strip("()[]"), list(changes(old, new)))
            old = new


def changes(old: list[Line], new: list[Line]) -> Iterator[Line]:
    """All lines, old and new. What takes the place of the end of a block stands in that block, before blocks that
    went."""
    texts = [line.text for line in old], [line.text for line in new]
    for tag, a, b, c, d in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from new[c:d]
        else:
            went, came = end_of_block(old[a:b]), end_of_block(new[c:d])
            for gone, add in zip(went, came, strict=True):
                yield from (Line(each.text, each.place, "gone") for each in gone)
                yield from (Line(each.text, each.place, "new") for each in add)


def end_of_block(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """Those before the first blank line, and the others."""
    at = next((n for n, line in enumerate(lines) if not line.text), len(lines))
    return lines[:at], lines[at:]


Stage = Literal["selection", "phis", "registers", "final"]
STAGES: dict[Stage, str] = {
    "selection": r"isel|instruction-select",
    "phis": r"phi-node-elimination",
    "registers": r"virtregrewriter|regallocfast|wasm-reg-coloring",
    "final": r"",
}
"""Stages of a code generator, and the last pass of each by its name in any target."""


@dataclass(frozen=True)
class MachineStage:
    name: Stage
    passes: list[str]
    """That ended the stage, one for each kind of function there was."""
    lines: list[Line]


def machine_stages(printed: str) -> Iterator[MachineStage]:
    """The machine code of all functions at the end of each stage that changed any of them."""
    functions: dict[str, list[tuple[str, list[Line]]]] = {}
    for heading, body in dumps(printed):
        if found := re.search(r"# Machine code for function (\S+?):", body):
            functions.setdefault(found[1], []).append((heading, machine_code(body, found[1])))
    shown: list[Line] = []
    reached = dict.fromkeys(functions, 0)
    for stage, pattern in STAGES.items():
        ended: list[str] = []
        for function, states in functions.items():
            at = [n for n, (heading, _) in enumerate(states) if re.search(rf"\([^)]*({pattern})\)", heading)]
            if at and at[-1] >= reached[function]:
                reached[function] = at[-1]
                ended.append(states[at[-1]][0].rpartition(" on ")[0] or states[at[-1]][0])
        lines = [line for function, states in functions.items() for line in states[reached[function]][1]]
        if lines != shown:
            yield MachineStage(stage, list(dict.fromkeys(ended)), lines)
            shown = lines


def machine_code(body: str, name: str) -> list[Line]:
    lines = [Line(f"{name}:", -1)]
    for line in body.split("\n"):
        if line.startswith("bb."):
            lines.append(Line(f"{line.split(' ')[0].rstrip(':;')}:", -1))
        elif line.startswith("  ") and not re.match(r"\s+(successors|liveins):|\s*;", line):
            place = re.search(r"; p\.c:(\d+):", line)
            text = IMPLIED.sub("", DETAIL.sub("", PLACE.sub("", line.split("; p.c:")[0]))).rstrip()
            lines.append(Line(text, int(place[1]) - 1 if place else -1))
    return lines
