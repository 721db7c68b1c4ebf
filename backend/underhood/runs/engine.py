"""Runs: asked for, shared, queued, superseded, cancelled. Who executes them is the dispatch's concern.

A run that nobody watches any more is cancelled after ``Settings.abandoned`` seconds. One that nobody has watched
yet is not: its reader may come for the result later, and the time limit bounds the cost.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from weakref import WeakValueDictionary

from labs.discover import Lab

from underhood.contract import validation
from underhood.runs.dispatch import OWNER, Dispatch, device_of
from underhood.settings import Settings
from underhood.stores.store import LIVE, Run, Status, Store

# Seconds that a run waits whose predecessor was cut short. While a slider moves faster than its lab runs, nothing
# is started that the next value would only kill; a lab that keeps up never waits.
DELAY = 0.2
CANCELLED = "It was cancelled."
MOVED = "Newer parameters took its place."


class UnknownLabError(LookupError):
    """No lab of that name; the message offers the nearest one."""


class Engine:
    """Made and used inside one event loop."""

    def __init__(self, store: Store, labs: Mapping[str, Lab], settings: Settings, dispatch: Dispatch) -> None:
        self.store = store
        self.labs = labs
        self.settings = settings
        self.dispatch = dispatch
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by run key

    async def submit(
        self,
        name: str,
        values: dict[str, Any],
        supersedes: str | None = None,
        names: Sequence[str] = (OWNER,),
    ) -> tuple[Run, bool]:
        """A run of that lab with those parameters for a reader of those names, and whether it is new.

        Raises ``UnknownLabError``, ``ParameterError``, ``NoWorkerError`` or ``QueueFullError``. The run that this
        one supersedes is given up unless the request itself was wrong.
        """
        lab = self.lab(name)
        validation.refuse_on_device(lab)
        params = validation.validate(lab, values)
        plain = validation.canonical(params)
        key = run_key(lab, plain)
        reuse: frozenset[Status] = LIVE if lab.measures else LIVE | {"ok"}
        # One at a time for each key: the others find what the first has made, and take no place in the queue.
        async with self._asking.setdefault(key, asyncio.Lock()):
            while found := await self.store.find(key, reuse):
                if await self.dispatch.join(found, names[0]):
                    break
            delay = 0.0
            if supersedes and not (found and found.id == supersedes):
                delay = DELAY if await self.leave(supersedes, names, MOVED) else 0.0
            if found:
                return found, False
            run = Run(
                id=secrets.token_hex(8), key=key, lab=lab.id, version=lab.version, params=plain, created=time.time()
            )
            device = device_of(lab, params)
            async with self.dispatch.reserve(lab, device, run.id) as place:
                made = await self.store.create(run, reuse, [place.queued()])
                if made is run:
                    await self.dispatch.enqueue(run, device, place, delay, names[0])
                    return run, True
            await self.dispatch.join(made, names[0])  # another process was asked for the same and was quicker
            return made, False

    async def leave(self, run: str, names: Sequence[str] = (OWNER,), reason: str = CANCELLED) -> bool:
        """A reader wants the run no longer; it ends if nobody else does (true, see `Dispatch.leave`)."""
        gone = await self.dispatch.leave(run, names)
        if gone:
            await self.dispatch.cancel(run, reason)
        return gone

    async def cancel(self, run: str, reason: str = CANCELLED) -> None:
        """End a run that has not ended: a waiting one now, a running one within its grace."""
        await self.dispatch.cancel(run, reason)

    def reading(self, run: str, reader: str = OWNER) -> AbstractContextManager[None]:
        """For as long as somebody reads the run's events."""
        return self.dispatch.reading(run, reader)

    def lab(self, name: str) -> Lab:
        """Raises ``UnknownLabError``."""
        if lab := self.labs.get(name):
            return lab
        near = difflib.get_close_matches(name, self.labs, n=1, cutoff=0.5)
        raise UnknownLabError(
            f"There is no lab called {name[:80]}." + (f" Did you mean {near[0]}?" if near else "")
        )


def run_key(lab: Lab, params: dict[str, Any]) -> str:
    """Equal for equal lab, equal code of the lab and equal parameters."""
    text = json.dumps([lab.id, lab.version, params], sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
