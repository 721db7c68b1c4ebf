"""When fusion pays: the memory traffic that it saves, the work that it repeats, and what both do to the time.

A program runs step by step, each step a kernel, and as one kernel, made by our compiler. What crosses between
memory and processor is counted on its loops. From this and from the bandwidth and speed of the machine follows a
time for each size, and then each size is timed: in PyTorch as it is, apart, and fused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Interval, Label
from labs.models.timing import QUARTILES

from native.pytorch.fusion_worth.pictures import WAYS, Over, Step

MEASURES = True


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["gelu", "chain", "sum", "product", "window"],
        Label("Program", help="A window adds up neighbouring results of its first step.", main=True),
    ] = "gelu"
    size: Annotated[
        Literal["4 K", "64 K", "1 M", "4 M"],
        Label("Numbers", help="In the tensor that is drawn; at most 1 M for a product.", main=True),
    ] = "4 M"
    uses: Annotated[
        int,
        Interval(ge=2, le=16),
        Label("Uses", help="How often a window program uses each number of its first step."),
    ] = 8
    length: Annotated[
        int,
        Interval(ge=1, le=12),
        Label("Length", help="Steps of a chain, also before a sum; multiply-adds before a window."),
    ] = 4
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads")] = 1
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 11
    inductor: Annotated[bool, Label("Time Inductor too", help="torch.compile needs a few seconds for it.")] = False
    one_line: Annotated[
        bool,
        Label(
            "NumPy in one line",
            group="Mistakes",
            help="“NumPy will optimise the expression tree”: tested by counting what it allocates.",
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Worth(Event):
    """A program, what crosses in each step, and what was predicted and measured so far."""

    kind: Literal["worth"] = "worth"
    stage: Literal["apart", "joined", "machine", "measured", "inductor", "numpy", "worth"]
    steps: list[Step]
    kernels: int
    """That the drawn steps are"""
    kernels_apart: int
    moved: int
    """Bytes that cross in the drawn steps"""
    moved_apart: int
    """The same with each step a kernel"""
    work: int
    """Operations of the drawn steps, in additions"""
    work_apart: int
    numbers: int
    """In a tensor that is drawn"""
    uses: int
    over: Over
    """What grows along the chart"""
    x: Float32
    """[points] numbers in a tensor, or uses"""
    at: int
    """Which point is drawn"""
    now: int
    """The point that was measured just now; −1 for none"""
    predicted: Annotated[Float32, Axes(way=("eager", "apart", "fused"), point=None)]
    """[3, points] seconds; NaN where not yet known"""
    took: Annotated[Float32, Axes(way=WAYS, point=None, quartile=QUARTILES)]
    """[ways, points, 3] seconds; NaN where not measured"""
    bandwidth: Float32
    """[points] GB/s of multiplying two arrays of that size; NaN where not yet measured"""
    share: Annotated[Float32, Axes(way=("eager", "apart", "fused"))]
    """[3] of that bandwidth, at the point that is drawn; of that of reading, for one kernel that only reads"""
    speed: float
    """Billions of operations a second, on numbers in the cache of a core; 0 until measured"""
    call: float
    """Seconds of a call of ours on next to nothing"""
    step: float
    """Seconds of an operation of PyTorch on next to nothing"""
    gain: Annotated[Float32, Axes(what=("predicted", "measured"), point=None)]
    """[2, points] how many times as fast one kernel is as several"""
    crossing: Annotated[Float32, Axes(what=("predicted", "measured"))]
    """[2] uses from which one kernel is slower; 0 if there are none, or not yet known"""
    peak: Annotated[Float32, Axes(how=("lines", "one"))]
    """[2] bytes that NumPy has allocated at the same time, line by line and in one line; NaN if not measured"""
    compile_seconds: float
    """Of Inductor; 0 if not measured"""
    missing: str
    """Why there is no Inductor"""
    threads: int


def run(params: Params) -> Iterator[Worth]:
    from native.pytorch.fusion_worth.story import Story

    for fields in Story(params).tell():
        yield Worth(**fields)
