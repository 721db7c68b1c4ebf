"""The trace is what torch does now, at sizes that nobody recorded; and every picture adds up."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.models.allocator.course import State
from labs.models.allocator.traces import Request, lengths, recorded, trace
from labs.pytorch.caching_allocator import Params, run

SCRIPTS = str(Path(__file__).parents[3] / "scripts")


@pytest.fixture(scope="module")
def recorder() -> Any:
    sys.path.insert(0, SCRIPTS)
    try:
        import record_allocations
    finally:
        sys.path.remove(SCRIPTS)
    return record_allocations


@pytest.mark.parametrize(("batch", "length"), [(2, 9), (4, 16), (5, 3)])
def test_torch_allocates_what_the_trace_says(recorder: Any, batch: int, length: int) -> None:
    weights, step = recorder.record(batch, length)
    first, *rest = trace(batch, [length, length], 1)
    requests = [first, *rest]
    assert [each[1] for each in weights] == [each.size for each in requests if each.stage == "weights"]
    second = [each for each in requests if each.stage == "step 2"]
    made = sum(1 for each in second if each.size)
    expected = [entry for entry in step if not isinstance(entry[0], str)]
    assert len(expected) == len(second)
    for entry, request in zip(expected, second, strict=True):
        assert request.owner == len(weights) + made + entry[0]
        assert (request.size, request.name) == (entry[1:] if len(entry) == 3 else (0, ""))


def test_the_file_is_what_the_script_writes(recorder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "OUT", tmp_path / "step.json")
    recorder.main()
    assert json.loads((tmp_path / "step.json").read_text("utf-8")) == recorded()


def test_every_storage_is_freed_once_and_gradients_by_the_next_step() -> None:
    living: dict[int, Request] = {}
    for request in trace(3, [7, 8, 9], 1):
        if request.size:
            assert request.owner not in living
            living[request.owner] = request
        else:
            del living[request.owner]
    assert {each.group for each in living.values()} == {0, 4}
    assert sum(each.size for each in living.values()) == 2 * sum(recorded()["weights"])


def test_lengths() -> None:
    assert lengths("equal", 3, 50, 1) == [50, 50, 50]
    drawn = lengths("varying", 40, 50, 1)
    assert all(25 <= each <= 50 for each in drawn) and len({*drawn}) > 10
    assert lengths("growing", 40, 50, 1) == sorted(drawn)


EVERY = [
    Params(length, expandable, device, batch, longest, 3, seed, split, collect, streams)
    for seed, (length, expandable, device, batch, longest, split, collect, streams) in enumerate(
        product(
            ("varying", "growing"),
            (False, True),
            (128, 600),
            (1, 16),
            (16, 200),
            ("unlimited", "32"),
            ("off", "0.5"),
            (1, 2),
        )
    )
]


def test_every_picture_adds_up() -> None:
    for params in EVERY[::5]:
        log = list(run(params))
        assert 3 <= len(log) <= 130
        assert [event.requests for event in log] == sorted(event.requests for event in log)
        for event in log:
            adds_up(event)
        *_, last = log
        assert (last.stage == "out of memory") == bool(last.message)
        assert last.over_time.shape == (len(log), 2)
        assert last.peak >= last.over_time[:, 0].max() - 1e-3
        assert last.message or last.requests == last.total_requests


def adds_up(event: State) -> None:
    in_use = int(event.sizes[event.state == 1].sum()) / 2048
    assert in_use == pytest.approx(event.allocated)
    assert int(event.sizes.sum()) / 2048 == pytest.approx(event.reserved)
    assert int(event.segment_sizes.sum()) == int(event.sizes.sum())
    assert event.reserved + event.unreserved == event.device
    assert event.unreserved >= 0 and event.allocated <= event.reserved
    free = event.sizes[event.state == 0]
    assert event.largest == pytest.approx(int(free.max(initial=0)) / 2048)
    assert int(event.sizes[event.state == 2].sum()) / 2048 == pytest.approx(event.waiting)
    for n in range(len(event.segments)):
        here = event.segment_of == n
        assert np.all(event.starts[here][:-1] + event.sizes[here][:-1] <= event.starts[here][1:])
    assert [bool(owner) for owner in event.owners] == [state == 1 for state in event.state]


def test_the_famous_error_and_its_cure() -> None:
    *_, failed = run(Params())
    assert failed.stage == "out of memory" and failed.unallocated > 4 * failed.wanted > 8 * failed.largest
    assert failed.unallocated + failed.unreserved > 5 * failed.wanted
    *_, equal = run(Params(length="equal"))
    *_, grows = run(Params(expandable=True))
    assert equal.stage == grows.stage == "end"
    assert equal.peak > failed.peak, "longer sequences throughout, and yet they fit"


def test_what_waits_is_shown() -> None:
    log = list(run(Params(streams=2)))
    assert max(event.waiting for event in log) > 5
    assert {int(each) for event in log for each in event.streams} == {0, 1}
    assert not any(event.waiting for event in run(Params()))


def test_a_device_that_is_too_small_fails_at_once() -> None:
    *_, last = run(Params(memory=128, batch=32))
    assert last.stage == "out of memory" and "Tried to allocate" in last.message
