"""Four parsers: the same command line in argparse, optparse, click and typer.

One program is declared with each of the four libraries, as their documentations would declare it. Each gets the
tokens of the command line; what the body of the program receives is shown, or what the library says instead.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from labs.contract import Event, Label, LabError, Sentence, Text, joined, say

from native.tools.parsers_compared.trial import NAMES, Outcome, attempt

SHOWS_PYTHON = True
LINES = {
    "images apart": "first.png -w 640 second.png",
    "an abbreviation": "--wid 640 first.png",
    "a negative number": "-5 first.png",
    "a negative value": "--shift -3 12 first.png",
    "two dashes": "-v -- -old.png",
    "an equals sign": "-w=640 first.png",
    "hexadecimal": "--width 0x10 first.png",
    "twice": "-w 640 -w 320 first.png",
    "clustered": "-vw640 first.png",
    "a missing value": "first.png --format",
    "help": "--help",
}
"""Command lines to begin with."""


@dataclass(frozen=True)
class Params:
    line: Annotated[
        str,
        Text(200, examples=LINES),
        Label("Command line", help="What comes after the name of the program.", main=True),
    ] = LINES["images apart"]


@dataclass(frozen=True, kw_only=True)
class Compared(Event):
    """After one more library."""

    kind: Literal["compared"] = "compared"
    tokens: list[str]
    names: list[str]
    """Of the values."""
    outcomes: list[Outcome]
    """Of the libraries that had their turn."""
    groups: list[int]
    """For each outcome, which of the different ones it is, counted from 0 in the order of their first."""


def run(params: Params) -> Iterator[Compared]:
    from native.tools.parsers_compared.programs import PROGRAMS

    try:
        tokens = shlex.split(params.line)
    except ValueError as error:
        raise LabError(f"The command line ends too early ({error}): close the quote.") from None
    start = Compared(text=say("Nothing yet."), tokens=tokens, names=[*NAMES], outcomes=[], groups=[])
    kinds: list[list[str]] = []
    for library, program in PROGRAMS.items():
        one = attempt(library, program, tokens)
        kind = one.values or [str(one.status)]
        kinds += [kind] if kind not in kinds else []
        start = replace(start, outcomes=[*start.outcomes, one], groups=[*start.groups, kinds.index(kind)])
        yield replace(start, text=told(one))
    ran = [one.library for one in start.outcomes if one.values]
    text = say("All four end the same way.")
    if len(kinds) > 1 and ran and len(ran) < len(PROGRAMS):
        others = [library for library in PROGRAMS if library not in ran]
        text = say("The program runs with {}, and not with {}.", some(ran), some(others))
    elif len(kinds) > 1:
        text = say("The four do not end the same way.")
    yield replace(start, text=text)


def some(names: list[str]) -> Sentence:
    *most, last = names
    return say("{} and {}", joined(", ", most), last) if most else Sentence.plain(last)


def first(text: str) -> str:
    """Its first sentence."""
    return re.split(r"[.!?]\s+(?=[A-Z])", text)[0]


def inline(text: str) -> str:
    """In one line, whatever a reader typed."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def told(one: Outcome) -> Sentence:
    if one.values:
        return say("With {} the program runs.", one.library)
    last = (one.stderr.strip().splitlines() or [""])[-1]
    if one.status:
        return say(
            "{} ends the program with exit code {}: {}.", one.library, one.status, inline(first(last)).rstrip(".?")
        )
    return say("{} prints its help, and ends the program with exit code 0.", one.library)
