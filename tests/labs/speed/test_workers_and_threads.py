"""Rates are counted moment by moment, and what a picture shows is what the workers told."""

from __future__ import annotations

from itertools import pairwise, product
from select import select

import numpy as np
import pytest
from native.models.child import started
from native.models.cores import cores
from native.speed.workers_and_threads import ROOM, Params, Served, measure, run, served, tried
from native.speed.workers_and_threads.worker import rate


@pytest.mark.parametrize("seed", range(5))
def test_a_rate_is_the_sum_over_many_moments(seed: int) -> None:
    """Of every request that is in progress, its share of a moment."""
    random = np.random.default_rng(seed)
    moments = np.cumsum(random.uniform(0.05, 0.4, 12))
    spans = [(float(low), float(high)) for low, high in pairwise(moments)]
    end = float(random.uniform(0.5, moments[-1]))
    at = (np.arange(100_000) + 0.5) / 100_000 * end
    low, high = np.array(spans).T[:, :, None]
    expected = (((low <= at) & (at < high)) / (high - low)).mean(1).sum()
    assert rate(spans, 0.0, end) == pytest.approx(expected, rel=1e-3)
    assert rate([(-1.0, -0.5), (end + 1, end + 2)], 0.0, end) == 0


def test_more_threads_than_cores_are_always_tried() -> None:
    for many in (1, 2, 3, 4, 64):
        one, some, most = tried(many)
        assert one == 1 and most == 2 * some and most * most > some * one
    assert tried(2) == (1, 2, 4) and tried(64)[1] == 4


@pytest.mark.alone
def test_pictures_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("native.speed.workers_and_threads.tried", lambda _: (1, 2))
    log = list(run(Params(turns=1, tokens=8)))
    assert [(event.workers, event.threads) for event in log] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for event in log:
        adds_up(event)
        place = event.counts.index(str(event.workers)), event.counts.index(str(event.threads))
        spans = [*zip(event.begin.tolist(), event.end.tolist(), strict=True)]
        assert event.rate[(*place, 1)] == pytest.approx(1e3 * rate(spans, 0, event.window), rel=1e-3)
        assert event.latency[place] == pytest.approx(np.median(event.end - event.begin), rel=1e-3)


def adds_up(event: Served) -> None:
    low, median, high = np.moveaxis(event.rate, 2, 0)
    assert (low <= median).all() and (median <= high).all() and (low > 0).all()
    np.testing.assert_allclose(event.share, median / median.max(), rtol=1e-5)
    assert event.share[tuple(event.counts.index(str(count)) for count in event.best)] == 1
    assert set(event.worker.tolist()) == set(range(event.workers)) and event.cores == cores()
    for worker in range(event.workers):  # one request after the other, each begun in time
        mine = event.worker == worker
        begin, end = event.begin[mine], event.end[mine]
        assert (begin >= 0).all() and (begin <= event.window).all() and (end > begin).all()
        # A worker looks at the clock once it has answered, some milliseconds later where it must wait for a core.
        assert (end[:-1] <= begin[1:] + 1e-3).all() and end[-1] >= event.window - 10


@pytest.mark.alone
def test_one_worker_keeps_no_more_cores_busy_than_its_threads() -> None:
    cells = [*product((1,), (1, 2))]
    turns = measure(Params(turns=1, tokens=8), cells)
    for (_, threads), (turn,) in turns.items():
        ((done, busy, taken),) = turn.workers
        assert 0 < busy <= 1.2 * threads * (done[-1][1] - turn.begin) + 0.02 and taken >= 0


@pytest.mark.alone
def test_no_worker_outlives_its_parent() -> None:
    """Which is killed: whatever of it went on would keep its output open."""
    with started(ROOM, 8, 0.01, "", "[[2, 1]]", 1000) as (process, says):
        says.readline()
        assert select([says], [], [], 10)[0]
        process.kill()
        assert select([says], [], [], 10)[0]
        while says.read(1 << 16):  # to its end
            pass


def test_a_sentence_counts_workers_threads_and_cores() -> None:
    assert (
        str(served(1, 1, 1, 1361.2, 1))
        == "1 worker with 1 thread serves 1,360 requests/s on 1 core, 100 % of the best."
    )
    assert str(served(2, 4, 2, 41.44, 0.08)) == (
        "2 workers with 4 threads each serve 41.4 requests/s on 2 cores, 8 % of the best."
    )
