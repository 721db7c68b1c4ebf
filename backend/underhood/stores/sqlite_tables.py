"""The tables of the SQLite store, and each operation of the store as a function of a connection."""

from __future__ import annotations

import hashlib
import itertools
import json
import sqlite3
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from underhood.stores.store import LIVE, Entry, FencedError, Logged, Machine, Result, Run, Status

RUNS = """
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
RESULTS = """
CREATE TABLE results (
    number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL UNIQUE, lab TEXT NOT NULL, machine TEXT NOT NULL,
    params TEXT NOT NULL, provenance TEXT NOT NULL, event TEXT NOT NULL
);
CREATE INDEX results_by_machine ON results (lab, machine, number);
CREATE INDEX results_by_lab ON results (lab, number);
"""
STEPS = (RUNS, RESULTS)
"""What has made a file what it is, oldest first; its user_version is how many of them it has taken. None is ever
changed: a file of any older version takes those that it lacks."""
COLUMNS = "id, key, lab, version, params, status, reason, attempt, created, ended, head"


MALFORMED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def malformed(error: BaseException) -> bool:
    """Whether the file is no database, or no longer."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in MALFORMED  # the low byte is the kind, what is above says where


def set_aside(path: Path) -> Path:
    """Give a database that cannot be read another name, which is returned: it may be worth a look."""
    to = next(new for n in itertools.count(1) if not (new := path.with_suffix(f".malformed-{n}")).exists())
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return path.rename(to)


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")  # a killed server loses nothing; a power cut may lose the last moment
    with db:  # whole or not at all, and by one process
        db.execute("BEGIN IMMEDIATE")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > len(STEPS):
            raise ValueError(
                f"{path} was written by a newer version of Underhood; move it away or choose another --data"
            )
        for step in STEPS[version:]:
            for statement in step.split(";"):
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {len(STEPS)}")
    return db


def _run(row: tuple[Any, ...]) -> Run:
    fields = dict(zip(COLUMNS.split(", "), row, strict=True))
    return Run(**fields | {"params": json.loads(fields["params"])})


def get(run: str, db: sqlite3.Connection) -> Run | None:
    row = db.execute(f"SELECT {COLUMNS} FROM runs WHERE id = ?", (run,)).fetchone()
    return _run(row) if row else None


def find(key: str, reuse: Collection[Status], db: sqlite3.Connection) -> Run | None:
    rows = db.execute(f"SELECT {COLUMNS} FROM runs WHERE key = ? ORDER BY rowid DESC", (key,))
    return next((run for run in map(_run, rows) if run.status in reuse), None)


def unfinished(db: sqlite3.Connection) -> list[Run]:
    return [_run(row) for row in db.execute(f"SELECT {COLUMNS} FROM runs WHERE ended IS NULL ORDER BY rowid")]


def events(run: str, after: int, limit: int, db: sqlite3.Connection) -> list[Logged]:
    query = "SELECT seq, kind, data FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?"
    return [Logged(*row) for row in db.execute(query, (run, after, limit))]


def blob(digest: str, db: sqlite3.Connection) -> bytes | None:
    row = db.execute("SELECT data FROM blobs WHERE digest = ?", (digest,)).fetchone()
    return row[0] if row else None


def create(run: Run, reuse: Collection[Status], first: Sequence[Entry], db: sqlite3.Connection) -> Run:
    if found := find(run.key, reuse, db):
        return found
    values = [json.dumps(run.params) if name == "params" else getattr(run, name) for name in COLUMNS.split(", ")]
    db.execute(f"INSERT INTO runs ({COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)
    append(run.id, run.attempt, first, db)
    return run


def begin(run: str, provenance: dict[str, Any] | None, db: sqlite3.Connection) -> int:
    began = (
        "UPDATE runs SET attempt = attempt + 1, status = 'running' WHERE id = ? AND ended IS NULL RETURNING attempt"
    )
    rows = db.execute(began, (run,)).fetchall()
    if not rows:
        raise FencedError(f"run {run} has ended")
    attempt = int(rows[0][0])
    if provenance is not None:
        append(run, attempt, [Entry.started(attempt, provenance)], db)
    return attempt


def _head(run: str, attempt: int, db: sqlite3.Connection) -> int:
    row = db.execute("SELECT head, attempt, ended FROM runs WHERE id = ?", (run,)).fetchone()
    if row is None or row[1] != attempt or row[2] is not None:
        raise FencedError(f"attempt {attempt} of run {run} is over")
    return int(row[0])


def append(run: str, attempt: int, entries: Sequence[Entry], db: sqlite3.Connection) -> None:
    head = _head(run, attempt, db)
    rows = [(run, head + n, entry.kind, entry.data) for n, entry in enumerate(entries, 1)]
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
    size = sum(len(entry.data) for entry in entries)
    db.execute("UPDATE runs SET head = ?, size = size + ? WHERE id = ?", (head + len(rows), size, run))


def add_blob(run: str, attempt: int, data: bytes, db: sqlite3.Connection) -> str:
    _head(run, attempt, db)
    digest = hashlib.sha256(data).hexdigest()
    db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (digest, data))
    db.execute("INSERT OR IGNORE INTO blob_uses VALUES (?, ?)", (run, digest))
    db.execute("UPDATE runs SET size = size + ? WHERE id = ?", (len(data), run))
    return digest


def end(run: str, attempt: int, status: Status, reason: str, db: sqlite3.Connection) -> None:
    if status in LIVE:
        raise ValueError(f"{status} is not an end")
    append(run, attempt, [Entry.of("end", status=status, reason=reason)], db)
    ended = "UPDATE runs SET status = ?, reason = ?, ended = ? WHERE id = ?"
    db.execute(ended, (status, reason, time.time(), run))


def prune(runs: int, size: int, db: sqlite3.Connection) -> int:
    old, total = [], 0
    # Not by when they ended: after a clock has been set back the newest would seem the oldest.
    rows = db.execute("SELECT id, size FROM runs WHERE ended IS NOT NULL ORDER BY rowid DESC")
    for n, (run, bytes_) in enumerate(rows.fetchall(), 1):
        total += bytes_
        if n > runs or total > size:
            old.append((run,))
    for table, column in (("events", "run"), ("blob_uses", "run"), ("runs", "id")):
        db.executemany(f"DELETE FROM {table} WHERE {column} = ?", old)
    if old:
        db.execute("DELETE FROM blobs WHERE digest NOT IN (SELECT digest FROM blob_uses)")
    return len(old)


def remember(result: Result, attempt: int, most: int, db: sqlite3.Connection) -> None:
    _head(result.run, attempt, db)
    texts = [json.dumps(each) for each in (result.params, result.provenance, result.event)]
    row = (result.run, result.lab, result.machine, *texts)
    db.execute(
        "INSERT OR REPLACE INTO results (run, lab, machine, params, provenance, event) VALUES (?, ?, ?, ?, ?, ?)",
        row,
    )
    older = "SELECT number FROM results WHERE lab = ? AND machine = ? ORDER BY number DESC LIMIT -1 OFFSET ?"
    db.execute(f"DELETE FROM results WHERE number IN ({older})", (result.lab, result.machine, most))


def results(lab: str, machine: str | None, before: int | None, limit: int, db: sqlite3.Connection) -> list[Result]:
    wanted = {"lab = ?": lab, "machine = ?": machine, "number < ?": before}
    given = {clause: value for clause, value in wanted.items() if value is not None}
    query = "SELECT number, run, params, provenance, event FROM results"
    rows = db.execute(f"{query} WHERE {' AND '.join(given)} ORDER BY number DESC LIMIT ?", (*given.values(), limit))
    names = ("params", "provenance", "event")
    return [
        Result(number=number, run=run, lab=lab, **dict(zip(names, map(json.loads, texts), strict=True)))
        for number, run, *texts in rows
    ]


def machines(lab: str, db: sqlite3.Connection) -> list[Machine]:
    query = "SELECT machine, count(*), max(number) FROM results WHERE lab = ? GROUP BY machine ORDER BY 3 DESC"
    return [Machine(*row) for row in db.execute(query, (lab,))]
