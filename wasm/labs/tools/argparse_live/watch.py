"""A parser of the real argparse that writes down what it does.

Its methods are those of ``ArgumentParser``; each calls the original, and notes what went in and what came out. What
lies in local variables of argparse, such as the token whose turn it is, is read from its frames.
"""

from __future__ import annotations

import sys
from argparse import Action, ArgumentError, ArgumentParser, HelpFormatter, Namespace
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

WIDTH = 58  # columns of a help text


class Piece(str):
    """A token that knows its place on the command line; to argparse it is any other text."""

    place: int

    def __new__(cls, text: str, place: int) -> Piece:
        made = super().__new__(cls, text)
        made.place = place
        return made


@dataclass(frozen=True)
class Entered:
    """A parser begins: that of the program, at level 1, or that of a subcommand."""

    level: int
    parser: Watched
    places: list[int]
    values: dict[str, Any] = field(default_factory=dict)
    """What its namespace begins with."""


@dataclass(frozen=True)
class Lettered:
    """A token was looked at, and is an option or an argument."""

    place: int
    letter: str
    found: list[tuple[Action | None, str]]
    """Options that it may be, each with the name that it is known by."""
    searched: bool
    """Whether argparse went through all names that begin like it."""


@dataclass(frozen=True)
class Patterned:
    """All tokens have letters."""

    pattern: str


@dataclass(frozen=True)
class Matched:
    """The actions that come next were held against the letters that come next."""

    actions: list[Action]
    regex: str
    letters: str
    counts: list[int]
    """Tokens for each; fewer counts than actions if there were not enough letters."""
    option: int | None
    """The token of the option that asked."""


@dataclass(frozen=True)
class Taken:
    """An action gets its arguments; ``places`` are those of the tokens that they come from."""

    level: int
    action: Action
    option: int | None
    name: str
    places: list[int]
    texts: list[str]
    values: dict[str, Any] = field(default_factory=dict)
    """What the action put into the namespace; nothing if it did not come to that."""


@dataclass(frozen=True)
class Put:
    """Values that a namespace gets at other times: a default that is converted, or what a subcommand found."""

    level: int
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Left:
    """Tokens that no action took."""

    texts: list[str]


@dataclass(frozen=True)
class Failed:
    level: int
    message: str


@dataclass(frozen=True)
class Printed:
    text: str
    error: bool


Note = Entered | Lettered | Patterned | Matched | Taken | Put | Left | Failed | Printed


@dataclass
class Trace:
    notes: list[Note] = field(default_factory=list)
    levels: int = 0
    """Parsers that have begun."""
    searched: bool = False
    """Whether argparse went through all names for the token that it is sorting."""

    def put(self, level: int, name: str, value: Any) -> None:
        last = self.notes[-1]
        if not (isinstance(last, Entered | Taken | Put) and last.level == level):
            last = Put(level)
            self.notes.append(last)
        last.values[name] = value


class Narrow(HelpFormatter):
    def __init__(self, prog: str, *given: Any, **named: Any) -> None:
        super().__init__(prog, *given, **{**named, "width": WIDTH})


class Slots(Namespace):
    """A namespace that tells what is put into it."""

    __slots__ = ("_level", "_trace")

    def __init__(self, trace: Trace) -> None:
        object.__setattr__(self, "_trace", trace)
        object.__setattr__(self, "_level", trace.levels)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if not name.startswith("_"):  # as the list of what a subcommand did not know
            self._trace.put(self._level, name, value)


class Watched(ArgumentParser):
    def __init__(self, *given: Any, trace: Trace, **named: Any) -> None:
        self.trace = trace
        super().__init__(*given, **{"formatter_class": Narrow, **named})
        self.color = False  # of Python 3.14, which would write for a terminal

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.trace.levels += 1
        self.level, self.patterned = self.trace.levels, False
        self.trace.notes.append(Entered(self.level, self, [each.place for each in args]))
        found, left = super().parse_known_args(args, Slots(self.trace) if namespace is None else namespace)
        if left:
            self.trace.notes.append(Left(left))
        return found, left

    def _parse_optional(self, arg_string: str) -> Any:
        self.trace.searched = False
        found = super()._parse_optional(arg_string)  # which up to Python 3.11 ends at an ambiguous option
        each = found if isinstance(found, list) else [found] if found else []
        self.note_letter(arg_string, [(one[0], str(one[1])) for one in each])
        return found

    def _get_option_tuples(self, option_string: str) -> Any:
        found = super()._get_option_tuples(option_string)
        self.trace.searched = True
        if len(found) > 1:
            self.note_letter(option_string, [(each[0], str(each[1])) for each in found])
        return found

    def note_letter(self, token: str, found: list[tuple[Action | None, str]]) -> None:
        note = Lettered(getattr(token, "place", -1), "O" if found else "A", found, self.trace.searched)
        if note != self.trace.notes[-1]:
            self.trace.notes.append(note)

    def _match_argument(self, action: Action, arg_strings_pattern: str) -> int:
        self.note_pattern()
        regex = self._get_nargs_pattern(action)
        try:
            count = super()._match_argument(action, arg_strings_pattern)
        except ArgumentError:
            self.trace.notes.append(Matched([action], regex, arg_strings_pattern, [], place_of_option()))
            raise
        self.trace.notes.append(Matched([action], regex, arg_strings_pattern, [count], place_of_option()))
        return count

    def _match_arguments_partial(self, actions: Any, arg_strings_pattern: str) -> list[int]:
        self.note_pattern()
        counts = super()._match_arguments_partial(actions, arg_strings_pattern)
        if actions:
            regex = "".join(self._get_nargs_pattern(each) for each in actions[: len(counts) or 1])
            self.trace.notes.append(Matched(list(actions), regex, arg_strings_pattern, list(counts), None))
        return counts

    def note_pattern(self) -> None:
        if not self.patterned and (frame := inside("consume_optional", "consume_positionals")):
            self.trace.notes.append(Patterned(frame.f_locals["arg_strings_pattern"]))
            self.patterned = True

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        frame = inside("take_action")
        name = frame.f_locals["option_string"] if frame else None
        places = [each.place for each in arg_strings if isinstance(each, Piece)]
        self.trace.notes.append(Taken(self.level, action, place_of_option(), name or "", places, [*arg_strings]))
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> Any:
        self.trace.notes.append(Failed(self.level, message))
        super().error(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        if message:
            self.trace.notes.append(Printed(message, file is not sys.stdout))


def inside(*names: str) -> FrameType | None:
    """The innermost open call of argparse with one of these names."""
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_code.co_name != "_parse_known_args":
        if frame.f_code.co_name in names and frame.f_globals["__name__"] == "argparse":
            return frame
        frame = frame.f_back
    return None


def place_of_option() -> int | None:
    """Where the option is that argparse is working on."""
    if not (frame := inside("consume_optional")):
        return None
    known = frame.f_locals
    return getattr(known["arg_strings"][known["start_index"]], "place", None)
