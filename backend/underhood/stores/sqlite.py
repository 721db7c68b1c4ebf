"""The store in one SQLite file (WAL): survives a restart, needs no server.

One thread writes. It takes everything that waits and commits it at once, so a burst of events costs one commit and
the event loop never waits for the disk. Another thread reads through its own connection.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from underhood.stores import sqlite_tables as tables
from underhood.stores.store import Entry, Logged, Machine, Result, Run, Status, StoreAwayError, StoreFullError
from underhood.stores.waiters import Waiters

T = TypeVar("T")
log = logging.getLogger("underhood.store")
Operation = Callable[[sqlite3.Connection], Any]


class SqliteStore:
    """Made inside a running event loop, and used from that loop only. Every call may raise ``StoreAwayError``."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._loop = asyncio.get_running_loop()
        self._waiters = Waiters()
        self._path = path
        self.refused: StoreAwayError | None = None
        try:
            self._open()
            tables.unfinished(self._read_db)  # what a server asks for first; the rest is found out as it is read
        except sqlite3.Error as error:
            if not tables.malformed(error):
                raise
            self._set_aside()
        self._inbox: queue.SimpleQueue[tuple[Operation, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._writer.start()
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="store-reader")

    async def create(self, run: Run, reuse: Collection[Status], first: Sequence[Entry] = ()) -> Run:
        return await self._write(partial(tables.create, run, reuse, first), wake=run.id)

    async def find(self, key: str, reuse: Collection[Status]) -> Run | None:
        return await self._read(partial(tables.find, key, reuse))

    async def get(self, run: str) -> Run | None:
        return await self._read(partial(tables.get, run))

    async def begin(self, run: str, provenance: dict[str, Any] | None = None) -> int:
        return await self._write(partial(tables.begin, run, provenance), wake=run)

    async def append(self, run: str, attempt: int, entries: Sequence[Entry]) -> None:
        await self._write(partial(tables.append, run, attempt, entries), wake=run)

    async def add_blob(self, run: str, attempt: int, data: bytes) -> str:
        return await self._write(partial(tables.add_blob, run, attempt, data))

    async def blob(self, digest: str) -> bytes | None:
        return await self._read(partial(tables.blob, digest))

    async def end(self, run: str, attempt: int, status: Status, reason: str = "") -> None:
        await self._write(partial(tables.end, run, attempt, status, reason), wake=run)

    async def read(self, run: str, after: int, limit: int = 64, wait: float = 0) -> list[Logged]:
        give_up = self._loop.time() + wait
        while True:
            signal = self._waiters.of(run)
            look = partial(tables.events, run, after, limit)
            found = await self._waiters.look(run, (after, limit), partial(self._read, look))
            left = give_up - self._loop.time()
            if found or left <= 0:
                return found
            try:
                async with asyncio.timeout(left):
                    await signal.wait()
            except TimeoutError:
                return []

    async def unfinished(self) -> list[Run]:
        return await self._read(tables.unfinished)

    async def prune(self, runs: int, size: int) -> int:
        return await self._write(partial(tables.prune, runs, size))

    async def remember(self, result: Result, attempt: int, most: int) -> None:
        await self._write(partial(tables.remember, result, attempt, most))

    async def results(
        self, lab: str, machine: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[Result]:
        return await self._read(partial(tables.results, lab, machine, before, limit))

    async def machines(self, lab: str) -> list[Machine]:
        return await self._read(partial(tables.machines, lab))

    async def close(self) -> None:
        self._inbox.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._reader.shutdown)
        self._read_db.close()
        self._write_db.close()

    def _open(self) -> None:
        self._write_db = tables.connect(self._path)
        self._read_db = tables.connect(self._path)

    def _set_aside(self) -> None:
        """Begin anew: what was kept can be had again by running it again."""
        log.error(
            "%s is malformed; it is kept as %s, and runs of before are lost",
            self._path,
            tables.set_aside(self._path),
        )
        self._open()

    def _replace(self) -> None:
        """The same while the writer waits for it, in the reader's thread: nobody reads meanwhile."""
        self._read_db.close()
        self._write_db.close()
        self._set_aside()

    async def _read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self._loop.run_in_executor(self._reader, lambda: look(self._read_db))
        except sqlite3.Error as error:
            if tables.malformed(error):
                self._inbox.put((_look_at_all, self._loop.create_future()))
            raise _away(error) from error

    async def _write(self, operation: Callable[[sqlite3.Connection], T], wake: str | None = None) -> T:
        done: asyncio.Future[T] = self._loop.create_future()
        if wake is not None:
            # A callback, not the next line: the commit counts even if the caller is cancelled while waiting for it.
            done.add_done_callback(lambda _: self._waiters.wake(wake))
        self._inbox.put((operation, done))
        return await asyncio.shield(done)

    def _write_forever(self) -> None:
        while (job := self._inbox.get()) is not None:
            batch = [job]
            while not self._inbox.empty() and len(batch) < 256:
                if (job := self._inbox.get()) is None:
                    self._inbox.put(None)  # close after this batch
                    break
                batch.append(job)
            results = _commit(self._write_db, [operation for operation, _ in batch])
            answers = [(done, result) for (_, done), result in zip(batch, results, strict=True)]
            if any(isinstance(result, Exception) and tables.malformed(result) for result in results):
                self._reader.submit(self._replace).result()
            self._loop.call_soon_threadsafe(self._settle, answers)

    def _settle(self, answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
        self.refused = None
        for done, result in answers:
            if isinstance(result, sqlite3.Error):
                result = self.refused = _away(result)
            if done.cancelled():
                continue
            if isinstance(result, Exception):
                done.set_exception(result)
                done.exception()  # seen: a caller that was cancelled will not come for it
            else:
                done.set_result(result)


def _look_at_all(db: sqlite3.Connection) -> None:
    """What a reader found malformed the writer must see for itself: it alone may begin anew."""
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        error = sqlite3.DatabaseError(found)
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error


def _away(error: sqlite3.Error) -> StoreAwayError:
    """What a failure of the file is to those who ask: nothing of it happened, and later it may."""
    log.error("the database refuses: %s", error)
    full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL  # Python's own errors have no code
    kind = StoreFullError if full else StoreAwayError
    return kind(str(error))


def _commit(db: sqlite3.Connection, operations: list[Operation]) -> list[Any]:
    """Carry out operations in one transaction; one that raises is undone alone and its exception is its result."""
    results: list[Any] = []
    try:
        db.execute("BEGIN IMMEDIATE")
        for operation in operations:
            db.execute("SAVEPOINT one")
            try:
                results.append(operation(db))
            except Exception as error:
                if not db.in_transaction:  # with a full disk SQLite undoes all of it by itself
                    raise
                db.execute("ROLLBACK TO one")
                results.append(error)
            db.execute("RELEASE one")
        db.execute("COMMIT")
    except sqlite3.Error as error:  # the disk is full, say: nothing of this batch happened
        if db.in_transaction:
            db.execute("ROLLBACK")
        return [error] * len(operations)
    return results
