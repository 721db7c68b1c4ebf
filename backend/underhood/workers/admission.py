"""The lines of those who wait, and the workers that shorten them, as Redis knows them."""

from __future__ import annotations

import json
import time
from typing import Any, NamedTuple

from underhood.runs.dispatch import NoWorkerError, Place, QueueFullError, guess
from underhood.stores.redis import RedisStore
from underhood.workers import scripts

ALIVE = 15  # seconds that a worker counts as alive after it has last announced itself
DEVICES = ("cpu", "cuda")


class Room(NamedTuple):
    """What the workers of a device can take."""

    places: int
    free: int
    seconds: float | None  # what a run takes, a moving average


class Line:
    def __init__(self, store: RedisStore) -> None:
        self.store, self.link, self.prefix = store, store.link, store.prefix

    async def announce(self, worker: dict[str, Any]) -> None:
        """Say that a worker is alive, and what it is doing."""
        key, expires = f"{self.prefix}worker:{worker['id']}", time.time() + ALIVE
        await self.link.call(lambda redis: redis.set(key, json.dumps(worker), ex=ALIVE))
        await self.link.call(lambda redis: redis.zadd(f"{self.prefix}workers", {worker["id"]: expires}))

    async def withdraw(self, worker: str) -> None:
        await self.link.call(lambda redis: redis.delete([f"{self.prefix}worker:{worker}"]))

    async def workers(self) -> list[dict[str, Any]]:
        """The announcements of all that are alive."""
        index = f"{self.prefix}workers"
        await self.link.call(lambda redis: redis.zremrangebyscore(index, 0, time.time()))
        ids = await self.link.call(lambda redis: redis.zrange(index, 0, -1))
        if not ids:
            return []
        found = await self.link.call(lambda redis: redis.mget([f"{self.prefix}worker:{each}" for each in ids]))
        return [json.loads(each) for each in found if each]

    async def room(self, device: str) -> Room:
        """Raises ``NoWorkerError`` if no worker of the device is alive."""
        workers = [each for each in await self.workers() if each["device"] == device]
        if not workers:
            raise NoWorkerError(device)
        places = sum(each["concurrency"] for each in workers)
        busy = sum(each["running"] for each in workers)
        return Room(places, max(0, places - busy), await self._seconds(device))

    async def admit(self, device: str, run: str, most: int) -> Place:
        """A place at the end of the line. Raises ``NoWorkerError``, or ``QueueFullError`` if so many wait."""
        room = await self.room(device)
        ahead = await self.store.do(scripts.ADMIT, [f"waiting:{device}"], [run, most + room.free])
        if ahead is None:
            raise QueueFullError((room.seconds or 1.0) * most / room.places)
        if ahead < room.free:
            return Place(0, 0.0)
        position = int(ahead) - room.free
        care = f"{self.prefix}care:{run}"
        await self.link.call(lambda redis: redis.hset(care, {"position": position}))
        await self.link.call(lambda redis: redis.expire(care, scripts.CARE))
        return Place(position, guess(room.seconds, position, room.places))

    async def leave(self, device: str, run: str) -> None:
        """The run waits no longer; tell the others."""
        key = f"waiting:{device}"
        if await self.link.call(lambda redis: redis.zrem(f"{self.prefix}{key}", [run])):
            try:
                room = await self.room(device)
            except NoWorkerError:
                return
            args = [self.prefix, room.free, room.places, "" if room.seconds is None else room.seconds]
            await self.store.do(scripts.ADVANCE, [key, "news"], args)

    async def waiting(self, device: str) -> list[str]:
        found = await self.link.call(lambda redis: redis.zrange(f"{self.prefix}waiting:{device}", 0, -1))
        return [str(each) for each in found]

    async def took(self, device: str, seconds: float) -> None:
        """A run of the device took so long, which makes for better guesses."""
        known = await self._seconds(device)
        value = seconds if known is None else known + 0.2 * (seconds - known)
        await self.link.call(lambda redis: redis.set(f"{self.prefix}seconds:{device}", f"{value:.3f}"))

    async def _seconds(self, device: str) -> float | None:
        found = await self.link.call(lambda redis: redis.get(f"{self.prefix}seconds:{device}"))
        return float(found) if found else None
