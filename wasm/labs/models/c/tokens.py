"""Cut C text into tokens. Comments and ``#include`` of the headers we stand in for are skipped.

The longest match wins, as the standard asks: ``a+++b`` is ``a ++ + b``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from labs.models.c.trouble import CError, Place

Kind = Literal["name", "keyword", "integer", "floating", "character", "string", "mark", "end"]

HEADERS = ("limits.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h")
KEYWORDS = set(
    re.findall(
        r"\w+",
        "break case char const continue default do double else enum float for if int long return short signed "
        "sizeof static struct switch typedef unsigned void while _Bool",
    )
)
REFUSED = {
    "goto": "goto; use a loop, break or continue",
    "union": "union; use a struct, or a cast of a pointer",
    "volatile": "volatile; nothing else writes to this memory",
    "register": "register; the compiler chooses registers itself",
    "extern": "extern; a program is one file here",
    "inline": "inline; the optimiser decides",
    "restrict": "restrict",
    "asm": "asm",
    "_Complex": "_Complex",
}
MARKS = re.findall(
    r"\S+",
    "<<= >>= ... ++ -- -> << >> <= >= == != && || += -= *= /= %= &= ^= |= "
    "{ } ( ) [ ] ; : , . ? + - * / % & | ^ ~ ! < > =",
)
ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "0": 0, "\\": 92, "'": 39, '"': 34, "?": 63}
MOST = 20_000  # characters

TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n\f]+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<open>/\*)
      | (?P<directive>\#[^\n]*)
      | (?P<floating>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlL]?|\d+[eE][+-]?\d+[fFlL]?)
      | (?P<integer>0[xX][0-9a-fA-F]+[uUlL]*|0[bB][01]+[uUlL]*|\d+[uUlL]*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<character>'(?:[^'\\\n]|\\x[0-9a-fA-F]+|\\[0-7]{1,3}|\\.)*')
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<mark>"""
    + "|".join(map(re.escape, MARKS))
    + ")",
    re.VERBOSE | re.DOTALL,
)
CONTROL = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)|(.)", re.DOTALL)


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    place: Place
    start: int
    """Index of the first character in the source."""
    data: bytes = b""
    """What a character or string stands for, without the final zero."""


@lru_cache(maxsize=1)  # the parser asks for what a reader was just shown
def tokenize(source: str, most: int = MOST) -> tuple[Token, ...]:
    """All tokens, the last of kind ``end``. Raises ``CError``, also for more than ``most`` characters."""
    if len(source) > most:
        raise CError(f"a program may have {most:,} characters; this one has {len(source):,}", Place(1, 1))
    tokens: list[Token] = []
    at, line, line_start = 0, 1, 0
    while at < len(source):
        place = Place(line, at - line_start + 1)
        found = TOKEN.match(source, at)
        if not found:
            raise CError(_unknown(source[at]), place)
        kind, text = str(found.lastgroup), found[0]
        if kind == "open":
            raise CError("this comment has no end; close it with */", place)
        if kind == "directive":
            _check_directive(text, place)
        elif kind not in ("space", "comment"):
            tokens.append(_token(kind, text, place, at))
        at = found.end()
        if lines := text.count("\n"):
            line, line_start = line + lines, found.start() + text.rindex("\n") + 1
    tokens.append(Token("end", "", Place(line, at - line_start + 1), at))
    return tuple(tokens)


def _token(kind: str, text: str, place: Place, start: int) -> Token:
    if kind == "name":
        if text in REFUSED:
            raise CError(f"this subset of C has no {REFUSED[text]}", place)
        return Token("keyword" if text in KEYWORDS else "name", text, place, start)
    if kind == "character":
        data = _unescape(text[1:-1], place)
        if len(data) != 1:
            raise CError(f"a character constant holds one byte, not {len(data)}; text goes in double quotes", place)
        return Token("character", text, place, start, data)
    if kind == "string":
        return Token("string", text, place, start, _unescape(text[1:-1], place))
    if kind == "integer" and re.fullmatch(r"0\d*[89]\d*[uUlL]*", text):
        raise CError(f"{text} begins with 0 and so is octal, which has no digits 8 and 9", place)
    return Token(kind, text, place, start)  # type: ignore[arg-type]  # the groups are named for the kinds


def _unescape(text: str, place: Place) -> bytes:
    data = bytearray()
    for escape, plain in CONTROL.findall(text):
        if plain:
            data += plain.encode()
        elif escape[0] == "x" and len(escape) > 1:
            data.append(_byte(int(escape[1:], 16), escape, place))
        elif escape.isdecimal():
            data.append(_byte(int(escape, 8), escape, place))
        elif escape in ESCAPES:
            data.append(ESCAPES[escape])
        else:
            raise CError(f"there is no escape \\{escape}", place)
    return bytes(data)


def _byte(value: int, escape: str, place: Place) -> int:
    if value > 255:
        raise CError(f"\\{escape} does not fit into a byte", place)
    return value


def _check_directive(text: str, place: Place) -> None:
    if found := re.fullmatch(r"#\s*include\s*[<\"]([^>\"]*)[>\"]\s*(//.*)?", text):
        if found[1] not in HEADERS:
            raise CError(f"there is no <{found[1]}> here; there are {', '.join(HEADERS)}", place)
    else:
        word = re.sub(r"^#\s*", "#", text).split()[0]
        raise CError(f"this subset of C has no preprocessor, so no {word}; use const, enum or a function", place)


def _unknown(character: str) -> str:
    if character == "'":
        return "this character constant has no closing quote on its line"
    if character == '"':
        return "this string has no closing quote on its line"
    return f"C has no character {character!r}"
