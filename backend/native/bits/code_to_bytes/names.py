"""What the things of a program are called in LLVM's text."""

from __future__ import annotations

import re

from labs.models.c.code import Routine, Slot

PLAIN = re.compile(r"[A-Za-z_$.][\w$.-]*", re.ASCII)
TAKEN = re.compile(r"[tL]\d+(\.\w+)?|entry")


def quoted(name: str) -> str:
    if PLAIN.fullmatch(name):
        return name
    return '"' + "".join(chr(c) if 32 < c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in name.encode()) + '"'


def symbol(name: str) -> str:
    """A function or a variable outside of functions; a string has a number for a name."""
    return f"@{quoted(f'.str.{name[1:]}' if name.startswith(chr(34)) else name)}"


class Names:
    """Those of one function."""

    def __init__(self, routine: Routine) -> None:
        self.parameters = {slot.key for slot in routine.parameters}

    def function(self, name: str) -> str:
        return symbol(name)

    def argument(self, slot: Slot) -> str:
        return "%" + quoted(free(slot.key))

    def slot(self, key: str) -> str:
        return "%" + quoted(f"{key}.addr" if key in self.parameters else free(key))


def free(key: str) -> str:
    return f"{key}.var" if TAKEN.fullmatch(key) else key
