"""Runs that end before they are done: cancelled, superseded, abandoned, out of time."""

import asyncio

import pytest
from engines import SEEDS, Open, count, ended, found, started, until
from underhood.contract.validation import ParameterError
from underhood.runs.engine import Engine
from underhood.settings import Limits

pytestmark = pytest.mark.anyio


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


async def test_nobody_ends_what_others_want(engine: Engine) -> None:
    """However often they leave, by whatever name; who has asked takes back their own asking, once for each time."""
    values = {"upto": 1000, "pause": 0.01, "seed": next(SEEDS)}
    run, _ = await engine.submit("plain/count", values, names=["a cookie", "a "])
    assert (await engine.submit("plain/count", values, names=["b "]))[0].id == run.id
    for stranger in ("c cookie", "c "):
        assert not await engine.leave(run.id, [stranger, "c "])
    assert [await engine.leave(run.id, ["a cookie", "a "]) for _ in range(3)] == [False] * 3
    with engine.reading(run.id, "c cookie"):
        assert not await engine.leave(run.id, ["b cookie", "b "]), "c reads it"
    assert await engine.leave(run.id, ["b cookie", "b "])
    assert (await ended(engine, run))[-1]["reason"] == "It was cancelled."


async def test_the_owner_ends_what_others_want(engine: Engine) -> None:
    run, _ = await engine.submit("plain/count", {"upto": 1000, "pause": 0.01, "seed": next(SEEDS)}, names=["a "])
    assert await engine.leave(run.id)
    assert (await ended(engine, run))[-1]["status"] == "cancelled"


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
    left = await count(engine, upto=1000, pause=0.01)
    unread, returned = [await count(engine, upto=60, pause=0.01) for _ in range(2)]
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
