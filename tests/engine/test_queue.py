"""Runs that wait for a place, and the end of the line."""

import asyncio

import pytest
from engines import SEEDS, Open, count, ended, found, started
from underhood.runs.dispatch import QueueFullError

pytestmark = pytest.mark.anyio


async def test_the_queue_has_an_end(reopen: Open) -> None:
    engine = await reopen(concurrency=1, queue=3)
    runs = [await count(engine, upto=1000, pause=0.01) for _ in range(4)]
    with pytest.raises(QueueFullError) as full:
        await count(engine)
    assert 1 <= full.value.after <= 30
    again, new = await engine.submit("plain/count", runs[3].params)  # already there: needs no place
    assert (again.id, new) == (runs[3].id, False)
    assert await engine.dispatch.load() == (1, 3)
    several = [engine.submit("plain/count", {"seed": 10_000 + n}) for n in range(5)]
    refused = await asyncio.gather(*several, return_exceptions=True)
    assert [type(each) for each in refused] == [QueueFullError] * 5
    await engine.cancel(runs[0].id)
    await started(engine, runs[1])
    await count(engine)


async def test_a_rush_does_not_overfill_the_queue(reopen: Open) -> None:
    engine = await reopen(concurrency=2, queue=10)
    many = (engine.submit("plain/count", {"upto": 500, "pause": 0.01, "seed": next(SEEDS)}) for _ in range(50))
    results = await asyncio.gather(*many, return_exceptions=True)
    assert [type(each) for each in results].count(QueueFullError) == 50 - 12


async def test_those_who_wait_hear_how_the_line_moves(reopen: Open) -> None:
    engine = await reopen(concurrency=1)
    first = await count(engine, upto=1000, pause=0.01)
    runs = [first, *[await count(engine, upto=5, pause=0.02) for _ in range(3)]]
    await started(engine, first)  # so all of them have come before it ends
    await engine.cancel(first.id)
    streams = [await ended(engine, run) for run in runs]
    positions = [[event["position"] for event in stream if event["kind"] == "queued"] for stream in streams]
    assert positions == [[0], [0], [1, 0], [2, 1, 0]]


async def test_who_measures_has_the_machine_alone(reopen: Open) -> None:
    engine = await reopen(concurrency=3)
    before = await count(engine, upto=1000, pause=0.01)
    await started(engine, before)
    measure, _ = await engine.submit("plain/measure", {"pause": 1.0})
    after = [await count(engine, upto=3) for _ in range(2)]
    assert await engine.dispatch.load() == (1, 3), "nobody overtakes it"
    await engine.cancel(before.id)
    await started(engine, measure, 2)
    assert await engine.dispatch.load() == (1, 2), "nobody is let in beside it"
    streams = [await ended(engine, run) for run in (measure, *after)]
    positions = [[event["position"] for event in stream if event["kind"] == "queued"] for stream in streams]
    assert positions == [[0], [1, 0], [2, 1]], "and then both go in at once"
    last = [await found(engine, run) for run in (before, measure, *after)]
    assert [run.status for run in last] == ["cancelled", "ok", "ok", "ok"]


async def test_a_measurement_that_is_given_up_lets_the_others_in(reopen: Open) -> None:
    engine = await reopen(concurrency=2)
    before = await count(engine, upto=1000, pause=0.01)
    await started(engine, before)
    measure, _ = await engine.submit("plain/measure", {"pause": 0.1})
    after = await count(engine, upto=3)
    await engine.cancel(measure.id)
    assert (await ended(engine, after))[-1]["status"] == "ok"
    assert (await found(engine, before)).status == "running"


async def test_measurements_do_not_overfill_the_queue(reopen: Open) -> None:
    engine = await reopen(concurrency=2, queue=1)
    first, _ = await engine.submit("plain/measure", {"pause": 5.0})
    await started(engine, first, 2)
    await count(engine)
    with pytest.raises(QueueFullError):
        await count(engine)
