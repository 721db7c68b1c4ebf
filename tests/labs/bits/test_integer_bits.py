"""Bits of whole numbers, against ctypes, struct and NumPy, and the operations against what gcc compiles."""

from __future__ import annotations

import ctypes
import random
import struct
import subprocess
from pathlib import Path
from typing import Any, Literal

import gcc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.bits.integer_bits import Params, Picture, run

Width = Literal[8, 16, 32, 64]
WIDTHS: tuple[Width, ...] = (8, 16, 32, 64)
PAIRS = 250  # of each width, random; the corners come on top
TYPES: dict[int, tuple[Any, Any]] = {
    8: (ctypes.c_int8, ctypes.c_uint8),
    16: (ctypes.c_int16, ctypes.c_uint16),
    32: (ctypes.c_int32, ctypes.c_uint32),
    64: (ctypes.c_int64, ctypes.c_uint64),
}
CODES = {8: "b", 16: "h", 32: "i", 64: "q"}


def last(**params: Any) -> Picture:
    *_, picture = run(Params(**params))
    return picture


def number(words: str | None) -> int | None:
    return None if words is None else int(words.replace("−", "-"))


@settings(max_examples=50)
@given(st.integers(-(2**63), 2**64 - 1), st.sampled_from(WIDTHS), st.booleans())
def test_bits_and_bytes_are_those_of_the_machine(value: int, width: Width, sign: bool) -> None:
    shown = last(number=str(value), width=width, reading="signed" if sign else "unsigned")
    signed, unsigned = (kind(value).value for kind in TYPES[width])
    assert (number(shown.as_signed), number(shown.as_unsigned)) == (signed, unsigned)
    assert int(shown.bits, 2) == int(shown.hex, 16) == unsigned and len(shown.bits) == width
    assert bytes.fromhex("".join(shown.little)) == struct.pack(f"<{CODES[width]}", signed)
    assert bytes.fromhex("".join(shown.big)) == struct.pack(f">{CODES[width]}", signed)
    assert shown.fits == (value == (signed if sign else unsigned))
    for i, flipped in enumerate(shown.flipped):
        again = last(number=flipped, width=width, reading="signed" if sign else "unsigned")
        assert again.fits
        assert int(again.bits, 2) == unsigned ^ 1 << (width - 1 - i)
        if width > 16 and i > 3:
            break  # the same for every bit; a run takes a while


SOURCE = """
#include <stdint.h>
#include <stdio.h>
#define WIDE(s, u, S, U) \\
  static void s##_ops(u a, u b) { \\
    s x = (s)a, y = (s)b; int k = b % (8 * sizeof a); \\
    int undefined = y == 0 || (y == -1 && a == (u)((u)1 << (8 * sizeof a - 1))); \\
    printf("%llx %llx ", H((u)(s)(a + b), u), H((u)(a + b), u)); \\
    printf("%llx %llx ", H((u)(s)(a - b), u), H((u)(a - b), u)); \\
    printf("%llx %llx ", H((u)((U)x * (U)y), u), H((u)((U)a * (U)b), u)); \\
    if (undefined) printf("- - "); else printf("%llx %llx ", H((u)(x / y), u), H((u)(x % y), u)); \\
    if (b == 0) printf("- - "); else printf("%llx %llx ", H((u)(a / b), u), H((u)(a % b), u)); \\
    printf("%llx %llx ", H((u)(a << k), u), H((u)(x >> k), u)); \\
    printf("%llx %d %d %d\\n", H((u)(a >> k), u), x < y, a < b, a == b); \\
  }
#define H(v, u) ((unsigned long long)(u)(v))
WIDE(int8_t, uint8_t, int64_t, uint64_t)
WIDE(int16_t, uint16_t, int64_t, uint64_t)
WIDE(int32_t, uint32_t, int64_t, uint64_t)
WIDE(int64_t, uint64_t, int64_t, uint64_t)
int main(void) {
  unsigned long long a, b; int width;
  while (scanf("%d %llx %llx", &width, &a, &b) == 3)
    if (width == 8) int8_t_ops(a, b); else if (width == 16) int16_t_ops(a, b);
    else if (width == 32) int32_t_ops(a, b); else int64_t_ops(a, b);
}
"""


def pairs(width: int) -> list[tuple[int, int]]:
    rng = random.Random(width)
    top = 1 << (width - 1)
    corners = [0, 1, 2, 7, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1]
    drawn = [(rng.getrandbits(width), rng.getrandbits(rng.randint(1, width))) for _ in range(PAIRS)]
    return [(a, b) for a in corners for b in corners] + drawn


def test_every_operation_is_the_one_of_the_compiler(tmp_path: Path) -> None:
    asked = [(width, a, b) for width in WIDTHS for a, b in pairs(width)]
    program = gcc.build(SOURCE, tmp_path, "-O1")
    fed = "\n".join(f"{width} {a:x} {b:x}" for width, a, b in asked)
    done = subprocess.run([program], input=fed, capture_output=True, text=True, check=True, timeout=60)
    for (width, a, b), line in zip(asked, done.stdout.splitlines(), strict=True):
        theirs = [None if word == "-" else int(word, 16) for word in line.split()]
        shown = last(number=str(a), other=str(b), width=width)
        ours = {each.name: (bits(each.signed_bits), bits(each.unsigned_bits)) for each in shown.table}
        assert ours["a + b"] == (theirs[0], theirs[1])
        assert ours["a − b"] == (theirs[2], theirs[3])
        assert ours["a × b"] == (theirs[4], theirs[5])
        assert ours["a / b"] == (theirs[6], theirs[8])
        assert ours["a % b"] == (theirs[7], theirs[9])
        assert ours["a << b"] == (theirs[10], theirs[10])
        assert ours["a >> b"] == (theirs[11], theirs[12])
        assert ours["a < b"] == (theirs[13], theirs[14])
        assert ours["a == b"] == (theirs[15], theirs[15])


def bits(words: str | None) -> int | None:
    return None if words is None else int(words, 16)


@settings(max_examples=50)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.sampled_from(WIDTHS))
def test_what_is_wider_and_narrower_than_the_machine(a: int, b: int, width: Width) -> None:
    """Python's integers have no width: what does not fit C is checked against them."""
    shown = last(number=str(a), other=str(b), width=width)
    (x, y), (u, v) = ((kind(a).value, kind(b).value) for kind in TYPES[width])
    by = {each.name: each for each in shown.table}
    assert (number(by["a × b, all bits"].signed), number(by["a × b, all bits"].unsigned)) == (x * y, u * v)
    wide = by["a, twice as wide"]
    assert (number(wide.signed), number(wide.unsigned)) == (x, u)
    half = by["a, half as wide"]
    assert bits(half.signed_bits) == u % 2 ** (width // 2) and half.same
    assert shown.carry == (u + v >= 2**width)
    assert shown.overflow == (TYPES[width][0](x + y).value != x + y)


def test_the_sum_is_written_bit_by_bit() -> None:
    steps = [each for each in run(Params(number="-132", other="7")) if each.stage == "add"]
    assert [each.at for each in steps] == list(range(16))
    total = f"{-125 % 2**16:016b}"
    for each in steps:
        known = each.rows[3].bits.lstrip()
        assert each.at is not None
        assert total.endswith(known) and len(known) == each.at + 1


def test_minus_132_needs_nine_bits() -> None:
    first = next(run(Params()))
    assert (first.needs, first.hex, first.fits) == (9, "FF7C", True)
    byte = next(run(Params(one_byte=True)))
    assert (byte.as_signed, byte.hex) == ("124", "007C")
    assert next(run(Params(width=8))).as_signed == "124"


@pytest.mark.parametrize(("mistake", "zero"), [("sign_only", False), ("forget_one", False), ("", True)])
def test_a_number_and_its_negative_make_zero(mistake: str, zero: bool) -> None:
    for value in ("-132", "5", "32767"):
        [check] = [
            each
            for each in run(Params(number=value, **{mistake: True} if mistake else {}))
            if each.stage == "check"
        ]
        assert (check.rows[3].value == "0") == zero, check.text


def test_the_mistakes_change_what_they_say() -> None:
    right, widened = last(), last(zeros_in_front=True)
    assert (right.wider_value, widened.wider_value) == ("−132", "65404")
    circuit = last(one_circuit=True)
    assert [each.name for each in circuit.table if each.wrong] == [
        each.name for each in right.table if not each.same
    ]
    assert not any(each.wrong for each in right.table)
