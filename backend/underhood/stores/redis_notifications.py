"""What others have written: one blocking read of one short stream for the whole process, however many wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from underhood.stores.redis_connection import RedisClient
from underhood.stores.store import StoreAwayError
from underhood.stores.waiters import Waiters

BLOCK = 1.0  # seconds


class Notifications:
    """Each write adds one line to the stream: ``run <id>``, or ``cancel <id>`` for the worker that executes it."""

    def __init__(self, client: RedisClient, key: str) -> None:
        self._client, self._key = client, key
        self.waiters = Waiters()
        self._listener: asyncio.Task[None] | None = None
        self.on_cancel: Callable[[str], None] = lambda run: None

    def of(self, run: str) -> asyncio.Event:
        """Set when the run has changed, or when a change may have been missed. Take it before looking."""
        self.listen()
        return self.waiters.of(run)

    def listen(self) -> None:
        if self._listener is None:
            self._listener = asyncio.create_task(self._listen())

    async def close(self) -> None:
        if self._listener:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)

    async def _listen(self) -> None:
        after = ""
        while True:
            try:
                if not after:  # from now on; what came before is found by looking
                    newest = await self._client.call(lambda redis: redis.xrevrange(self._key, count=1))
                    after = str(newest[0].identifier) if newest else "0-0"
                    self.waiters.wake_all()
                after = await self._hear(after)
            except StoreAwayError:
                after = ""  # it may come back without what it had, and count from a lower number
                await asyncio.sleep(0.2)

    async def _hear(self, after: str) -> str:
        milliseconds = int(BLOCK * 1000)
        found = await self._client.wait(
            lambda redis: redis.xread({self._key: after}, count=1000, block=milliseconds), BLOCK
        )
        for entry in (found or {}).get(self._key, ()):
            after = str(entry.identifier)
            for kind, run in entry.field_values.items():
                if kind == "cancel":
                    self.on_cancel(str(run))
                else:
                    self.waiters.wake(str(run))
        return after
