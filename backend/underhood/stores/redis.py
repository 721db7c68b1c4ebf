"""The store in Redis: shared by all web processes and workers, as durable as that Redis is set up to be."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Collection, Coroutine, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from underhood.stores import redis_scripts as scripts
from underhood.stores.redis_connection import RedisClient
from underhood.stores.redis_notifications import Notifications
from underhood.stores.store import LIVE, Entry, FencedError, Logged, Machine, Result, Run, Status, StoreAwayError

T = TypeVar("T")
LOOK = 5.0  # seconds between looks of one who waits; a notification comes at once, this is for one that was lost
FIELDS = (
    "id",
    "key",
    "lab",
    "version",
    "params",
    "status",
    "reason",
    "attempt",
    "created",
    "ended",
    "head",
    "excused",
)


class RedisStore:
    """Made inside a running event loop. Every call raises ``StoreAwayError`` within a second if Redis is away."""

    def __init__(self, client: RedisClient, prefix: str = "underhood:") -> None:
        self.client, self.prefix = client, prefix
        self.refused: StoreAwayError | None = None
        self.notifications = Notifications(client, f"{prefix}notifications")

    async def create(self, run: Run, reuse: Collection[Status], first: Sequence[Entry] = ()) -> Run:
        fields = [part for pair in _fields(run).items() for part in pair] + ["size", "0"]
        keys = [f"key:{run.key}", f"run:{run.id}", f"log:{run.id}", "notifications", "live"]
        statuses = f" {' '.join(reuse)} "
        args: list[Any] = [run.id, f"{self.prefix}run:", statuses, len(fields), *fields, *_flat(first)]
        other = await self.do(scripts.CREATE, keys, args)
        if not other:
            return run
        found = await self.get(str(other))
        return found or await self.create(run, reuse, first)  # it was cleared away in between

    async def find(self, key: str, reuse: Collection[Status]) -> Run | None:
        newest = await self.client.call(lambda redis: redis.get(f"{self.prefix}key:{key}"))
        found = await self.get(newest) if newest else None
        return found if found and found.status in reuse else None

    async def get(self, run: str) -> Run | None:
        fields = await self.client.call(lambda redis: redis.hmget(f"{self.prefix}run:{run}", FIELDS))
        return None if fields[0] is None else _run(dict(zip(FIELDS, fields, strict=True)))

    async def begin(self, run: str, provenance: dict[str, Any] | None = None) -> int:
        facts = [] if provenance is None else [json.dumps(provenance, ensure_ascii=False, allow_nan=False)]
        keys = [f"run:{run}", f"log:{run}", "notifications"]
        attempt = await self.do(scripts.BEGIN, keys, [run, *facts])
        if attempt is None:
            raise FencedError(f"run {run} has ended")
        return int(attempt)

    async def excuse(self, run: str, attempt: int) -> None:
        """This attempt, if it began, was cut short because the store was away: not the doing of who executed it."""
        await self.do(scripts.EXCUSE, [f"run:{run}"], [attempt])

    async def append(self, run: str, attempt: int, entries: Sequence[Entry]) -> None:
        keys = [f"run:{run}", f"log:{run}", "notifications"]
        _check(run, attempt, await self.do(scripts.APPEND, keys, [run, attempt, *_flat(entries)]))

    async def add_blob(self, run: str, attempt: int, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        keys = [f"run:{run}", f"blob:{digest}", f"users:{digest}", f"blobs:{run}"]
        _check(run, attempt, await self.do(scripts.ADD_BLOB, keys, [run, attempt, digest, data]))
        return digest

    async def blob(self, digest: str) -> bytes | None:
        key = f"{self.prefix}blob:{digest}"
        found: Any = await self.client.call(lambda redis: redis.get(key).raw(decode_response=False))
        return found if found is None else bytes(found)

    async def end(self, run: str, attempt: int, status: Status, reason: str = "") -> None:
        if status in LIVE:
            raise ValueError(f"{status} is not an end")
        now = await self.get(run)
        by_key = now.key if now else ""
        keys = [f"run:{run}", f"log:{run}", "notifications", "live", "ended", f"key:{by_key}", f"blobs:{run}"]
        entry = Entry.of("end", status=status, reason=reason)
        args: list[Any] = [run, attempt, status, reason, repr(time.time()), f"{self.prefix}blob:", *entry]
        _check(run, attempt, await self.do(scripts.END, keys, args))

    async def read(self, run: str, after: int, limit: int = 64, wait: float = 0) -> list[Logged]:
        loop = asyncio.get_running_loop()
        give_up = loop.time() + wait
        while True:
            if not wait:  # such a look is not shared: it must see what its caller wrote just now
                return await self._look(run, after, limit)
            signal = self.notifications.of(run)
            look = partial(self._look, run, after, limit)
            found = await self.notifications.waiters.look(run, (after, limit), look)
            left = min(give_up - loop.time(), LOOK)
            if found or left <= 0:
                return found
            try:
                async with asyncio.timeout(left):
                    await signal.wait()
            except TimeoutError:
                continue

    async def unfinished(self) -> list[Run]:
        ids = await self.client.call(lambda redis: redis.zrange(f"{self.prefix}live", 0, -1))
        return [run for each in ids if (run := await self.get(str(each))) and run.status in LIVE]

    async def prune(self, runs: int, size: int) -> int:
        return int(await self.do(scripts.PRUNE, ["ended"], [runs, size, self.prefix]))

    async def remember(self, result: Result, attempt: int, most: int) -> None:
        ours = f"results:{result.lab}"
        data = json.dumps(asdict(result))
        args: list[Any] = [result.run, attempt, most, result.machine, data, f"{self.prefix}{ours}:"]
        keys = [f"run:{result.run}", "results", ours, f"{ours}:{result.machine}", f"machines:{result.lab}"]
        _check(result.run, attempt, await self.do(scripts.REMEMBER, keys, args))

    async def results(
        self, lab: str, machine: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[Result]:
        numbers = f"results:{lab}" if machine is None else f"results:{lab}:{machine}"
        below = "+inf" if before is None else f"({before}"
        found = await self.do(scripts.RESULTS, ["results", numbers], [below, limit])
        return [Result(**json.loads(data) | {"number": int(number)}) for number, data in found]

    async def machines(self, lab: str) -> list[Machine]:
        found = await self.do(scripts.MACHINES, [f"machines:{lab}"], [f"{self.prefix}results:{lab}:"])
        made = [Machine(str(name), int(count), int(newest)) for name, count, newest in found]
        return sorted(made, key=lambda machine: -machine.newest)

    async def close(self) -> None:
        await self.notifications.close()

    async def _look(self, run: str, after: int, limit: int) -> list[Logged]:
        key = f"{self.prefix}log:{run}"
        found = await self.client.call(lambda redis: redis.xrange(key, f"{after + 1}-0", "+", count=limit))
        events = [(str(entry.identifier), entry.field_values) for entry in found]
        return [
            Logged(int(number.partition("-")[0]), str(values["kind"]), str(values["data"]))
            for number, values in events
        ]

    async def do(self, script: str, keys: list[str], args: list[Any]) -> Any:
        """Carry out a script on keys below the prefix: in turn, and even if its caller is cancelled meanwhile."""
        names = [self.prefix + key for key in keys]
        asking: Coroutine[Any, Any, Any] = self.client.call(lambda redis: redis.eval(script, names, args))
        task = asyncio.create_task(asking)
        task.add_done_callback(self._seen)
        return await asyncio.shield(task)

    def _seen(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled():
            error = task.exception()  # a caller that was cancelled will not come for it
            self.refused = error if isinstance(error, StoreAwayError) else None


def _check(run: str, attempt: int, done: Any) -> None:
    if done is None:
        raise FencedError(f"attempt {attempt} of run {run} is over")


def _flat(entries: Sequence[Entry]) -> list[str]:
    return [part for entry in entries for part in entry]


def _fields(run: Run) -> dict[str, str]:
    texts = {name: str(getattr(run, name)) for name in FIELDS}
    return texts | {
        "params": json.dumps(run.params),
        "created": repr(run.created),
        "ended": "" if run.ended is None else repr(run.ended),
    }


def _run(fields: dict[str, Any]) -> Run:
    return Run(
        **fields
        | {
            "params": json.loads(fields["params"]),
            "attempt": int(fields["attempt"]),
            "created": float(fields["created"]),
            "ended": float(fields["ended"]) if fields["ended"] else None,
            "head": int(fields["head"]),
            "excused": int(fields["excused"] or 0),
        }
    )
