"""A disk that is full: what cannot be kept is refused, every run comes to its end, and life goes on with room."""

import asyncio
import sqlite3
from contextlib import suppress
from typing import Any

import pytest
from engines import SEEDS, Open, count, ended, found, started, until
from underhood.runs.engine import Engine
from underhood.stores.sqlite import SqliteStore
from underhood.stores.store import StoreAwayError, StoreFullError

pytestmark = pytest.mark.anyio


async def fill(engine: Engine, full: bool = True) -> None:
    """Let the database's file grow no further, or again.

    Raises StoreFullError if what is written together with this finds the disk full; the limit holds nevertheless.
    """
    store = engine.store
    assert isinstance(store, SqliteStore)

    def limit(db: sqlite3.Connection) -> None:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        (free,) = db.execute("PRAGMA freelist_count").fetchone()
        assert not (full and free)
        db.execute(f"PRAGMA max_page_count = {pages if full else 1 << 30}")

    await store._write(limit)


async def emptied(engine: Engine) -> bool:
    try:
        await fill(engine, full=False)
    except StoreFullError:  # it was written together with what found the disk full
        return False
    return True


async def until_refused(engine: Engine) -> None:
    async def refused() -> bool:
        try:
            await engine.submit("plain/count", {"seed": next(SEEDS), "upto": 1000, "pause": 5.0})
        except StoreFullError:
            return True
        return False

    await until(refused)


async def test_a_run_that_fills_the_disk_ends_when_there_is_room(reopen: Open) -> None:
    engine = await reopen(concurrency=1, queue=1000)
    run = await count(engine, upto=100_000, pause=0.0)
    await started(engine, run)
    with suppress(StoreFullError):
        await fill(engine)
    await until_refused(engine)
    waiting = (await engine.dispatch.load()).waiting
    assert (await found(engine, run)).status == "running"
    await engine.cancel(run.id)  # says nothing wrong, though nothing can be written
    await until(lambda: emptied(engine))
    assert (await ended(engine, run))[-1]["status"] in ("failed", "cancelled")
    assert (await engine.dispatch.load()).waiting <= waiting
    again, new = await engine.submit("plain/count", run.params)
    assert new and again.id != run.id, "nobody is given the dead run"


async def test_a_run_that_nobody_executes_is_ended_by_who_asks_for_it(engine: Engine) -> None:
    """As a server that was killed with a full disk leaves it."""
    runs = [await count(engine, upto=1000, pause=0.05) for _ in range(2)]
    for run in runs:
        await started(engine, run)
        live: Any = engine.dispatch.live.pop(run.id)  # type: ignore[attr-defined]
        live.task.cancel()
        await asyncio.gather(live.task, return_exceptions=True)
    again, new = await engine.submit("plain/count", runs[0].params)
    assert new and again.id != runs[0].id
    assert (await found(engine, runs[0])).status == "failed"
    await engine.cancel(runs[1].id)
    assert (await found(engine, runs[1])).status == "cancelled"


async def test_a_broken_database_is_a_store_that_is_away(engine: Engine) -> None:
    run = await count(engine)
    await ended(engine, run)
    store = engine.store
    assert isinstance(store, SqliteStore)
    await store._write(lambda db: db.execute("ALTER TABLE runs RENAME TO others"))
    for asked in (store.get(run.id), store.begin(run.id), engine.submit("plain/count", {"seed": next(SEEDS)})):
        with pytest.raises(StoreAwayError):
            await asked
