"""Lines of bits under each other, as a sum is written on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.bits.integer_bits import integers as n
from labs.contract import Sentence, say

UNKNOWN = " "


@dataclass(frozen=True)
class Row:
    """A line of bits below those of the number."""

    name: str
    bits: str
    """Top bit first; a space where the bit is not yet known."""
    value: str


def row(name: str, pattern: int, width: int) -> Row:
    return Row(name, n.binary(pattern, width), "" if name == "carry" else n.numeral(n.signed(pattern, width)))


def known_bits(pattern: int, known: int, width: int) -> str:
    """The lowest ``known`` bits of a pattern; the others are still to come."""
    known = min(known, width)
    return UNKNOWN * (width - known) + n.binary(n.cut(pattern, known), known)


def written(a: int, b: int, width: int) -> Iterator[tuple[int, list[Row], Sentence]]:
    """a + b, one bit at a time from the right: the place, the rows so far, and what was done."""
    carry, total = n.carries(a, b), a + b
    for place in range(width):
        bits = [pattern >> place & 1 for pattern in (a, b, carry)]
        rows = [
            row("a", a, width),
            row("b", b, width),
            Row("carry", known_bits(carry, place + 2, width), ""),
            Row("sum", known_bits(total, place + 1, width), ""),
        ]
        told = say(
            "Bit {}: {} + {} and a carry of {} make {}, so {} is written and {} carried.",
            place,
            *bits,
            sum(bits),
            total >> place & 1,
            sum(bits) >> 1,
        )
        yield place, rows, told
