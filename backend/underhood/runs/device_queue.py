"""Who is next: for each device, the runs that execute and the line of those that wait.

A run that measures gets its device alone: beside another it would measure that one, too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from underhood.runs.dispatch import Place, QueueFullError, guess
from underhood.stores.store import Run


@dataclass(eq=False)
class Live:
    """A run that has not ended, and who cares about it."""

    run: Run
    lane: Lane
    alone: bool
    cancelled: asyncio.Future[str]  # becomes the reason
    done: asyncio.Event = field(default_factory=asyncio.Event)
    askers: int = 1
    readers: int = 0
    position: int = 0
    task: asyncio.Task[None] | None = None
    leaving: asyncio.TimerHandle | None = None
    held: asyncio.TimerHandle | None = None  # until it gets in line

    def stay(self) -> None:
        """Somebody cares again: the run is not given up."""
        if self.leaving:
            self.leaving.cancel()
            self.leaving = None


@dataclass(eq=False)
class Lane:
    device: str
    places: int  # runs at once
    line: int  # runs that may wait
    running: int = 0
    alone: bool = False  # what is running wants nobody beside it
    coming: int = 0  # asked for, on their way through the store
    waiting: deque[Live] = field(default_factory=deque)
    seconds: float | None = None  # what a run takes, a moving average

    @contextmanager
    def place(self, alone: bool) -> Iterator[Place]:
        """Hold a place for a run on its way here. Raises ``QueueFullError``."""
        ahead, free = len(self.waiting) + self.coming, self.free(alone)
        if ahead >= free + self.line:
            raise QueueFullError((self.seconds or 1.0) * ahead / self.places)
        self.coming += 1
        try:
            yield Place(0, 0.0) if ahead < free else Place(ahead - free, self.wait(ahead - free))
        finally:
            self.coming -= 1

    def hold(self, live: Live, seconds: float, then: Callable[[], None]) -> None:
        """Let a run get in line after so many seconds, unless it is dropped before; its place is kept."""

        def join() -> None:
            live.held = None
            self.coming -= 1
            self.waiting.append(live)
            then()

        self.coming += 1
        live.held = asyncio.get_running_loop().call_later(seconds, join)

    def drop(self, live: Live) -> None:
        """Forget a run that has not started."""
        if live.held:
            live.held.cancel()
            live.held = None
            self.coming -= 1
        else:
            self.waiting.remove(live)

    def free(self, alone: bool) -> int:
        """Places for a run that would come now."""
        if self.waiting or (self.running and (alone or self.alone)):
            return 0
        return self.places - self.running

    def wait(self, position: int) -> float | None:
        return guess(self.seconds, position, self.places)

    def next(self) -> Live | None:
        """The run to start now, if there is one and there is room."""
        if not self.waiting or self.running >= self.places:
            return None
        alone = self.waiting[0].alone
        if self.running and (alone or self.alone):
            return None
        self.running += 1
        self.alone = alone
        return self.waiting.popleft()

    def moved(self) -> Iterator[Live]:
        """Those who wait and whose position is no longer what they were told."""
        for position, live in enumerate(self.waiting):
            if live.position != position:
                live.position = position
                yield live

    def left(self, seconds: float) -> None:
        """A run of this lane has ended after so many seconds."""
        self.running -= 1
        self.seconds = seconds if self.seconds is None else self.seconds + 0.2 * (seconds - self.seconds)
