"""What the preprocessor does before the parser sees a program: headers are taken as read, and names that
``#define`` gives to tokens are replaced by them.

The rules are those of C17, 6.10.3: what a macro stands for is looked at again, but a name is not replaced within
what it stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from labs.models.c.tokens import KEYWORDS, Region, Token, scan
from labs.models.c.trouble import CError, Place

HEADERS = (
    "assert.h", "ctype.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
    "string.h",
)  # fmt: skip
MOST = 20_000  # characters
MOST_STEPS = 50_000  # tokens taken up while macros are replaced: each may double what the last one stands for
INSTEAD = {
    "if": "leave out what should not be compiled",
    "ifdef": "leave out what should not be compiled",
    "ifndef": "leave it out; a program is one file here",
    "pragma": "leave it out",
    "error": "leave it out",
    "line": "leave it out",
}
INCLUDE = re.compile(r"include\s*[<\"]([^>\"]*)[>\"]\s*")
DEFINE = re.compile(r"define\s+([A-Za-z_]\w*)(\()?")
UNDEF = re.compile(r"undef\s+([A-Za-z_]\w*)\s*")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@lru_cache(maxsize=1)  # the parser asks for what a reader was just shown
def tokenize(source: str, most: int = MOST) -> tuple[Token, ...]:
    """All tokens that the parser sees, the last of kind ``end``. Raises ``CError``, also for more than ``most``
    characters, and for macros that stand for too much."""
    if len(source) > most:
        raise CError(f"a program may have {most:,} characters; this one has {len(source):,}", Place(1, 1))
    lines = source.splitlines() or [""]
    last = Place(len(lines) + source.endswith("\n"), 1 if source.endswith("\n") else len(lines[-1]) + 1)
    end = Token("end", "", last, len(source), len(source))
    return (*Preprocessor(source).tokens(), end)


class Preprocessor:
    def __init__(self, source: str) -> None:
        self.source = source
        self.macros: dict[str, tuple[Token, ...]] = {}
        self.steps = 0

    def tokens(self) -> Iterator[Token]:
        for token in scan(self.source, Region(0, len(self.source), Place(1, 1))):
            if token.kind == "directive":
                self.directive(token)
            elif token.text in self.macros and token.kind == "name":
                yield from self.replaced(token)
            else:
                yield token

    def directive(self, token: Token) -> None:
        whole = COMMENT.sub(" ", token.text[1:]).strip()
        word = re.split(r"\W", whole, maxsplit=1)[0]
        if word == "include" and (header := INCLUDE.fullmatch(whole)):
            if header[1] not in HEADERS:
                raise CError(f"there is no <{header[1]}> here; there are {', '.join(HEADERS)}", token.place)
        elif word == "define":
            self.define(token)
        elif word == "undef" and (name := UNDEF.fullmatch(whole)):
            self.macros.pop(name[1], None)
        elif word in ("include", "undef"):
            raise CError(f"#{word} needs {'a header in < >' if word == 'include' else 'one name'}", token.place)
        elif whole:
            instead = INSTEAD.get(word, "there are #include and #define of constants")
            raise CError(f"this subset of C has no #{word}; {instead}", token.place)

    def define(self, token: Token) -> None:
        found = DEFINE.search(token.text)
        if not found:
            raise CError("#define needs a name and what it stands for, such as #define N 10", token.place)
        name, bracket = found.groups()
        if bracket:
            raise CError(f"this subset of C has no macros with parameters; make {name} a function", token.place)
        if name in KEYWORDS:
            raise CError(f"{name} is a word of C and stands for itself", token.place)
        at = token.start + found.end()
        lines = token.text[: found.end()].split("\n")
        column = token.place.column + len(lines[0]) if len(lines) == 1 else len(lines[-1]) + 1
        body = tuple(scan(self.source, Region(at, token.end, Place(token.place.line + len(lines) - 1, column))))
        for each in body:
            if each.kind == "directive":
                raise CError("this subset of C has no # within a macro", each.place)
        if [each.text for each in self.macros.get(name, body)] != [each.text for each in body]:
            raise CError(
                f"{name} is defined already, as something else; give one of them another name", token.place
            )
        self.macros[name] = body

    def replaced(self, used: Token) -> Iterator[Token]:
        """What a macro stands for, all of it where its name was used."""
        ahead: list[tuple[Token, frozenset[str]]] = [(used, frozenset())]
        while ahead:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise CError(f"its macros stand for more than {MOST_STEPS:,} tokens", used.place)
            token, within = ahead.pop()
            if token.kind == "name" and token.text in self.macros and token.text not in within:
                inner = within | {token.text}
                ahead += [(each, inner) for each in reversed(self.macros[token.text])]
            else:
                yield replace(token, place=used.place, start=used.start, end=used.end)
