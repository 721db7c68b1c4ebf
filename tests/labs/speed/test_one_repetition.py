"""A report says what NumPy says of its own repetitions; how far reports are apart is counted by hand."""

from __future__ import annotations

import os
from itertools import combinations, pairwise

import numpy as np
import pytest
from labs.contract import LabError
from native.speed.one_repetition import SIZES, Params, disagreement, reported, run

pytestmark = pytest.mark.alone  # it measures

CORES = len(os.sched_getaffinity(0))


def quick(**params: object) -> Params:
    return Params(n=256, threads=1, repetitions=62, **params)  # type: ignore[arg-type]


@pytest.mark.parametrize("says", ["median", "least", "mean"])
@pytest.mark.parametrize("of", SIZES)
def test_a_report_takes_the_next_few(of: int, says: str) -> None:
    times = np.random.default_rng(of).lognormal(size=100)
    oracle = {"median": np.median, "least": np.min, "mean": np.mean}[says]
    assert reported(times, of, says).tolist() == pytest.approx(
        [oracle(times[begin : begin + of]) for begin in range(0, 100 - of + 1, of)]
    )


def test_disagreement_counts_pairs() -> None:
    times = np.random.default_rng(4).lognormal(sigma=0.2, size=30)
    ratio, apart = disagreement(times)
    pairs = [max(pair) / min(pair) for pair in combinations(times.tolist(), 2)]
    assert ratio == pytest.approx(max(pairs))
    assert apart == pytest.approx(sum(pair > 1.1 for pair in pairs) / len(pairs))
    assert disagreement(np.ones(5)) == (1, 0)
    assert np.isnan(disagreement(times[:1])).all()


@pytest.mark.parametrize("way", ["NumPy", "packed", "ikj"])
def test_a_run_clocks_each_by_itself(way: str) -> None:
    log = list(run(quick(way=way, of=3)))
    last = log[-1]
    assert len(log[0].milliseconds) == 1 and len(last.milliseconds) == 62
    for early, late in pairwise(log):  # what was clocked stays
        assert (late.milliseconds[: len(early.milliseconds)] == early.milliseconds).all()
    assert (last.milliseconds > 0).all() and last.first == pytest.approx(last.milliseconds[0])
    assert last.reports.tolist() == pytest.approx(reported(last.milliseconds.astype(float), 3, "median").tolist())
    assert last.counts.tolist() == [62 // size for size in SIZES]
    every = np.split(last.all_reports, np.cumsum(last.counts)[:-1])
    for size, reports in zip(SIZES, every, strict=True):
        assert reports.tolist() == pytest.approx(reported(last.milliseconds.astype(float), size, "median").tolist())
    assert last.ratio[0] == pytest.approx(last.milliseconds.max() / last.milliseconds.min())
    assert [event.stage for event in log] == ["the first", *["more"] * (len(log) - 2), "reports"]
    assert "20 reports of the median of 3 repetitions" in last.text


def test_too_many_threads_are_refused_by_name() -> None:
    with pytest.raises(LabError, match=f"at most {CORES} threads"):
        list(run(Params(threads=CORES + 1)))
