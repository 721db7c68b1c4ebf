"""One sentence for each note of the parser."""

from __future__ import annotations

from argparse import Action
from typing import Any

from labs.contract import Sentence, joined, say
from labs.tools.argparse_live.pictures import shown
from labs.tools.argparse_live.watch import Entered, Lettered, Matched, Put, Taken


def title(action: Action) -> str:
    return "/".join(action.option_strings) or action.metavar or str(action.dest)  # type: ignore[return-value]


def entered(note: Entered, level: int) -> Sentence:
    if level == 1:
        return say("The parser of {} puts its defaults into a namespace.", note.parser.prog)
    return say(
        "The parser of {} gets the {} tokens that are left, and a namespace of its own.",
        note.parser.prog,
        len(note.places),
    )


def inline(text: str) -> str:
    """In one line, whatever a reader typed."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def lettered(note: Lettered, token: str) -> Sentence:
    token = inline(token)
    names = [name for _, name in note.found]
    if note.letter == "A":
        return say("{} is an argument, A: {}.", shown(token), _argument(token))
    if not note.searched:
        if names == [token]:
            return say("{} is an option of this parser, O.", token)
        return say("{} is an option, O: {} stands before its equals sign.", token, names[0])
    if note.found[0][0] is None:
        return say("{} is an option, O, although no option of this parser begins with it.", token)
    if len(names) > 1:
        return say("{} could be {}, and argparse does not choose between them.", token, joined(" or ", names))
    if token.startswith("--") or token.startswith(names[0]) is False:
        return say("{} is an option, O: it abbreviates {}, and no other name.", token, names[0])
    return say("{} is an option, O: {} with something attached to it.", token, names[0])


def _argument(token: str) -> Sentence:
    if not token:
        return say("it is empty")
    if not token.startswith("-"):
        return say("it does not begin with a dash")
    if len(token) == 1:
        return say("it is a single dash")
    if " " in token:
        return say("it contains a space")
    return say("it looks like a negative number, and no option of this parser does")


def behind(tokens: list[str]) -> Sentence:
    if len(tokens) == 1:
        return say("Two dashes have a letter of their own, and nothing comes after them.")
    return say("Two dashes have a letter of their own, and all {} after them are arguments, A.", len(tokens) - 1)


def matched(note: Matched) -> Sentence:
    letters, names = note.letters or "nothing", [title(each) for each in note.actions]
    if len(note.counts) < len(names) and not any(each.option_strings for each in note.actions):
        some = joined(", ", names[len(note.counts) :])
        if not note.counts:
            return say("{} gets nothing from the letters {}, and waits.", some, letters)
        got = joined(", ", names[: len(note.counts)])
        return say("The letters {} are enough for {}; {} waits.", letters, got, some)
    if not note.counts:
        return say(
            "{} needs {} at the start of the letters {}, and does not find it.", names[0], note.regex, letters
        )
    counts = joined(" and ", [f"{count} for {name}" for count, name in zip(note.counts, names, strict=True)])
    return say("{} is matched with the letters {}: {}.", note.regex, letters, counts)


def taken(note: Taken) -> Sentence:
    name = title(note.action)
    if not note.values:
        return say("{} is called with {}.", name, _texts(note.texts))
    value = values(note.values)
    if note.texts:
        return say("{} takes {}: {}.", name, _texts(note.texts), value)
    if note.option is None:
        return say("{} gets nothing, so its default stays: {}.", name, value)
    return say("{} takes no token, and acts: {}.", name, value)


def values(of: dict[str, Any]) -> Sentence:
    return joined(", ", [f"{name} = {shown(value)}" for name, value in of.items()])


def copied(note: Put, subcommand: bool) -> Sentence:
    if subcommand:
        return say("The values of the subcommand go into the namespace of the program: {}.", values(note.values))
    return say("A default that is a text goes through its type: {}.", values(note.values))


def ended(message: str, status: int, names: int) -> Sentence:
    if status < 0:
        return say("The program goes on with {} names in its namespace.", names)
    if not status:
        return say("The text goes to standard output, and the program ends with exit code 0.")
    return say(
        "The program ends with exit code {}, and writes to standard error: {}.", status, inline(message).rstrip(".")
    )


def _texts(texts: list[str]) -> Sentence:
    return joined(", ", [shown(str(each)) for each in texts]) if texts else say("nothing")
