"""``<string.h>``, and the functions of ``<stdlib.h>`` that read numbers from text."""

from __future__ import annotations

import math
import re

from labs.models.c.known import ANY, TEXT, Known, takes
from labs.models.c.memory import Fault, Memory, Pointer, moved
from labs.models.c.types import DOUBLE, INT, LONG, UNSIGNED_LONG, Integer
from labs.models.c.types import Pointer as PointerTo

WHOLE = re.compile(rb"[ \t\n\v\f\r]*([+-]?)(0[xX](?=[0-9a-fA-F]))?([0-9a-zA-Z]*)")
REAL = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?"
    rb"|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?i:inf(?:inity)?|nan)))"
)
NOWHERE = Pointer(0, None)


def copy(memory: Memory, to: int, source: int) -> int:
    memory.write(to, memory.text(source) + b"\0")
    return to


def copy_some(memory: Memory, to: int, source: int, size: int) -> int:
    """Always ``size`` bytes, zeros behind the text; without a final zero if the text is as long."""
    text = memory.text(source, size)
    memory.fill(to, 0, size)
    if text:
        memory.write(to, text)
    return to


def append(memory: Memory, to: int, source: int) -> int:
    memory.write(moved(to, len(memory.text(to))), memory.text(source) + b"\0")
    return to


def append_some(memory: Memory, to: int, source: int, size: int) -> int:
    memory.write(moved(to, len(memory.text(to))), memory.text(source, size) + b"\0")
    return to


def order(left: bytes, right: bytes) -> int:
    return (left > right) - (left < right)


def find(memory: Memory, text: int, byte: int) -> Pointer:
    at = (memory.text(text) + b"\0").find(byte % 256)
    return moved(text, at) if at >= 0 else NOWHERE


def find_last(memory: Memory, text: int, byte: int) -> Pointer:
    at = (memory.text(text) + b"\0").rfind(byte % 256)
    return moved(text, at) if at >= 0 else NOWHERE


def find_text(memory: Memory, text: int, part: int) -> Pointer:
    at = memory.text(text).find(memory.text(part))
    return moved(text, at) if at >= 0 else NOWHERE


def copy_bytes(memory: Memory, to: int, source: int, size: int) -> int:
    if abs(int(to) - int(source)) < size:
        raise Fault("overlap", "memcpy between places that overlap; memmove may do that")
    memory.copy(to, source, size)
    return to


def move_bytes(memory: Memory, to: int, source: int, size: int) -> int:
    memory.copy(to, source, size)
    return to


def fill(memory: Memory, to: int, byte: int, size: int) -> int:
    memory.fill(to, byte % 256, size)
    return to


def whole(memory: Memory, text: int, kind: Integer, name: str) -> int:
    found = int(read_whole(memory.text(text), 10)[0])
    if not kind.low <= found <= kind.high:
        raise Fault("signed overflow", f"{name} of {found}, which does not fit into {kind}")
    return found


def read_whole(text: bytes, base: int) -> tuple[int, int]:
    """The number that a text begins with, and how many of its characters were read: 0 if there is none."""
    found = WHOLE.match(text)
    assert found
    sign, prefix, digits = found.groups()
    start = found.start(3)
    if prefix and base not in (0, 16):
        start, digits, prefix = found.start(2), prefix + digits, None
    base = base or (16 if prefix else 8 if digits.startswith(b"0") else 10)
    length = next((n for n, digit in enumerate(digits) if int(chr(digit), 36) >= base), len(digits))
    if not length:
        return 0, 0
    read = digits[:length].lstrip(b"0") or b"0"
    value = int(read, base) if len(read) < 100 else 1 << 100  # no type holds that
    return (-value if sign == b"-" else value), start + length


def to_long(memory: Memory, text: int, end: int, base: int) -> int:
    if base != 0 and not 2 <= base <= 36:
        raise Fault("range", f"strtol to base {base}; there are 0, and 2 to 36")
    value, length = read_whole(memory.text(text), base)
    if end:
        memory.write_pointer(end, moved(text, length))
    return min(max(value, LONG.low), LONG.high)


def read_real(text: bytes) -> tuple[float, int]:
    """As ``read_whole``, of a floating number."""
    if not (found := REAL.match(text)):
        return 0.0, 0
    written = found[1].decode()
    if "x" not in written.lower():
        return float(written), found.end()
    try:
        return float.fromhex(written), found.end()
    except OverflowError:
        return math.copysign(math.inf, -written.startswith("-") or 1), found.end()


def absolute(kind: Integer, name: str, value: int) -> int:
    if value == kind.low:
        raise Fault("signed overflow", f"{name}({value}) does not fit into {kind}")
    return abs(value)


class Words:
    """What strtok remembers: where the next word may begin."""

    def __init__(self) -> None:
        self.at: int = Pointer(0, None)

    def next(self, memory: Memory, text: int, marks: int) -> int:
        at = text or self.at
        if not at:
            raise Fault("null", "strtok is asked for the next word before it was given a text")
        between = memory.text(marks)
        rest = memory.text(at)
        skipped = len(rest) - len(rest.lstrip(between)) if between else 0
        word = rest[skipped:]
        if not word:
            self.at = moved(at, skipped)
            return NOWHERE
        end = next((n for n, byte in enumerate(word) if byte in between), len(word))
        begin = moved(at, skipped)
        self.at = moved(begin, min(end + 1, len(word)))
        if end < len(word):
            memory.write(moved(begin, end), b"\0")
        return begin


def span(memory: Memory, text: int, marks: int, inside: bool) -> int:
    """How many characters at the start are among the marks, or are not."""
    found, wanted = memory.text(text), memory.text(marks)
    return next((n for n, byte in enumerate(found) if (byte in wanted) != inside), len(found))


def find_any(memory: Memory, text: int, marks: int) -> int:
    at = span(memory, text, marks, inside=False)
    return moved(text, at) if at < len(memory.text(text)) else NOWHERE


def find_byte(memory: Memory, start: int, byte: int, size: int) -> int:
    for n in range(size):
        if memory.read(moved(start, n), 1)[0] == byte % 256:
            return moved(start, n)
    return NOWHERE


SIZE = UNSIGNED_LONG
STRINGS = {
    "strlen": Known(takes(SIZE, TEXT), lambda memory, text: len(memory.text(text))),
    "strcpy": Known(takes(TEXT, TEXT, TEXT), copy),
    "strncpy": Known(takes(TEXT, TEXT, TEXT, SIZE), copy_some),
    "strcat": Known(takes(TEXT, TEXT, TEXT), append),
    "strncat": Known(takes(TEXT, TEXT, TEXT, SIZE), append_some),
    "strcmp": Known(takes(INT, TEXT, TEXT), lambda memory, a, b: order(memory.text(a), memory.text(b))),
    "strncmp": Known(
        takes(INT, TEXT, TEXT, SIZE), lambda memory, a, b, n: order(memory.text(a, n), memory.text(b, n))
    ),
    "strchr": Known(takes(TEXT, TEXT, INT), find),
    "strrchr": Known(takes(TEXT, TEXT, INT), find_last),
    "strstr": Known(takes(TEXT, TEXT, TEXT), find_text),
    "strspn": Known(takes(SIZE, TEXT, TEXT), lambda memory, text, marks: span(memory, text, marks, inside=True)),
    "strcspn": Known(takes(SIZE, TEXT, TEXT), lambda memory, text, marks: span(memory, text, marks, inside=False)),
    "strpbrk": Known(takes(TEXT, TEXT, TEXT), find_any),
    "memchr": Known(takes(ANY, ANY, INT, SIZE), find_byte),
    "memcpy": Known(takes(ANY, ANY, ANY, SIZE), copy_bytes),
    "memmove": Known(takes(ANY, ANY, ANY, SIZE), move_bytes),
    "memset": Known(takes(ANY, ANY, INT, SIZE), fill),
    "memcmp": Known(
        takes(INT, ANY, ANY, SIZE), lambda memory, a, b, n: order(memory.read(a, n), memory.read(b, n))
    ),
    "atoi": Known(takes(INT, TEXT), lambda memory, text: whole(memory, text, INT, "atoi")),
    "atol": Known(takes(LONG, TEXT), lambda memory, text: whole(memory, text, LONG, "atol")),
    "atof": Known(takes(DOUBLE, TEXT), lambda memory, text: read_real(memory.text(text))[0]),
    "strtol": Known(takes(LONG, TEXT, PointerTo(TEXT), INT), to_long),
    "abs": Known(takes(INT, INT), lambda _, value: absolute(INT, "abs", value)),
    "labs": Known(takes(LONG, LONG), lambda _, value: absolute(LONG, "labs", value)),
}
