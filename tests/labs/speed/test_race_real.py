"""What must not be lost is not, what costs more does, and what is counted adds up."""

from __future__ import annotations

import numpy as np
import pytest
from disturbed import undisturbed
from hypothesis import given
from hypothesis import strategies as st
from native.speed.race_real import FENCES, WAYS, Params, Raced, run
from native.speed.race_real.kernel import LINE, MOST, buffered, count

SAFE = ("relaxed", "ordered", "swap", "lock", "own")
ALL = ("plain", "volatile", *SAFE)


@pytest.mark.parametrize("way", SAFE)
@given(threads=st.integers(1, MOST), n=st.integers(1, 3000), apart=st.sampled_from(range(8, LINE + 1, 8)))
def test_nothing_is_lost_where_nothing_may_be(way: str, threads: int, n: int, apart: int) -> None:
    counted, seconds = count(way, threads, n, apart)  # type: ignore[arg-type]
    assert counted == threads * n
    assert seconds > 0


@pytest.mark.parametrize("way", ALL)
@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_one_thread_counts_right_in_any_way(way: str, n: int) -> None:
    assert count(way, 1, n)[0] == n  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["plain", "volatile"])
def test_a_race_loses_and_never_invents(way: str) -> None:
    for threads in range(2, MOST + 1):
        counted, _ = count(way, threads, 20_000)  # type: ignore[arg-type]
        assert 0 < counted <= threads * 20_000


@pytest.mark.parametrize(("threads", "n", "apart"), [(0, 1, 8), (MOST + 1, 1, 8), (2, 0, 8), (2, 1, 4), (2, 1, 72)])
def test_what_the_kernel_has_no_room_for_is_refused(threads: int, n: int, apart: int) -> None:
    with pytest.raises(ValueError, match="bytes apart"):
        count("own", threads, n, apart)


@pytest.mark.parametrize("fenced", [False, True])
@pytest.mark.parametrize("turns", [1, 2, 999, 20_000])
def test_every_turn_has_one_outcome_and_a_fence_forbids_the_first(fenced: bool, turns: int) -> None:
    outcomes = buffered(fenced, turns)
    assert outcomes.sum() == turns and (outcomes >= 0).all()
    if fenced:
        assert outcomes[0, 0] == 0


@pytest.mark.alone
def test_a_run_races() -> None:
    undisturbed(lambda: list(run(Params(thousands=200, turns=20_000))), it_races)


def it_races(logs: list[list[Raced]]) -> None:
    first, *_, last = log = logs[0]
    assert [event.stage for event in log] == ["", *WAYS, *FENCES]
    assert (first.lost == -1).all() and np.isnan(first.took).all() and (first.outcomes == -1).all()
    assert last.outcomes.sum(axis=(1, 2)).tolist() == [20_000] * 2
    low, median, high = last.took.T
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    names = list(WAYS)
    assert all(last.lost[names.index(name)] == 0 for name in names[2:])
    best = dict(zip(names, np.min([each[-1].took[:, 1] for each in logs], axis=0), strict=True))
    # With room to spare: a mutex costs more than an atomic, and that more than a counter of one's own.
    assert best["mutex"] > best["own, a line each"] and best["relaxed atomic"] > 2 * best["own, a line each"]
    assert best["plain"] < 0.5 * best["volatile"]
    # Which additions meet is luck, but over all logs some do, where there are two cores.
    assert max(each[-1].lost[names.index("volatile")] for each in logs) > 0
    assert max(each[-1].outcomes[0, 0, 0] for each in logs) > 0
