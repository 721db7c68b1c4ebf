"""Caching allocator, on a GPU: the same training steps on PyTorch's own allocator, drawn from its snapshots.

The requests are those of `pytorch/caching_allocator`. PyTorch serves each on a real GPU, where it may take as much
memory as the reader says. After each request `torch.cuda.memory_snapshot` tells which segments the driver gave, and
which blocks lie in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated, Literal

from labs.contract import Interval, Label, LabError
from labs.models.allocator.blocks import MIB
from labs.models.allocator.course import State, course
from labs.models.allocator.traces import Lengths, lengths, trace

MEASURES = True  # no time, but where the driver of this GPU put each segment
POSTER = 50


@dataclass(frozen=True)
class Params:
    length: Annotated[
        Lengths,
        Label(
            "Lengths",
            help="Of the sequences: all the longest; drawn from half of that up; or drawn, then sorted.",
            main=True,
        ),
    ] = "varying"
    memory: Annotated[
        int, Interval(ge=128, le=4096), Label("Memory that PyTorch may take", unit="MiB", main=True)
    ] = 768
    batch: Annotated[int, Interval(ge=1, le=32), Label("Batch", unit="sequences")] = 16
    longest: Annotated[int, Interval(ge=16, le=512), Label("Longest sequence", unit="tokens")] = 256
    steps: Annotated[int, Interval(ge=1, le=8), Label("Training steps")] = 6
    seed: Annotated[int, Interval(ge=0, le=999), Label("Seed")] = 0
    device: Annotated[Literal["cuda"], Label("Run on")] = "cuda"


@dataclass(frozen=True, kw_only=True)
class Snapshot(State):
    """A GPU after some requests, as PyTorch's snapshot has it."""

    gpu: str


def run(params: Params) -> Iterator[Snapshot]:
    import torch

    if not torch.cuda.is_available():
        raise LabError("This is measured on an NVIDIA GPU, and there is none here.")
    from native.pytorch.allocator_snapshot.on_a_gpu import OnAGpu

    of = lengths(params.length, params.steps, params.longest, params.seed)
    requests = list(trace(params.batch, of, streams=1))
    for state in course(OnAGpu(params.memory * MIB), params.memory, of, requests):
        yield Snapshot(**{each.name: getattr(state, each.name) for each in fields(state)}, gpu=card())


def card() -> str:
    import torch

    return str(torch.cuda.get_device_name())
