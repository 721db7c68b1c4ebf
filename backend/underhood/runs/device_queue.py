"""The queue of one device on this machine: the runs that execute there, and those that wait for a slot.

A run that measures gets its device alone: beside another it would measure that one, too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from underhood.runs.dispatch import QueueFullError, Reservation, estimated_wait
from underhood.stores.store import Run


@dataclass(eq=False)
class LiveRun:
    """A run that has not ended, and how many want it."""

    run: Run
    queue: DeviceQueue
    exclusive: bool  # it measures
    cancelled: asyncio.Future[str]  # becomes the reason
    done: asyncio.Event = field(default_factory=asyncio.Event)
    askers: int = 1
    readers: int = 0
    position: int = 0  # as its log last said
    task: asyncio.Task[None] | None = None
    abandoning: asyncio.TimerHandle | None = None  # until it is given up
    delayed: asyncio.TimerHandle | None = None  # until it is queued

    def keep(self) -> None:
        """Somebody wants it again: it is not given up."""
        if self.abandoning:
            self.abandoning.cancel()
            self.abandoning = None


@dataclass(eq=False)
class DeviceQueue:
    device: str
    slots: int  # runs at once
    capacity: int  # runs that may wait
    running: int = 0
    exclusive: bool = False  # what is running wants nobody beside it
    reserved: int = 0  # places of runs that are on their way through the store
    waiting: deque[LiveRun] = field(default_factory=deque)
    seconds: float | None = None  # what a run takes, a moving average

    @contextmanager
    def reserve(self, exclusive: bool) -> Iterator[Reservation]:
        """Hold a place for a run on its way here. Raises ``QueueFullError``."""
        ahead, free = len(self.waiting) + self.reserved, self.free_slots(exclusive)
        if ahead >= free + self.capacity:
            raise QueueFullError((self.seconds or 1.0) * ahead / self.slots)
        self.reserved += 1
        try:
            yield Reservation(0, 0.0) if ahead < free else self.reservation(ahead - free)
        finally:
            self.reserved -= 1

    def reservation(self, position: int) -> Reservation:
        return Reservation(position, estimated_wait(self.seconds, position, self.slots))

    def append_later(self, live: LiveRun, seconds: float, then: Callable[[], None]) -> None:
        """Queue a run after so many seconds, unless it is removed before; its place is kept."""

        def append() -> None:
            live.delayed = None
            self.reserved -= 1
            self.waiting.append(live)
            then()

        self.reserved += 1
        live.delayed = asyncio.get_running_loop().call_later(seconds, append)

    def remove(self, live: LiveRun) -> None:
        """Forget a run that has not started."""
        if live.delayed:
            live.delayed.cancel()
            live.delayed = None
            self.reserved -= 1
        else:
            self.waiting.remove(live)

    def free_slots(self, exclusive: bool) -> int:
        """Slots for a run that would come now."""
        if self.waiting or (self.running and (exclusive or self.exclusive)):
            return 0
        return self.slots - self.running

    def take(self) -> LiveRun | None:
        """The run to start now, if there is one and there is a slot."""
        if not self.waiting or self.running >= self.slots:
            return None
        exclusive = self.waiting[0].exclusive
        if self.running and (exclusive or self.exclusive):
            return None
        self.running += 1
        self.exclusive = exclusive
        return self.waiting.popleft()

    def moved(self) -> Iterator[LiveRun]:
        """Those that wait and whose position is another than their log last said."""
        for position, live in enumerate(self.waiting):
            if live.position != position:
                live.position = position
                yield live

    def release(self, seconds: float) -> None:
        """A run that was taken has ended after so many seconds."""
        self.running -= 1
        self.seconds = seconds if self.seconds is None else self.seconds + 0.2 * (seconds - self.seconds)
