"""Integers under the roofline: how much faster eight and four bits are, on one thread or on a GPU.

A matrix times a vector reads each weight once, so memory sets its speed, and fewer bytes are faster. A matrix
times a matrix uses each number often, so the machine's instructions set it. Roofs and programs are measured in one
run: torch's own products beside ours (wasm/kernels/int8.c, on a GPU int8.cu), each compared with an exact one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES, Timing, refuse_impossible

from native.learning.int8_gemm.names import SQUARES, VECTORS, three

if TYPE_CHECKING:
    from native.learning.int8_gemm.gpu import Gpu
    from native.learning.int8_gemm.processor import Processor
    from native.learning.int8_gemm.products import Product
    from native.learning.int8_gemm.vectors import Vector

MEASURES = True
POINTS = (*VECTORS, *SQUARES)
"""On a processor"""


@dataclass(frozen=True)
class Params:
    bits: Annotated[
        int,
        Interval(ge=2, le=8),
        Label(
            "Bits of the square matrices",
            help="With 7 bits or fewer, no pair of products saturates; on a GPU none ever does.",
            main=True,
        ),
    ] = 8
    n: Annotated[int, Interval(ge=16, le=2048), Label("Rows and columns, matrix × matrix", main=True)] = 1024
    vector: Annotated[
        int,
        Interval(ge=256, le=8192),
        Label(
            "Rows and columns, matrix × vector",
            help="The largest matrix does not fit in a cache, even with eight bits.",
        ),
    ] = 8192
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    device: Annotated[Literal["cpu", "cuda"], Label("Run on")] = "cpu"


@dataclass(frozen=True, kw_only=True)
class Measured(Event):
    """The roofs, or one more product, are measured."""

    kind: Literal["measured"] = "measured"
    stage: str
    """What was measured just now."""
    instruction: str
    """What multiplies bytes exactly on this processor, or fastest on the tensor cores of this GPU"""
    peaks: Annotated[Float32, Axes(number=("float32", "int8", "pairs, or bfloat16"))]
    """[3] 10⁹ operations/s that need no memory: of float32, of bytes exactly, and of bytes in pairs that saturate,
    or on a GPU of bfloat16 on tensor cores"""
    bandwidth: float
    """GB/s at which the float32 matrix of the vector is read"""
    points: list[str]
    """Products: those with a vector first"""
    vectors: int
    """How many of them are with a vector"""
    intensity: Annotated[Float32, Axes(point="points")]
    """[points] operations for each byte that has to be read or written at least once"""
    speed: Annotated[Float32, Axes(point="points", quartile=QUARTILES)]
    """[points, 3] 10⁹ operations/s that three, two and one quarter of the repetitions reached; NaN where
    not yet measured"""
    bound: Annotated[Float32, Axes(point="points")]
    """[points] 10⁹ operations/s at most: by reading as many bytes, or by the peak of the instruction"""
    milliseconds: Annotated[Float32, Axes(point="points")]
    """[points] median"""
    error: Annotated[Float32, Axes(point="points")]
    """[points] with a vector, the size of the error as a share of the size of the result;
    else the share of wrong sums"""


def run(params: Params) -> Iterator[Measured]:
    board = Board(params, machine_of(params))
    machine = board.machine
    yield board.roofs()
    for vector in machine.by_vector(params.vector, params.seed):
        yield board.vector(vector)
    for product in machine.by_matrix(params.n, params.bits, params.seed):
        yield board.product(product)
    if why := machine.lacking(params.n):
        missing = machine.squares[-1]
        yield board.picture(missing, say("{} is not measured: {}.", missing, why))


def machine_of(params: Params) -> Processor | Gpu:
    if params.device == "cuda":
        from native.learning.int8_gemm.gpu import Gpu

        return Gpu(params.repetitions)
    from native.learning.int8_gemm.processor import Processor

    return Processor(params.repetitions)


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params, machine: Processor | Gpu) -> None:
        self.params, self.machine = params, machine
        self.points = (*machine.vectors, *machine.squares)
        self.peaks = np.zeros(3, np.float32)
        self.bandwidth = 0.0
        self.intensity, self.bound, self.milliseconds, self.error = (
            np.full(len(self.points), np.nan, np.float32) for _ in range(4)
        )
        self.speed = np.full((len(self.points), 3), np.nan, np.float32)

    def roofs(self) -> Measured:
        self.limit()
        self.bandwidth = self.machine.reads(4 * self.params.vector**2)
        return self.picture("roofs", self.machine.about_roofs(self.peaks.tolist(), self.bandwidth))

    def limit(self) -> None:
        """Measured again beside each product, since the clock of a machine changes with what it does."""
        self.peaks = np.maximum(self.peaks, np.array(self.machine.peaks(), np.float32))

    def vector(self, found: Vector) -> Measured:
        taken, reads = self.machine.beside_reading(found.work, found.size)
        place = self.keep(found.name, 2 * self.params.vector**2, found.size, taken, found.error())
        self.bound[place] = reads * self.intensity[place]
        text = say(
            "{}: {:,g} ms, {:,g} times as fast as float32, reading {:,g} "
            "of a possible {:,g} GB/s; the error is {:.2g} %.",
            self.machine.who(found.name, found.by),
            three(taken.median * 1e3),
            three(float(self.milliseconds[0]) / (taken.median * 1e3)),
            three(found.size / taken.median / 1e9),
            three(reads),
            100 * float(self.error[place]),
        )
        return self.picture(found.name, text)

    def product(self, found: Product) -> Measured:
        taken, n = self.machine.time(found.work), self.params.n
        self.limit()
        place = self.keep(found.name, 2 * n**3, found.size, taken, found.error())
        self.bound[place] = max(self.peaks[1:]) if found.roof is None else self.peaks[found.roof]
        share = float(self.speed[place, 1] / self.bound[place])
        if found.ours:
            refuse_impossible(found.name, share, self.machine.kind)
        who = self.machine.who(found.name, found.by)
        text = self.machine.about_product(who, float(self.speed[place, 1]), share, float(self.error[place]))
        return self.picture(found.name, text)

    def keep(self, name: str, operations: int, size: int, taken: Timing, error: float) -> int:
        place = self.points.index(name)
        self.speed[place] = [operations / each / 1e9 for each in (taken.high, taken.median, taken.low)]
        self.intensity[place] = operations / size
        self.milliseconds[place], self.error[place] = taken.median * 1e3, error
        return place

    def picture(self, stage: str, text: Sentence) -> Measured:
        return Measured(
            text=text,
            stage=stage,
            instruction=self.machine.instruction,
            peaks=self.peaks.copy(),
            bandwidth=self.bandwidth,
            points=list(self.points),
            vectors=len(self.machine.vectors),
            intensity=self.intensity.copy(),
            speed=self.speed.copy(),
            bound=self.bound.copy(),
            milliseconds=self.milliseconds.copy(),
            error=self.error.copy(),
        )
