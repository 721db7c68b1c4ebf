"""Factors against exact fractions of the decimals that the source prints."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import get_args

import pytest
from labs.speed.table_and_sentence import SIZES, Pair, Params, run

PRINTED = """
50    5.529       0.060     0.006   0.268
100   40.246      0.439     0.031   0.057
500   10784.230   65.689    3.845   0.340
1000  107350.155  1061.430  10.502  4.847
"""
TABLE = {int(size): [Fraction(each) for each in took] for size, *took in map(str.split, PRINTED.split("\n")[1:-1])}


@pytest.mark.parametrize(("pair", "kept"), [*product(get_args(Pair), [False, True])])
def test_each_step_divides_two_times_of_one_row(pair: Pair, kept: bool) -> None:
    slow, fast = (["Python", "C++", "NumPy", "GPU"].index(name) for name in pair.split("_by_"))
    log = list(run(Params(pair, kept)))
    exact = [took[slow] / took[fast] for took in TABLE.values()]
    assert [*TABLE] == [*SIZES] and [one.at for one in log] == [0, 1, 2, 3, 3]
    assert [one.factor for one in log] == pytest.approx([float(each) for each in [*exact, exact[-1]]])
    assert [one.stage for one in log] == ["row"] * 4 + ["sentence"]
    assert log[-1].said == pytest.approx(float(exact[-2 if kept else -1]))
    for one in log:
        held = [one.took[each, one.at] for each in (one.slow, one.fast)]
        assert held[0] / held[1] == pytest.approx(one.factor, rel=1e-6)


def test_every_two_programs_are_a_pair_and_the_slower_one_comes_first() -> None:
    pairs = [pair.split("_by_") for pair in get_args(Pair)]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == 6
    assert all([*run(Params(pair))][-1].factor > 1 for pair in get_args(Pair))


def test_the_sentence_is_in_words_what_it_is_in_numbers() -> None:
    said = "“With 1,000 rows, C++ takes {} times as long as GPU”"
    right, wrong = (str([*run(Params(kept=kept))][-1].text) for kept in (False, True))
    assert right == said.format(219) + ": the table agrees."
    assert wrong == said.format(193) + ": the table has 219 there; the sentence gives the factor of 500 rows."
