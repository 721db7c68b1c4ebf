"""Threads that compute: the same work by threads, processes, NumPy and C, and when each worker ran.

Points of a circle are counted, row by row. In CPython a thread needs the interpreter's lock, the GIL, to execute
bytecode; one that waits asks for it after the switch interval. Each worker notes when it worked: the lock can
be seen going to and fro. Beside each speed-up stands what Amdahl's law promises, with the serial share measured.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, say

from native.models.cores import cores

if TYPE_CHECKING:
    from native.speed.threads_cpu.ways import Way

MEASURES = True
SHOWS_PYTHON = True
REPETITIONS = 3
MOST = 400  # spans that are drawn of one way


@dataclass(frozen=True)
class Params:
    workers: Annotated[int, Interval(ge=1, le=8), Label("Workers", main=True)] = 2
    interval: Annotated[
        Literal[1, 5, 20, 100],
        Label("Switch interval", unit="ms", help="How long a thread waits before it asks for the GIL.", main=True),
    ] = 5
    alone: Annotated[
        int, Interval(ge=0, le=90), Label("By the main thread alone", unit="%", help="Before the workers start.")
    ] = 10
    radius: Annotated[
        int, Interval(ge=500, le=3000), Label("Radius", help="Rows of points, and points in each row.")
    ] = 1500


@dataclass(frozen=True)
class Measured:
    """One way of doing the work."""

    name: str
    repeated: int
    """How often the circle was counted."""
    one: float
    """Milliseconds by one worker, the median."""
    many: float
    """Milliseconds by all workers, the median."""
    speedup: float
    """one / many"""
    serial: float
    """Share of `one` in which, of all workers, the main thread alone was at work, or nobody."""
    promised: float
    """The speed-up of Amdahl's law for this serial share, on so many cores as there are."""
    together: float
    """Share of the time in which two or more workers ran."""
    handovers: int
    """How often another worker began to run."""
    worker: Int32
    """[spans] who ran; 0 is the main thread"""
    begin: Float32
    """[spans] milliseconds from the start"""
    end: Float32
    """[spans] milliseconds from the start"""


@dataclass(frozen=True, kw_only=True)
class Ways(Event):
    """One more way is measured."""

    kind: Literal["ways"] = "ways"
    stage: str
    """The way that was just measured."""
    workers: int
    cores: int
    """That this run may use."""
    python: str
    gil: bool
    """Whether this Python has one."""
    free: bool
    """Whether a CPython without a GIL was found on this machine."""
    ways: Annotated[list[Measured], Axes(way="names")]
    names: list[str]
    """Of the ways, in their order."""
    points: int
    """Points of one circle; all ways have counted the same."""


def run(params: Params) -> Iterator[Ways]:
    from native.speed.threads_cpu.ways import free_threaded, gil, ways

    available = cores()
    before = sys.getswitchinterval()
    sys.setswitchinterval(params.interval / 1000)
    try:
        done: list[Measured] = []
        points: int | None = None
        for way in ways(params.radius, params.interval / 1000):
            measured, found = measure(way, params, available)
            if points not in (None, found):
                raise LabError(f"{way.name} counted {found} points, and another way {points}.")
            points = found
            done = [*done, measured]
            yield Ways(
                text=tell(measured, params.workers, available),
                stage=way.name,
                workers=params.workers,
                cores=available,
                python=".".join(map(str, sys.version_info[:2])),
                gil=gil(),
                free=free_threaded() is not None,
                ways=done,
                names=[each.name for each in done],
                points=found,
            )
    finally:
        sys.setswitchinterval(before)


def measure(way: Way, params: Params, cores: int) -> tuple[Measured, int]:
    from native.speed.threads_cpu import lanes

    single, shared = [], []
    for _ in range(REPETITIONS):  # in turns: what slows the machine for a while slows both
        single.append(way.run(0, 0.0))
        shared.append(way.run(params.workers, params.alone / 100))
    one = float(np.median([ended - begun for (begun, ended), _ in single]))
    (begun, ended), worked = sorted(shared, key=lambda each: each[0][1] - each[0][0])[REPETITIONS // 2]
    counted = sum(count for count, _ in worked)
    spans = [each for _, each in worked]
    usual = lanes.usual(spans)
    ran = [lanes.runs(each, usual) for each in spans]
    first = min(each[0][0] for each in spans[1:])
    last = max(each[-1][1] for each in spans[1:])
    serial = min(1.0, max(0.0, (ended - begun - (last - first)) / one))
    listed = sorted((low, high, n) for n, each in enumerate(ran) for low, high in each)[:MOST]
    took = ended - begun
    return Measured(
        name=way.name,
        repeated=way.repeated,
        one=1e3 * one,
        many=1e3 * took,
        speedup=one / took,
        serial=serial,
        promised=lanes.amdahl(serial, min(params.workers, cores)),
        together=lanes.together(ran[1:]),
        handovers=lanes.handovers(ran[1:]),
        worker=np.array([n for *_, n in listed], np.int32),
        begin=np.array([1e3 * (low - begun) for low, _, _ in listed], np.float32),
        end=np.array([1e3 * (high - begun) for _, high, _ in listed], np.float32),
    ), counted // way.repeated


def tell(way: Measured, workers: int, cores: int) -> Sentence:
    return say(
        "{}: {} workers on {} cores take {:.3g} ms, {:.2f} times as fast "
        "as one; two or more ran at once {:.0f} % of the time.",
        way.name,
        workers,
        cores,
        way.many,
        way.speedup,
        100 * way.together,
    )
