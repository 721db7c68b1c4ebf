"""The way to Redis: kept open, reopened by itself, with one exception for whatever goes wrong on it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from coredis import Redis
from coredis.exceptions import ConnectionError as BrokenError
from coredis.exceptions import RedisError
from coredis.retry import NoRetryPolicy

from underhood.stores.store import StoreAwayError, StoreFullError

T = TypeVar("T")
CUT = (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
"""What a stream raises that leads nowhere any more; a timeout is an OSError, too."""
BREAKS = (
    BrokenError,
    *CUT,
    RuntimeError,  # its pool has ended under us, or it was replaced while we waited for our turn
    ReferenceError,  # so has its connection
)
log = logging.getLogger("underhood.redis")
logging.getLogger("coredis").setLevel(logging.CRITICAL)  # it prints a traceback for each attempt to connect


async def unless_away(work: Awaitable[None]) -> None:
    """Do what is worth doing only if Redis is there; somebody will look again."""
    with contextlib.suppress(StoreAwayError):
        await work


class RedisClient:
    """Made inside a running event loop, and used from that loop only. One Redis or Valkey, not a cluster."""

    def __init__(self, url: str, patience: float = 0.8) -> None:
        self._patience = patience  # seconds for one call, connecting included
        self._asking, self._waiting = Connection(url, patience), Connection(url, patience)

    async def call(self, ask: Callable[[Redis[str]], Awaitable[T]]) -> T:
        """The answer to a command. Raises ``StoreAwayError`` within the patience."""
        return await self._asking.call(ask, self._patience)

    async def wait(self, ask: Callable[[Redis[str]], Awaitable[T]], seconds: float) -> T:
        """The answer to a command that blocks for up to so many seconds, one at a time. ``StoreAwayError``."""
        return await self._waiting.call(ask, seconds + self._patience)

    async def close(self) -> None:
        await self._asking.close()
        await self._waiting.close()


class Connection:
    """One connection, so that commands are carried out in the order of the calls; a new one after any failure.

    Nothing is sent twice: after a break nobody can know whether a command was carried out, and most of ours must
    not be carried out again.
    """

    def __init__(self, url: str, patience: float) -> None:
        self._url, self._patience = url, patience
        self._opened = asyncio.Event()
        self._broken = asyncio.Event()
        self._said, self._said_at = "", 0.0
        self._client = self._new()
        self._keeper = asyncio.create_task(self._keep())

    async def call(self, ask: Callable[[Redis[str]], Awaitable[T]], seconds: float) -> T:
        client = self._client
        try:
            async with asyncio.timeout(seconds):
                await self._opened.wait()
                client = self._client
                return await ask(client)
        except BREAKS as error:
            if client is self._client:
                self._opened.clear()  # at once: the next call waits for the new one
                self._broken.set()
            raise StoreAwayError from error
        except RedisError as error:  # out of memory, say, or its disk is full
            self._complain(str(error))
            raise (StoreFullError if "maxmemory" in str(error) else StoreAwayError) from error

    async def close(self) -> None:
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    async def _keep(self) -> None:
        """Hold a client open: what it starts must end in the task where it began.

        After a failure it is replaced. Its pool of one may have lost that one, and would wait for it for ever.
        """
        while True:
            with contextlib.suppress(Exception):
                async with self._client:
                    self._opened.set()
                    await self._broken.wait()
            self._opened.clear()
            self._broken.clear()
            self._client = self._new()

    def _complain(self, words: str) -> None:
        """Once a minute: those who keep trying would fill the log."""
        now = time.monotonic()
        if words != self._said or now > self._said_at + 60:
            log.error("Redis refuses: %s", words)
            self._said, self._said_at = words, now

    def _new(self) -> Redis[str]:
        return Redis.from_url(
            self._url,
            decode_responses=True,
            max_connections=1,
            connect_timeout=self._patience,
            retry_policy=NoRetryPolicy(),
            verify_version=False,
        )
