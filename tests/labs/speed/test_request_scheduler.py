"""The scheduler against closed forms of queueing theory, and against a plain simulation that searches a list."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise, takewhile
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from labs.speed.request_scheduler import Params, Picture, Policy, many, queue, run, theory, watched
from labs.speed.request_scheduler.arrivals import Sizes, draw, mean, read
from labs.speed.request_scheduler.request import SHARES, Request
from labs.speed.request_scheduler.simulate import begins, simulate

any_params = st.builds(
    Params,
    policy=st.sampled_from(get_args(Policy)),
    load=st.integers(10, 110),
    arrivals=st.sampled_from(["poisson", "bursts"]),
    sizes=st.sampled_from(get_args(Sizes)),
    workers=st.integers(1, 4),
    requests=st.integers(5, 60),
    seed=st.integers(0, 999),
    rate=st.integers(0, 200).map(lambda hundredths: hundredths / 100),
    rebuilt=st.booleans(),
    quantum=st.sampled_from([0.1, 1.0, 5.0]),
    whole=st.booleans(),
)
RANK: dict[str, Callable[[Params, Request, float], float]] = {
    "fifo": lambda _, request, now: request.arrived,
    "shortest": lambda _, request, now: request.size,
    "priority": lambda _, request, now: -request.priority,
    "ageing": lambda params, request, now: -aged(params, request, now),
}


def aged(params: Params, request: Request, now: float) -> int:
    """The priority of a waiting request in hundredths, added up second by second."""
    priority = 100 * request.priority
    for _ in range(math.floor(request.arrived), math.floor(now)):
        priority += round(100 * params.rate)
        if params.whole and params.rebuilt:
            priority = int(priority / 100) * 100
    return priority


def plain(params: Params, requests: list[Request]) -> dict[int, float]:
    """When each begins: whenever a worker is free, whoever ranks first of those that have come."""
    free, began, left = [0.0] * params.workers, dict[int, float](), list(requests)
    while left:
        now = max(min(free), min(each.arrived for each in left))
        here = [each for each in left if each.arrived <= now]
        # Of several that come at this very moment to a free worker, the first is taken before the next is seen.
        if all(each.arrived == now for each in here):
            here = here[:1]
        best = min(here, key=lambda each: (RANK[params.policy](params, each, now), each.number))
        left.remove(best)
        began[best.number] = now
        free[free.index(min(free))] = now + best.size
    return began


def moments(params: Params) -> list[Picture]:
    """All pictures but the one of many requests."""
    return list(takewhile(lambda one: one.stage != "many", run(params)))


@settings(max_examples=25, deadline=None)
@given(any_params.filter(lambda params: params.policy in RANK))
def test_a_plain_simulation_begins_each_request_at_the_same_time(params: Params) -> None:
    requests = watched(params)
    *_, last = simulate(requests, queue(params), params.workers)
    assert {one.request.number: one.began for one in last.served} == pytest.approx(plain(params, requests))


@settings(max_examples=50, deadline=None)
@given(any_params)
def test_who_need_not_see_every_moment_comes_to_the_same(params: Params) -> None:
    requests = watched(params)
    *_, last = simulate(requests, queue(params), params.workers)
    began = [(one.request, one.began) for one in last.served]
    assert list(begins(requests, queue(params), params.workers)) == began


@settings(max_examples=8, deadline=None)
@given(any_params)
def test_every_picture_obeys_littles_law_and_keeps_every_request(params: Params) -> None:
    pictures = moments(params)
    before = 0
    for one in pictures:
        assert one.length == pytest.approx(one.throughput * one.stay, abs=1e-9)
        waits = np.flatnonzero(np.isnan(one.began))
        assert sorted(one.queue) == waits.tolist()
        assert one.inside - before == (1 if one.stage == "arrives" else -1)
        assert one.inside == (~(one.began + one.sizes <= one.now + 1e-4)).sum()
        assert len(waits) <= one.inside <= len(waits) + params.workers
        assert set(one.worker.tolist()) <= set(range(params.workers))
        before = one.inside
    assert pictures[-1].inside == 0 and not np.isnan(pictures[-1].began).any()


@settings(max_examples=8, deadline=None)
@given(any_params)
def test_the_queue_is_served_in_the_order_that_it_shows(params: Params) -> None:
    """Until somebody comes or, where priorities age, a second passes."""
    pictures = moments(params)
    for before, after in pairwise(pictures):
        if after.stage == "leaves" and math.floor(before.now) == math.floor(after.now):
            assert after.next == (before.queue[0] if len(before.queue) else -1)
            assert after.queue.tolist() == before.queue[1:].tolist()


@settings(max_examples=25, deadline=None)
@given(any_params.filter(lambda params: not params.whole))
def test_a_static_key_gives_the_order_of_the_rebuild(params: Params) -> None:
    ways = [Params(**{**vars(params), "policy": "ageing", "rebuilt": rebuilt}) for rebuilt in (True, False)]
    rebuilt, static = (
        [
            [each.number for each, _ in state.queue.order(state.now)]
            for state in simulate(watched(way), queue(way), 1)
        ]
        for way in ways
    )
    assert rebuilt == static


@pytest.mark.parametrize("rate", [0.0, 0.2, 0.99])
def test_an_int_never_ages_by_less_than_one(rate: float) -> None:
    priority, as_int, aged = (
        [one.queue.tolist() for one in moments(params)]
        for params in (
            Params(policy="priority"),
            Params(policy="ageing", rate=rate, whole=True),
            Params(policy="ageing", rate=rate),
        )
    )
    assert as_int == priority
    assert (aged == priority) == (rate == 0)


@pytest.mark.parametrize("rate", [0.2, 1.0, 1.7])
def test_the_many_wait_as_if_their_queue_were_rebuilt(rate: float) -> None:
    for whole in (False, True):
        params = Params(policy="ageing", rate=rate, whole=whole)
        requests = draw("poisson", "by class", 0.8, 2000, 5)
        rebuilt, static = (
            list(simulate(requests, queue(params, rebuild), 1))[-1].served for rebuild in (True, False)
        )
        assert [one.request.number for one in rebuilt] == [one.request.number for one in static]


def measured(params: Params, seeds: int = 3) -> tuple[list[float], list[float]]:
    """[classes] the mean wait over several long runs, and its standard error."""
    waits = np.array([many(Params(**{**vars(params), "seed": seed})).waits[0] for seed in range(seeds)], float)
    return waits.mean(axis=0).tolist(), (waits.std(axis=0, ddof=1) / seeds**0.5).tolist()


@pytest.mark.parametrize(
    ("policy", "sizes", "load", "workers"),
    [
        ("fifo", "alike", 70, 1),
        ("fifo", "heavy tail", 60, 1),
        ("fifo", "alike", 80, 3),
        ("priority", "by class", 80, 1),
        ("shortest", "alike", 70, 1),
        ("shortest", "by class", 80, 1),
    ],
)
def test_long_runs_come_out_as_theory_says(policy: Policy, sizes: Sizes, load: int, workers: int) -> None:
    params = Params(policy=policy, sizes=sizes, load=load, workers=workers)
    expected = many(params).waits[3]
    wait, error = measured(params)
    for mine, theirs, spread in zip(wait, expected, error, strict=True):
        assert abs(mine - theirs) < 5 * spread + 0.03 * theirs


def test_closed_forms_known_from_textbooks() -> None:
    assert theory.fifo("alike", 0.5) == pytest.approx([1.0] * 3)  # M/M/1: ρ / (μ - λ)
    assert theory.fifo("fixed", 0.5) == pytest.approx([0.5] * 3)  # M/D/1: half of it
    assert theory.erlang(0.5, 1) == pytest.approx(theory.fifo("alike", 0.5))
    assert theory.erlang(0.5, 2) == pytest.approx([1 / 3] * 3)  # M/M/2: ρ² / (1 - ρ²)
    for way in (theory.fifo, theory.priority, theory.shortest):
        assert way("alike", 1.0) is None


@pytest.mark.parametrize("load", [0.3, 0.8, 0.95])
def test_priorities_share_out_the_same_waiting(load: float) -> None:
    """Kleinrock's conservation law: who goes first changes nothing about the sum of ρ · wait."""
    means = theory.moments("by class")[0]
    weights = [share * each for share, each in zip(SHARES, means, strict=True)]
    sums = [
        sum(weight * wait for weight, wait in zip(weights, way("by class", load) or [], strict=True))
        for way in (theory.fifo, theory.priority)
    ]
    assert sums[0] == pytest.approx(sums[1])


def test_ageing_keeps_the_conservation_law_and_lies_between() -> None:
    requests = draw("poisson", "fixed", 0.8, 5000, 3)
    waits: dict[str, list[float]] = {}
    for way in ("fifo", "priority", "ageing"):
        *_, last = simulate(requests, queue(Params(policy=way), rebuild=False), 1)
        waits[way] = [sum(one.waited for one in last.served if one.request.kind == kind) for kind in range(3)]
    totals = [sum(each) for each in waits.values()]
    assert totals == pytest.approx([totals[0]] * 3)  # the same work is left at any time
    assert waits["priority"][0] < waits["ageing"][0] < waits["fifo"][0]
    assert waits["priority"][2] > waits["ageing"][2] > waits["fifo"][2]


@pytest.mark.parametrize("policy", ["fair", "deficit"])
def test_classes_that_always_wait_get_the_same_work(policy: Policy) -> None:
    requests = [Request(n, n % 3, (0.5, 1.0, 2.0)[n % 3], 0.0) for n in range(300)]
    *_, last = simulate(requests, queue(Params(policy=policy)), 1)
    work = [0.0] * 3
    for one in last.served:
        work[one.request.kind] += one.request.size
        if one.ends > 100:
            break
    assert max(work) - min(work) <= 4.0  # at most a request of each more


def test_what_a_reader_writes() -> None:
    assert read("2:b1.5 0:a0.5") == [Request(0, 0, 0.5, 0.0), Request(1, 1, 1.5, 2.0)]
    for wrong in ("", "a", "1:d1", "0:a0", "-1:a1", "0:a1 " * 151):
        with pytest.raises(LabError):
            read(wrong)
    log: list[Picture] = list(run(Params(arrivals="written")))
    assert log[-1].stage == "leaves" and mean("by class") == pytest.approx(0.95)
