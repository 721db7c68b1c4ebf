"""Spans nest, self times are those that torch sums itself, and what was planted is what differs most."""

from __future__ import annotations

import json
import random
import re
import warnings
from collections import defaultdict
from functools import cache
from itertools import islice
from typing import Any, cast

import numpy as np
import pytest
from labs.contract import LabError, pack
from native.models.torch_threads import one_thread
from native.pytorch.profiler_trace import Params, Trace, record, run
from native.pytorch.profiler_trace.programs import BATCH, PROGRAMS, Program, Which
from native.pytorch.profiler_trace.spans import MOST, Spans, bounded, during, plain, rows, spans
from torch.profiler import ProfilerAction, schedule
from underhood.settings import Limits

RECORDED = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


def drawn(seed: int) -> Params:
    rng = random.Random(seed)
    which: list[Which] = ["healthy", "A", "B", "C"]
    wait, warmup = rng.randint(0, 3), rng.randint(0, 2)
    return Params(
        program=which[seed % 4],
        wait=wait,
        warmup=warmup,
        active=rng.randint(1, 2),
        steps=wait + warmup + rng.randint(1, 3),
        record_shapes=rng.random() < 0.5,
        with_stack=rng.random() < 0.4,
    )


DRAWN = [*map(drawn, range(6)), Params(program="C", with_stack=True)]


@cache
def profiled(params: Params) -> Any:
    with one_thread():
        return record.traced(params)


@cache
def found(params: Params) -> Spans:
    return spans(profiled(params)[1].events())


def inside(of: Spans) -> list[int]:
    """For each span the one that it lies in, by its depth alone; -1 for none."""
    last: dict[tuple[int, int], int] = {}
    parents = []
    for at, (thread, depth) in enumerate(zip(of.thread.tolist(), of.depth.tolist(), strict=True)):
        parents.append(last[thread, depth - 1] if depth else -1)
        last[thread, depth] = at
    return parents


def nests(of: Spans, crossing: bool) -> None:
    """``crossing``: torch's mark of a step begins and ends in calls of Python's that are recorded, too."""
    begin, end = of.start.astype(int), of.start.astype(int) + of.took
    before: dict[int, int] = {}
    for at, parent in enumerate(inside(of)):
        if parent >= 0:
            assert begin[parent] <= begin[at] and end[at] <= end[parent]
        if parent in before and not crossing:
            assert end[before[parent]] <= begin[at], "neighbours do not overlap"
        before[parent] = at


@pytest.mark.parametrize("params", DRAWN, ids=str)
def test_spans_nest_and_own_times_are_those_of_torch(params: Params) -> None:
    of, profiler = found(params), profiled(params)[1]
    nests(of, params.with_stack)
    parents = inside(of)
    own = of.took.astype(int)
    for at, parent in enumerate(parents):
        if parent >= 0:
            own[parent] -= of.took[at]
    assert np.array_equal(own, of.own) and (params.with_stack or own.min() >= 0)

    theirs, calls = defaultdict[str, float](float), defaultdict[str, int](int)
    if params.with_stack:  # key_averages has the calls around the steps, too
        for each in during(profiler.events()):
            theirs[plain(each.name)] += each.self_cpu_time_total
            calls[plain(each.name)] += 1
    else:
        for each in profiler.key_averages():
            theirs[plain(each.key)] += each.self_cpu_time_total
            calls[plain(each.key)] += each.count
    table = rows(of)
    assert {each.name: each.calls for each in table} == calls
    for each in table:
        assert each.own == pytest.approx(theirs[each.name], abs=0.06 + 0.002 * each.calls), each.name
    assert [each.own for each in table] == sorted((each.own for each in table), reverse=True)
    assert sum(each.share for each in table) == pytest.approx(100, abs=0.05 * len(table) + 0.01)


@pytest.mark.parametrize("params", DRAWN, ids=str)
def test_the_schedule_is_torchs(params: Params) -> None:
    steps, profiler = profiled(params)
    with warnings.catch_warnings(action="ignore"):  # where it does not warm up
        plan = schedule(wait=params.wait, warmup=params.warmup, active=params.active, repeat=1)
    assert [each.phase == "active" for each in steps] == [plan(at) in RECORDED for at in range(params.steps)]
    assert [each.phase == "warmup" for each in steps] == [
        plan(at) is ProfilerAction.WARMUP for at in range(params.steps)
    ]
    active = sum(each.phase == "active" for each in steps)
    names = [each.name for each in profiler.events()]
    assert names.count("load") == names.count("update") == active
    validated = [each.number for each in steps if each.phase == "active" and each.number % 4 == 0]
    assert names.count("validate") == len(validated)


def test_what_is_left_out_is_short() -> None:
    of = found(Params(program="C", wait=0, warmup=0, active=2, steps=2))
    for most in (1, 10, 100, 1000):
        less = bounded(of, most)
        assert len(less.took) == most and less.left_out == len(of.took) - most
        assert less.took.min() >= np.sort(of.took)[-most]
        nests(less, False)
    assert bounded(of, 10**6) is of


def test_a_long_recording_fills_the_chart() -> None:
    """Twenty thousand spans of a real trace, in one event that a server takes."""
    long = Params(program="C", with_stack=True, active=20, steps=20, wait=0, warmup=0)
    log = list(islice(run(long), 2))
    assert len(log[1].took) == MOST == 20_000 and log[1].left_out > 0
    assert log[1].took.min() >= 0 and int((log[1].start.astype(int) + log[1].took).max()) <= log[1].end
    nests(cast(Spans, log[1]), True)
    assert len(json.dumps(pack(log[1]))) < 0.9 * Limits().event_bytes


def test_shapes_are_told_where_they_are_recorded() -> None:
    for which, expected in (("healthy", "float 64×256, float 256"), ("B", "float 64×256, double 256")):
        of = found(Params(program=which, wait=1, warmup=0, active=1, steps=2, record_shapes=True))  # type: ignore[arg-type]
        at = int(np.flatnonzero(of.name == of.names.index("aten::mul"))[0])
        assert of.shapes[of.shape[at]] == expected
    assert found(Params(wait=1, warmup=0, active=1, steps=2)).shapes == [""]


def test_names_have_no_address_and_no_folder() -> None:
    assert plain("<built-in method f of type object at 0x7f03>") == "<built-in method f of type object>"
    assert (
        plain("/some/where/torch/nn/module.py(7): f") == plain("torch/nn/module.py(7): f") == "nn/module.py(7): f"
    )
    assert plain("contextlib.py(9): f") == "contextlib.py(9): f"
    of = found(Params(wait=1, warmup=0, active=1, steps=2, with_stack=True))
    assert any(re.search(r"programs.py\(\d+\): load", each) for each in of.names)
    assert not any(each.startswith("/") or "0x" in each for each in of.names)


def test_what_was_planted_differs_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """What else wants the processor only lengthens spans: one quiet try is enough."""
    monkeypatch.setattr(record, "COMPARED", 3)
    planted = {"A": {"load"}, "B": {"aten::mm", "aten::addmm"}, "C": {"count", "aten::select"}}
    with one_thread():
        for which, names in planted.items():
            for _ in range(5):
                first = record.differences(which)[0]  # type: ignore[arg-type]
                if first.name in names and first.here > 1.3 * first.healthy:
                    break
            else:
                pytest.fail(f"{which}: {first}")


def test_programs_learn_the_same() -> None:
    """Each trains the network alike and counts alike; only the way there differs."""

    def after(which: Which) -> tuple[Program, float]:
        program = PROGRAMS[which]()
        for _ in range(5):
            program.step()
        weight = program.net.last.weight.detach().double()
        return program, float(weight.abs().sum())

    with one_thread():
        healthy, weights = after("healthy")
        for which in ("A", "B", "C"):
            program, theirs = after(which)  # type: ignore[arg-type]
            assert theirs == pytest.approx(weights, rel=1e-5)
            assert abs(int(program.right) - int(healthy.right)) <= BATCH // 32


@pytest.mark.alone
def test_a_run_from_end_to_end() -> None:
    log = list(run(Params(compare=True, wait=0, warmup=0, active=2, steps=4)))
    assert [each.stage for each in log] == ["schedule", "trace", "self", "cost", "compared"]
    last: Trace = log[-1]
    assert last.cost.shape == (4, 3) and np.isfinite(last.cost).all() and (np.diff(last.cost, axis=1) >= 0).all()
    assert last.spans[0] == 0 < last.spans[1] == last.spans[2] < last.spans[3]
    assert 0.5 < last.cost[1, 1] / last.cost[0, 1] < 5
    assert last.end == int((last.start + last.took).max()) and last.left_out == 0
    assert last.steps[0].ms > 2 * last.steps[1].ms, "numbers are read from text in the first step alone"
    assert last.rows[0].name == "load", "which takes most of a recording that begins there"
    inner = next(islice(run(Params()), 2, None))
    assert inner.rows[0].name != "load" and inner.lit == inner.rows[0].at


def test_a_schedule_that_never_records_is_refused() -> None:
    with pytest.raises(LabError, match="lower wait or warmup"):
        next(iter(run(Params(wait=4, warmup=2, steps=6))))
