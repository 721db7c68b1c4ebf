"""One attempt at one run on this machine, from first event to end. Web processes and workers use the same."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from labs.discover import Lab

from underhood.contract import validation
from underhood.machine.provenance import provenance
from underhood.processes.spawner import Spawner
from underhood.processes.supervisor import Outcome, Sink, supervise
from underhood.runs.metrics import Metrics
from underhood.settings import Settings
from underhood.stores.store import Entry, FencedError, Result, Run, Store, StoreAwayError

log = logging.getLogger("underhood.engine")

EXCUSES = 10  # times that a run is started over because the store went away under it


class Attempt(NamedTuple):
    number: int
    provenance: dict[str, Any]


class Executor:
    def __init__(self, store: Store, labs: Mapping[str, Lab], settings: Settings, metrics: Metrics) -> None:
        self.store, self.labs, self.settings, self.metrics = store, labs, settings, metrics
        self.spawner = Spawner([*settings.preload, *sorted(lab.module for lab in labs.values())])

    def refusal(self, run: Run) -> str | None:
        """Why a run that was left unfinished is not tried again, or None if it is."""
        lab = self.labs.get(run.lab)
        if (stopped := run.attempt - run.excused) >= self.settings.attempts:
            return f"The server stopped {stopped} times while this was running, so it is not tried again."
        if run.excused >= EXCUSES:
            return (
                f"The place where runs are kept went away {run.excused} times while this was running, "
                "so it is not tried again."
            )
        if lab is None or lab.version != run.version:
            return "The lab was changed while the run waited. Run it again."
        try:
            validation.validate(lab, run.params)
        except validation.ParameterError as error:
            return str(error)
        return None

    async def begin(self, run: Run, device: str) -> Attempt:
        """Start the next attempt and say so in the log. Raises ``FencedError``."""
        facts = provenance(run.version, device=device)
        return Attempt(await self.store.begin(run.id, facts), facts)

    async def run(
        self,
        run: Run,
        attempt: Attempt,
        device: str,
        cancelled: asyncio.Future[str],
        background: bool = False,
    ) -> Outcome:
        """Run the lab of an attempt that has begun. Raises ``FencedError`` or ``StoreAwayError``."""
        last: list[Entry] = []

        async def entries(new: list[Entry]) -> None:
            await self.store.append(run.id, attempt.number, new)
            last[:] = new[-1:]

        sink = Sink(entries, blob=lambda data: self.store.add_blob(run.id, attempt.number, data))
        lab = self.labs[run.lab]
        limits = self.settings.limits
        if device == "cuda":
            limits = replace(limits, memory=0)  # CUDA maps far more than it uses; the container bounds it
        began = time.monotonic()
        try:
            outcome = await supervise(self.spawner, lab, run.params, limits, sink, cancelled, background)
            if lab.history and outcome.status == "ok" and last:
                await self.remember(run, attempt, last[0])
        except (FencedError, StoreAwayError):
            raise
        except Exception:
            log.exception("run %s of %s", run.id, run.lab, extra={"facts": {"run": run.id, "lab": run.lab}})
            outcome = Outcome("failed", "The server could not run the lab. Its log says why.")
        self.report_end(run, outcome.status, time.monotonic() - began)
        if outcome.impossible:
            facts = {"run": run.id, "lab": run.lab, "reason": outcome.reason}
            log.warning("run %(run)s of %(lab)s was refused: %(reason)s", facts, extra={"facts": facts})
            self.metrics.refused(run.lab)
        return outcome

    async def remember(self, run: Run, attempt: Attempt, last: Entry) -> None:
        facts, event = attempt.provenance, json.loads(last.data)
        result = Result(run=run.id, lab=run.lab, params=run.params, provenance=facts, event=event)
        await self.store.remember(result, attempt.number, self.settings.keep_results)

    def report_end(self, run: Run, status: str, seconds: float) -> None:
        """Put the end of an attempt into the log and the metrics."""
        facts = {"run": run.id, "lab": run.lab, "status": status, "seconds": round(seconds, 3)}
        log.info("run %(run)s of %(lab)s: %(status)s after %(seconds)s s", facts, extra={"facts": facts})
        self.metrics.ended(run.lab, status, seconds)

    async def prune(self) -> None:
        await self.store.prune(self.settings.keep_runs, self.settings.keep_bytes)
