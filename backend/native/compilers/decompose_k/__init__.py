"""Decompose-K: a small matrix product with a long sum, cut into lanes that fill the cores or multiprocessors.

C has few numbers, and each is a sum over a long K. One worker would do all of it. Cut into S slices, it is work
for S lanes; each leaves a partial sum, and the last one adds them up. Every S is measured, in our kernels and in
PyTorch, beside what a model of four numbers predicts. Each result is held against float64 and against what rounding
can do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Int32, Interval, Label
from labs.models.timing import QUARTILES

from native.compilers.decompose_k.cut import WAYS, Reduction
from native.compilers.decompose_k.library import Library, Tried

MEASURES = True


@dataclass(frozen=True)
class Params:
    splits: Annotated[
        int, Interval(ge=1, le=256), Label("Splits", help="Slices of K, one for each lane.", main=True)
    ] = 16
    k: Annotated[Literal[1024, 4096, 8192, 16384, 32768], Label("K", main=True)] = 32768
    m: Annotated[Literal[16, 32, 64], Label("Rows of C")] = 32
    n: Annotated[Literal[16, 32, 64], Label("Columns of C")] = 32
    reduction: Annotated[
        Reduction,
        Label("Partial sums are added", help="In order by the last lane, by groups of lanes, or as each is ready."),
    ] = "in order"
    operands: Annotated[
        Literal["signed", "positive"], Label("Numbers", help="From −1 to 1, or from 0 to 1, as after a ReLU.")
    ] = "signed"
    dtype: Annotated[Literal["fp32", "bf16"], Label("Precision", help="Of A, B and C; sums are float32.")] = "fp32"
    relu: Annotated[bool, Label("ReLU at the end")] = False
    threads: Annotated[int, Interval(ge=1, le=16), Label("Threads", help="Of the processor.")] = 2
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    inductor: Annotated[bool, Label("Time Inductor too", help="torch.compile needs a few seconds for it.")] = False
    round_partials: Annotated[
        bool,
        Label(
            "Partial sums in bfloat16",
            group="Mistakes",
            help="Batched products return the type of their inputs: bfloat16, rounded before they are added.",
        ),
    ] = False
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    device: Annotated[Literal["cpu", "cuda"], Label("Run on")] = "cpu"


@dataclass(frozen=True, kw_only=True)
class Split(Event):
    """K is cut into so many slices; when each lane ran, and all that was measured so far."""

    kind: Literal["split"] = "split"
    stage: Literal["alone", "model", "measured", "every", "depths", "libraries", "best"]
    splits: int
    """That are drawn"""
    m: int
    n: int
    k: int
    dtype: str
    reduction: str
    device: str
    workers: int
    """Threads of the processor, or multiprocessors of the GPU"""
    worker: Int32
    """[splits] who ran the lane of each slice"""
    begin: Float32
    """[splits] microseconds from the first begin"""
    product: Float32
    """[splits] microseconds, when the product of the slice was there"""
    end: Float32
    """[splits] microseconds, when the lane was over, with what it added up"""
    busy: float
    """Share of all workers' time, from the first begin to the last end, in which they had a lane"""
    counts: list[int]
    """The S that are measured in every way"""
    now: int
    """Which of them is drawn"""
    took: Annotated[Float32, Axes(way=WAYS, count="counts", quartile=QUARTILES)]
    """[ways, counts, 3] seconds; NaN where not measured, or where S does not divide K"""
    error: Annotated[Float32, Axes(way=WAYS, count="counts")]
    """[ways, counts] largest difference from float64, in units of |A| |B| 2⁻²⁴; NaN where not measured"""
    bound: Annotated[Float32, Axes(way=WAYS[:3], count="counts")]
    """[3, counts] the most that rounding can make of that"""
    different: Annotated[Int32, Axes(way=WAYS, count="counts")]
    """[ways, counts] different results of ten equal runs; 0 where not measured"""
    predicted: Float32
    """[S] seconds from S = 1 on, by the model, for the chosen reduction; empty until then"""
    every: Float32
    """[S] seconds from S = 1 on, the least of some repetitions; empty until measured"""
    best: Annotated[list[int], Axes(what=("predicted", "measured"))]
    """[2] the S that takes the least; 0 until known"""
    call: float
    """Seconds of a launch with nothing to do; 0 until measured, as those below"""
    slab: float
    """Seconds of a worker for 32 steps of K"""
    meet: float
    """Seconds to leave a partial sum and to find out who is last"""
    add: float
    """Seconds to add a partial sum"""
    peak: float
    """GFLOP/s of multiply-adds in registers, by all workers; 0 until measured"""
    depths: list[int]
    """Some K; empty until measured, as those below"""
    best_at: Annotated[Int32, Axes(what=("predicted", "measured"), depth="depths")]
    """[2, depths] the power of two S that takes the least"""
    gain_at: Annotated[Float32, Axes(what=("predicted", "measured"), depth="depths")]
    """[2, depths] how many times as fast that is as one lane"""
    crossing: Annotated[list[int], Axes(what=("predicted", "measured"))]
    """[2] the least of those K from which on several lanes are faster; 0 if there is none, or not yet known"""
    libraries: Annotated[list[Library], Axes(library="libraries.name")]
    tried: list[Tried]
    """What Inductor timed, from the fastest on; empty where it timed nothing"""
    launched: Annotated[Float32, Axes(way=("eager", "batched"), cache=("warm", "cold"))]
    """[2, 2] seconds on the GPU of one call from Python, with the drawn S; NaN where not measured"""
    missing: str
    """Why there is no Inductor; empty if there is, or if nobody asked"""


def run(params: Params) -> Iterator[Split]:
    from native.compilers.decompose_k.story import Story

    for fields in Story(params).tell():
        yield Split(**fields)
