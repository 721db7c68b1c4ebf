"""Who cares about a run: its other askers, its readers, and whether it is to be cancelled. Shared through Redis."""

from __future__ import annotations

import time

from underhood.stores.redis import RedisStore
from underhood.workers import scripts

READER = 30  # seconds that a reader counts after it was last seen; a web process may die with its readers


class Care:
    def __init__(self, store: RedisStore) -> None:
        self.store, self.link, self.prefix = store, store.link, store.prefix

    async def join(self, run: str) -> None:
        """One more asks for the run."""
        key = f"{self.prefix}care:{run}"
        await self.link.call(lambda redis: redis.hincrby(key, "others", 1))
        await self.link.call(lambda redis: redis.expire(key, scripts.CARE))

    async def left(self, run: str) -> bool:
        """One asker has moved on. Whether nobody else wants the run."""
        keys = [f"run:{run}", f"care:{run}", f"readers:{run}"]
        return bool(await self.store.do(scripts.LEAVE, keys, [time.time()]))

    async def cancel(self, run: str, reason: str) -> tuple[str, int] | None:
        """Have the run cancelled. Its status and attempt, or None if it has ended or is being cancelled already."""
        found = await self.store.do(scripts.CANCEL, [f"run:{run}", f"care:{run}", "news"], [run, reason])
        return (str(found[0]), int(found[1])) if found else None

    async def cancelled(self, run: str) -> str | None:
        """The reason why the run is to be cancelled, if it is."""
        found = await self.link.call(lambda redis: redis.hget(f"{self.prefix}care:{run}", "cancel"))
        return None if found is None else str(found)

    async def read(self, run: str, reader: str) -> None:
        """The reader is there; to be said again before ``READER`` seconds are over."""
        key = f"{self.prefix}readers:{run}"
        await self.link.call(lambda redis: redis.zadd(key, {reader: time.time() + READER}))
        await self.link.call(lambda redis: redis.expire(key, 2 * READER))

    async def unread(self, run: str, reader: str) -> None:
        await self.link.call(lambda redis: redis.zrem(f"{self.prefix}readers:{run}", [reader]))

    async def readers(self, run: str) -> int:
        key = f"{self.prefix}readers:{run}"
        return int(await self.link.call(lambda redis: redis.zcount(key, time.time(), "+inf")))
