"""Lines of a small language of our own, cut into tokens and read from left to right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

SAME = str.maketrans({"−": "-", "·": "*", "×": "*"})  # as books write them


@dataclass(frozen=True)
class Token:
    kind: str
    """The group of the pattern that it matched; "end" behind the last."""
    text: str
    column: int


class LineReader:
    """A place in the line that is being read. Whatever is wrong is an ``error`` that names it."""

    pattern: re.Pattern[str]
    error: type[ValueError]

    def __init__(self) -> None:
        self.line = 0
        self.tokens: list[Token] = []
        self.at = self.depth = 0

    def unknown(self, sign: str) -> str:
        """What to say of a sign that begins no token."""
        return f"{sign!r} has no meaning here"

    def begin(self, number: int, tokens: list[Token]) -> None:
        self.line, self.tokens, self.at, self.depth = number, tokens, 0, 0

    def cut(self, number: int, line: str) -> list[Token]:
        found, at, self.line = [], 0, number
        line = line.translate(SAME)
        while at < len(line):
            match = self.pattern.match(line, at)
            if match is None:
                self.fail(self.unknown(line[at]), at + 1)
            if match.lastgroup != "space":
                found.append(Token(str(match.lastgroup), match[0], at + 1))
            at = match.end()
        return [*found, Token("end", "", len(line.rstrip()) + 1)]

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def next(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, *signs: str) -> Token | None:
        return self.next() if self.token.kind == "sign" and self.token.text in signs else None

    def fail(self, message: str, column: int | None = None) -> NoReturn:
        raise self.error(f"Line {self.line}, column {column or self.token.column}: {message}")
