"""A worker: takes runs of one kind of device out of the queue and executes them as the embedded engine does.

SIGTERM: it takes no more, gives what runs ``Settings.drain`` seconds, hands the rest back to the other workers, and
exits 0. Redis away: it gives up what runs, which is run again when Redis is back, and keeps trying. GPU lost: it
drains and exits 1, so that whoever watches it starts it again; inside a container only that brings the GPU back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

import anyio
from coredis.exceptions import RedisError
from labs.discover import Lab
from streaq import StreaqRetry

from underhood.machine.devices import describe
from underhood.runs.background import Background
from underhood.runs.executor import Executor
from underhood.settings import Settings
from underhood.stores.redis import RedisStore
from underhood.stores.redis_connection import Link, unless_away
from underhood.stores.store import LIVE, FencedError, Run, StoreAwayError
from underhood.workers.admission import Line
from underhood.workers.interest import Care
from underhood.workers.shared_lock import Door
from underhood.workers.task_queue import Queue

log = logging.getLogger("underhood.worker")

ANNOUNCE = 5.0  # seconds
PROBE = 15.0  # seconds
GONE = (RedisError, OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)


class Worker:
    def __init__(
        self,
        settings: Settings,
        labs: Mapping[str, Lab],
        device: str,
        places: int,
        probe: Callable[[], bool] = lambda: True,
    ) -> None:
        self.settings, self.device, self.places, self.probe = settings, device, places, probe
        self.link = Link(settings.redis_url)
        self.store = RedisStore(self.link)
        self.line, self.care = Line(self.store), Care(self.store)
        self.executor = Executor(self.store, labs, settings)
        self.door = Door()
        self.runs: dict[str, asyncio.Future[str]] = {}  # being executed -> becomes the reason to cancel
        self.broken = False  # the way to Redis is: what runs is given up
        self.lost = False  # the GPU is
        self._changed = asyncio.Event()
        self._background = Background()
        self._pruned = 0.0
        self._said = False  # that Redis is away; once each time
        self._facts: dict[str, Any] = {}

    async def work(self) -> int:
        """Work until SIGTERM or SIGINT. The exit code."""
        self._facts = await asyncio.to_thread(describe, self.device)
        self.executor.processes.start()
        self.store.news.on_cancel = self._hear_cancel
        self.store.news.listen()
        for helper in (self._keep_announcing(), self._keep_probing()):
            self._background.spawn(helper)
        try:
            while not await self._serve():
                if await _stopped_within(0.5):
                    break
        finally:
            await self._background.cancel()
            with contextlib.suppress(StoreAwayError):
                await self.line.withdraw(self._facts["id"])
            await self.executor.processes.close()
            await self.store.close()
            await self.link.close()
        return 1 if self.lost else 0

    async def _serve(self) -> bool:
        """Take runs until a signal comes (true) or Redis goes away (false)."""
        self.broken = False
        self._changed.set()  # a Redis that was away may have forgotten us
        queue = Queue(self.settings.redis_url, self.device, self.settings.lease, self.places, self.settings.drain)
        queue.on_broken = self._give_up
        queue.serve(self.execute)
        waking = asyncio.create_task(self._keep_waking(queue))
        try:
            await queue.run_async()
        except Exception as error:
            if not _only(error, GONE):
                raise
            if not self._said:
                log.warning("Redis is away; this worker keeps trying")
            self._said = True
        finally:
            waking.cancel()
        return queue.draining

    async def execute(self, name: str) -> None:
        """One delivery of a run. Anything raised here counts as done, except what asks for another try."""
        try:
            await self._execute(name)
        except FencedError as fenced:
            log.warning("%s", fenced)
        except StoreAwayError:
            raise StreaqRetry("the store is away", delay=1) from None
        except Exception:  # a mistake of ours: a web process puts the run into its queue again, up to the limit
            log.exception("run %s", name)

    async def _execute(self, name: str) -> None:
        run = await self.store.get(name)
        self._said = False
        if run is None or run.status not in LIVE:
            return
        if reason := self.executor.refusal(run):
            await self.store.end(run.id, run.attempt, "failed", reason)
            await self.line.leave(self.device, run.id)
            return
        async with self.door.enter(self.executor.labs[run.lab].measures):
            if (now := await self.store.get(name)) and now.status in LIVE:  # it may have been given up meanwhile
                await self._run(now)

    async def _run(self, run: Run) -> None:
        cancelled = self.runs[run.id] = asyncio.get_running_loop().create_future()
        began = time.monotonic()
        try:
            await self._announce()
            await self.line.leave(self.device, run.id)
            attempt = await self.executor.begin(run, self.device)
            await self._check_cancelled(run.id)  # it may have been asked for before we listened
            outcome = await self.executor.run(run, attempt, self.device, cancelled)
            if self.broken and outcome.status == "cancelled":
                raise StoreAwayError  # given up by us, not by a reader
            await self.store.end(run.id, attempt.number, outcome.status, outcome.reason)
        finally:
            if self.runs.get(run.id) is cancelled:
                del self.runs[run.id]
            self._changed.set()
        await self.line.took(self.device, time.monotonic() - began)
        if time.monotonic() > self._pruned + 10:
            self._pruned = time.monotonic()
            await self.executor.prune()

    async def _check_cancelled(self, run: str) -> None:
        cancelled = self.runs.get(run)
        if cancelled and (reason := await self.care.cancelled(run)) is not None and not cancelled.done():
            cancelled.set_result(reason)

    def _hear_cancel(self, run: str) -> None:
        if run in self.runs:
            self._background.spawn(unless_away(self._check_cancelled(run)))

    def _give_up(self) -> None:
        self.broken = True
        for cancelled in self.runs.values():
            if not cancelled.done():
                cancelled.set_result("")

    async def _announce(self) -> None:
        doing = {"concurrency": self.places, "running": len(self.runs), "runs": list(self.runs)}
        await self.line.announce(self._facts | doing | {"sandbox": self.executor.processes.layers})

    async def _keep_announcing(self) -> None:
        while True:
            self._changed.clear()
            with contextlib.suppress(StoreAwayError):
                await self._announce()
                for run in list(self.runs):
                    await self._check_cancelled(run)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ANNOUNCE):
                    await self._changed.wait()

    async def _keep_probing(self) -> None:
        # While a run is on the device it is left alone: a probe would show up in what the run measures.
        while bool(self.runs) or await asyncio.to_thread(self.probe):  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(PROBE)
        log.error("the GPU does not answer any more; this worker ends, to be started again")
        self.lost = True
        os.kill(os.getpid(), signal.SIGTERM)

    async def _keep_waking(self, queue: Queue) -> None:
        while True:
            await asyncio.sleep(1)
            with contextlib.suppress(Exception):  # not open yet, or Redis is away
                await queue.wake()


def _only(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_only(each, kinds) for each in error.exceptions)
    return isinstance(error, kinds)


async def _stopped_within(seconds: float) -> bool:
    """Wait, unless a signal comes first."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals, anyio.move_on_after(seconds):
        async for _ in signals:
            return True
    return False


async def healthy(settings: Settings, device: str, probe: Callable[[], bool] = lambda: True) -> bool:
    """Whether a worker of this machine is alive, as Redis knows it, and its device answers: for a health check."""
    host = (await asyncio.to_thread(describe, device))["host"]
    link = Link(settings.redis_url)
    try:
        workers = await Line(RedisStore(link)).workers()
    except StoreAwayError:
        return False
    finally:
        await link.close()
    alive = [each for each in workers if each["device"] == device and each["host"] == host]
    busy = any(each["running"] for each in alive)  # then a probe would show up in what is measured
    return bool(alive) and (busy or await asyncio.to_thread(probe))
