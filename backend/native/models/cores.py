"""How many threads of a run can work at the same time."""

from __future__ import annotations

import os


def cores() -> int:
    """Cores that this run may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
