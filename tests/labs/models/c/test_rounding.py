"""Numbers that become floats, rounded once: beside NumPy's and gcc's, most of all where two roundings differ."""

import random
import struct
from fractions import Fraction
from pathlib import Path

import gcc
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from labs.models.c import types
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.rounding import nearest


def halfway(rng: random.Random) -> int:
    """A whole number next to the middle of two floats, so close that a double cannot tell them apart."""
    kept = rng.getrandbits(23) | 1 << 23
    shift = rng.randint(30, 39)
    return (kept << shift) + (1 << shift - 1) + rng.choice([-1, 0, 1])


@given(st.integers(-(2**63), 2**64 - 1))
def test_a_whole_number_becomes_the_nearest_float(value: int) -> None:
    ours = nearest(value, types.FLOAT)
    gap = abs(Fraction(float(np.spacing(np.float32(ours)))))
    assert abs(Fraction(ours) - value) <= gap / 2


def test_what_gcc_makes_of_them(tmp_path: Path) -> None:
    rng = random.Random(4)
    whole = [halfway(rng) * rng.choice([1, -1]) for _ in range(60)]
    # Middles of two floats, in all their digits, and a little more or less than these.
    middles = [Fraction(rng.getrandbits(23) | 1 << 23) + Fraction(1, 2) for _ in range(30)]
    texts = [f"{float(each):.1f}{'0' * 12}{rng.choice(['', '1'])}f" for each in middles]
    texts += ["1e-45f", "7.1e-46f", "7.0e-46f", "3.4028235e38f", "3.4028236e38f", "0.1f", "16777217.0f"]
    lines = [f"show((float){each}L);" for each in whole] + [f"show({each});" for each in texts]
    source = (
        "#include <stdio.h>\n#include <string.h>\n"
        'void show(float f) { unsigned bits; memcpy(&bits, &f, 4); printf("%08x\\n", bits); }\n'
        "int main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
    )
    machine = Machine(compile_c(source, most=1 << 20))
    machine.run()
    theirs = gcc.run(source, tmp_path).stdout.split()
    for line, ours, gccs in zip(lines, bytes(machine.output).split(), theirs, strict=True):
        assert ours == gccs, line
    twice = [struct.pack("<f", float(each)) != struct.pack("<f", nearest(each, types.FLOAT)) for each in whole]
    assert any(twice), "no case tells one rounding from two"
