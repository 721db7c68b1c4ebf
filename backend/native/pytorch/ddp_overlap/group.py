"""The processes of a group: forked, heard out, and ended together, whatever happens to one of them."""

from __future__ import annotations

import ctypes
import importlib
import multiprocessing
import os
import signal
import sys
import tempfile
import traceback
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from labs.contract import LabError

from native.models.alone import reason
from native.pytorch.ddp_overlap.train import Job, Told, train

PR_SET_PDEATHSIG = 1
GRACE = 1.0
"""Seconds in which those that are left notice that one is gone."""


def trained(job: Job) -> list[Told]:
    """What each process tells. Raises ``LabError`` if one of them ends before that; none is left then."""
    importlib.import_module("torch._dynamo")  # before the fork, so that it is read once: DDP asks it something
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        children: list[tuple[ForkProcess, Connection]] = []
        try:
            for rank in range(job.processes):
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=child, args=(job, rank, Path(folder), theirs, os.getpid()))
                process.start()
                theirs.close()  # so that its end is noticed
                children.append((process, ours))
            return heard([told for _, told in children])
        except EOFError:
            raise LabError(who_died([process for process, _ in children])) from None
        finally:
            for process, told in children:
                process.kill()
                process.join()
                told.close()


def heard(connections: list[Connection]) -> list[Told]:
    """What comes through each. Raises ``EOFError`` as soon as one ends without a word."""
    told: dict[Connection, Told] = {}
    while pending := [each for each in connections if each not in told]:
        for each in wait(pending):
            assert isinstance(each, Connection)
            told[each] = each.recv()
    return [told[each] for each in connections]


def child(job: Job, rank: int, folder: Path, tell: Connection, parent: int) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before that
        return
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    try:
        tell.send(train(job, rank, folder))
    except Exception:
        traceback.print_exc()
        sys.exit(1)


def who_died(processes: list[ForkProcess]) -> str:
    """The others fail because of it: one that a signal ended is the first, else any that failed."""
    for process in processes:
        process.join(GRACE)
    codes = [process.exitcode or 0 for process in processes]
    rank = min(range(len(codes)), key=lambda n: (codes[n] >= 0, codes[n] == 0))
    return (
        f"Process {rank + 1} of {len(codes)} ended early, by {reason(codes[rank])}. The others waited for its "
        "gradients and were stopped. Run it again, with fewer processes or layers if memory is short."
    )
