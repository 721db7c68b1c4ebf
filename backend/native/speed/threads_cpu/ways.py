"""The same count in five ways: what does the work, and what shares it among workers."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from native.models.kernel import load
from native.speed.threads_cpu import rows
from native.speed.threads_cpu.circle_kernel import CIRCLE
from native.speed.threads_cpu.rows import Count, Span, Task, Worked, shared, work

FREE = ("python3.15t", "python3.14t", "python3.13t")
BLOCK = 50  # rows of a task for NumPy: its arrays stay in the cache, and calls are few
Run = Callable[[int, float], tuple[Span, list[Worked]]]
"""Does the work by so many workers, the given share of it by the main thread."""


@dataclass(frozen=True)
class Way:
    name: str
    run: Run
    repeated: int
    """How often the whole circle is counted."""


def ways(r: int, interval: float) -> Iterator[Way]:
    """``r`` is the radius, ``interval`` the seconds after which a thread that waits asks for the GIL."""
    single = [(row, row + 1) for row in range(r)]

    def python(low: int, high: int) -> int:
        return rows.points(low, high, r)

    begun = time.perf_counter()
    work(python, single)
    took = time.perf_counter() - begun

    def repeated(count: Count, tasks: list[Task]) -> tuple[list[Task], int]:
        """As often as takes about as long as Python takes once."""
        work(count, tasks)  # warms up
        begun = time.perf_counter()
        work(count, tasks)
        times = max(1, round(took / (time.perf_counter() - begun)))
        return tasks * times, times

    yield Way("threads, Python", lambda n, alone: shared(python, single, n, alone), 1)
    if program := free_threaded():
        yield Way("threads, no GIL", lambda n, alone: elsewhere(program, r, n, alone, interval), 1)
    yield Way("processes, Python", lambda n, alone: shared(python, single, n, alone, by_processes), 1)
    blocks = [(low, min(low + BLOCK, r)) for low in range(0, r, BLOCK)]
    tasks, times = repeated(vectors(r), blocks)
    yield Way("threads, NumPy", lambda n, alone: shared(vectors(r), tasks, n, alone), times)
    whole, often = repeated(compiled(r), [(0, r)])
    yield Way("threads, C", lambda n, alone: shared(compiled(r), whole, n, alone), often)


def vectors(r: int) -> Count:
    """NumPy gives the GIL back while it is in a loop of its own."""
    squares = np.arange(r, dtype=np.int64) ** 2
    return lambda low, high: int(np.count_nonzero(squares[low:high, None] + squares < r * r))


def compiled(r: int) -> Count:
    """So does ctypes for as long as a function takes that it calls."""
    circle = load(CIRCLE).circle
    circle.restype, circle.argtypes = ctypes.c_long, [ctypes.c_long] * 3
    return lambda low, high: int(circle(low, high, r))


def by_processes(count: Count, shares: Sequence[Sequence[Task]]) -> list[Worked]:
    """Each share by a process, forked for it; what it has done comes back through a pipe."""
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe(duplex=False) for _ in shares]

    def one(worker: int) -> None:
        pipes[worker][1].send(work(count, shares[worker]))

    processes = [context.Process(target=one, args=(worker,)) for worker in range(len(shares))]
    for process in processes:
        process.start()
    done = [receiver.recv() for receiver, _ in pipes]
    for process in processes:
        process.join()
    return done


def free_threaded() -> str | None:
    """A CPython without a GIL, if this machine has one."""
    return next(filter(None, map(shutil.which, FREE)), None)


def elsewhere(program: str, r: int, workers: int, alone: float, interval: float) -> tuple[Span, list[Worked]]:
    """The same count by another Python. Its start is not counted."""
    told = [program, str(Path(rows.__file__)), str(r), str(workers), str(alone), str(interval)]
    (begun, ended), worked = json.loads(subprocess.run(told, check=True, capture_output=True, text=True).stdout)
    return (begun, ended), [(count, [(low, high) for low, high in spans]) for count, spans in worked]


def gil() -> bool:
    """Whether this very Python has one."""
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())
