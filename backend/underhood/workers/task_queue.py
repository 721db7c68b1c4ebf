"""How a run reaches a worker: streaQ, unmodified, one queue for each kind of device. Only the run's id travels."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from anyio import CancelScope, CapacityLimiter
from anyio.streams.memory import MemoryObjectSendStream
from coredis import Redis
from streaq import Worker
from streaq.constants import REDIS_GROUP

from underhood.runs.dispatch import beside

RUN, WAKE = "run", "wake"  # the tasks: execute a run; do nothing, which makes a worker look for what others left


def dumps(value: Any) -> str:
    """JSON and never pickle: who can write to Redis must not be able to run code here."""
    return json.dumps(value, default=str)


class TaskQueue(Worker[None]):
    """The queue of a device, for those who put runs in and, after ``serve``, for those who take them out.

    A delivery is a lease: its worker renews it; if that stops for ``lease`` seconds, another worker gets it.
    """

    def __init__(self, url: str, device: str, lease: float, slots: int = 1, drain: int = 0) -> None:
        super().__init__(
            redis_url=url,
            queue_name=f"underhood-{device}",
            concurrency=slots + beside(device, slots),
            serializer=dumps,
            deserializer=json.loads,
            idle_timeout=lease,
            grace_period=drain,
        )
        self.prefetch = slots  # take no run that would wait here while another worker is free
        self.slots, self.most, self.behind = slots, self.concurrency, 0
        self.limiter = CapacityLimiter(slots)  # streaQ's own, once it is there
        self.draining = False
        self.on_broken: Callable[[], None] = lambda: None

    async def put(self, run: str) -> None:
        """Have a run executed. Nothing changes if it is in the queue already, or being executed."""
        await self._put(RUN, run, run)

    async def wake(self) -> None:
        """If somebody's lease has run out, have a worker look. One that only waits looks once a lease."""
        key, lease = self.stream_key + self.priorities[0], self.idle_timeout
        redis: Redis[str] = self.redis  # type: ignore[assignment]  # not a cluster
        if await redis.xpending(key, REDIS_GROUP, start="-", end="+", count=1, idle=lease):
            await self._put(WAKE, WAKE)

    def serve(self, execute: Callable[[str], Awaitable[None]]) -> None:
        """Say what to do with a run's id once `run_async` is called."""

        async def wake() -> None:
            pass

        self.task(name=RUN, max_tries=None, ttl=0, silent=True)(execute)
        self.task(name=WAKE, max_tries=None, ttl=0, silent=True)(wake)

    @contextmanager
    def background(self) -> Iterator[None]:
        """While a run is in the background here, it holds no slot: one more is taken, up to all that can run."""
        self._fit(1)
        try:
            yield
        finally:
            self._fit(-1)

    def _fit(self, more: int) -> None:
        self.behind += more
        self.prefetch = min(self.slots + self.behind, self.most)
        self.limiter.total_tokens = self.prefetch

    async def signal_handler(self, scope: CancelScope) -> None:
        await super().signal_handler(scope)
        self.draining = True  # reached only when a signal came

    async def producer(self, queue: MemoryObjectSendStream[Any], limiter: Any, scope: CancelScope) -> None:
        self.limiter = limiter
        self._fit(0)
        try:
            await super().producer(queue, limiter, scope)
        finally:
            if not self.draining:
                self.on_broken()

    async def _put(self, name: str, task_id: str, *args: str) -> None:
        task = self.enqueue_unsafe(name, *args)
        task.id = task_id  # streaQ takes no second task of the same id until the first is done
        await task
