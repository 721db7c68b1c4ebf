"""How soon a run answers over HTTP, and what a hundred readers with the same wish cost."""

from __future__ import annotations

import http.client
import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from urllib.parse import urlsplit

from measure.serving import Server, serving
from measure.stats import Result

LIGHT = "learning/number_line"
MEDIAN_BAR_MS, P95_BAR_MS = 60.0, 150.0
START_BAR_S = 5.0
CROWD = 100


def log(server: Server, lab: str, params: Mapping[str, object]) -> list[tuple[str, float]]:
    """The kinds of a new run's events, each with the milliseconds from sending the POST until it was here."""
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)) as line:
        line.connect()
        begun = time.perf_counter()
        body = json.dumps({"lab": lab, "params": params})
        line.request("POST", "/api/runs", body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        ticket = json.load(answer)
        if answer.status != 201:
            raise RuntimeError(f"expected a new run, got {answer.status}: {ticket}")
        line.request("GET", ticket["events"], headers={"Accept": "text/event-stream"})
        return [(kind, 1000 * (time.perf_counter() - begun)) for kind in kinds(line.getresponse())]


def first_event(server: Server, lab: str, params: Mapping[str, object]) -> float:
    """Milliseconds from sending the POST until the lab's first event is here; the run is read to its end."""
    for kind, took in log(server, lab, params):
        if kind not in ("queued", "started", "end"):
            return took
    raise RuntimeError(f"{lab} with {params} ended without an event")


def kinds(stream: http.client.HTTPResponse) -> Iterator[str]:
    for line in stream:
        if line.startswith(b"event:"):
            yield line[6:].strip().decode()


def latency(server: Server, repetitions: int = 50) -> list[Result]:
    """Every run has its own parameters, so that none is answered from an earlier log."""
    params = [{"value": round(-3 + 0.01 * index, 2)} for index in range(repetitions + 5)]
    took = [first_event(server, LIGHT, each) for each in params][5:]
    name = "POST to first event of a light lab over HTTP"
    return [
        Result(name, tuple(took), "ms", held="median", bar=MEDIAN_BAR_MS),
        Result(name, tuple(took), "ms", held="p95", bar=P95_BAR_MS),
    ]


def log_kinds(server: Server, run: str) -> list[str]:
    """The kinds of all events of a run, read to its end."""
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)) as line:
        line.request("GET", f"/api/runs/{run}/events", headers={"Accept": "text/event-stream"})
        return list(kinds(line.getresponse()))


def executions(server: Server) -> list[Result]:
    """A crowd posts the same run at the same moment. What it was given is then looked up: every start counts."""
    together = Barrier(CROWD)

    def post(_: int) -> str:
        together.wait()
        return str(server.api("/runs", {"lab": LIGHT, "params": {"value": 3.99}})["id"])

    with ThreadPoolExecutor(CROWD) as crowd:
        ids = set(crowd.map(post, range(CROWD)))
    starts = sum(log_kinds(server, run).count("started") for run in ids)
    return [Result(f"executions for {CROWD} identical POSTs at once", (float(starts),), "", bar=1.0)]


def second_start(repetitions: int = 5) -> list[Result]:
    """What `underhood serve` takes until it is healthy, where its data directory exists already."""
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder)):
            pass
        took = []
        for _ in range(repetitions):
            with serving(Path(folder)) as server:
                took.append(server.seconds)
    return [Result("underhood serve, second start, until /api/health answers", tuple(took), "s", bar=START_BAR_S)]
