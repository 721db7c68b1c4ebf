"""How many runs may wait for the workers of a device, whose turn it is, and at which position the others are.

Readers take turns as in a queue of this machine alone (see ``runs/device_queue.py``), but the order lies in Redis.
What lies before the workers is first come, first served; so a run is put there only once there is a slot for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from underhood.runs import device_queue
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
        keys = [*_keys(device, "waiting", "called"), f"interest:{run}"]
        ahead = await self.store.do(scripts.ADMIT, keys, [run, most, capacity.slots])
        if ahead is None:
            raise QueueFullError((capacity.seconds or 1.0) * most / capacity.slots)
        if ahead < 0:
            return Reservation(0, 0.0)
        return Reservation(int(ahead), estimated_wait(capacity.seconds, int(ahead), capacity.slots))

    async def enter(self, device: str, run: str, reader: str, measures: bool) -> bool:
        """Have a run that is in the store called in its reader's turn. Whether it has been called already."""
        keys = [*_keys(device, "waiting", "called", "used", "turn"), f"interest:{run}"]
        return bool(await self.store.do(scripts.ENTER, keys, [run, reader, int(measures)]))

    async def advance(self, device: str, put: Callable[[str], Awaitable[None]]) -> None:
        """Put those before the workers for whom there are slots, and tell the others where they are now.

        Done when a run has come or ended. If it fails half way, the runs are found to be lost.
        """
        try:
            capacity = await self.registry.capacity(device)
        except NoWorkerError:
            return
        seconds = "" if capacity.seconds is None else capacity.seconds
        fairness = [capacity.beside, device_queue.FAR_S, device_queue.LATELY_S, device_queue.EVEN_S]
        keys = [*_keys(device, "waiting", "called", "used", "turn", "recent"), "notifications"]
        for run in await self.store.do(scripts.CALL, keys, [self.prefix, capacity.slots, seconds, *fairness]):
            await put(str(run))

    async def take(self, device: str, run: str) -> bool:
        """A worker executes the run. Whether it does so in the background."""
        keys = [*_keys(device, "waiting", "called"), f"interest:{run}"]
        return bool(await self.store.do(scripts.TAKE, keys, [run]))

    async def leave(self, device: str, run: str, seconds: float = 0.0) -> None:
        """The run has ended, after so many seconds of executing, or will not come."""
        keys = _keys(device, "waiting", "called", "used", "recent")
        await self.store.do(scripts.LEAVE_QUEUE, keys, [run, seconds, device_queue.LATELY_S])

    async def waiting(self, device: str) -> list[str]:
        """Those whose turn has not come."""
        found = await self.client.call(lambda redis: redis.zrange(f"{self.prefix}waiting:{device}", 0, -1))
        return [str(each) for each in found]

    async def called(self, device: str) -> list[str]:
        """Those whose turn has come and that are not known to have ended."""
        found = await self.client.call(lambda redis: redis.hkeys(f"{self.prefix}called:{device}"))
        return [str(each) for each in found]


def _keys(device: str, *names: str) -> list[str]:
    return [f"{name}:{device}" for name in names]
