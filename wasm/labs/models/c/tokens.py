"""Cut C text into tokens, comments left out. A line of the preprocessor is one token, for `macros` to read.

The longest match wins, as the standard asks: ``a+++b`` is ``a ++ + b``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labs.models.c.trouble import CError, Place

Kind = Literal["name", "keyword", "integer", "floating", "character", "string", "mark", "directive", "end"]

KEYWORDS = set(
    re.findall(
        r"\w+",
        "break case char const continue default do double else enum float for if int long return short signed "
        "sizeof static struct switch typedef union unsigned void while goto inline _Bool _Static_assert",
    )
)
REFUSED = {
    "volatile": "volatile; nothing else writes to this memory",
    "register": "register; the compiler chooses registers itself",
    "extern": "extern; a program is one file here",
    "restrict": "restrict",
    "asm": "asm",
    "_Complex": "_Complex",
}
MARKS = re.findall(
    r"\S+",
    "<<= >>= ... ++ -- -> << >> <= >= == != && || += -= *= /= %= &= ^= |= "
    "{ } ( ) [ ] ; : , . ? + - * / % & | ^ ~ ! < > =",
)
LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
PRECEDENCE = {mark: level for level, marks in enumerate(LEVELS, 1) for mark in marks.split()}
"""Of the operators between two operands: the higher, the closer they bind."""
ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "0": 0, "\\": 92, "'": 39, '"': 34, "?": 63}
TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n\f\v]|\\\r?\n)+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<open>/\*)
      | (?P<directive>\#(?:\\\r?\n|//[^\n]*|/\*.*?\*/|[^\n])*)
      | (?P<floating>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?\d+[fFlL]?
          |(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlL]?|\d+[eE][+-]?\d+[fFlL]?)
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
    end: int
    """Index of the character after the last. What a macro stands for lies where the macro's name does."""
    data: bytes = b""
    """What a character or string stands for, without the final zero."""


@dataclass(frozen=True)
class Region:
    """A part of the source, and the place of its first character."""

    start: int
    end: int
    place: Place


def scan(source: str, region: Region) -> Iterator[Token]:
    """The tokens of a part of the source, without one for its end. Raises ``CError``."""
    at, line = region.start, region.place.line
    line_start = at - region.place.column + 1
    while at < region.end:
        place = Place(line, at - line_start + 1)
        found = TOKEN.match(source, at, region.end)
        if not found:
            raise CError(_unknown(source[at]), place)
        kind, text = str(found.lastgroup), found[0]
        if kind == "open":
            raise CError("this comment has no end; close it with */", place)
        if kind not in ("space", "comment"):
            yield _token(kind, text, place, at)
        at = found.end()
        if lines := text.count("\n"):
            line, line_start = line + lines, found.start() + text.rindex("\n") + 1


def _token(kind: str, text: str, place: Place, start: int) -> Token:
    end = start + len(text)
    if kind == "name":
        if text in REFUSED:
            raise CError(f"this subset of C has no {REFUSED[text]}", place)
        return Token("keyword" if text in KEYWORDS else "name", text, place, start, end)
    if kind == "character":
        data = _unescape(text[1:-1], place)
        if len(data) != 1:
            raise CError(f"a character constant holds one byte, not {len(data)}; text goes in double quotes", place)
        return Token("character", text, place, start, end, data)
    if kind == "string":
        return Token("string", text, place, start, end, _unescape(text[1:-1], place))
    if kind == "integer" and re.fullmatch(r"0\d*[89]\d*[uUlL]*", text):
        raise CError(f"{text} begins with 0 and so is octal, which has no digits 8 and 9", place)
    return Token(kind, text, place, start, end)  # type: ignore[arg-type]  # the groups are named for the kinds


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


def _unknown(character: str) -> str:
    if character == "'":
        return "this character constant has no closing quote on its line"
    if character == '"':
        return "this string has no closing quote on its line"
    if character == "\\":
        return "a backslash stands in strings and characters only, or at the end of a line"
    return f"C has no character {character}"
