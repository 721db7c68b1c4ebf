"""A worker: takes runs of one kind of device out of the queue and executes them as the embedded engine does.

SIGTERM: it takes no more, gives what runs ``Settings.drain`` seconds, hands the rest back to the other workers, and
exits 0. Redis away: it gives up what runs, which is run again when Redis is back, and keeps trying. GPU lost: it
drains and exits 1, so that its supervisor starts it again; inside a container only that brings the GPU back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import anyio
from coredis.exceptions import RedisError
from labs.discover import Lab
from streaq import StreaqRetry

from underhood.machine.devices import describe
from underhood.runs.background import Background
from underhood.runs.executor import Executor
from underhood.runs.metrics import Metrics
from underhood.settings import Settings
from underhood.stores.redis import RedisStore
from underhood.stores.redis_connection import CUT, RedisClient, unless_away
from underhood.stores.store import LIVE, FencedError, Run, StoreAwayError, StoreFullError
from underhood.workers.admission import Admission
from underhood.workers.interest import Interest
from underhood.workers.presence import HEARTBEAT
from underhood.workers.registry import Registry
from underhood.workers.shared_lock import SharedLock
from underhood.workers.task_queue import TaskQueue

log = logging.getLogger("underhood.worker")

PROBE = 15.0  # seconds
FEED = 1.0  # seconds between looks at whose turn it is, if no run ends here
RETRY = 1.0  # seconds until a run is tried again that the store did not let begin or end
LONG_AGO = datetime.fromtimestamp(1, UTC)  # due by any clock: streaQ compares the schedule with its worker's own
GONE = (RedisError, *CUT)


class Worker:
    def __init__(
        self,
        settings: Settings,
        labs: Mapping[str, Lab],
        device: str,
        slots: int,
        probe: Callable[[], bool] = lambda: True,
    ) -> None:
        self.settings, self.device, self.slots, self.probe = settings, device, slots, probe
        self.client = RedisClient(settings.redis_url)
        self.store = RedisStore(self.client)
        self.registry = Registry(self.store)
        self.admission, self.interest = Admission(self.store, self.registry), Interest(self.store)
        self.executor = Executor(self.store, labs, settings, Metrics())  # which nobody asks a worker for
        self.lock = SharedLock()
        self.runs: dict[str, asyncio.Future[str]] = {}  # being executed -> becomes the reason to cancel
        self.broken = False  # the way to Redis is: what runs is given up
        self.lost = False  # the GPU is
        self.cut: set[tuple[str, int]] = set()  # attempts that Redis cut short by going away, and does not know yet
        self._changed = asyncio.Event()
        self._left = asyncio.Event()  # a run has, so it may be another's turn
        self._background = Background()
        self._pruned = 0.0
        self._reported = False  # that Redis is away; once each time
        self._facts: dict[str, Any] = {}

    async def work(self) -> int:
        """Work until SIGTERM or SIGINT. The exit code."""
        self._facts = await asyncio.to_thread(describe, self.device)
        self.executor.spawner.start()
        await self.executor.spawner.probed()
        self.store.notifications.on_cancel = self._hear_cancel
        self.store.notifications.listen()
        for helper in (self._keep_heartbeat(), self._keep_probing()):
            self._background.spawn(helper)
        try:
            while not await self._serve():
                if await _stopped_within(0.5):
                    break
        finally:
            await self._background.cancel()
            with contextlib.suppress(StoreAwayError):
                await self.registry.withdraw(self._facts["id"])
            await self.executor.spawner.close()
            await self.store.close()
            await self.client.close()
        return 1 if self.lost else 0

    async def _serve(self) -> bool:
        """Take runs until a signal comes (true) or Redis goes away (false)."""
        self.broken = False
        self._changed.set()  # a Redis that was away may have forgotten us
        queue = self.queue = TaskQueue(
            self.settings.redis_url, self.device, self.settings.lease, self.slots, self.settings.drain
        )
        queue.on_broken = self._give_up
        queue.serve(self.execute)
        feeding = asyncio.create_task(self._keep_feeding(queue))
        try:
            await queue.run_async()
        except Exception as error:
            if not _only(error, GONE):
                raise
            if not self._reported:
                log.warning("Redis is away; this worker keeps trying")
            self._reported = True
        finally:
            feeding.cancel()
        return queue.draining

    async def execute(self, name: str) -> None:
        """One delivery of a run. Anything raised here counts as done, except what asks for another try."""
        try:
            await self._execute(name)
        except FencedError as fenced:
            log.warning("%s", fenced)
        except StoreAwayError as error:
            with contextlib.suppress(StoreAwayError):
                if isinstance(error, StoreFullError):
                    await self.executor.prune()
                await self._excuse()
            await asyncio.sleep(RETRY)
            raise StreaqRetry("the store is away", schedule=LONG_AGO) from None
        except Exception:  # a mistake of ours: a web process puts the run into its queue again, up to the limit
            log.exception("run %s", name)

    async def _execute(self, name: str) -> None:
        await self._excuse()  # before its attempts are counted
        run = await self.store.get(name)
        self._reported = False
        if run is None or run.status not in LIVE:
            await self._leave(name, 0.0)
            return
        if reason := self.executor.refusal(run):
            await self.store.end(run.id, run.attempt, "failed", reason)
            await self._leave(run.id, 0.0)
            return
        async with self.lock.hold(self.executor.labs[run.lab].measures):
            if (now := await self.store.get(name)) and now.status in LIVE:  # it may have been given up meanwhile
                await self._run(now)

    async def _run(self, run: Run) -> None:
        cancelled = self.runs[run.id] = asyncio.get_running_loop().create_future()
        used, attempt = 0.0, 0
        try:
            await self._heartbeat()
            background = await self.admission.take(self.device, run.id)
            attempt = run.attempt + 1  # if the answer is lost on the way, Redis may have counted it all the same
            started = await self.executor.begin(run, self.device)
            attempt = started.number
            await self._check_cancelled(run.id)  # it may have been asked for before we listened
            with self.queue.background() if background else contextlib.nullcontext():
                outcome = await self.executor.run(run, started, self.device, cancelled, background)
            used = outcome.seconds
            if self.broken and outcome.status == "cancelled":
                raise StoreAwayError  # given up by us, not by a reader
            await self.store.end(run.id, attempt, outcome.status, outcome.reason)
        except StoreAwayError:
            if attempt:
                self.cut.add((run.id, attempt))
            raise
        finally:
            if self.runs.get(run.id) is cancelled:
                del self.runs[run.id]
            self._changed.set()
        await self._leave(run.id, used)
        if not background:
            await self.registry.took(self.device, used)
        if time.monotonic() > self._pruned + 10:
            self._pruned = time.monotonic()
            await self.executor.prune()

    async def _leave(self, run: str, seconds: float) -> None:
        await self.admission.leave(self.device, run, seconds)
        self._left.set()

    async def _excuse(self) -> None:
        """Tell Redis which attempts it has cut short itself: they are not held against their runs."""
        for run, attempt in list(self.cut):
            await self.store.excuse(run, attempt)
            self.cut.discard((run, attempt))

    async def _check_cancelled(self, run: str) -> None:
        cancelled = self.runs.get(run)
        if cancelled and (reason := await self.interest.cancelled(run)) is not None and not cancelled.done():
            cancelled.set_result(reason)

    def _hear_cancel(self, run: str) -> None:
        if run in self.runs:
            self._background.spawn(unless_away(self._check_cancelled(run)))

    def _give_up(self) -> None:
        self.broken = True
        for cancelled in self.runs.values():
            if not cancelled.done():
                cancelled.set_result("")

    async def _heartbeat(self) -> None:
        doing = {"concurrency": self.slots, "running": len(self.runs), "runs": list(self.runs), "pid": os.getpid()}
        await self.registry.heartbeat(self._facts | doing | {"sandbox": self.executor.spawner.layers})

    async def _keep_heartbeat(self) -> None:
        while True:
            self._changed.clear()
            with contextlib.suppress(StoreAwayError):
                await self._heartbeat()
                await self._excuse()
                for run in list(self.runs):
                    await self._check_cancelled(run)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT):
                    await self._changed.wait()

    async def _keep_probing(self) -> None:
        # While a run is on the device it is left alone: a probe would show up in what the run measures.
        while bool(self.runs) or await asyncio.to_thread(self.probe):  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(PROBE)
        log.error("the GPU does not answer any more; this worker ends, to be started again")
        self.lost = True
        os.kill(os.getpid(), signal.SIGTERM)

    async def _keep_feeding(self, queue: TaskQueue) -> None:
        while True:
            self._left.clear()
            with contextlib.suppress(Exception):  # not open yet, or Redis is away
                await queue.wake()
                await self.admission.advance(self.device, queue.put)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FEED):
                    await self._left.wait()


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


def _runs(pid: int) -> bool:
    """Whether there is such a process: who asks once cannot hear whether its heart still beats."""
    with contextlib.suppress(PermissionError):  # it is another user's
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True


async def healthy(settings: Settings, device: str, probe: Callable[[], bool] = lambda: True) -> bool:
    """Whether a worker of this machine is alive, as Redis knows it, and its device answers: for a health check."""
    host = (await asyncio.to_thread(describe, device))["host"]
    client = RedisClient(settings.redis_url)
    try:
        workers = await Registry(RedisStore(client)).workers()
    except StoreAwayError:
        return False
    finally:
        await client.close()
    here = [each for each in workers if each["device"] == device and each["host"] == host]
    alive = [each for each in here if _runs(each["pid"])]
    busy = any(each["running"] for each in alive)  # then a probe would show up in what is measured
    return bool(alive) and (busy or await asyncio.to_thread(probe))
