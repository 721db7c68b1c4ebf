"""One attempt at one run on this machine, from first event to end. Web processes and workers use the same."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import replace

from labs.discover import Lab

from underhood import contract
from underhood.metrics import METRICS
from underhood.processes import Processes
from underhood.provenance import provenance
from underhood.settings import Settings
from underhood.store import Entry, FencedError, Run, Store, StoreAwayError
from underhood.supervisor import Outcome, Sink, supervise

log = logging.getLogger("underhood.engine")


class Executor:
    def __init__(self, store: Store, labs: Mapping[str, Lab], settings: Settings) -> None:
        self.store, self.labs, self.settings = store, labs, settings
        self.processes = Processes([*settings.preload, *sorted(lab.module for lab in labs.values())])

    def refusal(self, run: Run) -> str | None:
        """Why a run that was left unfinished is not tried again, or None if it is."""
        lab = self.labs.get(run.lab)
        if run.attempt >= self.settings.attempts:
            return f"The server stopped {run.attempt} times while this was running, so it is not tried again."
        if lab is None or lab.version != run.version:
            return "The lab was changed while the run waited. Run it again."
        try:
            contract.validate(lab, run.params)
        except contract.ParameterError as error:
            return str(error)
        return None

    async def begin(self, run: Run, device: str) -> int:
        """Start the next attempt and say so in the log. Raises ``FencedError``."""
        attempt = await self.store.begin(run.id)
        facts = provenance(run.version, device=device)
        await self.store.append(run.id, attempt, [Entry.of("started", attempt=attempt, provenance=facts)])
        return attempt

    async def run(self, run: Run, attempt: int, device: str, cancelled: asyncio.Future[str]) -> Outcome:
        """Run the lab of an attempt that has begun. Raises ``FencedError`` or ``StoreAwayError``."""
        sink = Sink(
            entries=lambda entries: self.store.append(run.id, attempt, entries),
            blob=lambda data: self.store.add_blob(run.id, attempt, data),
        )
        limits = self.settings.limits
        if device == "cuda":
            limits = replace(limits, memory=0)  # CUDA maps far more than it uses; the container bounds it
        began = time.monotonic()
        try:
            outcome = await supervise(self.processes, self.labs[run.lab], run.params, limits, sink, cancelled)
        except (FencedError, StoreAwayError):
            raise
        except Exception:
            log.exception("run %s of %s", run.id, run.lab, extra={"facts": {"run": run.id, "lab": run.lab}})
            outcome = Outcome("failed", "The server could not run the lab. Its log says why.")
        self.tell(run, outcome.status, time.monotonic() - began)
        return outcome

    def tell(self, run: Run, status: str, seconds: float) -> None:
        """Put the end of an attempt into the log and the metrics."""
        facts = {"run": run.id, "lab": run.lab, "status": status, "seconds": round(seconds, 3)}
        log.info("run %(run)s of %(lab)s: %(status)s after %(seconds)s s", facts, extra={"facts": facts})
        METRICS.ended(run.lab, status, seconds)

    async def prune(self) -> None:
        await self.store.prune(self.settings.keep_runs, self.settings.keep_bytes)
