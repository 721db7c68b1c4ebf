"""A mangled name taken apart: each piece of it with what it stands for (Itanium C++ ABI, section 5.1).

It reads functions and objects with nested names, templates over types, pointers, references and substitutions. What
else a name may hold (expressions, function types, lambdas) is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BUILTIN = {
    **{"v": "void", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short"},
    **{"t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long"},
    **{"y": "unsigned long long", "f": "float", "d": "double", "e": "long double", "w": "wchar_t", "z": "..."},
}
STANDARD = {"St": "std", "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string"}
IN_FULL = "std::basic_string<char, std::char_traits<char>, std::allocator<char> >"
AROUND = {"P": "*", "R": "&", "O": "&&", "K": " const"}


@dataclass(frozen=True)
class Read:
    """A piece as it stands in the name."""

    text: str
    role: str
    """mark, name, type, around or again"""
    says: str
    """What it stands for, as C++ writes it"""


def apart(symbol: str) -> list[Read]:
    """The pieces of a name, which together are the name. Of a name of C: itself."""
    return _read(symbol).pieces if symbol.startswith("_Z") else [Read(symbol, "name", "a name of C")]


def written(symbol: str) -> str:
    """The name as C++ writes it, put together from its pieces."""
    return _read(symbol).all if symbol.startswith("_Z") else symbol


def _read(symbol: str) -> _Reader:
    reader = _Reader(symbol)
    reader.whole()
    return reader


class _Reader:
    """Goes over the name once, from left to right. Raises ``ValueError`` at what it does not know."""

    def __init__(self, symbol: str) -> None:
        self.symbol, self.at, self.all = symbol, 0, ""
        self.pieces: list[Read] = []
        self.known: list[str] = []
        """What a later S_, S0_, … may stand for"""

    def sees(self, *starts: str) -> bool:
        return self.symbol.startswith(starts, self.at)

    def take(self, length: int, role: str, says: str) -> str:
        self.pieces.append(Read(self.symbol[self.at : self.at + length], role, says))
        self.at += length
        return says

    def remember(self, text: str) -> str:
        self.known.append(text)
        return text

    def whole(self) -> None:
        self.take(2, "mark", "C++")
        name, template, member = self.name()
        if self.at == len(self.symbol):
            self.all = name
            return
        result = ""
        if template:
            result = f"{self.type()} "
        takes = []
        while self.at < len(self.symbol):
            takes.append(self.type())
        self.all = f"{result}{name}({', '.join(takes) if takes != ['void'] else ''}){member}"

    def name(self) -> tuple[str, bool, str]:
        """With whether it is a template's, whose result is part of the name, and a member's const."""
        if not self.sees("N"):
            text, template = self.prefix(), False
            if self.sees("I"):
                self.remember(text)
                text, template = text + self.arguments(), True
            return text, template, ""
        self.take(1, "mark", "(")
        member = self.take(1, "around", " const") if self.sees("K") else ""
        text, template = self.inside()
        return text, template, member

    def inside(self) -> tuple[str, bool]:
        """A nested name up to its E, and whether it ends as a template. All its beginnings are remembered."""
        text, template = self.prefix(), False
        last = self.last  # of the classes so far: its constructor repeats it
        while not self.sees("E"):
            if not self.again:
                self.remember(text)
            self.again = False
            template = self.sees("I")
            if template:
                text += self.arguments()
            elif self.sees("C", "D"):
                text = self.special(text, last)
            else:
                last = self.own()
                text += f"::{last}"
        self.take(1, "mark", ")")
        return text, template

    def special(self, text: str, last: str) -> str:
        """A constructor or a destructor of the class so far."""
        kind = self.symbol[self.at : self.at + 2]
        if not re.fullmatch(r"C[123]|D[012]", kind):
            raise ValueError(f"{self.symbol}: neither constructor nor destructor at {self.at}")
        if text == STANDARD["Ss"]:
            text, last = IN_FULL, "basic_string"
        return f"{text}::{self.take(2, 'name', ('~' if kind[0] == 'D' else '') + last)}"

    again = False
    """Whether the part read just now needs no place among the known: it is one, or has one"""
    last = ""

    def prefix(self) -> str:
        if self.sees("St"):
            self.take(2, "name", "std")
            self.last = self.own()
            return f"std::{self.last}"
        if self.sees("S"):
            self.again = True
            return self.substitution()
        self.last = self.own()
        return self.last

    def own(self) -> str:
        """A name with its length before it, and the tag that a changed ABI may have put behind it."""
        name = self.counted()
        if self.sees("B"):
            at = self.at
            self.at += 1
            tag = self.counted(show=False)
            end, self.at = self.at, at
            self.take(end - at, "name", f"[abi:{tag}]")
            name += f"[abi:{tag}]"
        return name

    def counted(self, show: bool = True) -> str:
        found = re.compile(r"\d+").match(self.symbol, self.at)
        if not found:
            raise ValueError(f"{self.symbol}: no name at {self.at}")
        length = int(found[0])
        name = self.symbol[found.end() : found.end() + length]
        if len(name) < length or name.startswith("_GLOBAL_"):
            raise ValueError(f"{self.symbol}: a name is cut off or has none")
        if show:
            self.take(len(found[0]) + length, "name", name)
        else:
            self.at = found.end() + length
        return name

    def substitution(self) -> str:
        short = self.symbol[self.at : self.at + 2]
        if short in STANDARD:
            self.last = STANDARD[short].rpartition("::")[2]
            return self.take(2, "again", STANDARD[short])
        found = re.compile(r"S([0-9A-Z]*)_").match(self.symbol, self.at)
        place = (int(found[1], 36) + 1 if found[1] else 0) if found else len(self.known)
        if not found or place >= len(self.known):
            raise ValueError(f"{self.symbol}: {short} stands for nothing that came before")
        self.last = re.sub(r"<.*", "", self.known[place]).rpartition("::")[2]
        return self.take(len(found[0]), "again", self.known[place])

    def arguments(self) -> str:
        self.take(1, "mark", "<")
        takes = []
        while not self.sees("E"):
            takes.append(self.type())
        self.take(1, "mark", ">")
        text = ", ".join(takes)
        return f"<{text}{' ' if text.endswith('>') else ''}>"

    def type(self) -> str:
        here = self.symbol[self.at : self.at + 1]
        if here in AROUND:
            self.take(1, "around", AROUND[here])
            inner = self.type()
            return self.remember(inner + AROUND[here])
        if here in BUILTIN:
            return self.take(1, "type", BUILTIN[here])
        if here == "N":
            self.take(1, "mark", "(")
            return self.remember(self.inside()[0])
        if not (here == "S" or here.isdigit()):
            raise ValueError(f"{self.symbol}: a type that is not read here, at {self.at}")
        self.again = False
        text = self.prefix()
        if not self.again:
            self.remember(text)
        self.again = False
        return self.remember(text + self.arguments()) if self.sees("I") else text
