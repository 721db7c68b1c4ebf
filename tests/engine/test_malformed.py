"""A database that is none, or no longer: it is set aside, and the server works with a new one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from engines import Open, count, ended, until
from underhood.stores.store import StoreAwayError

pytestmark = pytest.mark.anyio


async def test_what_is_no_database_does_not_stop_the_start(reopen: Open, tmp_path: Path) -> None:
    (tmp_path / "runs.sqlite").write_bytes(b"not a database\n" * 1000)
    engine = await reopen()
    assert (await ended(engine, await count(engine)))[-1]["status"] == "ok"
    assert (tmp_path / "runs.malformed-1").read_bytes().startswith(b"not a database")


@pytest.mark.parametrize("restart", [False, True])
async def test_pages_that_are_overwritten(reopen: Open, tmp_path: Path, restart: bool) -> None:
    """While the server runs, or while it does not. No answer but 503, and soon all is well."""
    engine = await reopen()
    for _ in range(5):
        await ended(engine, await count(engine, upto=300))
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if restart:
        await engine.dispatch.close()
    with (tmp_path / "runs.sqlite").open("r+b") as file:
        size = file.seek(0, 2)
        for page in range(1, size // 4096):
            file.seek(4096 * page)
            file.write(b"\xff" * 4096)
    engine = await reopen() if restart else engine

    async def works() -> bool:
        try:
            return (await ended(engine, await count(engine)))[-1]["status"] == "ok"
        except StoreAwayError:
            return False

    await until(works)
    assert engine.store.refused is None
    assert (tmp_path / "runs.malformed-1").exists()
