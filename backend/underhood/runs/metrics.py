"""What this process has done, in the text format of Prometheus: `GET /metrics`.

Not public: it is answered only with ``UNDERHOOD_METRICS=1``, and even then not to what a proxy has passed on. Runs
are counted where they execute, so behind a shared queue the web processes count none.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate

BOUNDS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0)  # seconds, of the histogram's buckets
TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[tuple[str, str], ...]


class Metrics:
    def __init__(self) -> None:
        self.runs: Counter[Labels] = Counter()
        self.impossible: Counter[Labels] = Counter()
        self.refusals: Counter[Labels] = Counter()
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def ended(self, lab: str, status: str, seconds: float) -> None:
        """A run has ended; ``seconds`` from its start, 0 if it had none."""
        self.runs[("lab", lab), ("status", status)] += 1
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def refused(self, lab: str) -> None:
        """A run measured what cannot be."""
        self.impossible[(("lab", lab),)] += 1

    def answered(self, status: int) -> None:
        if status >= 400:
            self.refusals[(("status", str(status)),)] += 1

    def text(self, now: dict[str, int]) -> str:
        """The exposition; ``now`` holds gauges by name."""
        lines = [
            *_counter("underhood_runs_total", "Runs that have ended.", self.runs.items()),
            *_counter("underhood_impossible_total", "Runs that measured what cannot be.", self.impossible.items()),
            *_counter("underhood_refusals_total", "Calls answered with 400 or above.", self.refusals.items()),
            *self._histogram("underhood_run_seconds", "How long runs took."),
        ]
        for name, value in (now | {"resident_bytes": resident()}).items():
            lines += [f"# TYPE underhood_{name} gauge", f"underhood_{name} {value}"]
        return "\n".join(lines) + "\n"

    def _histogram(self, name: str, help_: str) -> Iterator[str]:
        yield from (f"# HELP {name} {help_}", f"# TYPE {name} histogram")
        for bound, count in zip([*map(str, BOUNDS), "+Inf"], accumulate(self.buckets), strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {count}'
        yield from (f"{name}_sum {self.seconds}", f"{name}_count {sum(self.buckets)}")


def _counter(name: str, help_: str, counts: Iterable[tuple[Labels, int]]) -> Iterator[str]:
    yield from (f"# HELP {name} {help_}", f"# TYPE {name} counter")
    for labels, count in counts:
        named = ",".join(f'{label}="{value}"' for label, value in labels)  # plain names, so nothing needs escaping
        yield f"{name}{{{named}}} {count}"


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


METRICS = Metrics()  # of this process
