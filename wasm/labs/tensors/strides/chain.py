"""A chain of operations on a tensor, as it is written in PyTorch: ``arange(24).reshape(2, 3, 4)[:, ::2].T``.

It is read here, number by number; nothing that a reader writes is ever run as Python.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from labs.models.tensor.layout import Key

Argument = int | tuple[int, ...]

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(\.\.\.)|([.()\[\],:-]))")
MOST_DIGITS = 6
ANY = range(100)
# How many numbers each takes.
TAKES: dict[str, range] = {
    "reshape": ANY,
    "view": ANY,
    "permute": ANY,
    "expand": ANY,
    "flip": ANY,
    "flatten": range(1),
    "transpose": range(2, 3),
    "unsqueeze": range(1, 2),
    "squeeze": range(2),
    "diagonal": range(1),
    "unfold": range(3, 4),
    "contiguous": range(1),
    "as_strided": ANY,
}


class ChainError(ValueError):
    """The chain cannot be followed; the message says what to change, ``column`` where, counted from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


@dataclass(frozen=True)
class Step:
    """One operation, and where in the chain it is written."""

    name: str
    """A method, ``T``, or ``[]`` for an index."""
    arguments: tuple[Argument, ...] = ()
    keys: tuple[Key, ...] = ()
    begin: int = 0
    end: int = 0

    def numbers(self) -> tuple[int, ...]:
        """The arguments, whether they were written as a tuple or not."""
        return tuple(n for each in self.arguments for n in (each if isinstance(each, tuple) else (each,)))


@dataclass(frozen=True)
class Chain:
    count: int
    """The tensor begins as 0, 1, 2, … up to here."""
    steps: list[Step]
    begin: int
    end: int
    """Where its first part is written."""


@dataclass(frozen=True)
class Token:
    text: str
    at: int
    end: int


def tokens(text: str) -> list[Token]:
    found, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise ChainError(f"{text[at]!r} has no meaning here", at + 1)
        found.append(Token(match.group().strip(), match.end() - len(match.group().lstrip()), match.end()))
        at = match.end()
    return [*found, Token("", len(text), len(text))]


class Reader:
    """Goes through the tokens once, from the left."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.at = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    @property
    def end(self) -> int:
        """Of what was taken last."""
        return self.tokens[self.at - 1].end

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def took(self, text: str) -> bool:
        found = self.next.text == text
        self.at += found
        return found

    def expect(self, text: str, after: str) -> None:
        if not self.took(text):
            raise self.error(f"expected {text} after {after}, found {self.next.text or 'the end'}")

    def error(self, message: str) -> ChainError:
        return ChainError(message, self.next.at + 1)

    def number(self) -> int:
        sign = -1 if self.took("-") else 1
        if not self.next.text.isdecimal():
            raise self.error(f"expected a whole number, found {self.next.text or 'the end'}")
        if len(self.next.text) > MOST_DIGITS:
            raise self.error(f"{self.next.text} is too large")
        return sign * int(self.take().text)

    def chain(self) -> Chain:
        if self.next.text != "arange":
            raise self.error("a chain begins with arange(…), such as arange(24)")
        begin = self.take().at
        self.expect("(", "arange")
        count = self.number()
        self.expect(")", "the number of elements")
        end, steps = self.end, []
        while self.next.text:
            steps.append(self.step())
        return Chain(count, steps, begin, end)

    def step(self) -> Step:
        begin = self.next.at
        if self.took("["):
            keys = self.keys()
            return Step("[]", keys=keys, begin=begin, end=self.end)
        if not self.took("."):
            raise self.error(f"expected . or [ to go on, found {self.next.text}")
        name = self.next.text
        if name in ("T", "mT"):
            self.take()
            return Step(name, begin=begin, end=self.end)
        if name not in TAKES:
            raise self.error(f"{name or 'the end'} is none of the operations {', '.join(TAKES)}, T and mT")
        self.take()
        self.expect("(", name)
        arguments = self.arguments()
        self.fits(name, arguments, begin)
        return Step(name, arguments, begin=begin, end=self.end)

    def arguments(self) -> tuple[Argument, ...]:
        found: list[Argument] = []
        while not self.took(")"):
            found.append(self.several() if self.took("(") else self.number())
            if self.next.text != ")":
                self.expect(",", "an argument")
        return tuple(found)

    def several(self) -> tuple[int, ...]:
        found: list[int] = []
        while not self.took(")"):
            found.append(self.number())
            if self.next.text != ")":
                self.expect(",", "a number of a tuple")
        return tuple(found)

    def fits(self, name: str, arguments: tuple[Argument, ...], begin: int) -> None:
        wants, tuples = TAKES[name], [isinstance(each, tuple) for each in arguments]
        if name == "as_strided":
            if tuples not in ([True, True], [True, True, False]):
                raise ChainError(f"{name} takes a shape, strides and an offset: (3, 3), (1, 2), 0", begin + 1)
        elif wants is ANY:
            if any(tuples) and len(tuples) > 1:
                raise ChainError(f"{name} takes numbers, or one tuple of them", begin + 1)
        elif any(tuples) or len(arguments) not in wants:
            counts = " or ".join(map(str, wants))
            raise ChainError(f"{name} takes {counts} {'number' if wants[-1] == 1 else 'numbers'}", begin + 1)

    def keys(self) -> tuple[Key, ...]:
        found: list[Key] = []
        while not found or not self.took("]"):
            found.append(self.key())
            if self.next.text != "]":
                self.expect(",", "an index")
        return tuple(found)

    def key(self) -> Key:
        if self.took("..."):
            return ...
        if self.took("None"):
            return None
        parts: list[int | None] = [None]
        colons = 0
        while self.next.text not in (",", "]", ""):
            if self.took(":"):
                colons += 1
                parts.append(None)
            elif parts[-1] is not None:
                raise self.error("expected , or : or ] after a number")
            else:
                parts[-1] = self.number()
        if not colons:
            if parts[0] is None:
                raise self.error("expected an index: a number, a slice such as ::2, None or ...")
            return parts[0]
        if colons > 2:
            raise self.error("a slice has three numbers at most: begin, end, step")
        if colons == 2 and parts[2] == 0:
            raise self.error("the step of a slice must not be 0")
        return slice(*parts)


def read(text: str) -> Chain:
    """Raises ``ChainError``."""
    return Reader(text).chain()
