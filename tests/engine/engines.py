"""An engine on a test's own data, and what the tests ask of it again and again."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from labs.discover import Lab
from underhood.runs.engine import Engine
from underhood.runs.local import LocalDispatch
from underhood.runs.metrics import Metrics
from underhood.settings import Limits, Settings
from underhood.stores.sqlite import SqliteStore
from underhood.stores.store import Run

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
        dispatch = LocalDispatch(store, labs, settings, Metrics())
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
