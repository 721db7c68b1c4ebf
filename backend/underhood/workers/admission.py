"""How many runs may wait for the workers of a device, and at which position each of them is."""

from __future__ import annotations

from underhood.runs.dispatch import NoWorkerError, QueueFullError, Reservation, estimated_wait
from underhood.stores.redis import RedisStore
from underhood.workers import scripts
from underhood.workers.registry import Registry


class Admission:
    def __init__(self, store: RedisStore, registry: Registry) -> None:
        self.store, self.registry = store, registry
        self.client, self.prefix = store.client, store.prefix

    async def admit(self, device: str, run: str, most: int) -> Reservation:
        """A place at the end of the queue. Raises ``NoWorkerError``, or ``QueueFullError`` if so many wait."""
        capacity = await self.registry.capacity(device)
        ahead = await self.store.do(scripts.ADMIT, [f"waiting:{device}"], [run, most + capacity.free])
        if ahead is None:
            raise QueueFullError((capacity.seconds or 1.0) * most / capacity.slots)
        if ahead < capacity.free:
            return Reservation(0, 0.0)
        position = int(ahead) - capacity.free
        interest = f"{self.prefix}interest:{run}"
        await self.client.call(lambda redis: redis.hset(interest, {"position": position}))
        await self.client.call(lambda redis: redis.expire(interest, scripts.KEEP_INTEREST))
        return Reservation(position, estimated_wait(capacity.seconds, position, capacity.slots))

    async def leave(self, device: str, run: str) -> None:
        """The run waits no longer; let the others know."""
        key = f"waiting:{device}"
        if await self.client.call(lambda redis: redis.zrem(f"{self.prefix}{key}", [run])):
            try:
                capacity = await self.registry.capacity(device)
            except NoWorkerError:
                return
            seconds = "" if capacity.seconds is None else capacity.seconds
            args = [self.prefix, capacity.free, capacity.slots, seconds]
            await self.store.do(scripts.ADVANCE, [key, "notifications"], args)

    async def waiting(self, device: str) -> list[str]:
        found = await self.client.call(lambda redis: redis.zrange(f"{self.prefix}waiting:{device}", 0, -1))
        return [str(each) for each in found]
