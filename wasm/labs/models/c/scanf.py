"""What scanf reads: the text that was typed, cut as the template asks."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labs.models.c import types
from labs.models.c.memory import Fault, Memory
from labs.models.c.printf import Given, taken
from labs.models.c.rounding import rounded
from labs.models.c.strings import read_real, read_whole

DIRECTIVE = re.compile(rb"%(\*?)(\d*)(hh|h|ll|l|z)?(\[\^?\]?[^\]]*\]|.)?|(\s+)|([^%\s])", re.DOTALL)
SPACE = b" \t\n\v\f\r"
SIZES = {b"hh": 1, b"h": 2, b"": 4, b"l": 8, b"ll": 8, b"z": 8}
NUMBERS = {
    b"d": rb"[+-]?\d+",
    b"u": rb"[+-]?\d+",
    b"x": rb"[+-]?(?:0[xX])?[0-9a-fA-F]+",
    b"o": rb"[+-]?[0-7]+",
    b"i": rb"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)",
}
BASES = {b"d": 10, b"u": 10, b"x": 16, b"o": 8, b"i": 0}
REAL = {b"e", b"g", b"E", b"G", b"F"}


@dataclass
class Typed:
    """What is left of the text that a reader typed."""

    text: bytes

    def take(self, count: int) -> bytes:
        taken, self.text = self.text[:count], self.text[count:]
        return taken

    def line(self, most: int) -> bytes:
        """Up to the end of the line, which belongs to it, and at most so many characters."""
        end = self.text.find(b"\n")
        return self.take(min(len(self.text) if end < 0 else end + 1, max(most, 0)))

    def skip(self) -> None:
        self.text = self.text.lstrip(SPACE)


def scanned(typed: Typed, memory: Memory, given: list[Any], kinds: list[types.Type]) -> int:
    """How many arguments were given a value; EOF (-1) if the text ends before the first. Raises ``Fault``."""
    template, values = memory.text(given[0]), iter(list(zip(given[1:], kinds[1:], strict=True)))
    done = 0
    for found in DIRECTIVE.finditer(template):
        quiet, width, length, letter, space, plain = found.groups()
        if space:
            typed.skip()
            continue
        if letter not in (b"c", None) and not letter.startswith(b"[") if not plain else False:
            typed.skip()
        if plain or letter == b"%":
            if typed.text[:1] != (plain or b"%"):
                return done if typed.text or done else -1
            typed.take(1)
            continue
        letter = b"f" if letter in REAL else letter or b""
        target = None if quiet else wanted(values, found[0], letter, length or b"")
        if not typed.text:
            return done or -1
        text = match(typed, found[0], letter, int(width or 0))
        if text is None:
            return done
        if target:
            write(memory, target, letter, text)
            done += 1
    return done


def wanted(values: Iterator[Given], name: bytes, letter: bytes, length: bytes) -> Given:
    """The argument of a directive. Raises ``Fault`` unless it leads to what the letter writes."""
    words = name.decode(errors="replace")
    pointer, kind = taken(values, words, "scanf")
    if not isinstance(kind, types.Pointer):
        raise Fault("format", f"scanf wants for {words} the address of what it fills, not {types.a(kind)}")
    to = kind.to
    if letter in BASES:
        fits = isinstance(to, types.Integer) and to.size == SIZES[length]
    elif letter == b"f":
        fits = to == (types.DOUBLE if length == b"l" else types.FLOAT)
    elif letter in (b"c", b"s") or letter.startswith(b"["):
        fits = to.size == 1
    else:
        raise Fault("format", f"scanf knows no {words} here")
    if not fits:
        raise Fault("format", f"scanf wants another type for {words} than {kind}")
    return pointer, to


def match(typed: Typed, name: bytes, letter: bytes, width: int) -> bytes | None:
    """The characters that a directive takes, or None if they are not as it wants them."""
    most = width or len(typed.text)
    if letter == b"c":
        return typed.take(width or 1)
    if letter == b"s":
        pattern = rb"[^ \t\n\v\f\r]+"
    elif letter.startswith(b"["):
        pattern = characters(letter) + b"+"
    elif letter == b"f":
        return typed.take(read_real(typed.text[:most])[1]) or None
    elif letter in NUMBERS:
        pattern = NUMBERS[letter]
    else:
        raise Fault("format", f"scanf knows no {name.decode(errors='replace')} here")
    found = re.match(pattern, typed.text[:most])
    return typed.take(found.end()) if found else None


def characters(letter: bytes) -> bytes:
    """``[^a-z]`` as a set of a regular expression."""
    inside = letter[1:-1]
    negated = inside.startswith(b"^")
    ranges = re.sub(rb"(.)-(.)|(.)", escaped, inside[negated:], flags=re.DOTALL)
    return b"[" + b"^" * negated + ranges + b"]"


def escaped(found: re.Match[bytes]) -> bytes:
    low, high, one = found.groups()
    return re.escape(one) if one else re.escape(low) + b"-" + re.escape(high)


def write(memory: Memory, target: Given, letter: bytes, text: bytes) -> None:
    pointer, kind = target
    if letter in BASES:
        assert isinstance(kind, types.Integer)
        value = min(max(read_whole(text, BASES[letter])[0], types.LONG.low), types.UNSIGNED_LONG.high)
        memory.write(pointer, (value % (1 << 8 * kind.size)).to_bytes(kind.size, "little"))
    elif letter == b"f":
        form = "<f" if kind == types.FLOAT else "<d"
        memory.write(pointer, struct.pack(form, rounded(read_real(text)[0], kind)))
    else:
        memory.write(pointer, text if letter == b"c" else text + b"\0")
