"""How much the tests try: what tells most by default, all there is under ``--all`` (`make test-all`)."""

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

ALL = "UNDERHOOD_TEST_ALL" in os.environ
MORE = 20  # times as many draws, programs and seconds


def draws(few: int) -> int:
    """How many random cases to try."""
    return few * MORE if ALL else few


def upto(few: int, most: int) -> range:
    """Seeds, of which the first few are tried each time."""
    return range(most if ALL else few)


def chosen(cases: Iterable[Case], few: Iterable[Case]) -> list[Case]:
    """All cases, or the few that stand for their kinds; each of those must be one of them."""
    every, few = list(cases), list(few)
    strangers = [case for case in few if case not in every]
    assert not strangers, f"no such cases: {strangers}"
    return every if ALL else few
