"""The door of a worker: whoever measures waits until the others have gone, and lets nobody in meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager


class Door:
    """Made and used inside one event loop. First come, first in."""

    def __init__(self) -> None:
        self._inside = 0
        self._turn = asyncio.Lock()
        self._empty = asyncio.Event()
        self._empty.set()

    @asynccontextmanager
    async def enter(self, alone: bool) -> AsyncIterator[None]:
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(self._turn)
            if alone:
                await self._empty.wait()
            else:
                await turn.aclose()  # the next one's turn; who is alone keeps it until the end
            self._inside += 1
            self._empty.clear()
            try:
                yield
            finally:
                self._inside -= 1
                if not self._inside:
                    self._empty.set()
