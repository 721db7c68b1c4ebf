"""What the figure shows, from note to note: tokens, the actions that wait for them, and what has a value."""

from __future__ import annotations

from argparse import SUPPRESS, Action
from dataclasses import dataclass, replace
from typing import Any

from labs.tools.argparse_live.shell import Word
from labs.tools.argparse_live.watch import (
    Entered,
    Left,
    Lettered,
    Matched,
    Note,
    Patterned,
    Piece,
    Put,
    Taken,
    Watched,
)

MOST = 48  # characters of a value


@dataclass(frozen=True)
class Token:
    text: str
    """As the parser gets it, without quotes."""
    raw: str
    """As it was typed."""
    start: int
    """Its first character in the line."""
    letter: str = ""
    """What argparse has sorted it as: O for an option, A for an argument, - for two dashes; nothing yet."""
    state: str = ""
    """taken, now, wrong, left, or nothing."""


@dataclass(frozen=True)
class Chip:
    """A token, or a part of one, that an action has taken."""

    place: int
    """Which token."""
    text: str


@dataclass(frozen=True)
class Slot:
    """An action of a parser, and what the namespace has under its name."""

    level: int
    """1 for the parser of the program, 2 for that of a subcommand."""
    parser: str
    name: str
    dest: str
    """Its name in the namespace; nothing if it puts nothing there."""
    wants: str
    """The regular expression that its letters have to match."""
    line: int
    """Where it is declared; 0 for --help, which nobody declared."""
    required: bool
    value: str = ""
    """As Python writes it; nothing where there is no value."""
    given: bool = False
    """Whether the value comes from the command line; else it is a default."""
    chips: tuple[Chip, ...] = ()
    state: str = ""
    """now, wrong, or nothing."""


class Board:
    def __init__(self, line: str, words: list[Word], lines: dict[Action, int]) -> None:
        self.tokens = [Token(each.text, line[each.start : each.end], each.start) for each in words]
        self.slots: list[Slot] = []
        self.actions: list[Action] = []  # beside the slots
        self.lines = lines
        self.level = 0  # parsers that have begun
        self.here: list[int] = []
        """Places of the tokens that the innermost parser was given."""

    def calm(self) -> None:
        """Nothing is new any more."""
        self.tokens = [replace(each, state="" if each.state == "now" else each.state) for each in self.tokens]
        self.slots = [replace(each, state="") for each in self.slots]

    def enter(self, note: Entered) -> None:
        self.level = note.level
        self.here = note.places
        for place in note.places:  # the subcommand had taken them all
            self.token(place, letter="", state="")
        kept = set(note.places)
        self.slots = [
            replace(each, chips=tuple(one for one in each.chips if one.place not in kept)) for each in self.slots
        ]
        for action in note.parser._actions:
            self.actions.append(action)
            self.slots.append(self.slot(note.parser, action))
        self.put(self.level, note.values, given=False)

    def slot(self, parser: Watched, action: Action) -> Slot:
        choices = action.choices if action.nargs == "A..." else None
        name = ", ".join(action.option_strings) or ("|".join(choices) if choices else str(action.dest))
        return Slot(
            level=self.level,
            parser=parser.prog,
            name=name,
            dest="" if SUPPRESS in (action.dest, action.default) else action.dest,
            wants=parser._get_nargs_pattern(action),
            line=self.lines.get(action, 0),
            required=action.required,
        )

    def letter(self, note: Lettered) -> None:
        self.token(note.place, letter=note.letter, state="now")

    def pattern(self, note: Patterned) -> list[int]:
        """The places that get their letter only now: two dashes, and what stands behind them."""
        new = []
        for place, letter in zip(self.here, note.pattern, strict=True):
            if not self.tokens[place].letter:
                new.append(place)
                self.token(place, letter=letter, state="now")
        return new

    def match(self, note: Matched) -> None:
        for action, _ in zip(note.actions, note.counts or note.actions, strict=False):
            self.change(action, state="now" if note.counts else "wrong")
        if note.option is not None:
            self.token(note.option, state="now" if note.counts else "wrong")

    def take(self, note: Taken) -> None:
        chips = []
        if note.option is not None:
            typed = self.tokens[note.option]
            joined = "" if note.places or not note.texts else note.texts[0]
            whole = typed.text.startswith("--") or typed.text == note.name
            chips.append(Chip(note.option, typed.text if whole else note.name + joined))
        chips += [Chip(place, self.tokens[place].text) for place in note.places]
        for chip in chips:
            self.token(chip.place, state="taken")
        index = self.index(note.action)
        self.change(note.action, chips=(*self.slots[index].chips, *chips), state="now")
        self.put(self.level, note.values, given=bool(chips))

    def put(self, level: int, values: dict[str, Any], given: bool) -> None:
        for index, each in enumerate(self.slots):
            if each.level == level and each.dest in values:
                self.slots[index] = replace(each, value=shown(values[each.dest]), given=given)

    def copy(self, note: Put) -> None:
        """A subcommand's values go to the namespace of the program; a default is converted in place."""
        below = {each.dest: each for each in self.slots if each.level == note.level + 1}
        for name, value in note.values.items():
            self.put(note.level, {name: value}, given=name in below and below[name].given)

    def blame(self, level: int, message: str, last: Note | None) -> None:
        """Marks what an error is about."""
        if isinstance(last, Taken):
            self.change(last.action, state="wrong")
        elif isinstance(last, Left):
            for text in last.texts:
                if isinstance(text, Piece):
                    self.token(text.place, state="left")
        elif message.startswith("ambiguous"):
            self.token(next(n for n, each in enumerate(self.tokens) if f" {each.text} " in message), state="wrong")
        elif "required" in message:
            for n, each in enumerate(self.slots):
                if each.required and not each.chips and each.level == level:
                    self.slots[n] = replace(each, state="wrong")

    def parser_of(self, action: Action) -> str:
        return self.slots[self.index(action)].parser

    def token(self, place: int, **change: Any) -> None:
        self.tokens[place] = replace(self.tokens[place], **change)

    def index(self, action: Action) -> int:
        return next(n for n, each in enumerate(self.actions) if each is action)

    def change(self, action: Action, **change: Any) -> None:
        index = self.index(action)
        self.slots[index] = replace(self.slots[index], **change)


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MOST else text[: MOST - 1] + "…"
