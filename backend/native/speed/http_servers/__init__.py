"""HTTP servers: one handler behind five servers written by hand, and behind uvicorn.

Each server is a page of code on plain sockets and runs as a process of its own. A load generator, another process,
asks it over some connections and clocks every request. In a closed loop a connection asks again when it has its
answer; in an open loop requests are due at a fixed rate, and are late from the moment at which they were due. All
of it happens on the loopback of this machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from numpy.typing import NDArray

from native.speed.http_servers.http import Options
from native.speed.http_servers.load import NO_LENGTH, OK, OUTCOMES
from native.speed.http_servers.process import Progress, serving, under_load
from native.speed.http_servers.serve import WAYS, Way

MEASURES = True
LOOPBACK = True
LIFELINES = 128
"""Requests that a picture shows one by one."""
QUANTILES = (0.5, 0.99, 0.999)


@dataclass(frozen=True)
class Params:
    server: Annotated[Literal["all", *WAYS], Label("Server", main=True)] = "all"  # type: ignore[valid-type]
    wait: Annotated[
        int, Interval(ge=0, le=100), Label("Handler waits", unit="ms", help="As if for a database.", main=True)
    ] = 10
    connections: Annotated[int, Interval(ge=1, le=64), Label("Connections")] = 16
    loop: Annotated[
        Literal["closed", "open"],
        Label("Load", help="Closed: a connection asks again when it is answered. Open: at a fixed rate."),
    ] = "closed"
    rate: Annotated[int, Interval(ge=10, le=5000), Label("Rate", unit="a second", help="Of an open loop.")] = 400
    seconds: Annotated[float, Interval(ge=0.2, le=3), Label("Load each for", unit="s")] = 0.6
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads in the pool")] = 8
    backlog: Annotated[
        int, Interval(ge=1, le=512), Label("Backlog", help="At most this many connections wait to be accepted.")
    ] = 128
    keep_alive: Annotated[bool, Label("Keep-alive", help="A connection serves many requests.")] = True
    stall: Annotated[
        int,
        Interval(ge=0, le=1000),
        Label("Stop the server once", unit="ms", help="The whole process is paused."),
    ] = 0
    no_length: Annotated[
        bool, Label("No Content-Length", help="The answer does not say where it ends.", group="Mistakes")
    ] = False
    two_sends: Annotated[
        bool,
        Label("Two sends, with Nagle", help="Headers and body are sent one after the other.", group="Mistakes"),
    ] = False
    prints: Annotated[bool, Label("Print each request", group="Mistakes")] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """One server under load, and what those before it came to."""

    kind: Literal["picture"] = "picture"
    stage: Literal["under load", "done"]
    way: str
    """The server that is shown."""
    seconds: float
    """Since its load began."""
    connections: int
    begin: float
    """Where the picture of single requests begins, in seconds of the load."""
    end: float
    number: Uint8
    """[requests shown] the connection of each"""
    due: Float32
    """[requests shown] seconds"""
    sent: Float32
    """[requests shown] seconds; NaN if the connection was never made"""
    done: Float32
    """[requests shown] seconds"""
    outcome: Uint8
    """[requests shown] an index of `OUTCOMES`"""
    sampled: Float32
    """[looks] seconds"""
    queued: Annotated[Int32, Axes(look="sampled")]
    """[looks] connections in the accept queue"""
    ways: list[str]
    """Those that have been asked so far."""
    rate: Annotated[Float32, Axes(way="ways")]
    """[ways] answers a second"""
    answers: Annotated[Int32, Axes(way="ways", outcome=OUTCOMES)]
    """[ways, outcomes] requests by how they ended"""
    latency: Annotated[Float32, Axes(way="ways", quantile=("p50", "p99", "p999"))]
    """[ways, quantiles] milliseconds from when a request was due to its whole answer; NaN if there are too few"""
    from_sent: Annotated[Float32, Axes(way="ways", quantile=("p50", "p99", "p999"))]
    """[ways, quantiles] the same from when it was sent: what a timer in the client says"""


@dataclass
class Table:
    """What the servers so far came to."""

    ways: list[str] = field(default_factory=list)
    rate: list[float] = field(default_factory=list)
    answers: list[NDArray[np.int32]] = field(default_factory=list)
    latency: list[NDArray[np.float32]] = field(default_factory=list)
    from_sent: list[NDArray[np.float32]] = field(default_factory=list)

    def add(self, way: str, progress: Progress, seconds: float) -> None:
        rows = progress.rows
        ok = rows[rows[:, 6] == OK]
        self.ways.append(way)
        in_time = ok[:, 5] <= seconds  # of the load; the last answers may come later
        self.rate.append(int(in_time.sum()) / min(seconds, max(progress.seconds, 1e-3)))
        self.answers.append(np.bincount(rows[:, 6].astype(int), minlength=len(OUTCOMES)).astype(np.int32))
        self.latency.append(quantiles(ok[:, 5] - ok[:, 1]))
        self.from_sent.append(quantiles(ok[:, 5] - ok[:, 3]))

    def drop(self) -> None:
        """The last one, which is going to be added again."""
        for each in (self.ways, self.rate, self.answers, self.latency, self.from_sent):
            each.pop()


def run(params: Params) -> Iterator[Picture]:
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS if params.server == "all" else (params.server,):
            with serving(way, options(params), Path(folder, "log")) as server:
                for progress in under_load(
                    server, params.connections, params.seconds, rate(params), stall(params), params.seconds / 2
                ):
                    if len(progress.rows) or progress.over:
                        table.add(way, progress, params.seconds)
                        yield picture(params, way, progress, table)
                        if not progress.over:
                            table.drop()


def options(params: Params) -> Options:
    return Options(
        wait=params.wait / 1000,
        keep_alive=params.keep_alive,
        length=not params.no_length,
        whole=not params.two_sends,
        prints=params.prints,
        backlog=params.backlog,
        threads=params.threads,
    )


def rate(params: Params) -> float:
    return params.rate if params.loop == "open" else 0.0


def stall(params: Params) -> tuple[float, float]:
    """When the server is stopped, and for how long; in the middle, if there is room."""
    length = min(params.stall / 1000, params.seconds / 2)
    return (params.seconds - length) / 2, length


def quantiles(seconds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Milliseconds; NaN where the sample is too small to have them."""
    if not len(seconds):
        return np.full(len(QUANTILES), np.nan, np.float32)
    return (1e3 * np.quantile(seconds, QUANTILES, method="higher")).astype(np.float32)


def picture(params: Params, way: Way, progress: Progress, table: Table) -> Picture:
    begin = max(0.0, stall(params)[0] - 0.03) if params.stall else 0.0
    rows = progress.rows[progress.rows[:, 5] >= begin]
    rows = rows[np.argsort(rows[:, 1], kind="stable")][:LIFELINES]
    crowded = len(rows) == LIFELINES
    end = float(rows[:, 1].max()) if crowded else params.seconds
    sent = np.where(rows[:, 3] < 0, np.nan, rows[:, 3])
    return Picture(
        text=tell(way, progress, table),
        stage="done" if progress.over else "under load",
        way=way,
        seconds=progress.seconds,
        connections=params.connections,
        begin=begin,
        end=max(end, begin + 1e-3),
        number=rows[:, 0].astype(np.uint8),
        due=rows[:, 1].astype(np.float32),
        sent=sent.astype(np.float32),
        done=rows[:, 5].astype(np.float32),
        outcome=rows[:, 6].astype(np.uint8),
        sampled=np.array(progress.sampled, np.float32),
        queued=np.array(progress.queued, np.int32),
        ways=list(table.ways),
        rate=np.array(table.rate, np.float32),
        answers=np.array(table.answers, np.int32),
        latency=np.array(table.latency, np.float32),
        from_sent=np.array(table.from_sent, np.float32),
    )


def tell(way: Way, progress: Progress, table: Table) -> Sentence:
    answers = table.answers[-1]
    if not progress.over:
        return say("{}: {:,} answers after {:.2f} s.", name(way), answers[OK], progress.seconds)
    if answers[OK]:
        median, p99, _ = table.latency[-1]
        said = say("{}: {:,.0f} answers a second, half of them within {:.3g} ms", name(way), table.rate[-1], median)
        said = say("{} and 99 of a hundred within {:.3g} ms", said, p99)
    else:
        said = say("{}: not one proper answer", name(way))
    if answers[NO_LENGTH]:
        return say(
            "{}; {:,} answers ended only when the connection closed, complete or not.", said, answers[NO_LENGTH]
        )
    bad = int(answers.sum() - answers[OK])
    if bad == 1:
        return say("{}; one request got no complete answer.", said)
    return say("{}; {} requests got no complete answer.", said, bad) if bad else say("{}.", said)


def name(way: Way) -> str:
    return way[0].upper() + way[1:]
