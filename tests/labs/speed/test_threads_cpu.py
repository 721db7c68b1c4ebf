"""Every way counts what a closed form counts; lanes against a recount by sampling; Amdahl's law at its ends."""

from __future__ import annotations

import json
import math
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.contract import pack
from native.speed.threads_cpu import Params, Ways, lanes, run, ways
from native.speed.threads_cpu.rows import points, shared

pytestmark = pytest.mark.alone  # it measures


def inside(r: int) -> int:
    """Gauss's circle, a quarter of it: in each row the points up to a square root."""
    return sum(math.isqrt(r * r - 1 - x * x) + 1 for x in range(r))


@given(st.integers(1, 120))
def test_the_three_counts_agree_with_the_square_root(r: int) -> None:
    assert points(0, r, r) == ways.vectors(r)(0, r) == ways.compiled(r)(0, r) == inside(r)


@pytest.fixture(scope="module")
def log() -> list[Ways]:
    return list(run(Params(radius=500, interval=1)))


def test_a_run(log: list[Ways]) -> None:
    names = ["threads, Python", "processes, Python", "threads, NumPy", "threads, C"]
    assert [name for name in log[-1].names if name != "threads, no GIL"] == names
    for event in log:
        assert event.points == inside(500) and pack(event)
    for way in log[-1].ways:
        assert way.speedup == pytest.approx(way.one / way.many)
        assert 0 <= way.serial <= 1 and 1 <= way.promised <= 2 and 0 <= way.together <= 1
        assert (way.end >= way.begin).all() and way.begin.min() >= 0 and way.end.max() <= way.many * 1.001
        assert set(way.worker.tolist()) == {0, 1, 2}


def test_the_lock_keeps_threads_apart(log: list[Ways]) -> None:
    if log[-1].gil:
        assert log[-1].ways[0].together < 0.2


def test_the_switch_interval_is_put_back() -> None:
    before = sys.getswitchinterval()
    next(iter(run(Params(radius=500, interval=100)))).points  # noqa: B018
    assert sys.getswitchinterval() in (before, 0.1)
    sys.setswitchinterval(before)


@given(st.integers(1, 4), st.floats(0, 0.9), st.integers(1, 40))
def test_shares_are_the_whole(workers: int, alone: float, tasks: int) -> None:
    rows = [(n, n + 1) for n in range(tasks)]
    _, worked = shared(lambda low, high: high - low, rows, workers, alone)
    assert sum(count for count, _ in worked) == tasks == sum(len(spans) for _, spans in worked)
    assert len(worked[0][1]) == round(alone * tasks)
    assert threading.active_count() == 1 or all(not t.name.startswith("work") for t in threading.enumerate())


def test_another_python_counts_the_same() -> None:
    """As one without a GIL would be asked, by this one."""
    (begun, ended), worked = ways.elsewhere(sys.executable, 60, 2, 0.1, 0.005)
    assert sum(count for count, _ in worked) == inside(60) and ended > begun
    assert json.dumps(worked)


spans = st.lists(st.tuples(st.integers(0, 90), st.integers(1, 10)), max_size=8).map(sorted)


@given(st.lists(spans, min_size=1, max_size=3))
def test_together_is_what_a_sample_of_every_moment_says(workers: list[list[tuple[int, int]]]) -> None:
    every = []
    for pairs in workers:
        merged: list[tuple[float, float]] = []
        for low, length in pairs:
            if not merged or low >= merged[-1][1]:
                merged.append((low, low + length))
        every.append(merged)
    if not any(every):
        return
    moments = np.arange(0.5, 101)
    running = sum(
        np.any([(low < moments) & (moments < high) for low, high in each] or [moments < 0], axis=0).astype(int)
        for each in every
    )
    assert lanes.together(every) == pytest.approx((running > 1).sum() / (running > 0).sum())


def test_a_pause_cuts_a_run() -> None:
    tasks = [(0.0, 1.0), (1.0, 2.0), (2.0, 12.0), (12.0, 13.0)]
    assert lanes.usual([tasks]) == 1.0
    assert lanes.runs(tasks, 1.0) == [(0.0, 2.5), (11.5, 13.0)]
    assert lanes.handovers([[(0.0, 2.5), (11.5, 13.0)], [(2.5, 11.5)]]) == 2


@given(st.floats(0, 1), st.integers(1, 64))
def test_amdahl(serial: float, workers: int) -> None:
    promised = lanes.amdahl(serial, workers)
    assert 1 - 1e-12 <= promised <= workers + 1e-9
    assert lanes.amdahl(0, workers) == pytest.approx(workers) and lanes.amdahl(1, workers) == 1
    assert serial == 0 or promised <= 1 / serial + 1e-9
