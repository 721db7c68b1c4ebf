"""What the four have in common: an instruction, and registers that are taken and given back."""

from __future__ import annotations

import struct
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from labs.descent.one_line.scalar import Value

POINTERS = ("x", "w", "b", "y")
"""What a function is given, in this order: the addresses of the inputs, and of the result."""
REGISTERS = 8


class CrowdedError(Exception):
    """More numbers wait at the same time than there are registers, and nothing is spilled here."""


@dataclass(frozen=True)
class Instruction:
    text: str
    data: bytes
    value: Value
    """What it helps to compute."""
    key: str = ""
    """The input's number that it reads, such as x3; y where it writes the result."""


class Registers:
    """Those that hold no number that is still wanted."""

    def __init__(self) -> None:
        self.free = list(range(REGISTERS))

    def take(self) -> int:
        if not self.free:
            raise CrowdedError
        return self.free.pop(0)

    def give(self, register: int) -> None:
        self.free.insert(0, register)
        self.free.sort()


def pattern(number: np.float32) -> int:
    """The 32 bits of a float32 as a whole number."""
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


Made = Generator[Instruction, None, int]
"""Instructions, and at the end the register that holds the number."""
