"""DDP overlap: gradients leave in buckets while backward still computes the rest, on real processes.

Two to four processes train the same network with DistributedDataParallel over gloo, on the loopback of this run.
Each bucket of gradients is averaged by a thread of its own, which then waits as long as a slower network would
have taken. Every gradient and every bucket is clocked, with and without overlap, and what comes out is compared
with what one process computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Interval, Label, Uint8
from labs.models.timing import QUARTILES

from native.pytorch.ddp_overlap.schedule import WAYS

MEASURES = True
LOOPBACK = True
POSTER = 14


@dataclass(frozen=True)
class Params:
    bucket: Annotated[
        Literal["every parameter", "1 MiB", "2 MiB", "4 MiB", "default"],
        Label(
            "Bucket size",
            help="A bucket leaves when it has reached this size. The default is 25 MiB, and 1 MiB for the first.",
            main=True,
        ),
    ] = "1 MiB"
    delay: Annotated[
        float, Interval(ge=0, le=5), Label("Delay", unit="ms", help="Of each message in the ring.", main=True)
    ] = 0.2
    link: Annotated[
        Literal["loopback", "10 Gbit/s", "2.5 Gbit/s", "1 Gbit/s"],
        Label("Network", help="Of each process. Waiting imitates a network that is slower than the loopback."),
    ] = "2.5 Gbit/s"
    straggler: Annotated[
        float,
        Interval(ge=0, le=10),
        Label("Straggler", unit="ms", help="The last process pauses this long in each layer of backward."),
    ] = 0.0
    processes: Annotated[Literal[2, 3, 4], Label("Processes")] = 2
    layers: Annotated[int, Interval(ge=2, le=12), Label("Layers", help="Each has 1 MiB of weights.")] = 8
    repetitions: Annotated[int, Interval(ge=3, le=9), Label("Repetitions")] = 7


@dataclass(frozen=True, kw_only=True)
class Moment(Event):
    """One training step up to a moment, and what all steps came to. Times are milliseconds of that step."""

    kind: Literal["moment"] = "moment"
    stage: Literal["backward", "exchange", "compared"]
    now: float
    end: float
    """When the last process had all averages"""
    gradients: list[str]
    """As in the model's state: layer, from 1, and parameter; in the order in which the first process had them"""
    layers: Annotated[Uint8, Axes(gradient="gradients")]
    """[gradients] the layer of each"""
    kib: Annotated[Float32, Axes(gradient="gradients")]
    """[gradients] how large each is"""
    home: Annotated[Uint8, Axes(gradient="gradients")]
    """[gradients] the bucket of each, from 0, in the order in which they leave"""
    ready: Annotated[Float32, Axes(gradient="gradients")]
    """[gradients] when each was there, on the first process"""
    buckets: Annotated[Float32, Axes(bucket=None)]
    """[buckets] KiB in each"""
    compute: Annotated[Float32, Axes(process=None, part=None, edge=("start", "end"))]
    """[processes, 1 + layers, 2] when the forward pass, and backward through each layer from the last, went on"""
    network: Annotated[Float32, Axes(process=None, bucket=None, edge=("launched", "start", "done"))]
    """[processes, buckets, 3] when a bucket was full, when all had begun on it, and when it was averaged"""
    ways: list[str]
    took: Annotated[Float32, Axes(way=WAYS, quartile=QUARTILES)]
    """[ways, 3] milliseconds of a step, on the slowest process"""
    busy: float
    """Milliseconds in which the network moved buckets, in the drawn step on the first process"""
    hidden: float
    """Milliseconds of these in which backward still went on"""
    overlap: Annotated[Float32, Axes(quartile=QUARTILES)]
    """[3] the share hidden over busy, of all processes, over the repetitions"""
    sent: float
    """MiB that each process sent in a step"""
    processes_agree: bool
    """Whether all processes have the same bits in every gradient"""
    same_bits: float
    """Share of numbers with the bits of one process that takes the shares of the batch one after the other"""
    of_bound: float
    """How much of the bound on rounding the largest difference to that process is; 0 for the same bits"""
    whole_same_bits: float
    """The same as `same_bits` for one process that takes the whole batch at once"""
    error: Annotated[Float32, Axes(of=("processes", "whole"))]
    """[2] relative distance to the gradient in float64, of the processes and of the whole batch at once"""


def run(params: Params) -> Iterator[Moment]:
    from native.pytorch.ddp_overlap.story import moments

    for fields in moments(params):
        yield Moment(**fields)
