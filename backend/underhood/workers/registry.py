"""Which workers are alive: each announces itself again and again, and one that stops is forgotten."""

from __future__ import annotations

import json
import time
from typing import Any, NamedTuple

from underhood.runs.dispatch import NoWorkerError
from underhood.stores.redis import RedisStore

ALIVE = 15  # seconds that a worker counts as alive after its last heartbeat
DEVICES = ("cpu", "cuda")


class Capacity(NamedTuple):
    """What the workers of a device can take."""

    slots: int
    free: int
    seconds: float | None  # what a run takes, a moving average


class Registry:
    def __init__(self, store: RedisStore) -> None:
        self.client, self.prefix = store.client, store.prefix

    async def heartbeat(self, worker: dict[str, Any]) -> None:
        """Say that a worker is alive, and what it is doing."""
        key, expires = f"{self.prefix}worker:{worker['id']}", time.time() + ALIVE
        await self.client.call(lambda redis: redis.set(key, json.dumps(worker), ex=ALIVE))
        await self.client.call(lambda redis: redis.zadd(f"{self.prefix}workers", {worker["id"]: expires}))

    async def withdraw(self, worker: str) -> None:
        await self.client.call(lambda redis: redis.delete([f"{self.prefix}worker:{worker}"]))

    async def workers(self) -> list[dict[str, Any]]:
        """The last heartbeat of all that are alive."""
        index = f"{self.prefix}workers"
        await self.client.call(lambda redis: redis.zremrangebyscore(index, 0, time.time()))
        ids = await self.client.call(lambda redis: redis.zrange(index, 0, -1))
        if not ids:
            return []
        found = await self.client.call(lambda redis: redis.mget([f"{self.prefix}worker:{each}" for each in ids]))
        return [json.loads(each) for each in found if each]

    async def capacity(self, device: str) -> Capacity:
        """Raises ``NoWorkerError`` if no worker of the device is alive."""
        workers = [each for each in await self.workers() if each["device"] == device]
        if not workers:
            raise NoWorkerError(device)
        slots = sum(each["concurrency"] for each in workers)
        busy = sum(each["running"] for each in workers)
        return Capacity(slots, max(0, slots - busy), await self._seconds(device))

    async def took(self, device: str, seconds: float) -> None:
        """A run of the device took so long, which makes for better estimates."""
        known = await self._seconds(device)
        value = seconds if known is None else known + 0.2 * (seconds - known)
        await self.client.call(lambda redis: redis.set(f"{self.prefix}seconds:{device}", f"{value:.3f}"))

    async def _seconds(self, device: str) -> float | None:
        found = await self.client.call(lambda redis: redis.get(f"{self.prefix}seconds:{device}"))
        return float(found) if found else None
