"""Waiting together: ten requests that only wait, one after another, in threads, in processes, and with asyncio.

A server on the loopback answers each request after as many milliseconds as its path says. A relay before it stands
for the distance: it holds every byte for half a round trip. TLS is real. Each request is clocked stage by stage,
and the time that all of them take stands beside what it should be if they did nothing but wait.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, Text, say
from numpy.typing import NDArray

from native.models.child import port_of, start_and_rows, started
from native.speed.threads_io.fetch import FIELDS
from native.speed.threads_io.model import most, wall
from native.speed.threads_io.ways import WAYS, Job, Way

MEASURES = True
LOOPBACK = True
ROOM = "native.speed.threads_io"
EVERY = 0.15
"""Seconds from one picture to the next, at least."""
MOST, LONGEST = 24, 1000
PARTS = ("connection", "handshake", "wait", "read")
"""Of a request, in their order."""
DELAYS = "250 250 250 250 250 125 125 125 60 60"


@dataclass(frozen=True)
class Params:
    way: Annotated[Literal["all", *WAYS], Label("Way", main=True)] = "all"  # type: ignore[valid-type]
    kept: Annotated[
        bool, Label("Keep connections", help="A thread or process reuses the connection it has.", main=True)
    ] = False
    delays: Annotated[str, Text(200), Label("Delays", help="Of the answers, in milliseconds.")] = DELAYS
    workers: Annotated[int, Interval(ge=1, le=12), Label("Threads or processes")] = 4
    round_trip: Annotated[
        int, Interval(ge=0, le=150), Label("Round trip", unit="ms", help="To the server and back: its distance.")
    ] = 40
    tls: Annotated[
        Literal["1.3", "1.2", "none"], Label("TLS", help="Its handshake takes one round trip in 1.3, two in 1.2.")
    ] = "1.3"


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The requests that are done in one way and in the ways before it, and what these came to."""

    kind: Literal["picture"] = "picture"
    stage: Literal["on its way", "done"]
    way: str
    seconds: float
    """Since the first request of this way began."""
    horizon: float
    """Where the axis ends, in seconds, for all ways alike."""
    delays: Int32
    """[all requests] milliseconds"""
    all: list[str]
    """The ways of the run."""
    lanes: Int32
    """[all] how many may wait at once"""
    named: list[str]
    """The ways that have begun, with this one at the end."""
    by: Int32
    """[done] in which of the ways that have begun"""
    request: Int32
    """[done] which"""
    worker: Int32
    """[done] by whom, counted from 0"""
    begin: Float32
    """[done] seconds since its way began"""
    connected: Float32
    """[done] seconds, when it had a connection"""
    shaken: Float32
    """[done] seconds, when the TLS handshake was over"""
    first: Float32
    """[done] seconds, when its answer began"""
    end: Float32
    """[done] seconds, when it had all of it"""
    ways: list[str]
    """Those that are done."""
    wall: Annotated[Float32, Axes(way="ways")]
    """[ways] seconds from the start to the last answer"""
    model: Annotated[Float32, Axes(way="ways")]
    """[ways] seconds that it should take"""
    spent: Annotated[Float32, Axes(way="named", part=PARTS)]
    """[ways that have begun, 4] seconds that the requests that are done took for each part, all of them together"""
    shaking: Annotated[Float32, Axes(way="ways")]
    """[ways] seconds spent on connections and handshakes, over all requests"""
    waiting: Annotated[Float32, Axes(way="ways")]
    """[ways] seconds that the server was told to wait, over all requests"""


@dataclass
class Table:
    ways: list[str] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    model: list[float] = field(default_factory=list)
    shaking: list[float] = field(default_factory=list)
    done: list[NDArray[np.float64]] = field(default_factory=list)
    """The rows of each way, that which is on its way at the end."""


def run(params: Params) -> Iterator[Picture]:
    delays, table = read(params.delays), Table()
    with delaying(params) as port:
        for n, way in enumerate(ways := chosen(params)):
            job = Job(port, params.tls, params.kept, params.workers, delays)
            for over, seconds, rows in progress(way, job):
                table.done = [*table.done[:n], rows]
                if over:
                    table.ways.append(way)
                    table.wall.append(float(rows[:, 6].max()))
                    table.model.append(expected(params, way))
                    table.shaking.append(float((rows[:, 4] - rows[:, 2]).sum()))
                    seconds = table.wall[-1]
                yield picture(params, ways[: n + 1], over, seconds, table)


def chosen(params: Params) -> tuple[Way, ...]:
    return WAYS if params.way == "all" else (params.way,)


def read(written: str) -> tuple[int, ...]:
    """Raises ``LabError`` on what is not a list of delays."""
    words = written.split()
    if not 1 <= len(words) <= MOST or not all(re.fullmatch(r"\d{1,4}", word) for word in words):
        raise LabError(f"Write between 1 and {MOST} whole numbers of milliseconds, such as 250 125 60.")
    if (longest := max(map(int, words))) > LONGEST:
        raise LabError(f"{longest} ms is too long to wait here: a delay may be {LONGEST} ms at most.")
    return tuple(map(int, words))


def expected(params: Params, way: str) -> float:
    delays = [delay / 1000 for delay in read(params.delays)]
    return wall(way, delays, params.round_trip / 1000, params.tls, params.workers, params.kept)


@contextmanager
def delaying(params: Params) -> Iterator[int]:
    """The port of a server that delays its answers."""
    with started(ROOM, "delays", params.round_trip / 1000, params.tls) as (_, says):
        if not (port := port_of(says)):
            raise LabError("The server of delays did not start.")
        yield port


def progress(way: Way, job: Job) -> Iterator[tuple[bool, float, NDArray[np.float64]]]:
    """Whether it is over, seconds since it began, and the [requests, FIELDS] that are done, in these seconds."""
    told, shown, over = b"", 0.0, False
    with started(ROOM, "fetch", way, json.dumps(asdict(job))) as (_, says):
        while not over:
            chunk = os.read(says.fileno(), 65536)
            told, over = told + chunk, not chunk
            start, rows = start_and_rows(told, len(FIELDS))
            if over and len(rows) < len(job.delays):
                raise LabError(f"{way} lost {len(job.delays) - len(rows)} of its requests.")
            if len(rows) and (over or time.monotonic() - shown > EVERY):
                shown = time.monotonic()
                yield over, shown - start, since(start, rows)


def since(start: float, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows on the clock that begins at the start; workers in the order in which they finish their first."""
    workers = list(dict.fromkeys(rows[:, 1]))
    numbered = [workers.index(worker) for worker in rows[:, 1]]
    return np.column_stack([rows[:, 0], numbered, rows[:, 2:] - start])


def picture(params: Params, ways: Sequence[Way], over: bool, seconds: float, table: Table) -> Picture:
    delays, way = np.array(read(params.delays), np.int32), ways[-1]
    rows = np.concatenate(table.done)
    return Picture(
        text=tell(way, over, seconds, len(table.done[-1]), table),
        stage="done" if over else "on its way",
        way=way,
        seconds=seconds,
        horizon=max(1.05 * expected(params, "one after another"), seconds, *table.wall),
        delays=delays,
        all=list(chosen(params)),
        lanes=np.array([most(way, params.workers, len(delays)) for way in chosen(params)], np.int32),
        named=list(ways),
        by=np.repeat(np.arange(len(ways)), [len(each) for each in table.done]).astype(np.int32),
        request=rows[:, 0].astype(np.int32),
        worker=rows[:, 1].astype(np.int32),
        begin=rows[:, 2].astype(np.float32),
        connected=rows[:, 3].astype(np.float32),
        shaken=rows[:, 4].astype(np.float32),
        first=rows[:, 5].astype(np.float32),
        end=rows[:, 6].astype(np.float32),
        ways=list(table.ways),
        wall=np.array(table.wall, np.float32),
        model=np.array(table.model, np.float32),
        spent=np.array([np.diff(each[:, 2:], axis=1).sum(0) for each in table.done], np.float32),
        shaking=np.array(table.shaking, np.float32),
        waiting=np.full(len(table.ways), delays.sum() / 1000, np.float32),
    )


def tell(way: Way, over: bool, seconds: float, done: int, table: Table) -> Sentence:
    name = way[0].upper() + way[1:]
    if not over:
        return say("{}: {} answered after {:.2f} s.", name, done, seconds)
    return say(
        "{}: {} answers in {:.3g} s, where delays and round trips alone take {:.3g} s.",
        name,
        done,
        np.float32(table.wall[-1]),  # as it is drawn
        np.float32(table.model[-1]),
    )
