"""Whole numbers in a fixed number of bits: patterns and their two readings, carries, and what each operation does
to a pattern read with a sign and without one.

A pattern is a Python integer from 0 to 2**width - 1. Everything here is exact at any width.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labs.contract import LabError

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def parse(text: str, name: str) -> int:
    """A whole number as a reader types it: -132, 65_404, 0xFF7C, 0b1010."""
    plain = text.strip().replace("−", "-").replace(" ", "").replace(",", "")
    for base in (0, 10):
        try:
            return int(plain, base)
        except ValueError:
            continue
    raise LabError(f"{name} must be a whole number such as -132, 0xFF7C or 0b1010, not {text!r}.")


def cut(value: int, width: int) -> int:
    """The low bits of a number."""
    return value & ((1 << width) - 1)


def signed(pattern: int, width: int) -> int:
    """A pattern read in two's complement: its top bit weighs -2**(width - 1)."""
    return pattern - (pattern >> (width - 1) << width)


def read(pattern: int, width: int, sign: bool) -> int:
    return signed(pattern, width) if sign else pattern


def ends(width: int, sign: bool) -> tuple[int, int]:
    """The least and the greatest number that the bits can hold."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if sign else (0, (1 << width) - 1)


def needed(value: int, sign: bool) -> int | None:
    """The fewest bits that hold a number; None for a negative one without a sign."""
    if sign:
        return (value if value >= 0 else ~value).bit_length() + 1
    return max(1, value.bit_length()) if value >= 0 else None


def binary(pattern: int, width: int) -> str:
    return f"{pattern:0{width}b}"


def hexadecimal(pattern: int, width: int) -> str:
    return f"{pattern:0{width // 4}X}"


def weight(place: int, width: int, sign: bool) -> str:
    minus = "−" if sign and place == width - 1 else ""
    return f"{minus}2{str(place).translate(SUPERSCRIPT)}"


def numeral(number: int) -> str:
    return str(number).replace("-", "−")


def carries(one: int, other: int) -> int:
    """The carry into each bit of a sum, as a pattern of one bit more than the operands have."""
    return one ^ other ^ (one + other)


@dataclass(frozen=True)
class Operation:
    """What it computes from two numbers (None where C does not define it), and how wide its result is."""

    name: str
    of: Callable[[int, int, int], int | None]
    """The two operands as they are read, and the width."""
    why: str
    always: bool = False
    """Whether the bits are the same with a sign and without one for all operands, not only for some."""
    wide: float = 1
    """Width of the result in widths of the operands; 0 for one bit."""

    def pattern(self, one: int, other: int, width: int) -> int | None:
        exact = self.of(one, other, width)
        return None if exact is None else cut(exact, self.bits(width))

    def bits(self, width: int) -> int:
        return int(self.wide * width) or 1


def quotient(one: int, other: int, width: int) -> int | None:
    """C cuts towards zero, Python's // goes down."""
    if other == 0 or (other == -1 and one == -(1 << (width - 1))):
        return None  # the second: 2**(width - 1) is one more than the bits can hold
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def remainder(one: int, other: int, width: int) -> int | None:
    times = quotient(one, other, width)
    return None if times is None else one - times * other


def places(other: int, width: int) -> int:
    """By how much is shifted: the low bits of the second operand, as x86-64 takes them at 32 and 64 bits."""
    return other % width


LOW, TOP = "the low bits of the exact result", "it depends on what the top bit weighs"
OPERATIONS = (
    Operation("a + b", lambda a, b, width: a + b, LOW, always=True),
    Operation("a − b", lambda a, b, width: a - b, LOW, always=True),
    Operation("a × b", lambda a, b, width: a * b, LOW, always=True),
    Operation("a × b, all bits", lambda a, b, width: a * b, TOP, wide=2),
    Operation("a / b", quotient, TOP),
    Operation("a % b", remainder, TOP),
    Operation("a << b", lambda a, b, width: a << places(b, width), "zeros come in from the right", always=True),
    Operation("a >> b", lambda a, b, width: a >> places(b, width), "the sign comes in, or zeros"),
    Operation("a < b", lambda a, b, width: int(a < b), TOP, wide=0),
    Operation("a == b", lambda a, b, width: int(a == b), "equal bits are equal numbers", always=True, wide=0),
    Operation("a, twice as wide", lambda a, b, width: a, "the sign is copied, or zeros", wide=2),
    Operation("a, half as wide", lambda a, b, width: a, "the upper half is dropped", always=True, wide=0.5),
)
