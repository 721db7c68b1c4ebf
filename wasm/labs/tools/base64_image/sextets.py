"""Base64 by hand: three bytes are 24 bits, 24 bits are four numbers of six, and each of them has a letter."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass

STANDARD = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
URL_SAFE = STANDARD[:-2] + "-_"
PAD = "="


@dataclass(frozen=True)
class Group:
    """Up to three bytes and their four letters."""

    place: int
    """Counted from 0."""
    octets: list[int]
    """The bytes; fewer than three at the end of a file."""
    sextets: list[int]
    """Numbers from 0 to 63; missing bits count as 0, and where all six are missing there is none."""
    letters: str
    """One for each, filled up to four with ="""


def group(data: bytes, place: int, alphabet: str = STANDARD) -> Group:
    octets = data[3 * place : 3 * place + 3]
    bits = int.from_bytes(octets.ljust(3, b"\0"), "big")
    sextets = [bits >> shift & 63 for shift in (18, 12, 6, 0)][: len(octets) + 1]
    letters = "".join(alphabet[each] for each in sextets).ljust(4, PAD)
    return Group(place, [*octets], sextets, letters)


def groups(data: bytes, alphabet: str = STANDARD) -> Iterator[Group]:
    return (group(data, place, alphabet) for place in range(-(-len(data) // 3)))


def encoded(data: bytes, alphabet: str = STANDARD) -> str:
    """``ceil(len(data) / 3) * 4`` letters."""
    return "".join(each.letters for each in groups(data, alphabet))


def read(letters: str, place: int) -> Group:
    """The group that four letters of a text stand for, in the standard alphabet; others are passed over."""
    known = [each for each in letters if each in STANDARD][4 * place : 4 * place + 4]
    sextets = [STANDARD.index(each) for each in known]
    bits = sum(each << shift for each, shift in zip(sextets, (18, 12, 6, 0), strict=False))
    octets = bits.to_bytes(3, "big")[: max(0, len(sextets) - 1)]
    return Group(place, [*octets], sextets, "".join(known).ljust(4, PAD) if known else "")
