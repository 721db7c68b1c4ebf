"""Numbers of the floating types, each rounded once."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from labs.models.c import types


def rounded(value: float, kind: types.Type) -> float:
    if kind != types.FLOAT or not math.isfinite(value):
        return value
    try:
        found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return found


def nearest(value: int | Fraction, kind: types.Type) -> float:
    """The number of a floating type that is nearest to an exact one, which is rounded once."""
    if kind != types.FLOAT or value == 0:
        try:
            return float(value)
        except OverflowError:
            return math.copysign(math.inf, value)
    # 40 bits, the last of them set if any bit beyond is: more than a float keeps, and no tie that was none before.
    exact = abs(Fraction(value))
    shift = exact.numerator.bit_length() - exact.denominator.bit_length() - 40
    scaled = exact / Fraction(2) ** shift
    kept = math.floor(scaled)
    sticky = math.ldexp(kept | (scaled != kept), shift)
    return math.copysign(rounded(sticky, kind), value)
