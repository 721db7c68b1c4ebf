"""What outlives a restart of the server or the loss of its forkserver, and what is let go."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from engines import Open, count, ended, found, started, until
from labs.discover import Lab
from underhood.processes.spawner import Spawner
from underhood.runs.engine import Engine
from underhood.runs.local import LocalDispatch

pytestmark = pytest.mark.anyio


def forkserver(engine: Engine) -> Spawner:
    assert isinstance(engine.dispatch, LocalDispatch)
    return engine.dispatch.spawner


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


def test_a_forkserver_that_imports_without_end_does_not_outlive_the_server(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("print('here', flush=True)\nwhile True:\n    pass\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    ours, theirs = socket.socketpair()
    command = [
        sys.executable,
        "-m",
        "underhood.processes.forkserver",
        str(theirs.fileno()),
        str(scratch),
        "endless",
    ]
    path = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    with subprocess.Popen(command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, env=path) as process:
        try:
            theirs.close()
            assert process.stdout and process.stdout.readline() == b"here\n"
            ours.send(b"fork 1\n")  # what it was told and has not heard does not hide that nobody is there
            ours.close()
            assert process.wait(10) == 1
        finally:
            process.kill()
    assert not scratch.exists()


async def test_a_restart_takes_up_what_was_left(reopen: Open) -> None:
    engine = await reopen(concurrency=1)
    finished = await count(engine)
    await ended(engine, finished)
    running, waiting = [await count(engine, upto=30, pause=0.05) for _ in range(2)]
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
