"""The queue of one device on this machine: the runs that execute there, and those that wait for a slot.

A run that measures gets its device alone: beside another it would measure that one, too.

Readers take turns: next is the first run of the reader who has used the device least, counted in seconds since
readers began to wait, so who asks for many runs or for long ones waits for their own. While there are several slots
no reader holds them all, or long runs would keep everybody else waiting until they end.

A reader who has lately used the device for seconds more than others did still gets a slot that is free, but for a
run in the background: it holds the slot against nobody, and yields the processor to the others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import exp2
from time import monotonic

from underhood.runs.dispatch import OWNER, QueueFullError, Reservation, estimated_wait
from underhood.stores.store import Run

LATELY_S = 10.0  # in which half of what a reader has used is forgotten
EVEN_S = 1.0  # seconds more than the least up to which readers who wait are even: who came first is first
FAR_S = 2.0  # seconds more than others used lately from which a reader's next run is one in the background


@dataclass(eq=False)
class LiveRun:
    """A run that has not ended, and how many want it."""

    run: Run
    reader: str  # who asked for it first
    queue: DeviceQueue
    exclusive: bool  # it measures
    cancelled: asyncio.Future[str]  # becomes the reason
    done: asyncio.Event = field(default_factory=asyncio.Event)
    askers: Counter[str] = field(default_factory=Counter)  # by name
    readers: Counter[str] = field(default_factory=Counter)
    came: int = 0  # its number among those that were queued
    position: int = 0  # as its log last said
    charged: float = 0.0  # seconds that its reader was charged with when it started
    background: bool = False  # it yields to others
    task: asyncio.Task[None] | None = None
    abandoning: asyncio.TimerHandle | None = None  # until it is given up
    delayed: asyncio.TimerHandle | None = None  # until it is queued

    def leave(self, names: Sequence[str]) -> bool:
        """See `Dispatch.leave`."""
        asked = next((name for name in names if self.askers[name]), None)
        if asked is None and OWNER in names:
            return True
        if asked is not None:
            self.askers[asked] -= 1
        own = sum(self.readers[name] for name in names)
        return not self.askers.total() and self.readers.total() == own <= 1

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
    beside: int = 0  # runs in the background that hold no slot
    background: int = 0  # runs that are there
    running: Counter[str] = field(default_factory=Counter)  # runs that execute, of each reader
    exclusive: bool = False  # what is running wants nobody beside it
    reserved: int = 0  # places of runs that are on their way through the store
    waiting: list[LiveRun] = field(default_factory=list)  # in the order of their turns
    seconds: float | None = None  # what a run takes, a moving average
    used: dict[str, float] = field(default_factory=dict)  # seconds of each reader, on the scale of `turn`
    turn: float = 0.0  # of the last run that was taken; who comes anew begins there
    queued: int = 0  # runs, ever
    recent: dict[str, tuple[float, float]] = field(default_factory=dict)  # seconds used of late, and by when

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

    def append(self, live: LiveRun) -> None:
        """Queue a run: behind those of its reader, among those of others by turns."""
        if not self.running[live.reader] and all(each.reader != live.reader for each in self.waiting):
            self.used[live.reader] = max(self.turn, self.used.get(live.reader, 0.0))
        self.queued += 1
        live.came = self.queued
        self.waiting.append(live)
        self._order()

    def append_later(self, live: LiveRun, seconds: float, then: Callable[[], None]) -> None:
        """Queue a run after so many seconds, unless it is removed before; its place is kept."""

        def append() -> None:
            live.delayed = None
            self.reserved -= 1
            self.append(live)
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
            self._order()

    def free_slots(self, exclusive: bool) -> int:
        """Slots for a run that would come now."""
        if self.waiting or (self.running and (exclusive or self.exclusive)):
            return 0
        return self.slots - self._foreground()

    def take(self) -> LiveRun | None:
        """The run to start now, if there is one and there is a slot for it."""
        if self._foreground() >= self.slots:
            return None
        live = next((each for each in self.waiting if self._may_start(each)), None)
        if live is None or (self.running and (live.exclusive or self.exclusive)):
            return None
        live.background = self._yields(live)
        self.background += live.background
        self.turn = max(self.turn, self.used[live.reader])
        live.charged = self._expected()
        self.used[live.reader] += live.charged
        self.running[live.reader] += 1
        self.exclusive = live.exclusive
        self.waiting.remove(live)
        self._order()
        return live

    def moved(self) -> Iterator[LiveRun]:
        """Those that wait and whose position is another than their log last said."""
        for position, live in enumerate(self.waiting):
            if live.position != position:
                live.position = position
                yield live

    def release(self, live: LiveRun, seconds: float) -> None:
        """A run that was taken has ended after so many seconds."""
        self.running -= Counter([live.reader])
        self.background -= live.background
        self.used[live.reader] += seconds - live.charged
        self.recent[live.reader] = self._lately(live.reader) + seconds, monotonic()
        if not live.background:
            self.seconds = seconds if self.seconds is None else self.seconds + 0.2 * (seconds - self.seconds)
        here = {*self.running, *(each.reader for each in self.waiting)}
        self.used = {reader: used for reader, used in self.used.items() if reader in here or used > self.turn}
        self.recent = {reader: used for reader, used in self.recent.items() if self._lately(reader) > 0.01}
        self._order()

    def _foreground(self) -> int:
        return self.running.total() - self.background

    def _yields(self, live: LiveRun) -> bool:
        """Whether the run would be one in the background. What measures is not: it is alone as it is."""
        if not live.reader or live.exclusive or not self.beside:
            return False
        others = [self._lately(reader) for reader in self.recent if reader != live.reader]
        return self._lately(live.reader) > FAR_S + sum(others) / max(1, len(others))

    def _lately(self, reader: str) -> float:
        """Seconds that the reader has used, what is long ago counting less. The turn forgets them as it passes."""
        seconds, then = self.recent.get(reader, (0.0, 0.0))
        return seconds * exp2((then - monotonic()) / LATELY_S)

    def _may_start(self, live: LiveRun) -> bool:
        """Whether another slot would be left beside those of the reader. Whose machine it is may have them all."""
        if self._yields(live):
            return self.background < self.beside and self.running.total() < self.slots
        return not live.reader or self.running[live.reader] < max(1, self.slots - 1)

    def _order(self) -> None:
        """Put those that wait in the order of their turns; a reader's own keep theirs.

        A reader who used a little more than others is not made to wait until all of them have used as much.
        """
        ahead: Counter[str] = Counter()
        turns = {}
        even = min((self.used[live.reader] for live in self.waiting), default=0.0) + EVEN_S
        for live in sorted(self.waiting, key=lambda live: live.came):
            used = self.used[live.reader] + ahead[live.reader] * self._expected()
            turns[live] = max(used, even), live.came
            ahead[live.reader] += 1
        self.waiting.sort(key=turns.__getitem__)

    def _expected(self) -> float:
        return self.seconds or 1.0
