"""Streams and events: what the host launches, when the device runs it, what waits for what, and what goes wrong.

The model runs a short program. The host puts kernels and copies into the queues of streams and goes on. A stream
works through its queue in order, and streams run at the same time while the device has room. The model also follows
every block of memory: where two operations use one block and nothing puts them in order, it says so, even when the
times of this run happened to be right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from labs.contract import Interval, Label
from labs.models.streams.choices import PROGRAM, DefaultStream, Streams
from labs.models.streams.examples import EXAMPLES
from labs.models.streams.host import Host, Settings
from labs.models.streams.moments import Moment, course


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        PROGRAM,
        Label("Program", help="Kernels and copies with their µs; streams, events, waits, and printed times."),
    ] = EXAMPLES["benchmark"]
    launch: Annotated[
        int, Interval(ge=1, le=100), Label("Launch", unit="µs", help="The host’s time for one call.", main=True)
    ] = 12
    streams: Streams = "non-blocking"
    default_stream: DefaultStream = "legacy"
    launch_blocking: Annotated[
        bool, Label("CUDA_LAUNCH_BLOCKING", help="The host waits for each kernel and copy that it launches.")
    ] = False


def run(params: Params) -> Iterator[Moment]:
    settings = Settings(
        launch=params.launch,
        legacy=params.default_stream == "legacy",
        blocking=params.streams == "blocking",
        one_by_one=params.launch_blocking,
    )
    yield from course(Host(settings=settings), params.program)
