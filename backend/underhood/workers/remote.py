"""Runs executed by workers. This process only asks for them, watches them, and restores what got lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any

from coredis.exceptions import RedisError
from labs.discover import Lab

from underhood.contract import validation
from underhood.runs.background import Background
from underhood.runs.dispatch import OWNER, Load, Reservation, device_of
from underhood.runs.engine import Engine
from underhood.settings import Settings
from underhood.stores.redis import RedisStore
from underhood.stores.redis_connection import RedisClient, unless_away
from underhood.stores.store import LIVE, FencedError, Run, StoreAwayError
from underhood.workers.admission import Admission
from underhood.workers.interest import Interest
from underhood.workers.presence import HEARTBEAT
from underhood.workers.registry import DEVICES, Registry
from underhood.workers.task_queue import TaskQueue

log = logging.getLogger("underhood.engine")

PATIENCE = 0.8  # seconds to put a run into its queue
REPAIR = 2.0  # seconds between looks for what got lost


class RemoteDispatch:
    """Made and used inside one event loop; any number of processes may have one on the same Redis."""

    def __init__(self, store: RedisStore, labs: Mapping[str, Lab], settings: Settings) -> None:
        self.store, self.labs, self.settings = store, labs, settings
        self.registry = Registry(store)
        self.admission, self.interest = Admission(store, self.registry), Interest(store, settings.redis_url)
        self.layers: list[str] = []
        self._queues: dict[str, TaskQueue] = {}  # those that are open
        self._coming: set[str] = set()  # runs that hold a place and are not in their queue yet
        self._ended: set[tuple[str, str]] = set()  # devices and runs that are in a queue and were not live
        self._stray: dict[str, float] = {}  # runs that no worker holds, and since when by our clock
        self._background = Background()

    async def start(self) -> None:
        for device in DEVICES:
            self._spawn(self._keep_open(device))
        self._spawn(self._keep_readers())
        self._spawn(self._keep_repairing())

    async def close(self) -> None:
        await self._background.cancel()

    @asynccontextmanager
    async def reserve(self, lab: Lab, device: str, run: str) -> AsyncIterator[Reservation]:
        place = await self.admission.admit(device, run, self.settings.queue)
        self._coming.add(run)
        try:
            yield place
        finally:
            if run in self._coming:  # it was not enqueued after all
                self._coming.discard(run)
                with contextlib.suppress(StoreAwayError):  # repaired later
                    await self._forget(device, run)

    async def enqueue(
        self, run: Run, device: str, place: Reservation, delay: float = 0.0, reader: str | None = None
    ) -> None:
        if reader is not None:
            await self.interest.join(run.id, reader)
        # A run is not delayed here: it would be lost with this process. On its way it takes a moment anyway.
        measures = self.labs[run.lab].measures
        await self.admission.enter(device, run.id, self.interest.alias(reader or OWNER), measures)
        await self._advance(device)
        self._coming.discard(run.id)

    async def join(self, run: Run, reader: str = OWNER) -> bool:
        if run.status not in LIVE:
            return True
        if await self.interest.cancelled(run.id) is None:
            await self.interest.join(run.id, reader)
            if run.status == "queued":  # the first to ask may have been refused between the store and the queue
                await self._deliver(run)
            return True
        patience = time.monotonic() + self.settings.limits.grace + 2 * self.settings.lease
        while (now := await self.store.get(run.id)) and now.status in LIVE and time.monotonic() < patience:
            await self.store.read(run.id, now.head, wait=0.5)
        return False

    async def leave(self, run: str, names: Sequence[str] = (OWNER,)) -> bool:
        return await self.interest.leave(run, names)

    async def cancel(self, run: str, reason: str) -> None:
        found = await self.interest.cancel(run, reason)
        if found and found[0] == "queued":
            with contextlib.suppress(FencedError):  # a worker was quicker, and has read the reason by now
                await self.store.end(run, found[1], "cancelled", reason)
            for device in DEVICES:
                await self._forget(device, run)

    @contextmanager
    def reading(self, run: str, reader: str = OWNER) -> Iterator[None]:
        self._spawn(self.interest.read(run, reader, 1))
        try:
            yield
        finally:
            self._spawn(self._left(run, reader))

    async def load(self) -> Load:
        workers = await self.registry.workers()
        self.layers = next((each["sandbox"] for each in workers), [])
        waiting = [len(await self.admission.waiting(device)) for device in DEVICES]
        return Load(sum(each["running"] for each in workers), sum(waiting))

    async def devices(self) -> list[dict[str, Any]]:
        hidden = ("runs", "sandbox", "pid")
        return [{k: v for k, v in each.items() if k not in hidden} for each in await self.registry.workers()]

    async def _left(self, run: str, reader: str) -> None:
        """One reader has gone. If nobody reads the run some time later, it is cancelled."""
        await self.interest.read(run, reader, -1)
        if (now := await self.store.get(run)) and now.status in LIVE:
            await asyncio.sleep(self.settings.abandoned)
            if not await self.interest.readers(run):
                await self.cancel(run, "Nobody was watching it any more.")

    async def _keep_readers(self) -> None:
        while True:
            with contextlib.suppress(StoreAwayError):
                await self.interest.repeat()
            await asyncio.sleep(HEARTBEAT)

    async def _keep_open(self, device: str) -> None:
        """Hold the queue of a device open, and open it anew once it was found broken."""
        while True:
            with contextlib.suppress(Exception):  # Redis is away
                async with TaskQueue(self.settings.redis_url, device, self.settings.lease) as queue:
                    self._queues[device] = queue
                    while device in self._queues:  # noqa: ASYNC110
                        await asyncio.sleep(0.1)
            await asyncio.sleep(0.2)

    async def _keep_repairing(self) -> None:
        while True:
            await asyncio.sleep(REPAIR)
            try:
                await self._repair()
            except StoreAwayError:
                continue
            except Exception:
                log.exception("looking for lost runs")

    async def _repair(self) -> None:
        """Put into their queue what was accepted and not delivered: a web process or Redis may have died between.

        Also lost is a run whose delivery was given back by a worker that had been thought dead and was not.
        """
        queues = {d: {*await self.admission.waiting(d), *await self.admission.called(d)} for d in DEVICES}
        runs = await self.store.unfinished()
        held = {run for worker in await self.registry.workers() for run in worker["runs"]}
        strays = {(d, run) for d, queue in queues.items() for run in queue - {run.id for run in runs}}
        for device, stray in strays & self._ended:  # one that was none the last time may only be on its way
            await self.admission.leave(device, stray)
        self._ended = strays
        now, known = time.monotonic(), self._stray
        lost = [run for run in runs if run.id not in held and run.id not in self._coming]
        self._stray = {run.id: known.get(run.id, now) for run in lost}
        for run in lost:
            if self._stray[run.id] < now:  # it was one the last time, too, and not only on its way
                await self._deliver_again(run)
        for device in DEVICES:
            await self._advance(device)

    async def _deliver_again(self, run: Run) -> None:
        if (reason := await self.interest.cancelled(run.id)) is None:
            await self._deliver(run)
        else:
            with contextlib.suppress(FencedError):
                await self.store.end(run.id, run.attempt, "cancelled", reason)

    async def _deliver(self, run: Run) -> None:
        """Nothing changes if the run waits for its turn, is on its way to a worker, or is being executed."""
        if lab := self.labs.get(run.lab):
            with contextlib.suppress(validation.ParameterError):
                device = device_of(lab, validation.validate(lab, run.params))
                if await self.admission.enter(device, run.id, OWNER, lab.measures):
                    await self._put(device, run.id)

    async def _forget(self, device: str, run: str) -> None:
        await self.admission.leave(device, run)
        await self._advance(device)

    async def _advance(self, device: str) -> None:
        await self.admission.advance(device, partial(self._put, device))

    async def _put(self, device: str, run: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while device not in self._queues:  # noqa: ASYNC110 - it is being opened again
                    await asyncio.sleep(0.02)
                await self._queues[device].put(run)
        except (RedisError, OSError, TimeoutError) as error:
            self._queues.pop(device, None)  # Redis may have lost the functions that streaQ put there
            raise StoreAwayError from error

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._background.spawn(unless_away(work))


@asynccontextmanager
async def opened(settings: Settings, labs: Mapping[str, Lab]) -> AsyncIterator[Engine]:
    """An engine whose runs are executed by workers."""
    client = RedisClient(settings.redis_url)
    store = RedisStore(client)
    dispatch = RemoteDispatch(store, labs, settings)
    await dispatch.start()
    try:
        yield Engine(store, labs, settings, dispatch)
    finally:
        await dispatch.close()
        await store.close()
        await client.close()
