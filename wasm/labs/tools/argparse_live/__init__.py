"""A live parser: how argparse sorts, matches and hands out the tokens of a command line.

The reader declares a parser in Python's own words, which are read and not executed, and types a command line. The
parser that is made of them is that of the standard library; its steps are noted as it takes them. Python's versions
differ in messages and in rules, so the version is shown.

Reading order: `declare` reads the calls, `build` makes the parser, `shell` splits the line, `watch` notes what
argparse does, `pictures` keeps what is shown, `steps` goes from note to note, and `tell` says it.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal

from labs.contract import Event, Label, Text, say
from labs.tools.argparse_live.build import build
from labs.tools.argparse_live.declare import declared
from labs.tools.argparse_live.examples import LINES, PARSERS
from labs.tools.argparse_live.pictures import Board, Slot, Token
from labs.tools.argparse_live.shell import words
from labs.tools.argparse_live.steps import Entry, steps
from labs.tools.argparse_live.watch import Piece, Trace, Watched

SHOWS_PYTHON = True
POSTER = 22


@dataclass(frozen=True)
class Params:
    parser: Annotated[
        str,
        Text(1500, language="python", examples=PARSERS, listed=True),
        Label("Parser", help="Calls to argparse with numbers and texts, as in a program; nothing is executed."),
    ] = PARSERS["resize"]
    line: Annotated[
        str,
        Text(200, examples=LINES),
        Label("Command line", help="What comes after the name of the program.", main=True),
    ] = LINES["resize"]


@dataclass(frozen=True, kw_only=True)
class Parsed(Event):
    """After one step of the parser."""

    kind: Literal["parsed"] = "parsed"
    stage: Literal["line", "tokens", "letters", "actions", "end"]
    python: str
    """Version of the Python whose argparse this is."""
    source: str
    """The declaration, as the reader wrote it."""
    at: int
    """The line of the declaration that the step belongs to; 0 for none."""
    line: str
    """The command line, as typed."""
    tokens: list[Token]
    slots: list[Slot]
    parser: str
    """Whose turn it is: the program, or a subcommand."""
    regex: str
    """The expression that was matched last, one group for each action; nothing in steps about other things."""
    letters: str
    """What it was matched with."""
    counts: list[int]
    """Letters that each of its groups got."""
    candidates: list[str]
    """Options that the token of this step may be."""
    result: list[Entry]
    """The namespace; empty before the end, and after an error."""
    stdout: str
    stderr: str
    status: int
    """Exit code: 0 after a help text, 2 after an error; -1 as long as the program goes on."""


def run(params: Params) -> Iterator[Parsed]:
    trace = Trace()
    parser, lines = build(declared(params.parser), Watched, trace=trace)
    split = words(params.line)
    board = Board(params.line, split, lines)
    quoted = any(quote in params.line for quote in "'\"")
    typed = "The command line has {} characters, including spaces."
    passed = "The shell splits them into {} tokens."
    if quoted:
        typed = "The command line has {} characters, including quotes and spaces."
        passed = "The shell splits them into {} tokens, and drops the quotes."
    blank = Parsed(
        text=say(typed, len(params.line)),
        stage="line",
        python=platform.python_version(),
        source=params.parser,
        at=0,
        line=params.line,
        tokens=board.tokens,
        slots=[],
        parser=parser.prog,
        regex="",
        letters="",
        counts=[],
        candidates=[],
        result=[],
        stdout="",
        stderr="",
        status=-1,
    )
    yield blank
    yield replace(blank, stage="tokens", text=say(passed, len(split)))
    trace.notes.clear()  # those of making the parser
    found, status = parsed(parser, [Piece(each.text, place) for place, each in enumerate(split)])
    for step in steps(trace.notes, board, found, status):
        told = {each.name: getattr(step, each.name) for each in fields(step)}
        at = next((each.line for each in board.slots if each.state), 0)
        yield replace(blank, **told, at=at, tokens=[*board.tokens], slots=[*board.slots])


def parsed(parser: Any, tokens: list[str]) -> tuple[dict[str, Any], int]:
    """The names of the namespace, or the exit code with which argparse ends the program; else that is -1."""
    try:
        return vars(parser.parse_args(tokens)), -1
    except SystemExit as ended:
        return {}, int(ended.code or 0)
