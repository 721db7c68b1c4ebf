"""The way to Redis: kept open, reopened by itself, with one exception for whatever goes wrong on it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from coredis import Redis
from coredis.exceptions import ConnectionError as BrokenError
from coredis.exceptions import RedisError
from coredis.retry import NoRetryPolicy

from underhood.store import StoreAwayError

T = TypeVar("T")
log = logging.getLogger("underhood.redis")
logging.getLogger("coredis").setLevel(logging.CRITICAL)  # it prints a traceback for each attempt to connect


async def unless_away(work: Awaitable[None]) -> None:
    """Do what is worth doing only if Redis is there; somebody will look again."""
    with contextlib.suppress(StoreAwayError):
        await work


class Link:
    """Made inside a running event loop, and used from that loop only. One Redis or Valkey, not a cluster.

    All ordinary commands share one connection, so they are carried out in the order in which they were asked for.
    Nothing is sent twice: after a break nobody can know whether a command was carried out, and most of ours must
    not be carried out again.
    """

    def __init__(self, url: str, patience: float = 0.8) -> None:
        self._patience = patience  # seconds for one call, connecting included
        self._client = self._new(url)
        self._waiting = self._new(url)
        self._opened = asyncio.Event()
        self._closing = asyncio.Event()
        self._keeper = asyncio.create_task(self._keep())

    async def call(self, ask: Callable[[Redis[str]], Awaitable[T]]) -> T:
        """The answer to a command. Raises ``StoreAwayError`` within the patience."""
        return await self._ask(ask, self._client, self._patience)

    async def wait(self, ask: Callable[[Redis[str]], Awaitable[T]], seconds: float) -> T:
        """The answer to a command that blocks for up to so many seconds, one at a time. ``StoreAwayError``."""
        return await self._ask(ask, self._waiting, seconds + self._patience)

    async def close(self) -> None:
        self._closing.set()
        await self._keeper

    async def _ask(self, ask: Callable[[Redis[str]], Awaitable[T]], client: Redis[str], seconds: float) -> T:
        try:
            async with asyncio.timeout(seconds):
                await self._opened.wait()
                return await ask(client)
        except (BrokenError, OSError, TimeoutError) as error:  # TimeoutError: its process hangs, or the network
            raise StoreAwayError from error
        except RedisError as error:  # out of memory, say, or its disk is full
            log.error("Redis refuses: %s", error)
            raise StoreAwayError from error

    async def _keep(self) -> None:
        """Hold the clients open: their connections live in a group of tasks that must end where it began."""
        while not self._closing.is_set():
            with contextlib.suppress(Exception):
                async with self._client, self._waiting:
                    self._opened.set()
                    await self._closing.wait()
            self._opened.clear()

    def _new(self, url: str) -> Redis[str]:
        return Redis.from_url(
            url,
            decode_responses=True,
            max_connections=1,
            connect_timeout=self._patience,
            retry_policy=NoRetryPolicy(),
            verify_version=False,
        )
