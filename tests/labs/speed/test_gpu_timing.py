"""Five clocks, as far as they go without a GPU: what is computed from stamps, and which clock waits for what."""

from __future__ import annotations

import time

import numpy as np
import pytest
from labs.contract import LabError, pack
from labs.models.clocks import CLOCKS
from labs.speed import launch_queue
from native.speed.gpu_timing import Params, run
from native.speed.gpu_timing.readings import Stamp, course, median, with_waiting, without_waiting
from underhood.machine.provenance import has_cuda


def test_the_imagined_gpu_comes_first() -> None:
    front = [pack(event) for event in launch_queue.run(launch_queue.Params(n=2048, calls=5, launch=9.0, rate=20.0))]
    log = run(Params(n=2048, calls=5, launch=9.0, rate=20.0))
    assert [pack(next(log)) for _ in front] == front
    if not has_cuda():
        with pytest.raises(LabError, match="there is none here"):
            next(log)


FOUND = [Stamp(1e-6, 6e-6, 4e-6, 54e-6), Stamp(7e-6, 11e-6, 55e-6, 105e-6), Stamp(12e-6, 15e-6, 105e-6, 155e-6)]


def test_each_clock_reads_where_it_is_read() -> None:
    read = {clock: course(FOUND, clock).read for clock in ("no wait", "waited", "events")}
    assert read == {"no wait": (1e-6, 15e-6), "waited": (1e-6, 155e-6), "events": (4e-6, 155e-6)}
    waited = course(FOUND, "waited")
    assert waited.host[-1] == ("wait", 15e-6, 155e-6)
    assert [span.begin for span in waited.device] == [4e-6, 55e-6, 105e-6]
    assert len(course(FOUND, "no wait").host) == 3


def test_a_clock_that_runs_backwards_is_refused() -> None:
    with pytest.raises(ValueError, match="backwards"):
        course([FOUND[1], FOUND[0]], "events")


class Late:
    """Stands for a queue: work is done by itself, later; a wait lasts until then."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.done = seconds, 0.0

    def work(self) -> None:
        self.done = max(self.done, time.perf_counter()) + self.seconds

    def wait(self) -> None:
        while time.perf_counter() < self.done:
            time.sleep(1e-4)


def test_only_who_waits_sees_the_work() -> None:
    queue = Late(0.01)
    assert median(lambda: without_waiting(queue.work, 5, queue.wait), 3) < 0.005
    assert median(lambda: with_waiting(queue.work, 5, queue.wait), 3) >= 0.01


def test_every_clock_has_a_row() -> None:
    event = list(launch_queue.run(launch_queue.Params()))[-1]
    assert event.names == list(CLOCKS) and event.says.shape == (len(CLOCKS), len(event.sizes))
    assert np.isfinite(event.says).all()
