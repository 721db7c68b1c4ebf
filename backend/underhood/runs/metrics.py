"""What this process has done, for Prometheus: `GET /metrics`.

Not public: it is answered only with ``UNDERHOOD_METRICS=1``, and even then not to what a proxy has passed on. Runs
are counted where they execute, so behind a shared queue the web processes count none.
"""

from __future__ import annotations

import os

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

disable_created_metrics()  # type: ignore[no-untyped-call]  # a time beside each counter, which nobody asked for

SECONDS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0)


class Metrics:
    """Of one application, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = of = CollectorRegistry()
        self._runs = Counter("underhood_runs", "Runs that have ended.", ["lab", "status"], registry=of)
        self._impossible = Counter(
            "underhood_impossible", "Runs that measured what cannot be.", ["lab"], registry=of
        )
        self._refusals = Counter("underhood_refusals", "Calls answered with 400 or above.", ["status"], registry=of)
        self._seconds = Histogram("underhood_run_seconds", "How long runs took.", buckets=SECONDS, registry=of)
        self._running = Gauge("underhood_running", "Runs that execute now.", registry=of)
        self._queued = Gauge("underhood_queued", "Runs that wait now.", registry=of)
        self._streams = Gauge("underhood_streams", "Event streams that are open now.", registry=of)
        memory = Gauge("underhood_resident_bytes", "Memory that this process holds.", registry=of)
        memory.set_function(resident)

    def ended(self, lab: str, status: str, seconds: float) -> None:
        """A run has ended; ``seconds`` from its start, 0 if it had none."""
        self._runs.labels(lab, status).inc()
        self._seconds.observe(seconds)

    def refused(self, lab: str) -> None:
        """A run measured what cannot be."""
        self._impossible.labels(lab).inc()

    def answered(self, status: int) -> None:
        if status >= 400:
            self._refusals.labels(status).inc()

    def text(self, running: int, queued: int, streams: int) -> bytes:
        """The exposition, with what is going on at this moment."""
        self._running.set(running)
        self._queued.set(queued)
        self._streams.set(streams)
        return generate_latest(self._registry)


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
