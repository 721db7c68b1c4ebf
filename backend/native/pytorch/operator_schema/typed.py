"""A schema that the reader wrote: torch's parser reads it, and what nobody could draw or call is refused."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from typing import Any

from labs.contract import LabError

from native.models import private

MOST_SLOTS = 24
_EXCERPT = re.compile(r"(?: here)?:\n[^\n]*(?:\n( *)(~+) <--- HERE)?\s*$")


def read(text: str) -> Any:
    """Its FunctionSchema. Raises ``LabError`` where torch cannot read it, or no figure draw it."""
    text = text.replace("\n", " ").replace("\t", " ")
    for place, letter in enumerate(text, 1):
        if not (letter.isascii() and letter.isprintable()):
            raise LabError(f"Character {place} of the schema is {letter!a}: delete it, and write in plain ASCII.")
    try:
        schema = private.schema(text)
    except (RuntimeError, IndexError) as wrong:
        raise LabError(explained(text, str(wrong))) from None
    _drawn(schema)
    return schema


def explained(text: str, message: str) -> str:
    """Torch's message in one sentence: the place that it underlines is said in words."""
    place = ""
    if found := _EXCERPT.search(message):
        at, width = len(text if found[1] is None else found[1]), len(found[2] or "")
        place = f" at character {at + 1}, “{text[at : at + width]}”" if at < len(text) else " at its end"
        message = message[: found.start()]
    elif message.startswith("sto"):  # all that C++ says of a number that it cannot hold
        message = f"{message}, which means that a default is too large a number"
    message = message.rpartition("please report a bug to PyTorch. ")[2]  # before that: a line of torch's own C++
    message = re.sub(r"\. ([A-Z])", lambda each: f"; {each[1].lower()}", " ".join(message.split())).rstrip(" .:")
    return f"PyTorch’s parser refuses the schema{place}: {message}."


def _drawn(schema: Any) -> None:
    names = [each.name for each in schema.arguments]
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise LabError(f"Two arguments are named {twice[0]}: PyTorch takes that, but no call could; rename one.")
    if (many := len(names) + len(schema.returns)) > MOST_SLOTS:
        raise LabError(f"These {many} arguments and results are too many to draw; leave {MOST_SLOTS} at most.")
    for name in [*schema.name.split("::"), schema.overload_name, *names]:
        if keyword.iskeyword(name):
            raise LabError(f"Python keeps the word {name} for itself, so no program could write it; rename it.")
