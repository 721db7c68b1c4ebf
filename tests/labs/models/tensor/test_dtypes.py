"""The rule of promotion against NumPy's whole table, and Python's numbers beside each type."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from labs.models.tensor.dtypes import DTYPES, named, promote, weak


@pytest.mark.parametrize("several", [*product(DTYPES, repeat=2)])
def test_two_types_are_promoted_as_numpys(several: tuple[str, str]) -> None:
    assert promote(*map(named, several)).name == np.promote_types(*several).name


def test_three_types_are_promoted_as_numpys_one_after_the_other() -> None:
    for several in permutations(DTYPES, 3):
        first, second, third = several
        expected = np.promote_types(np.promote_types(first, second), third)
        assert promote(*map(named, several)).name == expected.name


@pytest.mark.parametrize("beside", DTYPES)
@pytest.mark.parametrize("value", [True, 1, 1.0, 1j])
def test_a_python_number_gives_way_as_in_numpy(value: complex, beside: str) -> None:
    assert (
        promote(weak(value, named(beside)), named(beside)).name == np.result_type(np.empty(1, beside), value).name
    )


def test_facts_of_a_type_are_numpys() -> None:
    for name, dtype in DTYPES.items():
        kind = np.dtype(name)
        assert (dtype.itemsize, str(dtype)) == (kind.itemsize, name)
        if kind.kind in "iu":
            assert dtype.whole == np.iinfo(kind).max.bit_length()
            assert dtype.signed == (np.iinfo(kind).min < 0)
        elif kind.kind in "fc":
            assert (dtype.whole, dtype.exponent) == (np.finfo(kind).nmant + 1, np.finfo(kind).nexp)
        assert dtype.imaginary == (kind.kind == "c")


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(TypeError, match="float8 is none of the types bool, uint8"):
        named("float8")
