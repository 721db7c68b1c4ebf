"""From a key to a slot: division, multiplication and a universal family, each in one line of integer arithmetic.

A function says how it got there, too, so that a picture can show the sum that was done.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

Name = Literal["division", "multiplication", "universal"]

PRIME = 2**31 - 1  # larger than every key
WORD = 2**32
GOLDEN = 2654435769  # 2³² divided by the golden ratio: Knuth's choice for multiplication


@dataclass(frozen=True)
class HashFunction:
    """One function of a family, for tables of any size."""

    name: Name
    a: int = 0
    b: int = 0
    reduced: bool = True
    """False is the mistake: a universal function without its last step, mod m."""

    def slot(self, key: int, slots: int) -> int:
        if self.name == "division":
            return key % slots
        if self.name == "multiplication":  # the fraction of key / φ, as 32 bits, stretched to the table
            return (key * GOLDEN % WORD) * slots // WORD
        value = (self.a * key + self.b) % PRIME
        return value % slots if self.reduced else value

    def sum(self, key: int, slots: int) -> str:
        """The arithmetic, in words."""
        slot = self.slot(key, slots)
        if self.name == "division":
            return f"{key} mod {slots} = {slot}"
        if self.name == "multiplication":
            return f"⌊{slots} · frac({key} / φ)⌋ = {slot}"
        last = f" mod {slots}" if self.reduced else ""
        return f"(({self.a} · {key} + {self.b}) mod p){last} = {slot}"


def choose(name: Name, seed: int, reduced: bool = True) -> HashFunction:
    """A function of that name; of the universal family a and b are drawn, which is the point of it."""
    if name != "universal":
        return HashFunction(name)
    rng = random.Random(f"universal {seed}")
    return HashFunction(name, rng.randrange(1, PRIME), rng.randrange(PRIME), reduced)
