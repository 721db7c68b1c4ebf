"""The model against closed forms; the server against http.client; what is measured against the model."""

from __future__ import annotations

import http.client
import math
import socket
import ssl
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from native.models.localhost import CERTIFICATE
from native.speed.threads_io import LOOPBACK, Params, Picture, delaying, progress, read, run
from native.speed.threads_io.delays import BODY, CONNECTED
from native.speed.threads_io.model import ROUND_TRIPS, wall
from native.speed.threads_io.ways import WAYS, Job, Way
from numpy.typing import NDArray

seconds = st.lists(st.integers(0, 1000).map(lambda ms: ms / 1000), min_size=1, max_size=20)


@settings(max_examples=200)
@given(seconds, st.integers(0, 150).map(lambda ms: ms / 1000), st.sampled_from([*ROUND_TRIPS]), st.integers(1, 12))
def test_the_model_is_sum_maximum_and_something_between(
    delays: list[float], round_trip: float, tls: str, workers: int
) -> None:
    each = [delay + (2 + ROUND_TRIPS[tls]) * round_trip for delay in delays]
    args = (delays, round_trip, tls, workers)
    assert wall("one after another", *args, False) == pytest.approx(sum(each))
    assert wall("asyncio", *args, False) == wall("asyncio", *args, True) == pytest.approx(max(each))
    saved = (len(delays) - 1) * (1 + ROUND_TRIPS[tls]) * round_trip
    assert wall("one after another", *args, True) == pytest.approx(sum(each) - saved)
    pool = wall("thread pool", *args, False)
    assert max(max(each), sum(each) / workers) - 1e-9 <= pool <= sum(each) / workers + max(each) + 1e-9
    assert wall("processes", *args, False) == pool >= wall("thread pool", *args, True) - max(each)


@pytest.mark.parametrize(("n", "k"), [(10, 4), (8, 4), (3, 12), (7, 1)])
def test_equal_requests_go_in_rounds(n: int, k: int) -> None:
    assert wall("thread pool", [0.2] * n, 0.0, "none", k, False) == pytest.approx(math.ceil(n / k) * 0.2)


@pytest.mark.parametrize(("tls", "version"), [("1.3", "TLSv1.3"), ("1.2", "TLSv1.2"), ("none", None)])
def test_another_client_gets_the_answer_as_late_as_it_should(tls: str, version: str | None) -> None:
    round_trip = 0.06
    with delaying(Params(tls=tls, round_trip=60)) as port:  # type: ignore[arg-type]
        began = time.monotonic()
        client = http.client.HTTPConnection("localhost", port)
        link = socket.create_connection(("localhost", port), timeout=5)
        assert link.recv(1) == CONNECTED and time.monotonic() - began >= round_trip
        if tls == "none":
            client.sock = link
        else:
            trust = ssl.create_default_context(cafile=str(CERTIFICATE))
            client.sock = secure = trust.wrap_socket(link, server_hostname="localhost")
            assert secure.version() == version
            assert time.monotonic() - began >= (1 + ROUND_TRIPS[tls]) * round_trip
        for turn, delay in enumerate((100, 0)):  # the second on the same connection
            client.request("GET", f"/{delay}")
            answer = client.getresponse()
            assert (answer.status, answer.read()) == (200, BODY)
            took = time.monotonic() - began
            least = round_trip + delay / 1000 + (0 if turn else (1 + ROUND_TRIPS[tls]) * round_trip)
            assert least <= took < least + 0.5
            began = time.monotonic()
        client.close()


def measured(way: Way, kept: bool) -> tuple[NDArray[np.float64], float]:
    """The rows of a run, and the model."""
    delays, round_trip, workers = (120, 60, 60, 30, 90, 10), 20, 2
    with delaying(Params(round_trip=round_trip)) as port:
        *_, (over, _, rows) = progress(way, Job(port, "1.3", kept, workers, delays))
    assert over
    return rows, wall(way, [each / 1000 for each in delays], round_trip / 1000, "1.3", workers, kept)


@pytest.mark.parametrize(
    ("way", "kept"), [*((way, False) for way in WAYS), ("one after another", True), ("processes", True)]
)
def test_no_way_is_faster_than_its_waiting(way: Way, kept: bool) -> None:
    rows, expected = measured(way, kept)
    request, worker, begin, connected, shaken, first, end = rows.T
    assert sorted(request) == list(range(6))
    # In processes the order in which requests are taken may differ, and threads start by turns.
    assert expected - 0.05 <= end.max() <= expected + 1.0
    assert (begin <= connected).all() and (connected <= shaken).all()
    assert (shaken < first).all() and (first <= end).all()
    made = connected > begin  # a connection that is kept is neither made nor greeted again
    assert (connected[made] - begin[made] >= 0.02).all() and (shaken[made] - connected[made] >= 0.02).all()
    assert (shaken[~made] == begin[~made]).all()
    connections = int(made.sum())
    workers = {"one after another": 1, "asyncio": 6}.get(way, 2)
    assert connections == (workers if kept else 6)
    for number in set(worker):
        mine = np.argsort(begin[worker == number])
        assert (begin[worker == number][mine][1:] >= end[worker == number][mine][:-1]).all()
    assert len(set(worker)) == workers
    if way == "asyncio":
        assert begin.max() < end.min()


def test_a_run_ends_with_every_request_of_its_way() -> None:
    log: list[Picture] = list(run(Params(way="asyncio", delays="40 20 0", round_trip=10)))
    last = log[-1]
    assert LOOPBACK and last.stage == "done" and sorted(last.request) == [0, 1, 2] and last.ways == ["asyncio"]
    assert last.model[0] == pytest.approx(0.07) and last.wall[0] >= 0.07 and last.waiting[0] == pytest.approx(0.06)
    assert last.wall[0] <= last.horizon


def test_every_way_stays_in_the_picture() -> None:
    log: list[Picture] = list(run(Params(delays="20 10 0", round_trip=10, workers=2)))
    last = log[-1]
    assert last.named == last.ways == list(WAYS)
    assert [sorted(last.request[last.by == n]) for n in range(4)] == [[0, 1, 2]] * 4
    took = [(last.end - last.begin)[last.by == n].sum() for n in range(4)]
    assert last.spent.sum(1) == pytest.approx(took, rel=1e-3)
    assert last.spent[:, :2].sum(1) == pytest.approx(last.shaking, rel=1e-3)
    assert (last.spent[:, 2] >= last.waiting).all()


def test_what_a_reader_writes() -> None:
    assert read(" 250 0 1000 ") == (250, 0, 1000)
    wrong: list[Any] = ["", "a", "1.5", "-1", "1001", "10 " * 25]
    for each in wrong:
        with pytest.raises(LabError):
            read(each)
