"""Who executes runs: this process, or workers behind a queue. The engine asks both in the same words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, NamedTuple, Protocol

from labs.discover import Lab

from underhood.stores.store import Entry, Run

OWNER = ""  # the name of a reader who asks from this machine itself


class NoWorkerError(Exception):
    """No machine that the lab needs is alive."""

    def __init__(self, device: str) -> None:
        super().__init__(f"No {device} worker is alive, so nothing can run on {device} here.")


class QueueFullError(Exception):
    """As many runs wait as may; ``after`` is a fair number of seconds to come back in."""

    def __init__(self, seconds: float | None) -> None:
        self.after = min(30, max(1, math.ceil(seconds or 0)))
        super().__init__(
            f"The server is busy: every place in its queue is taken. Try again in {self.after} seconds."
        )


class Reservation(NamedTuple):
    """A place in the queue of a device."""

    position: int  # how many wait ahead
    wait: float | None  # seconds until the start, estimated from what runs took lately; None if none has ended yet

    def queued(self) -> Entry:
        return Entry.of("queued", position=self.position, wait=self.wait)


class Load(NamedTuple):
    running: int
    waiting: int


class Dispatch(Protocol):
    @property
    def layers(self) -> list[str]:
        """Of the sandbox around each run, as far as this process knows."""

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    def reserve(self, lab: Lab, device: str, run: str) -> AbstractAsyncContextManager[Reservation]:
        """Hold a place in the queue for a run on its way. Raises ``NoWorkerError`` or ``QueueFullError``."""

    async def enqueue(
        self, run: Run, device: str, place: Reservation, delay: float = 0.0, reader: str | None = None
    ) -> None:
        """Have a run executed that is in the store, while holding its place; not before ``delay`` seconds.

        The reader is its first asker, who is nobody's if it is taken up again; readers take turns.
        """

    async def join(self, run: Run, reader: str = OWNER) -> bool:
        """Count one more asker. False if the run is on its way to being cancelled, once it is gone."""

    async def leave(self, run: str, names: Sequence[str] = (OWNER,)) -> bool:
        """Take back what a reader asked, who is known by one of these names.

        True if now nobody else wants the run: has asked for it, or reads it, where who asked may read it once. A
        run that they have not asked for is left as it is, but the owner may end any.
        """

    async def cancel(self, run: str, reason: str) -> None:
        """End a run that has not ended: a waiting one now, a running one within its grace."""

    def reading(self, run: str, reader: str = OWNER) -> AbstractContextManager[None]:
        """For as long as somebody reads the run's events."""

    async def load(self) -> Load: ...

    async def devices(self) -> list[dict[str, Any]]:
        """What is alive to run labs on."""


def device_of(lab: Lab, params: Any) -> str:
    """Where a lab runs with these parameters: what it was asked for, else the first thing that it can use."""
    return getattr(params, "device", None) or ("cuda" if lab.runs_on == ("cuda",) else "cpu")


def beside(device: str, slots: int) -> int:
    """Runs in the background that may be there: none on a GPU, where a run is alone."""
    return max(1, slots // 2) if device == "cpu" else 0


def estimated_wait(seconds: float | None, ahead: int, slots: int) -> float | None:
    """Seconds that a run waits for its start when so many wait ahead of it and every slot is taken."""
    return None if seconds is None else round(seconds * (ahead + 1) / max(1, slots), 1)
