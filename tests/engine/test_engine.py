"""A run from end to end, and who shares it."""

import asyncio
import time

import pytest
from engines import SEEDS, count, ended, started
from underhood.contract.validation import ParameterError
from underhood.runs.dispatch import NoWorkerError
from underhood.runs.engine import Engine, UnknownLabError, run_key

pytestmark = pytest.mark.anyio


async def test_a_run_from_end_to_end(engine: Engine) -> None:
    events = await ended(engine, await count(engine))
    assert [event["kind"] for event in events] == ["queued", "started", "counted", "counted", "counted", "end"]
    assert events[0]["position"] == 0
    assert events[1]["attempt"] == 1
    facts = events[1]["provenance"]
    assert facts["where"] == "server"
    assert facts["lab_version"] == engine.labs["plain/count"].version
    assert set(facts) == {"where", "at", "machine", "hardware", "versions", "lab_version"}
    assert events[-1] == {"kind": "end", "status": "ok", "reason": ""}


async def test_a_hundred_identical_requests_are_one_execution(engine: Engine) -> None:
    values = {"upto": 50, "pause": 0.01, "seed": next(SEEDS)}
    asked = await asyncio.gather(*(engine.submit("plain/count", values) for _ in range(100)))
    assert len({run.id for run, _ in asked}) == 1
    assert sum(new for _, new in asked) == 1
    streams = await asyncio.gather(*(ended(engine, run) for run, _ in asked))
    assert all(stream == streams[0] for stream in streams)
    assert [event["kind"] for event in streams[0]].count("started") == 1


async def test_a_finished_run_is_shared_and_a_failed_one_is_not(engine: Engine) -> None:
    first = await count(engine)
    await ended(engine, first)
    again, new = await engine.submit("plain/count", first.params)
    assert (again.id, new) == (first.id, False)
    bad, _ = await engine.submit("bad/deed", {"deed": "advise"})
    await ended(engine, bad)
    worse, new = await engine.submit("bad/deed", {"deed": "advise"})
    assert worse.id != bad.id
    assert new


async def test_a_measurement_is_shared_only_while_it_runs(engine: Engine) -> None:
    first, _ = await engine.submit("plain/measure", {"pause": 0.3})
    second, new = await engine.submit("plain/measure", {"pause": 0.3})
    assert (second.id, new) == (first.id, False)
    await ended(engine, first)
    third, new = await engine.submit("plain/measure", {"pause": 0.3})
    assert third.id != first.id
    assert new


async def test_defaults_are_part_of_the_key(engine: Engine) -> None:
    lab = engine.labs["plain/count"]
    first, _ = await engine.submit("plain/count", {})
    second, new = await engine.submit("plain/count", {"upto": 3, "seed": 0})
    assert (second.id, new) == (first.id, False)
    assert run_key(lab, {"a": 1, "b": 2}) == run_key(lab, {"b": 2, "a": 1}) != run_key(lab, {"a": 1, "b": 3})


async def test_what_cannot_be_run(engine: Engine) -> None:
    with pytest.raises(UnknownLabError, match="Did you mean plain/count"):
        await engine.submit("plain/cuont", {})
    with pytest.raises(ParameterError, match="from 0 to 100000"):
        await engine.submit("plain/count", {"upto": -1})
    with pytest.raises(NoWorkerError):
        await engine.submit("plain/on_device", {"device": "cuda"})


async def test_the_engine_is_quick(engine: Engine) -> None:
    """Not a benchmark: only that nothing waits for a timer or for a process to be loaded."""
    await ended(engine, await count(engine))
    waits = []
    for _ in range(20):
        began = time.monotonic()
        await started(engine, await count(engine))
        waits.append(time.monotonic() - began)
    assert sorted(waits)[5] < 0.3
