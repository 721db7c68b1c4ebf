"""Every setting of the server, its default and its environment variable (``UNDERHOOD_`` + the name in capitals)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from labs.discover import PACKAGES

from underhood.confine.sandbox import LAYERS
from underhood.machine.hardware import cores, memory

PREFIX = "UNDERHOOD_"
GIB = 1 << 30


def share() -> tuple[int, int]:
    """How many runs there is room for at once, and how much memory each may take: a quarter is left for the server.

    One for each core, if that leaves a gibibyte for each; no run needs more than four.
    """
    room = memory() * 3 // 4
    places = max(1, min(cores(), room // GIB))
    return places, min(4 * GIB, room // places)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one run may use. Reaching any of these ends the run with a reason that names the limit."""

    wall: float = 60.0  # seconds from the start of the lab
    events: int = 5_000
    event_bytes: int = 1 << 20  # of one event's JSON
    blob_bytes: int = 8 << 20  # of one array that travels apart from its event
    run_bytes: int = 64 << 20  # of all events and arrays of a run
    memory: int = field(default_factory=lambda: share()[1])  # that one process may write to; 0 lifts the limit
    file_bytes: int = 64 << 20  # of one file in the run's own directory
    files: int = 1024  # open files of one process
    processes: int = 256  # and threads of a run, beside those that its user has already
    grace: float = 1.0  # seconds between SIGTERM and SIGKILL


@dataclass(frozen=True, kw_only=True)
class Settings:
    data: Path = Path(".data")
    allowed_hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")  # "*" allows every Host header
    redis_url: str = field(
        default="", repr=False
    )  # shares runs among web processes and workers; may hold a password
    labs: tuple[str, ...] = PACKAGES  # packages that hold labs
    sandbox: tuple[str, ...] = ()  # layers of the `sandbox` that must hold, or nothing is run
    preload: tuple[str, ...] = (  # imported once; torch takes 200 MB
        "numpy",
        "torch",
        "torch._inductor.compile_fx",  # with Dynamo and SymPy: 90 MB that torch else reads in when first asked
        "llvmlite.binding",
    )
    concurrency: int = field(default_factory=lambda: share()[0])  # runs at once
    queue: int = 128  # runs that may wait; one more is answered 429
    streams: int = 512  # event streams open at once; one more is answered 429
    client_starts: int = 120  # runs that one browser may start a minute (see `rate_limits`)
    client_burst: int = 60  # runs that it may start at once after a pause
    client_runs: int = 16  # of its runs waiting or running
    client_streams: int = 32  # of its streams open at once
    address_starts: int = 2_400  # the same for all browsers behind one address together, as of a class
    address_burst: int = 600
    address_runs: int = 112
    address_streams: int = 320
    proxies: tuple[str, ...] = ()  # addresses or networks whose X-Forwarded-For is believed
    metrics: int = 0  # 1 answers /metrics to requests that come without a proxy
    stream_age: float = 600.0  # seconds until a stream ends by itself and the reader resumes on a fresh one
    send_timeout: float = 60.0  # seconds that a reader may leave its stream unread before it is closed
    abandoned: float = 30.0  # seconds that a run outlives its last reader
    attempts: int = 3  # times that a run is started over when the server stopped under it
    lease: float = 5.0  # seconds without a sign of life after which a worker's runs are given to another
    drain: int = 10  # seconds that a worker which is stopped gives its runs to finish, before it hands them back
    keep_runs: int = 2_000  # finished runs kept in the store
    keep_bytes: int = 2 << 30  # bytes of finished runs kept in the store
    keep_results: int = 500  # results kept of each lab that has a history, on each machine; they outlive their runs
    body: int = 64 << 10  # bytes that a request to the API may carry
    request_seconds: int = 20  # in which the head of a request has to come, and again its body
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.redis_url and not re.match(r"(rediss?://([^/@]*@)?[^/@:]|unix://([^/@]*@)?/)", self.redis_url):
            raise ValueError(f"{PREFIX}REDIS_URL must look like redis://host:6379/0")  # it may hold a password
        if unknown := set(self.sandbox) - set(LAYERS):
            raise ValueError(f"{PREFIX}SANDBOX names {', '.join(sorted(unknown))}; layers are {', '.join(LAYERS)}")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """Defaults, overridden by the environment. Raises ``ValueError`` naming the variable that cannot be read.

        Limits are set the same way: ``UNDERHOOD_WALL=120`` gives every run two minutes.
        """
        return cls(limits=Limits(**_read(Limits, environ)), **_read(cls, environ))


def _read(kind: type[Limits] | type[Settings], environ: Mapping[str, str]) -> dict[str, Any]:
    defaults = kind()
    values: dict[str, Any] = {}
    for each in fields(kind):
        text = environ.get(name := PREFIX + each.name.upper())
        default = getattr(defaults, each.name)
        if text is None or isinstance(default, Limits):
            continue
        if isinstance(default, tuple):
            parts = tuple(part.strip() for part in text.split(",") if part.strip())
            # Naming a host adds it: without localhost the health check would be locked out.
            values[each.name] = default + parts if each.name == "allowed_hosts" else parts
            continue
        try:
            values[each.name] = type(default)(text)
        except (TypeError, ValueError):
            noun = "a whole number" if isinstance(default, int) else "a number"
            raise ValueError(f"{name} must be {noun}, not {text!r}") from None
    return values
