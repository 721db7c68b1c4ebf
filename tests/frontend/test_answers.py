"""What WebAssembly returned beside what C prints: the same number, whatever each calls it."""

import itertools
import math

import numpy as np
from in_node import told

REAL = [0.0, 1.5, -2.25, 1e300, 5e-324, math.inf, -math.inf, math.nan]


def in_javascript(value: float) -> str:
    return "NaN" if math.isnan(value) else str(value).replace("inf", "Infinity")


def in_c(value: float) -> list[str]:
    """As printf writes it: x86-64 makes a NaN with a sign."""
    return ["nan", "-nan"] if math.isnan(value) else [f"{value:.17g}"]


def test_numbers_that_are_not_finite_are_equal_to_themselves_alone() -> None:
    pairs = [(one, other, text) for one, other in itertools.product(REAL, repeat=2) for text in in_c(other)]
    said = told("answers.mjs", [[in_javascript(one), text, "double"] for one, _, text in pairs])
    for (one, other, text), equal in zip(pairs, said, strict=True):
        assert equal == (one == other or (math.isnan(one) and math.isnan(other))), (one, text)


def test_a_float_is_compared_as_a_float() -> None:
    asked = [[in_javascript(float(np.float32(0.1))), "0.10000000149011612", "float"], ["Infinity", "inf", "float"]]
    asked += [["NaN", "-nan", "float"], ["1", "1.0000001", "float"], ["Infinity", "-inf", "float"]]
    assert told("answers.mjs", asked) == [True, True, True, False, False]


def test_whole_numbers_are_equal_modulo_their_width() -> None:
    asked = [["-1", "4294967295", "unsigned int"], ["-1", "18446744073709551615", "unsigned long"]]
    asked += [["256", "0", "unsigned char"], ["3", "1", "int"]]
    assert told("answers.mjs", asked) == [True, True, True, False]
