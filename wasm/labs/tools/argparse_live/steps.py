"""From the notes of a parser to the steps of the figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from labs.contract import Sentence
from labs.tools.argparse_live import tell
from labs.tools.argparse_live.pictures import Board, shown
from labs.tools.argparse_live.watch import (
    Entered,
    Failed,
    Lettered,
    Matched,
    Note,
    Patterned,
    Printed,
    Put,
    Taken,
)


@dataclass(frozen=True)
class Entry:
    """A name of the namespace that the program gets."""

    name: str
    value: str


@dataclass(frozen=True)
class Step:
    """What an event says beside the board."""

    text: Sentence
    stage: str
    parser: str
    regex: str = ""
    letters: str = ""
    counts: list[int] = field(default_factory=list)
    candidates: list[str] = field(default_factory=list)
    result: list[Entry] = field(default_factory=list)
    stdout: str = ""
    stderr: str = ""
    status: int = -1


def steps(notes: list[Note], board: Board, found: dict[str, Any], status: int) -> Iterator[Step]:
    """After each, the board is as the step shows it."""
    parser, message, printed = "", "", {False: "", True: ""}
    last: Note | None = None
    matched: dict[str, Any] = {}
    for note in notes:
        if not isinstance(note, Failed | Printed):
            board.calm()
        match note:
            case Entered():
                parser = note.parser.prog
                board.enter(note)
                yield Step(tell.entered(note, board.level), "letters", parser)
            case Lettered():
                board.letter(note)
                names = [name for _, name in note.found] if note.searched else []
                text = tell.lettered(note, board.tokens[note.place].text)
                yield Step(text, "letters", parser, candidates=names)
            case Patterned():
                if new := board.pattern(note):
                    yield Step(tell.behind([board.tokens[place].text for place in new]), "letters", parser)
            case Matched():
                board.match(note)
                parser = board.parser_of(note.actions[0])
                matched = {"regex": note.regex, "letters": note.letters, "counts": note.counts}
                yield Step(tell.matched(note), "actions", parser, **matched)
            case Taken():
                board.take(note)
                parser = board.parser_of(note.action)
                yield Step(tell.taken(note), "actions", parser, **matched)
            case Put():
                board.copy(note)
                yield Step(tell.copied(note, note.level < board.level), "actions", parser)
            case Failed():
                message = note.message
                board.blame(note.level, message, last)
            case Printed():
                printed[note.error] += note.text
        last = note
    result = [Entry(name, shown(value)) for name, value in found.items()]
    text = tell.ended(message, status, len(result))
    yield Step(text, "end", parser, result=result, stdout=printed[False], stderr=printed[True], status=status)
