"""The result as 32 bits, and what rounding did to it on its way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from labs.descent.one_line.machine.code import pattern
from labs.descent.one_line.scalar import Value, program, whole
from labs.models.decimals import exactly


@dataclass(frozen=True)
class Bits:
    """A float32: sign, exponent and fraction, and the numbers around it."""

    bits: str
    """[32] 0 and 1, the sign first"""
    exponent: int
    """The power of two of its first digit; that of the smallest normal number for zero"""
    stored: str
    """All decimal digits of the number that the bits say"""
    unrounded: str
    """What the line comes to if nothing is rounded after the inputs were stored"""
    below: str
    above: str
    """The nearest float32 on either side of the one that is stored"""
    roundings: int
    """How many of its operations had to round"""
    last: float
    """From the unrounded result to the stored one, in units in the last place (ulp)"""


def bits(root: Value) -> Bits:
    number, exact = root.number, whole(root)
    word = f"{pattern(number):032b}"
    raised = int(word[1:9], 2)
    down, up = np.nextafter(number, np.float32(-np.inf)), np.nextafter(number, np.float32(np.inf))
    rounded = [each for each in program(root) if each.exact != Fraction(float(each.number))]
    apart = (Fraction(float(number)) - exact) / Fraction(float(np.spacing(np.abs(number))))
    return Bits(
        bits=word,
        exponent=max(raised, 1) - 127,
        stored=said(number),
        unrounded=exactly(exact, 20),
        below=said(down),
        above=said(up),
        roundings=len(rounded),
        last=float(apart) if abs(apart) < 1e9 else 1e9,
    )


def said(number: np.float32) -> str:
    return exactly(Fraction(float(number)), 20)
