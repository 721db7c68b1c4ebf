"""Four ways to make several requests: what changes is who waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import count
from typing import Literal, get_args

import numpy as np

from native.speed.threads_io.delays import CONNECTED, context
from native.speed.threads_io.fetch import Caller, ask, whole

Way = Literal["one after another", "thread pool", "processes", "asyncio"]
WAYS: tuple[Way, ...] = get_args(Way)


@dataclass(frozen=True)
class Job:
    port: int
    tls: str
    kept: bool
    workers: int
    delays: tuple[int, ...]


def one_after_another(job: Job) -> Iterator[list[float]]:
    caller = Caller(job.port, job.tls, job.kept)
    for request, delay in enumerate(job.delays):
        yield caller.fetch(request, delay, 0)


def thread_pool(job: Job) -> Iterator[list[float]]:
    """Threads that take the next request as soon as they are free. Each has a connection of its own."""
    own, numbers = threading.local(), count()

    def begin() -> None:
        own.number, own.caller = next(numbers), Caller(job.port, job.tls, job.kept)

    def fetch(request: int, delay: int) -> list[float]:
        return own.caller.fetch(request, delay, own.number)  # type: ignore[no-any-return]

    with ThreadPoolExecutor(job.workers, initializer=begin) as pool:
        tasks = [pool.submit(fetch, request, delay) for request, delay in enumerate(job.delays)]
        for task in as_completed(tasks):
            yield task.result()


callers: dict[str, Caller] = {}
"""Of this process."""


def fetch_in_process(job: Job, request: int, delay: int) -> list[float]:
    caller = callers.setdefault("own", Caller(job.port, job.tls, job.kept))
    return caller.fetch(request, delay, os.getpid())


def processes(job: Job) -> Iterator[list[float]]:
    """The same with processes, which share nothing and have to be started."""
    with ProcessPoolExecutor(job.workers, mp_context=multiprocessing.get_context("fork")) as pool:
        tasks = [pool.submit(fetch_in_process, job, request, delay) for request, delay in enumerate(job.delays)]
        for task in as_completed(tasks):
            yield task.result()


def all_at_once(job: Job) -> list[list[float]]:
    """One thread: every request is a coroutine, and the loop goes on with whichever has its bytes."""
    tls = context(job.tls, ssl.PROTOCOL_TLS_CLIENT)

    async def fetch(request: int, delay: int) -> list[float]:
        begin = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", job.port)
        await reader.readexactly(len(CONNECTED))
        connected = shaken = time.monotonic()
        if tls:
            await writer.start_tls(tls, server_hostname="localhost")
            shaken = time.monotonic()
        writer.write(ask(delay))
        received = await reader.read(65536)
        first = time.monotonic()
        while not whole(received):
            received += await reader.read(65536)
        done = time.monotonic()
        writer.close()
        row = [float(request), float(request), begin, connected, shaken, first, done]
        tell(row)
        return row

    async def gather() -> list[list[float]]:
        return await asyncio.gather(*(fetch(request, delay) for request, delay in enumerate(job.delays)))

    return asyncio.run(gather())


def tell(row: list[float]) -> None:
    sys.stdout.buffer.write(np.array(row, np.float64).tobytes())
    sys.stdout.buffer.flush()


def main(way: Way, job: Job) -> None:
    """Write when it began, and the fields of each request as it is done."""
    tell([time.monotonic()])
    if way == "asyncio":
        all_at_once(job)
        return
    made = {"one after another": one_after_another, "thread pool": thread_pool, "processes": processes}
    for row in made[way](job):
        tell(row)
