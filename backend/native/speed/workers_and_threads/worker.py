"""A process that forks workers, which serve requests with as many threads each as they are told."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection

WIDTH, HEADS = 512, 8
SPIN = 0.02  # seconds: after its work a thread of OpenMP looks out for more, and keeps its core
Cell = tuple[int, int]
"""Workers, and threads of each."""
Did = tuple[list[tuple[float, float]], float, int]
"""Begin and end of each request, seconds of a processor, and how often the scheduler took it from a thread."""


def main(tokens: int, seconds: float, policy: str, cells: list[Cell], turns: int) -> None:
    """Tells a line of JSON for each turn of each cell: when it began, and what each worker did."""
    if policy:
        os.environ["OMP_WAIT_POLICY"] = policy
    import torch  # once, before the fork: none of its threads has started yet

    torch.manual_seed(0)
    network = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, batch_first=True).eval()
    prompt = torch.randn(1, tokens, WIDTH)
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe() for _ in range(max(workers for workers, _ in cells))]
    ends = [ours for ours, _ in pipes]
    for _, theirs in pipes:
        context.Process(target=serve, args=(theirs, ends, lambda: network(prompt)), daemon=True).start()
    for workers, threads in [(len(pipes), 1), *cells * turns]:  # the first turn warms up
        time.sleep(SPIN)
        begin = time.perf_counter() + 1e-3
        for ours, _ in pipes[:workers]:
            ours.send((threads, begin, begin + seconds))
        sys.stdout.write(json.dumps((begin, [ours.recv() for ours, _ in pipes[:workers]])) + "\n")
        sys.stdout.flush()


def serve(told: Connection, inherited: Iterable[Connection], answer: Callable[[], object]) -> None:
    """Turn after turn: request after request from ``begin`` on, as long as it is not ``end``.

    Ends when the process that forked it is no more, however that ended: nobody else may hold its ends of the pipes.
    """
    import torch

    for end_of_parent in inherited:
        end_of_parent.close()
    with torch.inference_mode(), suppress(EOFError, ConnectionError):
        while True:
            threads, begin, end = told.recv()
            torch.set_num_threads(threads)
            time.sleep(max(0.0, begin - time.perf_counter()))
            told.send(turn(answer, end))


def turn(answer: Callable[[], object], end: float) -> Did:
    before = resource.getrusage(resource.RUSAGE_SELF)
    done = []
    while (begin := time.perf_counter()) < end:
        answer()
        done.append((begin, time.perf_counter()))
    after = resource.getrusage(resource.RUSAGE_SELF)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done, busy, after.ru_nivcsw - before.ru_nivcsw


def rate(done: Iterable[tuple[float, float]], begin: float, end: float) -> float:
    """Requests a second between two moments; of one that was done in part then, that part."""
    parts = ((min(high, end) - max(low, begin)) / (high - low) for low, high in done)
    return sum(part for part in parts if part > 0) / (end - begin)
