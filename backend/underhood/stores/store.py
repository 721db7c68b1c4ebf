"""What a run leaves behind: an append-only log of events. One protocol, so that SQLite or Redis can hold it.

A run is *queued*, then *running*, then ended: *ok*, *failed*, *cancelled* or *timed_out*. Each start is an attempt
with a number; a writer names its attempt, and a writer of an older one is refused. So a supervisor
that was thought dead cannot add to the log of its successor.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

Status = Literal["queued", "running", "ok", "failed", "cancelled", "timed_out"]
LIVE: frozenset[Status] = frozenset({"queued", "running"})


class FencedError(Exception):
    """The writer's attempt is over: the run has ended or a newer attempt has begun."""


class StoreAwayError(Exception):
    """The store cannot be reached just now. Any call may raise this, and does so within a second."""


class StoreFullError(StoreAwayError):
    """The store takes nothing more until there is room again; what it has can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    id: str
    key: str  # equal keys mean equal results: a hash of lab, lab version and parameters
    lab: str
    version: str
    params: dict[str, Any]
    status: Status = "queued"
    reason: str = ""
    attempt: int = 0  # 0 until the first start
    created: float  # seconds since 1970
    ended: float | None = None
    head: int = 0  # number of the newest event; events count from 1
    excused: int = 0  # attempts that the store cut short, and not the process that executed them


class Entry(NamedTuple):
    """One event, ready to be sent: its kind and its JSON (which repeats the kind)."""

    kind: str
    data: str

    @classmethod
    def of(cls, kind: str, **values: Any) -> Entry:
        return cls(kind, json.dumps({"kind": kind} | values, ensure_ascii=False, allow_nan=False))

    @classmethod
    def started(cls, attempt: int, provenance: dict[str, Any]) -> Entry:
        return cls.of("started", attempt=attempt, provenance=provenance)


class Logged(NamedTuple):
    seq: int
    kind: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What stays of a run when its log is long gone: what it came to, and on which machine."""

    number: int = 0  # larger means newer; the store counts
    run: str
    lab: str
    params: dict[str, Any]
    provenance: dict[str, Any]  # as the run's `started` says it
    event: dict[str, Any]  # the last one, which as any is a whole picture

    @property
    def machine(self) -> str:
        return str(self.provenance["machine"])


class Machine(NamedTuple):
    name: str
    results: int
    newest: int  # number of a result


class Store(Protocol):
    refused: StoreAwayError | None
    """Why the last write was refused; None if it was not."""

    async def create(self, run: Run, reuse: Collection[Status], first: Sequence[Entry] = ()) -> Run:
        """Add a run with its first events and return it, the same object; or return the newest run of equal key
        whose status is in ``reuse``."""

    async def find(self, key: str, reuse: Collection[Status]) -> Run | None: ...

    async def get(self, run: str) -> Run | None: ...

    async def begin(self, run: str, provenance: dict[str, Any] | None = None) -> int:
        """Start the next attempt and return its number, from 1. Raises ``FencedError`` if the run has ended.

        With a provenance the log says so in the same write: no attempt is counted that the log does not know.
        """

    async def append(self, run: str, attempt: int, entries: Sequence[Entry]) -> None:
        """Add events, all or none. Raises ``FencedError``."""

    async def add_blob(self, run: str, attempt: int, data: bytes) -> str:
        """Keep bytes for as long as the run and return their SHA-256. Raises ``FencedError``."""

    async def blob(self, digest: str) -> bytes | None: ...

    async def end(self, run: str, attempt: int, status: Status, reason: str = "") -> None:
        """Write the one ``end`` event. Raises ``FencedError``, so a run never has two."""

    async def read(self, run: str, after: int, limit: int = 64, wait: float = 0) -> list[Logged]:
        """Events with numbers above ``after``, in order; waits up to ``wait`` seconds for the first of them."""

    async def unfinished(self) -> list[Run]:
        """Runs without an ``end``, oldest first."""

    async def prune(self, runs: int, size: int) -> int:
        """Keep the newest ``runs`` ended runs within ``size`` bytes; return how many were dropped."""

    async def remember(self, result: Result, attempt: int, most: int) -> None:
        """Keep a run's result, whatever becomes of the run; of its lab, the newest ``most`` of each machine stay.
        Raises ``FencedError``, so a run has one result: that of its last attempt."""

    async def results(
        self, lab: str, machine: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[Result]:
        """Results of a lab, the newest first: of all machines or of one, with numbers below ``before``."""

    async def machines(self, lab: str) -> list[Machine]:
        """Those that a lab has results of, the one with the newest first."""

    async def close(self) -> None: ...
