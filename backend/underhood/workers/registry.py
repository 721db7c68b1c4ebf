"""Which workers are alive, and what they can take."""

from __future__ import annotations

from typing import Any, NamedTuple

from underhood.runs.dispatch import NoWorkerError, beside
from underhood.stores.redis import RedisStore
from underhood.workers.presence import Presence

DEVICES = ("cpu", "cuda")


class Capacity(NamedTuple):
    """What the workers of a device can take."""

    slots: int
    beside: int  # runs in the background that may be there
    seconds: float | None  # what a run takes, a moving average


class Registry:
    def __init__(self, store: RedisStore) -> None:
        self.client, self.prefix = store.client, store.prefix
        self.presence = Presence(store.client, f"{store.prefix}alive:workers")

    async def heartbeat(self, worker: dict[str, Any]) -> None:
        """Say that a worker is alive, and what it is doing."""
        await self.presence.say(worker["id"], worker)

    async def withdraw(self, worker: str) -> None:
        await self.presence.leave(worker)

    async def workers(self) -> list[dict[str, Any]]:
        """What each worker said last that is alive."""
        return [*(await self.presence.alive()).values()]

    async def capacity(self, device: str) -> Capacity:
        """Raises ``NoWorkerError`` if no worker of the device is alive."""
        workers = [each for each in await self.workers() if each["device"] == device]
        if not workers:
            raise NoWorkerError(device)
        slots = [each["concurrency"] for each in workers]
        return Capacity(sum(slots), sum(beside(device, each) for each in slots), await self._seconds(device))

    async def took(self, device: str, seconds: float) -> None:
        """A run of the device took so long, which makes for better estimates."""
        known = await self._seconds(device)
        value = seconds if known is None else known + 0.2 * (seconds - known)
        await self.client.call(lambda redis: redis.set(f"{self.prefix}seconds:{device}", f"{value:.3f}"))

    async def _seconds(self, device: str) -> float | None:
        found = await self.client.call(lambda redis: redis.get(f"{self.prefix}seconds:{device}"))
        return float(found) if found else None
