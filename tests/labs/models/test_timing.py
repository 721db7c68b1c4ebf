"""How many rounds make a time: held against works whose times are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from native.models.timing import LONG_ENOUGH, PAUSE, enough


class Clock:
    """Of a work that takes so many seconds a round and, once, so many more."""

    def __init__(self, each: float, paused: int, pause: float) -> None:
        self.each, self.paused, self.pause = each, paused, pause
        self.tries, self.spent = 0, 0.0

    def __call__(self, _: object, rounds: int) -> float:
        took = rounds * self.each + self.pause * (self.tries == self.paused)
        self.tries, self.spent = self.tries + 1, self.spent + took
        return took


@given(each=st.floats(1e-8, 1e-2), paused=st.integers(0, 24), pause=st.floats(LONG_ENOUGH, 0.9 * PAUSE))
def test_a_pause_of_the_machine_does_not_make_a_work_seem_slow(each: float, paused: int, pause: float) -> None:
    rounds = enough(lambda _: None, 0, Clock(each, paused, pause))
    assert rounds * each >= LONG_ENOUGH
    assert rounds == 1 or rounds * each < 2 * LONG_ENOUGH


@pytest.mark.parametrize(("each", "most"), [(1e-6, 0.05), (1e-3, 0.05), (0.03, 1.0), (2.0, 5.0)])
def test_rounds_fill_the_time_that_there_is(each: float, most: float) -> None:
    spent = each * enough(lambda _: None, most, Clock(each, 99, 0))
    assert most - max(each, 2 * LONG_ENOUGH) < spent <= most


def test_a_long_work_is_not_tried_twice() -> None:
    clock = Clock(3.0, 99, 0)
    assert enough(lambda _: None, 1, clock) == 1
    assert clock.spent == 3
