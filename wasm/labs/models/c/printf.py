"""What printf writes, as C defines it and the C library of Linux does it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labs.models.c import types
from labs.models.c.memory import Fault, Memory

FORMAT = re.compile(rb"%([-+ 0#]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|z|j|t)?(.)?", re.DOTALL)
MOST = 100_000  # characters of a field
WIDTHS = {b"hh": 1, b"h": 2, b"": 4, b"l": 8, b"ll": 8, b"z": 8, b"j": 8, b"t": 8}
BASES = {"x": 16, "X": 16, "o": 8}
Given = tuple[Any, types.Type]


@dataclass(frozen=True)
class Directive:
    """``%-8.3f``: how one value is written."""

    name: str
    """As it stands in the template."""
    flags: str
    width: int
    precision: int | None
    length: bytes
    letter: str

    def refuse(self, kind: types.Type) -> None:
        """Raises ``Fault`` for a value that is not of the type that the letter wants."""
        if self.letter in "diuxXoc":
            narrow = self.letter == "c" or not isinstance(kind, types.Integer)
            fits = isinstance(kind, types.Integer) and (narrow or kind.size == max(WIDTHS[self.length], 4))
        elif self.letter in "sp":
            fits = isinstance(kind, types.Pointer)
        elif self.letter in "feEgGF":
            fits = kind == types.DOUBLE
        else:
            raise Fault("format", f"printf knows no {self.name}")
        if not fits:
            raise Fault("format", f"printf wants another type for {self.name} than {kind}")

    def write(self, memory: Memory, value: Any) -> bytes:
        if self.letter == "s":
            return self.padded(memory.text(value, self.precision))
        if self.letter == "c":
            return self.padded(bytes([value % 256]))
        if self.letter == "p":
            return self.padded(f"{int(value):#x}".encode() if value else b"(nil)")
        if self.letter in "feEgGF":
            return self.signed(*self.fraction(value), zeros=math.isfinite(value))
        size = WIDTHS[self.length]
        exact = types.Integer("", size, signed=self.letter in "di").wrap(int(value))
        return self.signed(exact < 0, self.digits(abs(exact)), zeros=self.precision is None)

    def digits(self, value: int) -> str:
        """A whole number without its sign; with # its base can be seen."""
        least = 1 if self.precision is None else self.precision
        found = format(value, self.letter) if self.letter in BASES else str(value)
        found = "" if value == 0 and least == 0 else found.rjust(least, "0")
        if "#" in self.flags and self.letter == "o" and not found.startswith("0"):
            return f"0{found}"
        return found

    def fraction(self, value: float) -> tuple[bool, str]:
        """Whether a floating number is written with a minus, and the rest of it."""
        places = 6 if self.precision is None else self.precision
        mark = "#" if "#" in self.flags else ""
        return math.copysign(1.0, value) < 0, f"%{mark}.{places}{self.letter}" % abs(value)

    def signed(self, negative: bool, digits: str, zeros: bool) -> bytes:
        """With its sign and its prefix; zeros that fill the width stand behind these."""
        before = ""
        if negative:
            before = "-"
        elif self.letter not in "uxXo":
            before = "+" if "+" in self.flags else " " if " " in self.flags else ""
        if "#" in self.flags and self.letter in "xX" and digits.strip("0"):
            before += f"0{self.letter}"
        if zeros and "0" in self.flags and "-" not in self.flags:
            digits = digits.rjust(self.width - len(before), "0")
        return self.padded((before + digits).encode())

    def padded(self, text: bytes) -> bytes:
        return text.ljust(self.width) if "-" in self.flags else text.rjust(self.width)


def formatted(memory: Memory, given: list[Any], kinds: list[types.Type]) -> bytes:
    """The output of a call. Raises ``Fault`` where arguments do not fit the template."""
    template = memory.text(given[0])
    values = iter(list(zip(given[1:], kinds[1:], strict=True)))
    out, at = bytearray(), 0
    for found in FORMAT.finditer(template):
        out += template[at : found.start()]
        at = found.end()
        if found[0] == b"%%":
            out += b"%"
            continue
        one = directive(found, values)
        value, kind = taken(values, one.name)
        one.refuse(kind)
        out += one.write(memory, value)
    return bytes(out + template[at:])


def directive(found: re.Match[bytes], values: Iterator[Given]) -> Directive:
    """What a % asks for; a * takes its number from the arguments."""
    flags, width, precision, length, letter = found.groups()
    name = found[0].decode(errors="replace")

    def number(text: bytes) -> int:
        if text != b"*":
            return int(text or b"0")
        value, kind = taken(values, "*")
        if kind not in (types.INT, types.UNSIGNED):
            raise Fault("format", f"printf wants an int for the * of {name}, not {kind}")
        return types.INT.wrap(int(value))

    wide = number(width)
    places = None if precision is None else number(precision)
    if wide < 0:
        flags, wide = flags + b"-", -wide
    if places is not None and places < 0:
        places = None
    for asked in (wide, places or 0):
        if asked > MOST:
            raise Fault("too much output", f"{name} asks for {asked:,} characters; {MOST:,} are the most here")
    return Directive(name, flags.decode(), wide, places, length or b"", (letter or b"").decode(errors="replace"))


def taken(values: Iterator[Given], what: str, name: str = "printf") -> Given:
    for value in values:
        return value
    raise Fault("format", f"{name} has no argument left for {what}")
