"""A place in the list of tokens, with what a parser asks of it, and the names that are in scope there."""

from __future__ import annotations

from typing import NoReturn

from labs.models.c.macros import MOST, tokenize
from labs.models.c.tokens import Token
from labs.models.c.trouble import CError
from labs.models.c.types import NAMED, Integer, Struct, Type

LONGEST = 200  # operators in a row: who walks the tree calls itself for each, too
DEEPEST = 100  # nested brackets, blocks and operators: the parser calls itself for each


class Scope:
    """What names mean in a block: a type, a constant of an enum, or (None) anything else."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Type | int | None] = {} if outer else dict(NAMED)
        self.kinds: dict[str, Type] = {}
        """The types of variables, where they are known."""
        self.structs: dict[str, Struct] = {}
        self.enums: dict[str, Integer] = {}

    def meaning(self, name: str) -> Type | int | None:
        if name in self.names:
            return self.names[name]
        return self.outer.meaning(name) if self.outer else None

    def kind(self, name: str) -> Type | None:
        """Of a variable."""
        if name in self.names:
            return self.kinds.get(name)
        return self.outer.kind(name) if self.outer else None

    def struct(self, name: str) -> Struct | None:
        return self.structs.get(name) or (self.outer.struct(name) if self.outer else None)

    def enum(self, name: str) -> Integer | None:
        return self.enums.get(name) or (self.outer.enum(name) if self.outer else None)


class Cursor:
    def __init__(self, source: str, most: int = MOST) -> None:
        self.tokens = tokenize(source, most)
        self.at = 0
        self.depth = 0
        self.scope = Scope()

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def following(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.at += 1
        return token

    def sees(self, *texts: str) -> bool:
        return self.token.text in texts and self.token.kind in ("mark", "keyword")

    def take(self, *texts: str) -> Token | None:
        """The next token if it is one of these marks or keywords."""
        return self.next() if self.sees(*texts) else None

    def expect(self, text: str, after: str) -> Token:
        return self.take(text) or self.fail(f"expected {text!r} {after}, found {shown(self.token)}")

    def name(self, what: str) -> Token:
        if self.token.kind != "name":
            self.fail(f"expected {what}, found {shown(self.token)}")
        return self.next()

    def span(self, first: Token) -> tuple[int, int]:
        """From a token to the one that was taken last."""
        last = self.tokens[max(self.at - 1, 0)]
        return first.start, max(last.end, first.start)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"this is nested more than {DEEPEST} deep; take it apart")

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        raise CError(message, (token or self.token).place)


def shown(token: Token) -> str:
    return "the end of the program" if token.kind == "end" else repr(token.text)
