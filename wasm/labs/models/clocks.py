"""A host that asks and a GPU that works: what each does when, and what clocks say of it.

A launch only puts work into a queue. The host goes on while the GPU works, until somebody waits for it, or until
the queue is full. Which of those a clock has seen depends on where it was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np

from labs.contract import Axes, Event, Float32, Int32

CLOCKS = ("no wait", "cold", "waited", "events", "copies")
"""The host's clock without waiting for the GPU; with waiting, at the very first product; the same when warm; the
GPU's own clock; and the host's again, with the matrices brought there and the product brought back."""
SIZES = (256, 512, 1024, 2048, 4096, 8192)
SHOWN = 48  # spans that a picture holds at most
DEEP = 1024  # launches that may wait in the queue


class Span(NamedTuple):
    """Something that took from one second to another."""

    what: str
    begin: float
    end: float


@dataclass(frozen=True, kw_only=True)
class Clocks(Event):
    """What host and GPU did, in seconds from the start, and what the clocks say."""

    kind: Literal["clocks"] = "clocks"
    stage: str
    """The clock that is read in this picture."""
    measured: bool
    """Whether a GPU did it; else it was computed for the imagined one."""
    n: int
    calls: int
    done: int
    """Products that have ended when the clock is read last."""
    host: Annotated[Float32, Axes(span=None, end=("begin", "end"))]
    """[spans, 2] from when to when the host was busy"""
    doing: list[str]
    """[spans] launch, wait, copy or load"""
    device: Annotated[Float32, Axes(span=None, end=("begin", "end"))]
    """[spans, 2] from when to when the GPU was busy"""
    working: list[str]
    """[spans] product or copy"""
    read: Float32
    """[2] when the clock was read first and last"""
    names: list[str]
    sizes: Int32
    """[sizes] rows and columns"""
    says: Annotated[Float32, Axes(clock="names", size="sizes")]
    """[clocks, sizes] seconds that a clock gives for one product; NaN where not known yet"""
    gpu: str
    """Whose times these are."""


class Gpu(NamedTuple):
    """An imagined one."""

    launch: float
    """seconds of the host for a launch"""
    rate: float
    """operations a second"""
    load: float = 0.12
    """seconds until a library is loaded and has chosen a kernel, at the first product"""
    bus: float = 20e9
    """bytes a second between host and GPU"""
    least: float = 4e-6
    """seconds of the shortest kernel"""

    def product(self, n: int) -> float:
        return max(self.least, 2 * n**3 / self.rate)

    def copy(self, n: int) -> float:
        return 4 * n * n / self.bus


class Course(NamedTuple):
    host: list[Span]
    device: list[Span]
    read: tuple[float, float]


def queue(gpu: Gpu, n: int, calls: int, begin: float = 0.0) -> tuple[list[Span], list[Span]]:
    """Launches by the host and products by the GPU: each begins when it was launched and the one before is done."""
    host: list[Span] = []
    device: list[Span] = []
    free = now = begin
    for call in range(calls):
        if call >= DEEP:  # the queue is full
            now = max(now, device[call - DEEP].end)
        host.append(Span("launch", now, now + gpu.launch))
        now += gpu.launch
        device.append(Span("product", max(now, free), max(now, free) + gpu.product(n)))
        free = device[-1].end
    return host, device


def course(gpu: Gpu, clock: str, n: int, calls: int) -> Course:
    """What happens between the readings of a clock, on the imagined GPU."""
    if clock == "cold":
        host, device = queue(gpu, n, 1, gpu.load)
        host = [Span("load", 0, gpu.load), *host, Span("wait", host[-1].end, device[-1].end)]
        return Course(host, device, (0, device[-1].end))
    if clock == "copies":
        there = 2 * gpu.copy(n)
        host, device = queue(gpu, n, 1, there)
        done = device[-1].end
        back = done + gpu.copy(n)
        host = [Span("copy", 0, there), *host, Span("wait", host[-1].end, done), Span("copy", done, back)]
        device = [Span("copy", 0, there), *device, Span("copy", done, back)]
        return Course(host, device, (0, back))
    host, device = queue(gpu, n, calls)
    if clock == "no wait":
        return Course(host, device, (0, host[-1].end))
    host.append(Span("wait", host[-1].end, device[-1].end))
    first = 0.0 if clock == "waited" else device[0].begin
    return Course(host, device, (first, device[-1].end))


def says(course: Course, clock: str, calls: int) -> float:
    """Seconds for one product, by that clock."""
    return (course.read[1] - course.read[0]) / (1 if clock in ("cold", "copies") else calls)


def spans(of: list[Span]) -> tuple[Float32, list[str]]:
    """The first ones as arrays."""
    few = of[:SHOWN]
    return np.array([[each.begin, each.end] for each in few], np.float32).reshape(-1, 2), [
        each.what for each in few
    ]
