"""Streams on a real GPU: the programs of the model, executed by PyTorch, with the times that were measured.

A kernel spins for as long as the program says, and a copy moves what pinned memory moves in that time. PyTorch's
profiler says when each of them ran, the host's clock what each line took. Of several runs the one is shown that
took the median time. What is said about orders follows from the program, as in `pytorch/cuda_streams`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal

from labs.contract import Interval, Label, LabError
from labs.models.streams.choices import PROGRAM, DefaultStream, Streams
from labs.models.streams.examples import EXAMPLES
from labs.models.streams.host import Host, Settings
from labs.models.streams.language import listed
from labs.models.streams.moments import Moment, course

from native.pytorch.streams_measured.replay import Log, Replay

MEASURES = True


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        PROGRAM,
        Label(
            "Program", help="As in the model: a kernel spins for its µs, a copy moves as much as fits into its own."
        ),
    ] = EXAMPLES["prefetch"]
    streams: Streams = "non-blocking"
    default_stream: DefaultStream = "legacy"
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 11
    device: Annotated[Literal["cuda"], Label("Run on")] = "cuda"


@dataclass(frozen=True, kw_only=True)
class Measured(Moment):
    """All that had happened up to a moment, on a GPU."""

    gpu: str
    repetitions: int
    low: int
    """µs that a quarter of the repetitions took at most"""
    high: int
    """µs that three quarters of them took at most"""


def run(params: Params) -> Iterator[Measured]:
    legacy, blocking = params.default_stream == "legacy", params.streams == "blocking"
    settings = Settings(launch=1, legacy=legacy, blocking=blocking, one_by_one=False)
    for _ in course(Host(settings=replace(settings, one_by_one=True)), params.program):
        pass  # refuses what is wrong with the program, in all of its lines: one by one, no event comes too late
    import torch

    if not torch.cuda.is_available():
        raise LabError("This is measured on an NVIDIA GPU, and there is none here.")
    from native.pytorch.streams_measured import played

    logs = played.played(listed(params.program), played.stage(settings), params.repetitions)
    yield from shown(params.program, settings, logs, torch.cuda.get_device_name())


def shown(program: str, settings: Settings, logs: list[Log], gpu: str) -> Iterator[Measured]:
    """The run that took the median time, with the spread of all."""
    ordered = sorted(logs, key=end)
    quarter = len(ordered) // 4
    for moment in course(Replay(settings=settings, log=ordered[len(ordered) // 2]), program):
        yield Measured(
            **{each.name: getattr(moment, each.name) for each in fields(moment)},
            gpu=gpu,
            repetitions=len(ordered),
            low=end(ordered[quarter]),
            high=end(ordered[-1 - quarter]),
        )


def end(log: Log) -> int:
    """µs of the whole run."""
    return max(last for _, last in (*log.lines, *log.work))
