"""The server and the load generator as processes of their own, and how long the server's accept queue is."""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from labs.contract import LabError
from numpy.typing import NDArray

from native.models.child import port_of, start_and_rows, started
from native.speed.http_servers.http import Options
from native.speed.http_servers.load import FIELDS
from native.speed.http_servers.serve import Way

ROOM = "native.speed.http_servers"
PATIENCE = 10.0
"""Seconds for a server to start."""
SAMPLE = 0.02
"""Seconds from one look at the accept queue to the next."""
LISTENS = "0A"


@dataclass
class Server:
    process: subprocess.Popen[bytes]
    port: int

    def accept_queue(self) -> int:
        """Connections that the kernel has made and the server has not accepted yet, from /proc/net/tcp."""
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, _, state, queues, *_ = line.split()
            if state == LISTENS and local.endswith(f":{self.port:04X}"):
                return int(queues.partition(":")[2], 16)
        return 0


@contextmanager
def serving(way: Way, options: Options, log: Path) -> Iterator[Server]:
    """A server that answers connections, killed at the end. What it prints goes to a file."""
    with (
        log.open("wb") as errors,
        started(ROOM, way, json.dumps(asdict(options)), errors=errors) as (process, says),
    ):
        if not (port := port_of(says)):
            raise LabError(f"The server {way!r} did not start: {log.read_text()[-300:].strip() or 'no reason'}.")
        server = Server(process, port)
        wait_for(server, way)
        yield server


def wait_for(server: Server, way: Way) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", server.port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline or server.process.poll() is not None:
                raise LabError(f"The server {way!r} does not answer.") from None
            time.sleep(0.02)


@dataclass
class Progress:
    """What the load generator has told so far."""

    seconds: float
    """Since it started."""
    rows: NDArray[np.float64]
    """[requests over, fields]"""
    sampled: list[float] = field(default_factory=list)
    """Seconds at which the accept queue was looked at."""
    queued: list[int] = field(default_factory=list)
    over: bool = False


def under_load(
    server: Server, connections: int, seconds: float, rate: float, stall: tuple[float, float], every: float
) -> Iterator[Progress]:
    """How far the load is, every so many seconds and at its end.

    ``stall`` stops the whole process of the server at its first number of seconds for its second.
    """
    told, shown = bytearray(), 0.0
    progress = Progress(0.0, start_and_rows(told, len(FIELDS))[1])
    stops = [(stall[0], signal.SIGSTOP), (sum(stall), signal.SIGCONT)] if stall[1] else []
    load = started(ROOM, "load", server.port, connections, seconds, rate)
    with load as (_, says), selectors.DefaultSelector() as ready:
        ready.register(says, selectors.EVENT_READ)
        while not progress.over:
            if ready.select(SAMPLE):
                chunk = os.read(says.fileno(), 1 << 20)
                told += chunk
                progress.over = not chunk
            if len(told) < 8:
                if progress.over:
                    raise LabError("The load generator did not start.")
                continue
            progress.seconds = time.monotonic() - np.frombuffer(told[:8])[0]
            while stops and progress.seconds >= stops[0][0]:
                server.process.send_signal(stops.pop(0)[1])
            progress.sampled.append(progress.seconds)
            progress.queued.append(server.accept_queue())
            if progress.over or progress.seconds - shown > every:
                shown = progress.seconds
                _, progress.rows = start_and_rows(told, len(FIELDS))
                yield progress
