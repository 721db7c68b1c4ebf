"""Whole numbers in bits: what the top bit changes, carries, and what a reader may type."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.bits.integer_bits import integers as n
from labs.contract import LabError

WIDTHS = (8, 16, 32, 64)
CORNERS = sorted({x % 2**8 for x in (-128, -127, -2, -1, 0, 1, 2, 7, 8, 126, 127)})


def test_the_operations_that_never_care_for_the_sign() -> None:
    """Over all pairs of four-bit numbers, and those of eight bits at the corners."""
    for operation in n.OPERATIONS:
        differ = 0
        for width, patterns in ((4, range(16)), (8, CORNERS)):
            for a in patterns:
                for b in patterns:
                    right = operation.pattern(n.signed(a, width), n.signed(b, width), width)
                    differ += right is not None and right != operation.pattern(a, b, width)
        assert (differ == 0) == operation.always, operation.name


@pytest.mark.parametrize("width", WIDTHS)
def test_numpy_reads_the_same(width: int) -> None:
    rng = np.random.default_rng(width)
    patterns = rng.integers(0, 2**width, 200, dtype=np.uint64, endpoint=width < 64)
    for pattern in [0, 1, 2 ** (width - 1) - 1, 2 ** (width - 1), 2**width - 1, *(int(x) for x in patterns)]:
        cut = n.cut(pattern, width)
        assert n.signed(cut, width) == int(np.array(cut, f"u{width // 8}").view(f"i{width // 8}"))
        assert n.cut(n.signed(cut, width), width) == cut


@given(st.integers(-(2**70), 2**70))
def test_the_fewest_bits(value: int) -> None:
    bits = n.needed(value, sign=True)
    assert bits is not None
    low, high = n.ends(bits, True)
    assert low <= value <= high
    if bits > 1:
        low, high = n.ends(bits - 1, True)
        assert not low <= value <= high
    assert n.needed(value, sign=False) == (None if value < 0 else max(1, len(f"{value:b}")))


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_carries_are_those_of_a_sum_on_paper(one: int, other: int) -> None:
    carry, total = n.carries(one, other), 0
    come = 0
    for place in range(64):
        assert carry >> place & 1 == come
        bits = (one >> place & 1) + (other >> place & 1) + come
        total |= (bits & 1) << place
        come = bits >> 1
    assert carry >> 64 == come and total == (one + other) % 2**64


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-132", -132),
        ("−132", -132),
        (" 65_404 ", 65404),
        ("0xFF7C", 0xFF7C),
        ("0b1010", 10),
        ("007", 7),
        ("1,000", 1000),
    ],
)
def test_what_may_be_typed(text: str, value: int) -> None:
    assert n.parse(text, "It") == value


@pytest.mark.parametrize("text", ["", "1.5", "1e3", "0x", "twelve", "--1"])
def test_what_may_not(text: str) -> None:
    with pytest.raises(LabError, match="It must be a whole number"):
        n.parse(text, "It")
