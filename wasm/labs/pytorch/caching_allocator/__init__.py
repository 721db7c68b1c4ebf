"""Caching allocator: PyTorch serves a training step from blocks of memory that it keeps, until none fits.

The storages of a real training step, recorded from torch with their order and their sizes, go through a model of
the allocator that PyTorch has for CUDA. Every picture is the whole device: segments that the allocator got from it,
cut into blocks that are in use, free, or waiting for another stream, and what the device still has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from labs.contract import Interval, Label
from labs.models.allocator.blocks import MIB
from labs.models.allocator.course import State, course
from labs.models.allocator.traces import Lengths, Request, lengths, trace
from labs.pytorch.caching_allocator.allocator import Allocator


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
    expandable: Annotated[
        bool, Label("expandable_segments", help="One growing segment for each pool and stream.", main=True)
    ] = False
    memory: Annotated[int, Interval(ge=128, le=4096), Label("Memory of the device", unit="MiB")] = 768
    batch: Annotated[int, Interval(ge=1, le=32), Label("Batch", unit="sequences")] = 16
    longest: Annotated[int, Interval(ge=16, le=512), Label("Longest sequence", unit="tokens")] = 256
    steps: Annotated[int, Interval(ge=1, le=8), Label("Training steps")] = 6
    seed: Annotated[int, Interval(ge=0, le=999), Label("Seed")] = 0
    max_split: Annotated[
        Literal["unlimited", "24", "32", "48", "64", "128"],
        Label("max_split_size_mb", unit="MiB", help="Blocks of at least this size are never split."),
    ] = "unlimited"
    collect: Annotated[
        Literal["off", "0.5", "0.6", "0.8", "0.9"],
        Label(
            "garbage_collection_threshold", help="Above this share of the device, old free segments go back to it."
        ),
    ] = "off"
    streams: Annotated[
        Literal[1, 2],
        Label("Streams", help="2: one stream copies the batch and owns its memory; another stream uses it."),
    ] = 1


def run(params: Params) -> Iterator[State]:
    of = lengths(params.length, params.steps, params.longest, params.seed)
    allocator = Allocator(
        params.memory * MIB,
        params.expandable,
        None if params.max_split == "unlimited" else int(params.max_split) * MIB,
        0.0 if params.collect == "off" else float(params.collect),
    )
    yield from course(allocator, params.memory, of, requests(params.batch, tuple(of), params.streams))


@lru_cache(maxsize=8)  # no setting of the allocator changes what is asked of it
def requests(batch: int, of: tuple[int, ...], streams: int) -> list[Request]:
    return list(trace(batch, [*of], streams))
