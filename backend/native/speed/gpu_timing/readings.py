"""Five clocks around one product on a GPU, as a program would read them, and when host and GPU were busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from labs.models.clocks import SHOWN, Course, Span

from native.models.cuda_timing import between_events

Work = Callable[[], object]


class Stamp(NamedTuple):
    """A call: when the host began and ended it, and when the GPU did, in seconds from the start."""

    asked: float
    back: float
    begun: float
    done: float


def without_waiting(work: Work, calls: int, wait: Work) -> float:
    """The essay's clock: seconds for one call, read while the GPU still works."""
    wait()
    begun = time.perf_counter()
    for _ in range(calls):
        work()
    seconds = time.perf_counter() - begun
    wait()
    return seconds / calls


def with_waiting(work: Work, calls: int, wait: Work) -> float:
    wait()
    begun = time.perf_counter()
    for _ in range(calls):
        work()
    wait()
    return (time.perf_counter() - begun) / calls


def median(clock: Callable[[], float], repetitions: int) -> float:
    return float(np.median([clock() for _ in range(repetitions)]))


def by_events(work: Work, calls: int) -> float:
    return between_events(work, calls) / calls


def stamps(work: Work, calls: int) -> list[Stamp]:
    """Calls with an event before and after each. Both clocks begin as the idle GPU is asked for the first event."""
    import torch

    def event() -> Any:
        return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]

    zero, pairs = event(), [(event(), event()) for _ in range(calls)]
    torch.cuda.synchronize()
    start = time.perf_counter()
    zero.record()
    hosts: list[tuple[float, float]] = []
    for before, after in pairs:
        asked = time.perf_counter()
        before.record()
        work()
        after.record()
        hosts.append((asked - start, time.perf_counter() - start))
    torch.cuda.synchronize()
    return [
        Stamp(*host, zero.elapsed_time(before) / 1e3, zero.elapsed_time(after) / 1e3)
        for host, (before, after) in zip(hosts, pairs, strict=True)
    ]


def course(found: list[Stamp], clock: str) -> Course:
    """What host and GPU did, as far as the clock is about it.

    Raises ``ValueError`` where the GPU's time runs backwards.
    """
    ends = [0.0, *(each.done for each in found)]
    for before, each in zip(ends, found, strict=False):
        if not before <= each.begun <= each.done:
            raise ValueError("the GPU's clock ran backwards")
    host = [Span("launch", each.asked, each.back) for each in found]
    device = [Span("product", each.begun, each.done) for each in found]
    asked, back, done = found[0].asked, found[-1].back, found[-1].done
    if clock == "no wait":
        return Course(host, device, (asked, back))
    host = [*host[: SHOWN - 1], Span("wait", back, max(back, done))]
    return Course(host, device, (asked, max(back, done)) if clock == "waited" else (found[0].begun, done))
