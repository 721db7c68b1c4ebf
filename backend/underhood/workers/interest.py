"""Who wants a run: its other askers, its readers, and whether it is to be cancelled. Shared through Redis."""

from __future__ import annotations

import time

from underhood.stores.redis import RedisStore
from underhood.workers import scripts

READER = 30  # seconds that a reader counts after it was last seen; a web process may die with its readers


class Interest:
    def __init__(self, store: RedisStore) -> None:
        self.store, self.client, self.prefix = store, store.client, store.prefix

    async def join(self, run: str) -> None:
        """One more asks for the run."""
        key = f"{self.prefix}interest:{run}"
        await self.client.call(lambda redis: redis.hincrby(key, "others", 1))
        await self.client.call(lambda redis: redis.expire(key, scripts.KEEP_INTEREST))

    async def leave(self, run: str) -> bool:
        """One asker has moved on. Whether nobody else wants the run."""
        keys = [f"run:{run}", f"interest:{run}", f"readers:{run}"]
        return bool(await self.store.do(scripts.LEAVE, keys, [time.time()]))

    async def cancel(self, run: str, reason: str) -> tuple[str, int] | None:
        """Have the run cancelled. Its status and attempt, or None if it has ended or is being cancelled already."""
        found = await self.store.do(
            scripts.CANCEL, [f"run:{run}", f"interest:{run}", "notifications"], [run, reason]
        )
        return (str(found[0]), int(found[1])) if found else None

    async def cancelled(self, run: str) -> str | None:
        """The reason why the run is to be cancelled, if it is."""
        found = await self.client.call(lambda redis: redis.hget(f"{self.prefix}interest:{run}", "cancel"))
        return None if found is None else str(found)

    async def add_reader(self, run: str, reader: str) -> None:
        """The reader is there; to be said again before ``READER`` seconds are over."""
        key = f"{self.prefix}readers:{run}"
        await self.client.call(lambda redis: redis.zadd(key, {reader: time.time() + READER}))
        await self.client.call(lambda redis: redis.expire(key, 2 * READER))

    async def remove_reader(self, run: str, reader: str) -> None:
        await self.client.call(lambda redis: redis.zrem(f"{self.prefix}readers:{run}", [reader]))

    async def readers(self, run: str) -> int:
        key = f"{self.prefix}readers:{run}"
        return int(await self.client.call(lambda redis: redis.zcount(key, time.time(), "+inf")))
