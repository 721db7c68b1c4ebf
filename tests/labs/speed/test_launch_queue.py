"""Five clocks over an imagined GPU: the queue against one that is played, the clocks against arithmetic."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from labs.models.clocks import CLOCKS, DEEP, SIZES, Gpu, course, queue, says
from labs.speed.launch_queue import Params, run


def played(gpu: Gpu, n: int, calls: int, tick: float) -> tuple[float, float]:
    """When the host has asked for all, and when the GPU is done: a clock ticks, both do what they can."""
    now = launching = working = host = 0.0
    asked = waiting = done = 0
    while done < calls:
        if launching <= 0 and asked < calls and asked - done < DEEP:
            asked, launching = asked + 1, gpu.launch
        if working <= 0 and waiting:
            waiting, working = waiting - 1, gpu.product(n)
        now += tick
        if launching > 0:
            launching -= tick
            if launching <= tick / 2:
                waiting, launching, host = waiting + 1, 0.0, now
        if working > 0:
            working -= tick
            if working <= tick / 2:
                done, working = done + 1, 0.0
    return host, now


@pytest.mark.parametrize(("launch", "n"), [(6e-6, 256), (6e-6, 1024), (20e-6, 1024), (4e-6, 512)])
def test_a_queue_played_by_ticks_ends_when_reckoned(launch: float, n: int) -> None:
    gpu, calls = Gpu(launch, 40e12), 60
    host, device = queue(gpu, n, calls)
    asked, done = played(gpu, n, calls, 1e-7)
    assert host[-1].end == pytest.approx(asked, rel=0.01)
    assert device[-1].end == pytest.approx(done, rel=0.01)


def test_a_full_queue_makes_the_host_wait() -> None:
    gpu = Gpu(5e-6, 40e12)
    host, device = queue(gpu, 8192, DEEP + 200)
    waits = [after.begin - before.end for before, after in pairwise(host)]
    assert max(waits[: DEEP - 1]) == pytest.approx(0, abs=1e-12)
    assert min(waits[DEEP - 1 :]) > 0
    assert all(host[call].begin >= device[call - DEEP].end for call in range(DEEP, len(host)))


@pytest.mark.parametrize("calls", (1, 7, 400))
def test_who_does_not_wait_sees_only_launches(calls: int) -> None:
    gpu = Gpu(6e-6, 40e12)
    seen = {clock: [says(course(gpu, clock, n, calls), clock, calls) for n in SIZES] for clock in CLOCKS}
    np.testing.assert_allclose(seen["no wait"], gpu.launch)
    products = np.array([gpu.product(n) for n in SIZES])
    # Without a gap where a product takes longer than a launch, else as fast as they are asked for.
    np.testing.assert_allclose(
        seen["events"], np.maximum(products, (gpu.launch * (calls - 1) + products) / calls), rtol=1e-9
    )
    assert (np.array(seen["waited"]) >= seen["events"]).all()
    np.testing.assert_allclose(
        seen["copies"], products + gpu.launch + [12 * n * n / gpu.bus for n in SIZES], rtol=1e-9
    )
    np.testing.assert_allclose(seen["cold"], products + gpu.launch + gpu.load, rtol=1e-9)


def test_spans_follow_each_other_and_lie_within_the_clock() -> None:
    for event in run(Params(n=2048, calls=9)):
        for spans in (event.host, event.device):
            assert (np.diff(spans.reshape(-1)) >= -1e-7).all()
        if event.stage in ("waited", "cold", "copies"):
            assert event.read[1] == pytest.approx(max(event.host.max(), event.device.max()))
        assert not event.measured
