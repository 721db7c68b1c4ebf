"""The real parser of what was declared."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, BooleanOptionalAction
from typing import Any

from labs.contract import LabError
from labs.tools.argparse_live.declare import TYPES, Call, Name, trouble

MOST_ACTIONS, MOST_POSITIONALS = 14, 6
OWNERS = {
    "add_argument": ("ArgumentParser", "add_parser", "add_mutually_exclusive_group"),
    "add_mutually_exclusive_group": ("ArgumentParser", "add_parser"),
    "add_subparsers": ("ArgumentParser", "add_parser"),
    "add_parser": ("add_subparsers",),
}


def build(calls: list[Call], make: type[ArgumentParser], **given: Any) -> tuple[Any, dict[Action, int]]:
    """A parser of the class ``make``, whose subparsers get ``given``, too; and the line of each of its actions."""
    things: dict[str, tuple[Any, str]] = {}
    lines: dict[Action, int] = {}
    groups: list[tuple[Any, int]] = []
    parser: Any = None
    for call in calls:
        if call.method == "ArgumentParser":
            if parser:
                raise trouble(call.line, "one parser is enough; make more of them with add_subparsers")
            thing = parser = make(**({"prog": "program"} | call.named), **given)
        else:
            owner, kind = things.get(call.owner, (None, ""))
            if kind not in OWNERS[call.method]:
                raise trouble(
                    call.line, f"{call.owner} has no {call.method}; assign what has one to this name first"
                )
            thing = _made(owner, call, given if call.method == "add_parser" else {})
        if isinstance(thing, Action):
            lines[thing] = call.line
        if call.method == "add_mutually_exclusive_group":
            groups.append((thing, call.line))
        if call.result:
            things[call.result] = thing, call.method
    if not parser:
        raise LabError("Begin with parser = ArgumentParser().")
    for group, line in groups:
        if not group._group_actions:
            raise trouble(line, "put an argument into this group, or leave it out")
    for one, line in _parsers(parser, lines):
        positionals = [each for each in one._actions if not each.option_strings]
        if len(one._actions) > MOST_ACTIONS or len(positionals) > MOST_POSITIONALS:
            most = f"{MOST_ACTIONS} arguments, {MOST_POSITIONALS} of them positional"
            raise trouble(line, f"leave arguments out until a parser has at most {most}")
    return parser, lines


def _made(owner: Any, call: Call, given: dict[str, Any]) -> Any:
    named = {key: _python(value) if isinstance(value, Name) else value for key, value in call.named.items()}
    try:
        return getattr(owner, call.method)(*call.positional, **named, **given)
    except (ArgumentError, ValueError, TypeError, SystemExit) as refused:
        reason = str(refused) if str(refused) != "2" else "one add_subparsers is all that a parser takes"
        raise trouble(call.line, f"argparse does not take this call: {reason.rstrip('.')}") from None


def _python(name: Name) -> Any:
    return BooleanOptionalAction if name == "BooleanOptionalAction" else TYPES[name]


def _parsers(parser: Any, lines: dict[Action, int]) -> list[tuple[Any, int]]:
    """This parser and those of its commands, with the line of one of their actions."""
    found = [(parser, max((lines.get(each, 1) for each in parser._actions), default=1))]
    for action in parser._actions:
        if action.nargs == "A...":
            for each in action.choices.values():
                found += _parsers(each, lines)
    return found
