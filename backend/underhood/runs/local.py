"""Runs executed by this process, as many at once as there is room for; the others wait in line."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from labs.discover import Lab

from underhood.contract import validation
from underhood.machine.devices import describe
from underhood.machine.provenance import has_cuda, machine
from underhood.processes.supervisor import Outcome
from underhood.runs.background import Background
from underhood.runs.device_queue import Lane, Live
from underhood.runs.dispatch import Load, NoWorkerError, Place, device_of
from underhood.runs.executor import Executor
from underhood.settings import Settings
from underhood.stores.store import FencedError, Run, Store

log = logging.getLogger("underhood.engine")


class LocalDispatch:
    """Made and used inside one event loop. It must be the only one that executes runs of its store."""

    def __init__(self, store: Store, labs: Mapping[str, Lab], settings: Settings) -> None:
        self.store, self.labs, self.settings = store, labs, settings
        self.executor = Executor(store, labs, settings)
        self.processes = self.executor.processes
        self.live: dict[str, Live] = {}
        self.lanes = {"cpu": Lane("cpu", settings.concurrency, settings.queue)}
        self._background = Background()
        self._closing = False

    @property
    def layers(self) -> list[str]:
        return self.processes.layers

    async def start(self) -> None:
        """Load the forkserver in the background, and take up what an earlier server left unfinished."""
        self.processes.start()
        if await asyncio.to_thread(has_cuda):
            # One run at a time on a GPU: two would spoil each other's memory and timings.
            self.lanes["cuda"] = Lane("cuda", 1, self.settings.queue)
            await asyncio.to_thread(machine, "cuda")  # asks the driver, once
        for run in await self.store.unfinished():
            await self._recover(run)

    async def close(self) -> None:
        """Stop every process. Runs keep their place in the store, so the next server takes them up."""
        self._closing = True
        tasks = [live.task for live in self.live.values() if live.task]
        for task in tasks:
            task.cancel()
        await self.processes.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._background.finish()

    @asynccontextmanager
    async def place(self, lab: Lab, device: str, run: str) -> AsyncIterator[Place]:
        with self._lane(device).place(lab.measures) as place:
            yield place

    async def enqueue(self, run: Run, device: str, place: Place, hold: float = 0.0) -> None:
        lane = self._lane(device)
        cancelled: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        live = self.live[run.id] = Live(run, lane, self.labs[run.lab].measures, cancelled, position=place.position)
        if hold:
            lane.hold(live, hold, lambda: self._advance(lane))
            return
        lane.waiting.append(live)
        self._advance(lane)

    async def join(self, run: Run) -> bool:
        if live := self.live.get(run.id):
            if live.cancelled.done():
                await live.done.wait()
                return False
            live.askers += 1
            live.stay()
        return True

    async def supersede(self, run: str) -> bool:
        if live := self.live.get(run):
            live.askers -= 1
            if live.askers <= 0 and live.readers <= 1:  # the one reader is the asker's own stream
                self._background.spawn(self.cancel(run, "Newer parameters took its place."))
                return True
        return False

    async def cancel(self, run: str, reason: str) -> None:
        live = self.live.get(run)
        if live is None or live.cancelled.done():
            return
        live.cancelled.set_result(reason)
        if live.task is None:
            live.lane.drop(live)
            self.executor.tell(live.run, "cancelled", 0.0)
            live.task = self._background.spawn(self._end(live, live.run.attempt, Outcome("cancelled", reason)))
            self._advance(live.lane)
            await asyncio.shield(live.task)

    @contextmanager
    def reading(self, run: str) -> Iterator[None]:
        live = self.live.get(run)
        if live is None:
            yield
            return
        live.readers += 1
        live.stay()
        try:
            yield
        finally:
            live.readers -= 1
            if live.readers == 0 and not live.done.is_set() and not self._closing:
                loop = asyncio.get_running_loop()
                live.leaving = loop.call_later(self.settings.abandoned, self._abandon, run)

    async def load(self) -> Load:
        lanes = self.lanes.values()
        return Load(sum(lane.running for lane in lanes), sum(len(lane.waiting) for lane in lanes))

    async def devices(self) -> list[dict[str, Any]]:
        return [
            await asyncio.to_thread(describe, device) | {"concurrency": lane.places, "running": lane.running}
            for device, lane in self.lanes.items()
        ]

    def _lane(self, device: str) -> Lane:
        if lane := self.lanes.get(device):
            return lane
        raise NoWorkerError(device)

    def _abandon(self, run: str) -> None:
        self._background.spawn(self.cancel(run, "Nobody was watching it any more."))

    def _advance(self, lane: Lane) -> None:
        """Start what there is room for, and tell the others how the line has moved."""
        while not self._closing and (live := lane.next()):
            live.task = asyncio.create_task(self._execute(live))
        for live in lane.moved():
            self._background.spawn(self._tell_position(live))

    async def _tell_position(self, live: Live) -> None:
        place = Place(live.position, live.lane.wait(live.position))
        with suppress(FencedError):  # it has started in the meantime
            await self.store.append(live.run.id, live.run.attempt, [place.queued()])

    async def _execute(self, live: Live) -> None:
        began = time.monotonic()
        run, device = live.run, live.lane.device
        try:
            attempt = await self.executor.begin(run, device)
            outcome = await self.executor.run(run, attempt, device, live.cancelled)
            await self._end(live, attempt.number, outcome)
        except FencedError as fenced:
            log.warning("%s", fenced)
        except Exception:  # the store has failed, say: nobody else would hear of it
            log.exception("run %s of %s", run.id, run.lab, extra={"facts": {"run": run.id, "lab": run.lab}})
        finally:
            live.lane.left(time.monotonic() - began)
            self._gone(live)
            self._advance(live.lane)

    async def _end(self, live: Live, attempt: int, outcome: Outcome) -> None:
        try:
            await self.store.end(live.run.id, attempt, outcome.status, outcome.reason)
        finally:
            self._gone(live)
        self._background.spawn(self.executor.prune())  # nobody waits for it

    def _gone(self, live: Live) -> None:
        self.live.pop(live.run.id, None)
        live.stay()
        live.done.set()

    async def _recover(self, run: Run) -> None:
        reason = self.executor.refusal(run)
        if reason is None:
            lab = self.labs[run.lab]
            try:
                lane = self._lane(device_of(lab, validation.validate(lab, run.params)))
            except NoWorkerError as error:
                reason = str(error)
            else:
                place = Place(position := len(lane.waiting), lane.wait(position))
                await self.store.append(run.id, run.attempt, [place.queued()])
                await self.enqueue(run, lane.device, place)
                return
        await self.store.end(run.id, run.attempt, "failed", reason)
