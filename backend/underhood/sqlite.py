"""The store in one SQLite file (WAL): survives a restart, needs no server.

One thread writes. It takes everything that waits and commits it at once, so a burst of events costs one commit and
the event loop never waits for the disk. Another thread reads through its own connection.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from underhood.store import LIVE, Entry, FencedError, Logged, Run, Status

T = TypeVar("T")
Operation = Callable[[sqlite3.Connection], Any]

VERSION = 1
SCHEMA = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, key TEXT NOT NULL, lab TEXT NOT NULL, version TEXT NOT NULL, params TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL, attempt INTEGER NOT NULL, created REAL NOT NULL, ended REAL,
    head INTEGER NOT NULL, size INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_by_key ON runs (key, created);
CREATE INDEX runs_by_age ON runs (ended);
CREATE TABLE events (
    run TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE blobs (digest TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE blob_uses (run TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (run, digest)) WITHOUT ROWID;
CREATE INDEX blob_uses_by_digest ON blob_uses (digest);
"""
COLUMNS = "id, key, lab, version, params, status, reason, attempt, created, ended, head"


class SqliteStore:
    """Made inside a running event loop, and used from that loop only."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._loop = asyncio.get_running_loop()
        self._signals: dict[str, asyncio.Event] = {}
        self._write_db = _connect(path)
        self._read_db = _connect(path)
        self._inbox: queue.SimpleQueue[tuple[Operation, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._writer.start()
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="store-reader")

    async def create(self, run: Run, reuse: Collection[Status], first: Sequence[Entry] = ()) -> Run:
        return await self._write(partial(_create, run, reuse, first), wake=run.id)

    async def find(self, key: str, reuse: Collection[Status]) -> Run | None:
        return await self._read(partial(_find, key, reuse))

    async def get(self, run: str) -> Run | None:
        return await self._read(partial(_get, run))

    async def begin(self, run: str) -> int:
        return await self._write(partial(_begin, run))

    async def append(self, run: str, attempt: int, entries: Sequence[Entry]) -> None:
        await self._write(partial(_append, run, attempt, entries), wake=run)

    async def add_blob(self, run: str, attempt: int, data: bytes) -> str:
        return await self._write(partial(_add_blob, run, attempt, data))

    async def blob(self, digest: str) -> bytes | None:
        return await self._read(partial(_blob, digest))

    async def end(self, run: str, attempt: int, status: Status, reason: str = "") -> None:
        await self._write(partial(_end, run, attempt, status, reason), wake=run)

    async def read(self, run: str, after: int, limit: int = 64, wait: float = 0) -> list[Logged]:
        give_up = self._loop.time() + wait
        while True:
            # The signal is taken before looking: a commit between the look and the wait still sets it.
            signal = self._signals.setdefault(run, asyncio.Event())
            found = await self._read(partial(_events, run, after, limit))
            left = give_up - self._loop.time()
            if found or left <= 0:
                return found
            try:
                async with asyncio.timeout(left):
                    await signal.wait()
            except TimeoutError:
                return []

    async def unfinished(self) -> list[Run]:
        return await self._read(_unfinished)

    async def prune(self, runs: int, size: int) -> int:
        return await self._write(partial(_prune, runs, size))

    async def close(self) -> None:
        self._inbox.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._reader.shutdown)
        self._read_db.close()
        self._write_db.close()

    async def _read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        return await self._loop.run_in_executor(self._reader, look, self._read_db)

    async def _write(self, operation: Callable[[sqlite3.Connection], T], wake: str | None = None) -> T:
        done: asyncio.Future[T] = self._loop.create_future()
        if wake is not None:
            # A callback, not the next line: the commit counts even if the caller is cancelled while waiting for it.
            done.add_done_callback(lambda _: self._wake(wake))
        self._inbox.put((operation, done))
        return await asyncio.shield(done)

    def _wake(self, run: str) -> None:
        if signal := self._signals.pop(run, None):
            signal.set()

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
            self._loop.call_soon_threadsafe(_settle, answers)


def _settle(answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for done, result in answers:
        if done.cancelled():
            continue
        if isinstance(result, Exception):
            done.set_exception(result)
            done.exception()  # seen: a caller that was cancelled will not come for it
        else:
            done.set_result(result)


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
                db.execute("ROLLBACK TO one")
                results.append(error)
            db.execute("RELEASE one")
        db.execute("COMMIT")
    except sqlite3.Error as error:  # the disk is full, say: nothing of this batch happened
        if db.in_transaction:
            db.execute("ROLLBACK")
        return [error] * len(operations)
    return results


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    db.execute("PRAGMA auto_vacuum = INCREMENTAL")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")  # a killed server loses nothing; a power cut may lose the last moment
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    elif version != VERSION:
        raise ValueError(
            f"{path} was written by another version of Underhood; move it away or choose another --data"
        )
    return db


def _run(row: tuple[Any, ...]) -> Run:
    fields = dict(zip(COLUMNS.split(", "), row, strict=True))
    return Run(**fields | {"params": json.loads(fields["params"])})


def _get(run: str, db: sqlite3.Connection) -> Run | None:
    row = db.execute(f"SELECT {COLUMNS} FROM runs WHERE id = ?", (run,)).fetchone()
    return _run(row) if row else None


def _find(key: str, reuse: Collection[Status], db: sqlite3.Connection) -> Run | None:
    rows = db.execute(f"SELECT {COLUMNS} FROM runs WHERE key = ? ORDER BY created DESC", (key,))
    return next((run for run in map(_run, rows) if run.status in reuse), None)


def _unfinished(db: sqlite3.Connection) -> list[Run]:
    return [_run(row) for row in db.execute(f"SELECT {COLUMNS} FROM runs WHERE ended IS NULL ORDER BY created")]


def _events(run: str, after: int, limit: int, db: sqlite3.Connection) -> list[Logged]:
    query = "SELECT seq, kind, data FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?"
    return [Logged(*row) for row in db.execute(query, (run, after, limit))]


def _blob(digest: str, db: sqlite3.Connection) -> bytes | None:
    row = db.execute("SELECT data FROM blobs WHERE digest = ?", (digest,)).fetchone()
    return row[0] if row else None


def _create(run: Run, reuse: Collection[Status], first: Sequence[Entry], db: sqlite3.Connection) -> Run:
    if found := _find(run.key, reuse, db):
        return found
    values = [json.dumps(run.params) if name == "params" else getattr(run, name) for name in COLUMNS.split(", ")]
    db.execute(f"INSERT INTO runs ({COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)
    _append(run.id, run.attempt, first, db)
    return run


def _begin(run: str, db: sqlite3.Connection) -> int:
    began = (
        "UPDATE runs SET attempt = attempt + 1, status = 'running' WHERE id = ? AND ended IS NULL RETURNING attempt"
    )
    rows = db.execute(began, (run,)).fetchall()
    if not rows:
        raise FencedError(f"run {run} has ended")
    return int(rows[0][0])


def _head(run: str, attempt: int, db: sqlite3.Connection) -> int:
    row = db.execute("SELECT head, attempt, ended FROM runs WHERE id = ?", (run,)).fetchone()
    if row is None or row[1] != attempt or row[2] is not None:
        raise FencedError(f"attempt {attempt} of run {run} is over")
    return int(row[0])


def _append(run: str, attempt: int, entries: Sequence[Entry], db: sqlite3.Connection) -> None:
    head = _head(run, attempt, db)
    rows = [(run, head + n, entry.kind, entry.data) for n, entry in enumerate(entries, 1)]
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
    size = sum(len(entry.data) for entry in entries)
    db.execute("UPDATE runs SET head = ?, size = size + ? WHERE id = ?", (head + len(rows), size, run))


def _add_blob(run: str, attempt: int, data: bytes, db: sqlite3.Connection) -> str:
    _head(run, attempt, db)
    digest = hashlib.sha256(data).hexdigest()
    db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (digest, data))
    db.execute("INSERT OR IGNORE INTO blob_uses VALUES (?, ?)", (run, digest))
    db.execute("UPDATE runs SET size = size + ? WHERE id = ?", (len(data), run))
    return digest


def _end(run: str, attempt: int, status: Status, reason: str, db: sqlite3.Connection) -> None:
    if status in LIVE:
        raise ValueError(f"{status} is not an end")
    _append(run, attempt, [Entry.of("end", status=status, reason=reason)], db)
    ended = "UPDATE runs SET status = ?, reason = ?, ended = ? WHERE id = ?"
    db.execute(ended, (status, reason, time.time(), run))


def _prune(runs: int, size: int, db: sqlite3.Connection) -> int:
    old, total = [], 0
    rows = db.execute("SELECT id, size FROM runs WHERE ended IS NOT NULL ORDER BY ended DESC")
    for n, (run, bytes_) in enumerate(rows.fetchall(), 1):
        total += bytes_
        if n > runs or total > size:
            old.append((run,))
    for table, column in (("events", "run"), ("blob_uses", "run"), ("runs", "id")):
        db.executemany(f"DELETE FROM {table} WHERE {column} = ?", old)
    if old:
        db.execute("DELETE FROM blobs WHERE digest NOT IN (SELECT digest FROM blob_uses)")
    return len(old)
