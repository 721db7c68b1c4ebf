"""The servers against http.client, curl and wrk; the load generator against a server that counts for itself."""

from __future__ import annotations

import http.client
import re
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from native.speed.http_servers import LOOPBACK, Params, run
from native.speed.http_servers.http import BODY, Options
from native.speed.http_servers.load import FIELDS, NO_LENGTH, OK, OUTCOMES, UNANSWERED
from native.speed.http_servers.process import Server, serving, under_load
from native.speed.http_servers.serve import WAYS, Way
from numpy.typing import NDArray

EACH = pytest.mark.parametrize("way", WAYS)


@contextmanager
def started(way: Way, folder: Path, **options: Any) -> Iterator[Server]:
    with serving(way, Options(**options), folder / "log") as server:
        yield server


def rows(
    server: Server, connections: int, seconds: float, rate: float = 0.0, stall: tuple[float, float] = (0.0, 0.0)
) -> dict[str, NDArray[np.float64]]:
    """What became of each request, by field."""
    *_, last = under_load(server, connections, seconds, rate, stall, 10.0)
    return dict(zip(FIELDS, last.rows.T, strict=True)) | {"queued": np.array(last.queued)}


@EACH
def test_clients_that_we_did_not_write_read_the_same_answer(way: Way, tmp_path: Path) -> None:
    with started(way, tmp_path) as server:
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        for _ in range(3):  # over one connection
            client.request("GET", "/")
            answer = client.getresponse()
            assert (answer.status, answer.version, answer.read()) == (200, 11, BODY)
            assert answer.getheader("Content-Length") == str(len(BODY))
        client.close()
        command = ["curl", "-s", "-w", "%{http_code} %{num_connects}", f"http://127.0.0.1:{server.port}/"]
        assert subprocess.run(command, capture_output=True, timeout=10).stdout == BODY + b"200 1"


@pytest.mark.parametrize("way", ["thread pool", "asyncio", "uvicorn"])
def test_a_server_that_closes_says_so(way: Way, tmp_path: Path) -> None:
    with started(way, tmp_path, keep_alive=False) as server:
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        client.request("GET", "/")
        answer = client.getresponse()
        assert answer.will_close and answer.read() == BODY
        seen = rows(server, 2, 0.2)
        answered = seen["outcome"] == OK
        assert answered.sum() > 3 and (seen["connect"][answered] >= 0).all()


@pytest.mark.parametrize(
    ("way", "at_once"),
    [("one at a time", 1), ("thread each", 6), ("thread pool", 3), ("asyncio", 6), ("asyncio, blocking", 1)],
)
def test_no_server_answers_faster_than_its_handlers_can_wait(way: Way, at_once: int, tmp_path: Path) -> None:
    """How many can wait at once bounds the rate, and the bound is nearly reached."""
    wait = 0.02
    with started(way, tmp_path, wait=wait, threads=3) as server:
        seen = rows(server, 6, 0.3)
    answered = (seen["outcome"] == OK) & (seen["done"] <= 0.3)
    assert (seen["done"] - seen["sent"])[answered].min() >= wait
    most = at_once * 0.3 / wait
    assert 0.3 * most <= answered.sum() <= most + at_once


def test_connections_wait_to_be_accepted_while_one_is_kept_alive(tmp_path: Path) -> None:
    with started("one at a time", tmp_path, wait=0.01) as server:
        seen = rows(server, 6, 0.4)
    assert seen["queued"].max() <= 6 and np.median(seen["queued"]) == 5  # six until the first is accepted
    served = set(seen["connection"][seen["outcome"] == OK])
    assert len(served) == 1 and (seen["outcome"] == UNANSWERED).sum() >= 5


@pytest.mark.parametrize("way", ["asyncio"])
def test_without_a_length_no_answer_is_known_to_be_whole(way: Way, tmp_path: Path) -> None:
    with started(way, tmp_path, length=False) as server:
        seen = rows(server, 4, 0.3)
        assert len(seen["outcome"]) == 4 and (seen["outcome"] == UNANSWERED).all()  # and the answers have long come
        assert (seen["first"] > 0).all()
    with started(way, tmp_path, length=False, keep_alive=False) as server:
        seen = rows(server, 4, 0.3)
        over = seen["outcome"] != UNANSWERED
        assert over.sum() > 10 and (seen["outcome"][over] == NO_LENGTH).all()


def wrk(server: Server, *options: str) -> tuple[int, int, float]:
    """Requests, read errors, and what half of the requests stayed within, in milliseconds."""
    command = ["wrk", "-t1", "-c4", "-d1s", "--latency", *options, f"http://127.0.0.1:{server.port}/"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    requests, errors = re.search(r"(\d+) requests in", said), re.search(r"read (\d+)", said)
    half = re.search(r"50% +([\d.]+)(us|ms|s)", said)
    assert requests and half, said
    return (
        int(requests[1]),
        int(errors[1]) if errors else 0,
        float(half[1]) * {"us": 1e-3, "ms": 1, "s": 1e3}[half[2]],
    )


def test_wrk_counts_what_we_count(tmp_path: Path) -> None:
    """Both at the same time on one server, so that a busy machine is the same for both, and it counts, too."""
    wait = 0.05
    with started("asyncio", tmp_path, wait=wait, prints=True) as server, ThreadPoolExecutor(1) as beside:
        other = beside.submit(wrk, server)
        seen = rows(server, 4, 1.0)
        theirs, errors, half = other.result()
        ours = int((seen["outcome"] == OK).sum())
        answered = (tmp_path / "log").read_text().count("GET /")
    unfinished = 4 + 4  # at most one on each connection, when its client stops
    assert errors == 0 and 0 <= answered - ours - theirs <= unfinished
    assert 0.8 < ours / theirs < 1.25
    middle = 1e3 * np.median((seen["done"] - seen["due"])[seen["outcome"] == OK])
    assert 1e3 * wait <= min(half, middle) and max(half, middle) < 1.25 * min(half, middle)


def test_wrk_too_calls_an_answer_without_a_length_an_error(tmp_path: Path) -> None:
    with started("thread each", tmp_path, length=False, keep_alive=False) as server:
        requests, errors, _ = wrk(server)
        assert requests == errors > 10  # every request fails


class Counts(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        received = b""
        while chunk := self.request.recv(4096):
            received += chunk
            while b"\r\n\r\n" in received:
                _, _, received = received.partition(b"\r\n\r\n")
                self.server.count += 1  # type: ignore[attr-defined]
                self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")


class Counting(socketserver.ThreadingTCPServer):
    daemon_threads = True
    count = 0


@pytest.mark.parametrize("rate", [0.0, 200.0])
def test_the_load_generator_counts_what_a_server_of_another_kind_counts(rate: float) -> None:
    with Counting(("127.0.0.1", 0), Counts) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        server: Any = SimpleNamespace(port=other.server_address[1], accept_queue=lambda: 0)
        seen = rows(server, 3, 0.4, rate)
        other.shutdown()
    assert 0 <= other.count - (seen["outcome"] == OK).sum() <= 3
    order = np.argsort(seen["due"], kind="stable")
    due, sent, first, done = (seen[name][order] for name in ("due", "sent", "first", "done"))
    answered = seen["outcome"][order] == OK
    assert (due <= sent)[answered].all() and (sent <= first)[answered].all() and (first <= done)[answered].all()
    if rate:
        assert due == pytest.approx(np.arange(len(due)) / rate)
        assert len(due) == pytest.approx(0.4 * rate, abs=4)
    for number in range(3):  # one at a time on each connection
        mine = seen["connection"][order] == number
        assert (due[mine][1:] >= done[mine][:-1] - 1e-9).all() or rate


def test_a_closed_loop_omits_what_an_open_one_sees(tmp_path: Path) -> None:
    slow = {}
    for rate in (0.0, 300.0):
        with started("asyncio", tmp_path, wait=0.01) as server:
            seen = rows(server, 4, 1.0, rate, stall=(0.4, 0.3))
        answered = seen["outcome"] == OK
        late = (seen["done"] - seen["due"])[answered] > 0.1
        slow[rate] = int(late.sum())
        by_client = (seen["done"] - seen["sent"])[answered] > 0.1
        assert by_client.sum() <= 8  # a request or two of each connection
    assert slow[0.0] <= 8 < 30 < slow[300.0]


def test_a_run_tells_of_each_server_and_its_numbers_add_up() -> None:
    log = list(run(Params(server="thread pool", wait=5, connections=4, seconds=0.3, no_length=False)))
    last = log[-1]
    assert LOOPBACK and last.stage == "done" and last.ways == ["thread pool"]
    assert last.answers.shape == (1, len(OUTCOMES)) and 0.8 < last.rate[0] / (last.answers[0, OK] / 0.3) <= 1.001
    assert (np.diff(last.latency[0]) >= 0).all() and last.latency[0, 0] >= 5
    assert (last.from_sent <= last.latency + 1e-3).all()
