"""A lock that many may hold together, or one alone: a run that measures waits until the others have gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager


class SharedLock:
    """Made and used inside one event loop. First come, first served."""

    def __init__(self) -> None:
        self._holders = 0
        self._turn = asyncio.Lock()
        self._free = asyncio.Event()
        self._free.set()

    @asynccontextmanager
    async def hold(self, exclusive: bool) -> AsyncIterator[None]:
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(self._turn)
            if exclusive:
                await self._free.wait()
            else:
                await turn.aclose()  # the next one's turn; who is alone keeps it until the end
            self._holders += 1
            self._free.clear()
            try:
                yield
            finally:
                self._holders -= 1
                if not self._holders:
                    self._free.set()
