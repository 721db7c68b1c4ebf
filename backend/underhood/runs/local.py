"""Runs executed by this process, as many at once as there is room for; the others wait in a queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from labs.discover import Lab

from underhood.contract import validation
from underhood.machine.devices import describe
from underhood.machine.provenance import has_cuda, machine
from underhood.processes.supervisor import Outcome
from underhood.runs.background import Background
from underhood.runs.device_queue import DeviceQueue, LiveRun
from underhood.runs.dispatch import OWNER, Load, NoWorkerError, Reservation, beside, device_of
from underhood.runs.executor import Executor
from underhood.runs.metrics import Metrics
from underhood.settings import Settings
from underhood.stores.store import LIVE, FencedError, Run, Status, Store, StoreAwayError

log = logging.getLogger("underhood.engine")

AGAIN = 1.0  # seconds until a run's end is written again that the store would not take
LOST = "The server could not keep what this run sent, so it was stopped. Run it again."


class LocalDispatch:
    """Made and used inside one event loop. It must be the only one that executes runs of its store."""

    def __init__(self, store: Store, labs: Mapping[str, Lab], settings: Settings, metrics: Metrics) -> None:
        self.store, self.labs, self.settings = store, labs, settings
        self.executor = Executor(store, labs, settings, metrics)
        self.spawner = self.executor.spawner
        self.live: dict[str, LiveRun] = {}
        slots = settings.concurrency
        self.queues = {"cpu": DeviceQueue("cpu", slots, settings.queue, beside("cpu", slots))}
        self._background = Background()
        self._closing = False

    @property
    def layers(self) -> list[str]:
        return self.spawner.layers

    async def start(self) -> None:
        """Load the forkserver in the background, and take up what an earlier server left unfinished."""
        self.spawner.start()
        await self.spawner.probed()
        if await asyncio.to_thread(has_cuda):
            # One run at a time on a GPU: two would spoil each other's memory and timings.
            self.queues["cuda"] = DeviceQueue("cuda", 1, self.settings.queue)
            await asyncio.to_thread(machine, "cuda")  # asks the driver, once
        for run in await self.store.unfinished():
            await self._recover(run)

    async def close(self) -> None:
        """Stop every process. Runs keep their place in the store, so the next server takes them up."""
        self._closing = True
        tasks = [live.task for live in self.live.values() if live.task]
        for task in tasks:
            task.cancel()
        await self.spawner.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._background.finish()

    @asynccontextmanager
    async def reserve(self, lab: Lab, device: str, run: str) -> AsyncIterator[Reservation]:
        with self._queue(device).reserve(lab.measures) as place:
            yield place

    async def enqueue(
        self, run: Run, device: str, place: Reservation, delay: float = 0.0, reader: str | None = None
    ) -> None:
        queue = self._queue(device)
        cancelled: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        live = self.live[run.id] = LiveRun(
            run, reader or OWNER, queue, self.labs[run.lab].measures, cancelled, position=place.position
        )
        if reader is not None:
            live.askers[reader] += 1
        if delay:
            queue.append_later(live, delay, lambda: self._advance(queue))
            return
        queue.append(live)
        self._advance(queue)

    async def join(self, run: Run, reader: str = OWNER) -> bool:
        if live := self.live.get(run.id):
            if live.cancelled.done():
                await live.done.wait()
                return False
            live.askers[reader] += 1
            live.keep()
        elif run.status in LIVE:
            await self._end_stray(run, "failed", LOST)
            return False
        return True

    async def leave(self, run: str, names: Sequence[str] = (OWNER,)) -> bool:
        if live := self.live.get(run):
            return live.cancelled.done() or live.leave(names)
        found = await self.store.get(run)
        return found is not None and found.status in LIVE  # and nobody executes it

    async def cancel(self, run: str, reason: str) -> None:
        live = self.live.get(run)
        if live is None:
            if (found := await self.store.get(run)) and found.status in LIVE:
                await self._end_stray(found, "cancelled", reason)
            return
        if live.cancelled.done():
            return
        live.cancelled.set_result(reason)
        if live.task is None:
            live.queue.remove(live)
            self.executor.report_end(live.run, "cancelled", 0.0)
            live.task = self._background.spawn(self._end(live, live.run.attempt, Outcome("cancelled", reason)))
            self._advance(live.queue)
            await asyncio.wait({live.task}, timeout=AGAIN)

    @contextmanager
    def reading(self, run: str, reader: str = OWNER) -> Iterator[None]:
        live = self.live.get(run)
        if live is None:
            yield
            return
        live.readers[reader] += 1
        live.keep()
        try:
            yield
        finally:
            live.readers[reader] -= 1
            if not live.readers.total() and not live.done.is_set() and not self._closing:
                loop = asyncio.get_running_loop()
                live.abandoning = loop.call_later(self.settings.abandoned, self._abandon, run)

    async def load(self) -> Load:
        queues = self.queues.values()
        return Load(sum(queue.running.total() for queue in queues), sum(len(queue.waiting) for queue in queues))

    async def devices(self) -> list[dict[str, Any]]:
        return [
            await asyncio.to_thread(describe, device)
            | {"concurrency": queue.slots, "running": queue.running.total()}
            for device, queue in self.queues.items()
        ]

    def _queue(self, device: str) -> DeviceQueue:
        if queue := self.queues.get(device):
            return queue
        raise NoWorkerError(device)

    def _abandon(self, run: str) -> None:
        self._background.spawn(self.cancel(run, "Nobody was watching it any more."))

    def _advance(self, queue: DeviceQueue) -> None:
        """Start what there is room for, and tell the others how the queue has moved."""
        while not self._closing and (live := queue.take()):
            live.task = asyncio.create_task(self._execute(live))
        for live in queue.moved():
            self._background.spawn(self._tell_position(live))

    async def _tell_position(self, live: LiveRun) -> None:
        place = live.queue.reservation(live.position)
        with suppress(FencedError, StoreAwayError):  # it has started in the meantime, or is told the next time
            await self.store.append(live.run.id, live.run.attempt, [place.queued()])

    async def _execute(self, live: LiveRun) -> None:
        used = 0.0
        run, device, number = live.run, live.queue.device, live.run.attempt
        try:
            attempt = await self.executor.begin(run, device)
            number = attempt.number
            outcome = await self.executor.run(run, attempt, device, live.cancelled, live.background)
            used = outcome.seconds
            await self._end(live, number, outcome)
        except FencedError as fenced:
            log.warning("%s", fenced)
        except StoreAwayError:
            await self._end(live, number, Outcome("failed", LOST))
        except Exception:  # a mistake of ours: nobody else would hear of it
            log.exception("run %s of %s", run.id, run.lab, extra={"facts": {"run": run.id, "lab": run.lab}})
            await self._end(live, number, Outcome("failed", "The server could not run the lab. Its log says why."))
        finally:
            live.queue.release(live, used)
            self._gone(live)
            self._advance(live.queue)

    async def _end(self, live: LiveRun, attempt: int, outcome: Outcome) -> None:
        """Write how a run ended. A store that is away or full is asked until it takes it.

        The run is live till then, and holds its slot, since another one could keep nothing either.
        """
        try:
            while not self._closing:  # the next server takes it up
                try:
                    await self.store.end(live.run.id, attempt, outcome.status, outcome.reason)
                    break
                except StoreAwayError:
                    await asyncio.sleep(AGAIN)
        finally:
            self._gone(live)
        self._background.spawn(self._prune())  # nobody waits for it

    async def _end_stray(self, run: Run, status: Status, reason: str) -> None:
        """End a run that the store calls live and that nobody executes."""
        with suppress(FencedError):  # it has ended since it was looked up
            await self.store.end(run.id, run.attempt, status, reason)

    async def _prune(self) -> None:
        with suppress(StoreAwayError):  # after the next run, then
            await self.executor.prune()

    def _gone(self, live: LiveRun) -> None:
        self.live.pop(live.run.id, None)
        live.keep()
        live.done.set()

    async def _recover(self, run: Run) -> None:
        reason = self.executor.refusal(run)
        if reason is None:
            lab = self.labs[run.lab]
            try:
                queue = self._queue(device_of(lab, validation.validate(lab, run.params)))
            except NoWorkerError as error:
                reason = str(error)
            else:
                place = queue.reservation(len(queue.waiting))
                with suppress(StoreAwayError):
                    await self.store.append(run.id, run.attempt, [place.queued()])
                await self.enqueue(run, queue.device, place)
                return
        with suppress(StoreAwayError):  # the next request for it ends it
            await self._end_stray(run, "failed", reason)
