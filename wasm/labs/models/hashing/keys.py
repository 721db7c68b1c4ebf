"""Keys as they come in practice, and as somebody sends them who wishes a table ill.

Every pattern is an endless stream of different keys, drawn once by its seed; Zipf alone repeats itself, as words in
a text do. All keys are below the prime of the universal family.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from labs.models.hashing.functions import GOLDEN, PRIME, WORD

Pattern = Literal[
    "random",
    "sequential",
    "reversed",
    "multiples",
    "pages",
    "powers",
    "clustered",
    "words",
    "letters",
    "zipf",
    "against_division",
    "against_multiplication",
]

APART = 8  # bytes between aligned addresses
PAGE = 4096  # and between pages
SYLLABLES = ("ba", "co", "di", "fu", "ka", "lo", "mi", "nu", "po", "ra", "se", "ti", "vo", "xe", "zu")
ZIPF_KEYS = 64


@dataclass(frozen=True)
class Key:
    """What is stored under a name: ``number`` is what is hashed, ``name`` is how the key is written."""

    number: int
    name: str


def fnv1a(data: bytes) -> int:
    """FNV-1a, 32 bits: a word becomes a number, byte by byte."""
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 % WORD
    return value


def stream(pattern: Pattern, slots: int, seed: int) -> Iterator[Key]:
    """Keys without end. ``slots`` is what an attacker knows of the table."""
    rng = random.Random(f"{pattern} {seed}")
    if pattern == "words":
        return words(rng)
    if pattern == "letters":
        return letters(rng)
    return (Key(number, str(number)) for number in NUMBERS[pattern](rng, slots))


def words(rng: random.Random) -> Iterator[Key]:
    seen: set[int] = set()
    while True:
        word = "".join(rng.choices(SYLLABLES, k=rng.choice((2, 2, 3, 3, 4))))
        number = fnv1a(word.encode()) % PRIME
        if number not in seen:
            seen.add(number)
            yield Key(number, word)


def letters(rng: random.Random) -> Iterator[Key]:
    """a to z in some order, as the numbers 0 to 25, then #26, #27, …"""
    alphabet = rng.sample(range(26), 26)
    for number in itertools.chain(alphabet, itertools.count(26)):
        yield Key(number, chr(97 + number) if number < 26 else f"#{number}")


def distinct(rng: random.Random, _: int) -> Iterator[int]:
    seen: set[int] = set()
    while True:
        number = rng.randrange(10_000) if len(seen) < 1_000 else rng.randrange(PRIME)
        if number not in seen:
            seen.add(number)
            yield number


def multiples(apart: int) -> Callable[[random.Random, int], Iterator[int]]:
    return lambda rng, _: itertools.count(apart * rng.randrange(512), apart)


def powers(_: random.Random, __: int) -> Iterator[int]:
    """One bit set, then two, then three."""
    for bits in itertools.count(1):
        for chosen in itertools.combinations(range(30), bits):
            yield sum(1 << bit for bit in chosen)


def clustered(rng: random.Random, _: int) -> Iterator[int]:
    """Runs of eight neighbours at random places."""
    starts: set[int] = set()
    while True:
        start = rng.randrange(PRIME // 1_000 if len(starts) < 1_000 else PRIME) // 8 * 8
        if start not in starts:
            starts.add(start)
            yield from range(start, start + 8)


def zipf(rng: random.Random, slots: int) -> Iterator[int]:
    """The k-th commonest of the keys comes 1/k as often as the commonest."""
    keys = list(itertools.islice(distinct(rng, slots), ZIPF_KEYS))
    weights = [1 / rank for rank in range(1, ZIPF_KEYS + 1)]
    while True:
        yield rng.choices(keys, weights)[0]


def against_multiplication(rng: random.Random, slots: int) -> Iterator[int]:
    """The fraction of k/φ is (k·GOLDEN mod 2³²) / 2³², and GOLDEN is odd: it can be inverted. So pick fractions in
    the first slot and ask which keys have them."""
    inverse = pow(GOLDEN, -1, WORD)
    for fraction in itertools.count(rng.randrange(WORD // slots // 4)):
        if (number := fraction * inverse % WORD) < PRIME:
            yield number


NUMBERS: dict[str, Callable[[random.Random, int], Iterator[int]]] = {
    "random": distinct,
    "sequential": lambda rng, slots: itertools.count(rng.randrange(slots)),
    "reversed": lambda rng, slots: itertools.count(1_000_000 + rng.randrange(slots), -1),
    "multiples": multiples(APART),
    "pages": multiples(PAGE),
    "powers": powers,
    "clustered": clustered,
    "zipf": zipf,
    "against_division": lambda rng, slots: itertools.count(rng.randrange(slots), slots),
    "against_multiplication": against_multiplication,
}
