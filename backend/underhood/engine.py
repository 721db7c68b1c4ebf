"""Runs: asked for, shared, queued, executed, cancelled, taken up again after a restart.

A run that nobody watches any more is cancelled after ``Settings.abandoned`` seconds. One that nobody has watched
yet is not: whoever asked may come for the result later, and the time limit bounds the cost.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import json
import logging
import secrets
import time
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from labs.discover import Lab

from underhood import contract
from underhood.lanes import Lane, Live
from underhood.processes import Processes
from underhood.provenance import has_cuda, machine, provenance
from underhood.settings import Settings
from underhood.store import LIVE, Entry, FencedError, Run, Status, Store
from underhood.supervisor import Outcome, Sink, supervise

log = logging.getLogger("underhood.engine")


class UnknownLabError(LookupError):
    """No lab of that name; the message offers the nearest one."""


class NoWorkerError(Exception):
    """No machine that the lab needs is alive."""


class Engine:
    """Runs labs on this machine. Made and used inside one event loop."""

    def __init__(self, store: Store, labs: Mapping[str, Lab], settings: Settings) -> None:
        self.store = store
        self.labs = labs
        self.settings = settings
        self.processes = Processes([*settings.preload, *sorted(lab.module for lab in labs.values())])
        self.live: dict[str, Live] = {}
        self.lanes = {"cpu": Lane("cpu", settings.concurrency, settings.queue)}
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by run key
        self._background: set[asyncio.Task[None]] = set()
        self._closing = False

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
        await asyncio.gather(*self._background, return_exceptions=True)

    @property
    def waiting(self) -> int:
        return sum(len(lane.waiting) for lane in self.lanes.values())

    @property
    def running(self) -> int:
        return sum(lane.running for lane in self.lanes.values())

    async def submit(self, name: str, values: dict[str, Any], supersedes: str | None = None) -> tuple[Run, bool]:
        """A run of that lab with those parameters, and whether it is new.

        Raises ``UnknownLabError``, ``ParameterError``, ``NoWorkerError`` or ``QueueFullError``. The run that this
        one supersedes is given up unless the request itself was wrong.
        """
        lab = self._lab(name)
        params = contract.validate(lab, values)
        lane = self._lane(lab, params)
        plain = contract.canonical(params)
        key = run_key(lab, plain)
        reuse: frozenset[Status] = LIVE if lab.measures else LIVE | {"ok"}
        # One at a time for each key: the others find what the first has made, and take no place in the queue.
        async with self._asking.setdefault(key, asyncio.Lock()):
            while found := await self.store.find(key, reuse):
                if await self._join(found):
                    break
            if supersedes and not (found and found.id == supersedes):
                self.supersede(supersedes)
            if found:
                return found, False
            with lane.place() as position:
                run = Run(
                    id=secrets.token_hex(8),
                    key=key,
                    lab=lab.id,
                    version=lab.version,
                    params=plain,
                    created=time.time(),
                )
                await self.store.create(run, reuse, [Entry.of("queued", position=position)])
            self._enqueue(run, lab, lane, position)
            return run, True

    async def cancel(self, run: str, reason: str = "It was cancelled.") -> None:
        """End a run that has not ended. A running one is told and ends within its grace; a waiting one ends now."""
        live = self.live.get(run)
        if live is None or live.cancelled.done():
            return
        live.cancelled.set_result(reason)
        if live.task is None:
            live.lane.waiting.remove(live)
            live.task = self._spawn(self._end(live, live.run.attempt, Outcome("cancelled", reason)))
            self._advance(live.lane)
            await asyncio.shield(live.task)

    def supersede(self, run: str) -> None:
        """One asker of the run has moved on; without another asker or reader it is cancelled."""
        if live := self.live.get(run):
            live.askers -= 1
            if live.askers <= 0 and live.readers <= 1:  # the one reader is the asker's own stream
                self._spawn(self.cancel(run, "Newer parameters took its place."))

    @contextmanager
    def reading(self, run: str) -> Iterator[None]:
        """For as long as somebody reads the run's events."""
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

    def _abandon(self, run: str) -> None:
        self._spawn(self.cancel(run, "Nobody was watching it any more."))

    def _lab(self, name: str) -> Lab:
        if lab := self.labs.get(name):
            return lab
        near = difflib.get_close_matches(name, self.labs, n=1, cutoff=0.5)
        raise UnknownLabError(
            f"There is no lab called {name[:80]}." + (f" Did you mean {near[0]}?" if near else "")
        )

    def _lane(self, lab: Lab, params: Any) -> Lane:
        device = getattr(params, "device", None) or ("cuda" if lab.runs_on == ("cuda",) else "cpu")
        if lane := self.lanes.get(device):
            return lane
        raise NoWorkerError(f"No {device} worker is alive, so {lab.id} cannot run on {device} here.")

    async def _join(self, found: Run) -> bool:
        """Count one more asker. False if the run is on its way to being cancelled, once it is gone."""
        if live := self.live.get(found.id):
            if live.cancelled.done():
                await live.done.wait()
                return False
            live.askers += 1
            live.stay()
        return True

    def _enqueue(self, run: Run, lab: Lab, lane: Lane, position: int) -> None:
        live = Live(run, lab, lane, asyncio.get_running_loop().create_future(), position=position)
        self.live[run.id] = live
        lane.waiting.append(live)
        self._advance(lane)

    def _advance(self, lane: Lane) -> None:
        """Start what there is room for, and tell the others how the line has moved."""
        while not self._closing and (live := lane.next()):
            live.task = asyncio.create_task(self._execute(live))
        for live in lane.moved():
            self._spawn(self._tell_position(live))

    async def _tell_position(self, live: Live) -> None:
        with suppress(FencedError):  # it has started in the meantime
            await self.store.append(live.run.id, live.run.attempt, [Entry.of("queued", position=live.position)])

    async def _execute(self, live: Live) -> None:
        began = time.monotonic()
        try:
            await self._attempt(live)
        except FencedError as fenced:
            log.warning("%s", fenced)
        except Exception:  # the store has failed, say: nobody else would hear of it
            log.exception("run %s of %s", live.run.id, live.lab.id)
        finally:
            live.lane.left(time.monotonic() - began)
            self._gone(live)
            self._advance(live.lane)

    async def _attempt(self, live: Live) -> None:
        run, store = live.run, self.store
        attempt = await store.begin(run.id)
        facts = provenance(live.lab.version, device=live.lane.device)
        await store.append(run.id, attempt, [Entry.of("started", attempt=attempt, provenance=facts)])
        sink = Sink(
            entries=lambda entries: store.append(run.id, attempt, entries),
            blob=lambda data: store.add_blob(run.id, attempt, data),
        )
        limits = self.settings.limits
        if live.lane.device == "cuda":
            limits = replace(limits, memory=0)  # CUDA maps far more than it uses; the container bounds it
        try:
            outcome = await supervise(self.processes, live.lab, run.params, limits, sink, live.cancelled)
        except FencedError:
            raise
        except Exception:
            log.exception("run %s of %s", run.id, live.lab.id)
            outcome = Outcome("failed", "The server could not run the lab. Its log says why.")
        await self._end(live, attempt, outcome)

    async def _end(self, live: Live, attempt: int, outcome: Outcome) -> None:
        try:
            await self.store.end(live.run.id, attempt, outcome.status, outcome.reason)
        finally:
            self._gone(live)
        self._spawn(self._prune())  # nobody waits for it

    async def _prune(self) -> None:
        await self.store.prune(self.settings.keep_runs, self.settings.keep_bytes)

    def _gone(self, live: Live) -> None:
        self.live.pop(live.run.id, None)
        live.stay()
        live.done.set()

    async def _recover(self, run: Run) -> None:
        lab = self.labs.get(run.lab)
        if run.attempt >= self.settings.attempts:
            reason = f"The server stopped {run.attempt} times while this was running, so it is not tried again."
        elif lab is None or lab.version != run.version:
            reason = "The lab was changed while the run waited. Run it again."
        else:
            try:
                lane = self._lane(lab, contract.validate(lab, run.params))
            except (contract.ParameterError, NoWorkerError) as error:
                reason = str(error)
            else:
                position = len(lane.waiting)
                await self.store.append(run.id, run.attempt, [Entry.of("queued", position=position)])
                self._enqueue(run, lab, lane, position)
                return
        await self.store.end(run.id, run.attempt, "failed", reason)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that is not lost: the loop itself keeps only a weak reference."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task


def run_key(lab: Lab, params: dict[str, Any]) -> str:
    """Equal for equal lab, equal code of the lab and equal parameters."""
    text = json.dumps([lab.id, lab.version, params], sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
