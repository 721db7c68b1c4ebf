"""Counting the points of a circle in Python, by threads that note when each worked.

The standard library alone, because this file is also a program that another Python executes:
``python3.14t rows.py RADIUS WORKERS ALONE INTERVAL`` prints what `shared` gives, as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Sequence

Task = tuple[int, int]
"""Rows from one to before another."""
Count = Callable[[int, int], int]
Span = tuple[float, float]
"""Seconds of the clock, when a task began and when it ended."""
Worked = tuple[int, list[Span]]
"""The points that a worker has counted, and its spans."""


def points(low: int, high: int, r: int) -> int:
    """Points (x, y) with x in [low, high) and y in [0, r) for which x² + y² < r²."""
    count = 0
    for x in range(low, high):
        for y in range(r):
            if x * x + y * y < r * r:
                count += 1
    return count


def work(count: Count, tasks: Sequence[Task]) -> Worked:
    """One task after the other, with the time at the ends of each."""
    clock, total, spans = time.perf_counter, 0, []
    for low, high in tasks:
        begun = clock()
        total += count(low, high)
        spans.append((begun, clock()))
    return total, spans


def by_threads(count: Count, shares: Sequence[Sequence[Task]]) -> list[Worked]:
    """Each share by a thread of its own."""
    done: dict[int, Worked] = {}

    def one(worker: int) -> None:
        done[worker] = work(count, shares[worker])

    threads = [threading.Thread(target=one, args=(worker,)) for worker in range(len(shares))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [done[worker] for worker in range(len(shares))]


def shared(
    count: Count,
    tasks: Sequence[Task],
    workers: int,
    alone: float,
    by: Callable[[Count, Sequence[Sequence[Task]]], list[Worked]] = by_threads,
) -> tuple[Span, list[Worked]]:
    """The first ``alone`` of the tasks by the main thread, the rest by workers; when it began and ended.

    What the main thread did comes first in the list. Without workers it does all.
    """
    first = round(alone * len(tasks)) if workers else len(tasks)
    begun = time.perf_counter()
    main = work(count, tasks[:first])
    rest = by(count, [tasks[first + worker :: workers] for worker in range(workers)]) if workers else []
    return (begun, time.perf_counter()), [main, *rest]


if __name__ == "__main__":
    radius, many = map(int, sys.argv[1:3])
    sys.setswitchinterval(float(sys.argv[4]))
    rows = [(row, row + 1) for row in range(radius)]
    json.dump(shared(lambda low, high: points(low, high, radius), rows, many, float(sys.argv[3])), sys.stdout)
