"""Runs shared, queued, superseded, cancelled, abandoned, and taken up again after a restart."""

import asyncio
import itertools
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from labs.discover import Lab
from underhood.contract import ParameterError
from underhood.dispatch import NoWorkerError, QueueFullError
from underhood.engine import Engine, UnknownLabError, run_key
from underhood.local import LocalDispatch
from underhood.processes import Processes
from underhood.settings import Limits, Settings
from underhood.sqlite import SqliteStore
from underhood.store import Run

pytestmark = pytest.mark.anyio

SEEDS = itertools.count()
Open = Callable[..., Awaitable[Engine]]


@pytest.fixture
async def reopen(tmp_path: Path, labs: dict[str, Lab]) -> AsyncIterator[Open]:
    """An engine on this test's data; each call closes the one before, as a restart of the server would."""
    opened: list[tuple[LocalDispatch, SqliteStore]] = []

    async def close() -> None:
        while opened:
            dispatch, store = opened.pop()
            await dispatch.close()
            await store.close()

    async def reopen(labs: dict[str, Lab] = labs, **values: Any) -> Engine:
        await close()
        store = SqliteStore(tmp_path / "runs.sqlite")
        limits = Limits(wall=20, grace=0.5)
        settings = Settings(**{"data": tmp_path, "preload": (), "concurrency": 2, "limits": limits} | values)
        dispatch = LocalDispatch(store, labs, settings)
        opened.append((dispatch, store))
        await dispatch.start()
        return Engine(store, labs, settings, dispatch)

    yield reopen
    await close()


@pytest.fixture
async def engine(reopen: Open) -> Engine:
    return await reopen()


async def count(engine: Engine, upto: int = 3, pause: float = 0.0, supersedes: str | None = None) -> Run:
    """A run that nobody has asked for before."""
    values = {"upto": upto, "pause": pause, "seed": next(SEEDS)}
    run, new = await engine.submit("plain/count", values, supersedes)
    assert new
    return run


async def ended(engine: Engine, run: Run) -> list[dict[str, Any]]:
    """All events of a run, once it has ended."""
    events: list[dict[str, Any]] = []
    seq = 0
    async with asyncio.timeout(15):
        while not events or events[-1]["kind"] != "end":
            for event in await engine.store.read(run.id, seq, wait=15):
                seq = event.seq
                events.append(json.loads(event.data))
    return events


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(15):
        while not await check():  # noqa: ASYNC110 - what is waited for lies in the store
            await asyncio.sleep(0.01)


async def started(engine: Engine, run: Run, events: int = 3) -> None:
    """Until the lab has sent its first event, which follows `queued` and `started`."""
    await until(lambda: has(engine, run, events))


async def has(engine: Engine, run: Run, events: int) -> bool:
    return len(await engine.store.read(run.id, 0)) >= events


async def found(engine: Engine, run: Run) -> Run:
    found = await engine.store.get(run.id)
    assert found is not None
    return found


def forkserver(engine: Engine) -> Processes:
    assert isinstance(engine.dispatch, LocalDispatch)
    return engine.dispatch.processes


async def test_a_run_from_end_to_end(engine: Engine) -> None:
    events = await ended(engine, await count(engine))
    assert [event["kind"] for event in events] == ["queued", "started", "counted", "counted", "counted", "end"]
    assert events[0]["position"] == 0
    assert events[1]["attempt"] == 1
    facts = events[1]["provenance"]
    assert facts["where"] == "server"
    assert facts["lab_version"] == engine.labs["plain/count"].version
    assert set(facts) == {"where", "at", "machine", "versions", "lab_version"}
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
    runs = [await count(engine, upto=5, pause=0.02) for _ in range(4)]
    streams = [await ended(engine, run) for run in runs]
    positions = [[event["position"] for event in stream if event["kind"] == "queued"] for stream in streams]
    assert positions == [[0], [0], [1, 0], [2, 1, 0]]


async def test_cancel_while_waiting_and_while_running(reopen: Open) -> None:
    engine = await reopen(concurrency=1)
    running, waiting, after = [await count(engine, upto=1000, pause=0.01) for _ in range(3)]
    await started(engine, running)
    await engine.cancel(waiting.id)
    assert (await found(engine, waiting)).status == "cancelled"
    assert [event["kind"] for event in await ended(engine, waiting)] == ["queued", "end"]
    await engine.cancel(running.id)
    await engine.cancel(running.id)
    events = await ended(engine, running)
    assert events[-1] == {"kind": "end", "status": "cancelled", "reason": "It was cancelled."}
    await started(engine, after)  # the place is free again
    await engine.cancel(running.id)  # long over: nothing happens
    await engine.cancel("unknown")


async def test_asking_again_for_a_run_that_is_being_cancelled_starts_a_new_one(engine: Engine) -> None:
    run, _ = await engine.submit("bad/deed", {"deed": "stubborn"})
    await started(engine, run, events=4)
    await engine.cancel(run.id)
    again, new = await engine.submit("bad/deed", {"deed": "stubborn"})
    assert new
    assert again.id != run.id
    await engine.cancel(again.id)


async def test_newer_parameters_take_the_place_of_older_ones(engine: Engine) -> None:
    """A slider moved 20 times leaves one run: the last."""
    run = await count(engine, upto=1000, pause=0.01)
    runs = [run]
    for _ in range(20):
        await asyncio.sleep(0.02)
        run = await count(engine, upto=1000, pause=0.01, supersedes=run.id)
        runs.append(run)
    for old in runs[:-1]:
        end = (await ended(engine, old))[-1]
        assert end["status"] == "cancelled"
        assert "Newer parameters" in end["reason"]
    await started(engine, runs[-1])

    async def the_last_runs_alone() -> bool:
        return await engine.dispatch.load() == (1, 0)

    await until(the_last_runs_alone)  # a place is free a moment after its run's `end` can be read


async def test_a_run_that_others_want_is_not_superseded(engine: Engine) -> None:
    shared = await count(engine, upto=100, pause=0.01)
    await engine.submit("plain/count", shared.params)
    await count(engine, supersedes=shared.id)
    assert (await ended(engine, shared))[-1]["status"] == "ok"
    read = await count(engine, upto=100, pause=0.01)
    with engine.reading(read.id), engine.reading(read.id):
        await count(engine, supersedes=read.id)
        assert (await ended(engine, read))[-1]["status"] == "ok"


async def test_a_run_does_not_supersede_itself(engine: Engine) -> None:
    run = await count(engine, upto=50, pause=0.01)
    again, new = await engine.submit("plain/count", run.params, supersedes=run.id)
    assert (again.id, new) == (run.id, False)
    assert (await ended(engine, run))[-1]["status"] == "ok"


async def test_a_wrong_request_supersedes_nothing(engine: Engine) -> None:
    run = await count(engine, upto=50, pause=0.01)
    with pytest.raises(ParameterError):
        await engine.submit("plain/count", {"upto": -1}, supersedes=run.id)
    assert (await ended(engine, run))[-1]["status"] == "ok"


async def test_a_run_that_everybody_left_is_cancelled(reopen: Open) -> None:
    engine = await reopen(abandoned=0.1)
    left, unread, returned = [await count(engine, upto=60, pause=0.01) for _ in range(3)]
    with engine.reading(left.id), engine.reading(returned.id):
        pass
    with engine.reading(returned.id):
        end = (await ended(engine, left))[-1]
        assert (end["status"], end["reason"]) == ("cancelled", "Nobody was watching it any more.")
        assert (await ended(engine, returned))[-1]["status"] == "ok"
    assert (await ended(engine, unread))[-1]["status"] == "ok"


async def test_the_time_limit_ends_a_run(reopen: Open) -> None:
    engine = await reopen(limits=Limits(wall=0.3))
    end = (await ended(engine, await count(engine, upto=1, pause=30)))[-1]
    assert end["status"] == "timed_out"
    assert "0.3 seconds" in end["reason"]


async def test_a_lost_forkserver_is_replaced(engine: Engine) -> None:
    run = await count(engine, upto=1000, pause=0.01)
    await started(engine, run)
    processes = forkserver(engine)
    assert processes._server is not None
    processes._server.kill()
    scratch = processes._scratch
    end = (await ended(engine, run))[-1]
    assert end["status"] == "failed"
    assert "Run it again" in end["reason"]
    assert (await ended(engine, await count(engine)))[-1]["status"] == "ok"
    assert scratch != processes._scratch
    assert not await asyncio.to_thread(os.path.exists, scratch)


async def test_a_restart_takes_up_what_was_left(reopen: Open) -> None:
    engine = await reopen(concurrency=1)
    finished = await count(engine)
    await ended(engine, finished)
    running, waiting = [await count(engine, upto=30, pause=0.02) for _ in range(2)]
    await started(engine, running)
    engine = await reopen(concurrency=1)
    assert [event["kind"] for event in await ended(engine, finished)][-1] == "end"
    for run, attempts in ((running, [1, 2]), (waiting, [1])):
        events = await ended(engine, run)
        assert [event["attempt"] for event in events if event["kind"] == "started"] == attempts
        last = max(n for n, event in enumerate(events) if event["kind"] == "started")
        assert [event["n"] for event in events[last:] if event["kind"] == "counted"] == list(range(30))
        assert [event["kind"] for event in events].count("end") == 1
        assert events[-1]["status"] == "ok"


async def test_a_run_is_started_three_times_at_most(reopen: Open) -> None:
    engine = await reopen()
    run = await count(engine, upto=1000, pause=0.02)
    await started(engine, run)
    for attempt in (2, 3):
        engine = await reopen()

        async def begun(engine: Engine = engine, attempt: int = attempt) -> bool:
            return (await found(engine, run)).attempt == attempt

        await until(begun)
    engine = await reopen()
    end = (await ended(engine, run))[-1]
    assert end["status"] == "failed"
    assert "stopped 3 times" in end["reason"]


async def test_a_lab_that_changed_is_not_taken_up(reopen: Open, labs: dict[str, Lab]) -> None:
    engine = await reopen()
    run = await count(engine, upto=1000, pause=0.02)
    await started(engine, run)
    engine = await reopen({name: lab for name, lab in labs.items() if name != "plain/count"})
    end = (await ended(engine, run))[-1]
    assert (end["status"], end["reason"]) == ("failed", "The lab was changed while the run waited. Run it again.")


async def test_only_the_newest_runs_are_kept(reopen: Open) -> None:
    engine = await reopen(keep_runs=3, concurrency=1)  # so that they end in the order they came
    runs = [await count(engine) for _ in range(6)]

    async def three_are_left() -> bool:
        return len([run for run in runs if await engine.store.get(run.id)]) == 3

    await until(three_are_left)
    assert [run.id for run in runs[:3] if await engine.store.get(run.id)] == []


async def test_the_engine_is_quick(engine: Engine) -> None:
    """Not a benchmark: only that nothing waits for a timer or for a process to be loaded."""
    await ended(engine, await count(engine))
    waits = []
    for _ in range(20):
        began = time.monotonic()
        await started(engine, await count(engine))
        waits.append(time.monotonic() - began)
    assert sorted(waits)[10] < 0.3
