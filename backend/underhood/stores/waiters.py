"""Who waits for a run to change. However many they are, what they look up next is looked up once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")


class Waiters:
    """Used inside one event loop."""

    def __init__(self) -> None:
        self._events: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()  # of those who wait
        self._looks: dict[str, dict[Hashable, asyncio.Future[Any]]] = {}  # of each run, those under way

    def of(self, run: str) -> asyncio.Event:
        """Set when the run has changed. Take it before looking: what comes after the look still sets it."""
        return self._events.setdefault(run, asyncio.Event())

    def wake(self, *runs: str) -> None:
        for run in runs:
            # A look that began before the change may miss it; who asks from now on must not share it.
            self._looks.pop(run, None)
            if event := self._events.pop(run, None):
                event.set()

    def wake_all(self) -> None:
        self.wake(*{*self._events, *self._looks})

    async def look(self, run: str, what: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer of ``ask``, shared with everybody who wants to know the same of the run at this moment."""
        looks = self._looks.setdefault(run, {})
        if what not in looks:
            looks[what] = asyncio.ensure_future(ask())
            looks[what].add_done_callback(lambda done: self._forget(run, looks, what, done))
        answer: T = await asyncio.shield(looks[what])
        return answer

    def _forget(self, run: str, looks: dict[Hashable, Any], what: Hashable, done: asyncio.Future[Any]) -> None:
        if not done.cancelled():
            done.exception()  # seen: everybody who asked may have left
        del looks[what]
        if not looks and self._looks.get(run) is looks:
            del self._looks[run]
