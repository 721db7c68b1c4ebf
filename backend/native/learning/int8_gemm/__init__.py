"""Integers under the roofline: what eight and four bits are worth in speed, on one thread of this machine.

A matrix times a vector reads each weight once, so memory sets its speed, and fewer bytes are faster. A matrix
times a matrix uses each number often, so the processor's instructions set it. Roofs and programs are measured in
one run: torch's own products beside ours (wasm/kernels/int8.c), each compared with an exact one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES, Timing, refuse_impossible

from native.learning.int8_gemm import kernel
from native.learning.int8_gemm.names import SQUARES, VECTORS
from native.models.peak_kernel import reading_by
from native.models.products import peak
from native.models.timing import timed

if TYPE_CHECKING:
    from native.learning.int8_gemm import products, vectors

MEASURES = True
PATIENCE = 0.25  # seconds for all repetitions of a point, as far as one round allows
POINTS = (*VECTORS, *SQUARES)


@dataclass(frozen=True)
class Params:
    bits: Annotated[
        int,
        Interval(ge=2, le=8),
        Label("Bits of the square matrices", help="With 7 bits or fewer no pair of products saturates.", main=True),
    ] = 8
    n: Annotated[int, Interval(ge=16, le=2048), Label("Rows and columns, squares", main=True)] = 1024
    vector: Annotated[
        int,
        Interval(ge=256, le=8192),
        Label("Rows and columns, beside a vector", help="The largest does not fit a cache, even in eight bits."),
    ] = 8192
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Measured(Event):
    """The roofs, or one more product, are measured."""

    kind: Literal["measured"] = "measured"
    stage: str
    """What was measured just now."""
    instruction: str
    """What multiplies bytes exactly on this processor"""
    peaks: Annotated[Float32, Axes(number=("float32", "int8", "pairs"))]
    """[3] 10⁹ operations/s in registers: of float32, of bytes exactly, and of bytes in pairs that saturate"""
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
    from native.learning.int8_gemm import products, vectors

    board = Board(params)
    yield board.roofs()
    for vector in vectors.each(params.vector, params.seed):
        yield board.vector(vector)
    for product in products.each(params.n, params.bits, params.seed):
        yield board.product(product)
    if why := products.lacking():
        yield board.picture(SQUARES[-1], say("{} is not measured: {}.", SQUARES[-1], why))


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.peaks = np.zeros(3, np.float32)
        self.bandwidth = 0.0
        self.intensity, self.bound, self.milliseconds, self.error = (
            np.full(len(POINTS), np.nan, np.float32) for _ in range(4)
        )
        self.speed = np.full((len(POINTS), 3), np.nan, np.float32)

    def time(self, work: kernel.Work) -> Timing:
        return timed(work, self.params.repetitions, PATIENCE)

    def roofs(self) -> Measured:
        self.limit()
        self.bandwidth = self.reads(4 * self.params.vector**2)
        text = say(
            "In registers {:.3g} billion operations a second of float32, {:.3g} of bytes by {}; "
            "memory gives {:.3g} GB/s.",
            *(float(self.peaks[0]), float(self.peaks[1]), kernel.instruction(), self.bandwidth),
        )
        return self.picture("roofs", text)

    def limit(self) -> None:
        """Measured again beside each product, since the clock of a processor changes with what it does."""
        for place, (work, does) in enumerate((peak(), kernel.peak(), kernel.peak(kernel.PAIRS))):
            self.peaks[place] = max(float(self.peaks[place]), does / timed(work, 9, 0.03).least / 1e9)

    def reads(self, size: int) -> float:
        """GB/s of so many bytes, at best."""
        work, count = reading_by(1, size)
        return count / self.time(work).least / 1e9

    def vector(self, found: vectors.Vector) -> Measured:
        before = self.reads(found.size)
        taken = self.time(found.work)
        reads = max(before, self.reads(found.size))  # others use the same memory, now and then
        place = self.keep(found.name, 2 * self.params.vector**2, found.size, taken, found.error())
        self.bound[place] = reads * self.intensity[place]
        text = say(
            "{}: {:.3g} ms, {:.3g} times as fast as float32, at {:.3g} of the {:.3g} GB/s of reading; "
            "the error is {:.2g} %.",
            found.name,
            taken.median * 1e3,
            float(self.milliseconds[0]) / (taken.median * 1e3),
            found.size / taken.median / 1e9,
            reads,
            100 * float(self.error[place]),
        )
        return self.picture(found.name, text)

    def product(self, found: products.Product) -> Measured:
        taken, n = self.time(found.work), self.params.n
        self.limit()
        place = self.keep(found.name, 2 * n**3, found.size, taken, found.error())
        self.bound[place] = max(self.peaks[1:]) if found.roof is None else self.peaks[found.roof]
        share = float(self.speed[place, 1] / self.bound[place])
        if found.roof:
            refuse_impossible(found.name, share, "processor")
        text = say(
            "{}: {:.3g} billion operations a second, {:.3g} % of its roof; {:.3g} % of the sums are wrong.",
            *(found.name, float(self.speed[place, 1]), 100 * share, 100 * float(self.error[place])),
        )
        return self.picture(found.name, text)

    def keep(self, name: str, operations: int, size: int, taken: Timing, error: float) -> int:
        place = POINTS.index(name)
        self.speed[place] = [operations / each / 1e9 for each in (taken.high, taken.median, taken.low)]
        self.intensity[place] = operations / size
        self.milliseconds[place], self.error[place] = taken.median * 1e3, error
        return place

    def picture(self, stage: str, text: Sentence) -> Measured:
        return Measured(
            text=text,
            stage=stage,
            instruction=kernel.instruction(),
            peaks=self.peaks.copy(),
            bandwidth=self.bandwidth,
            points=list(POINTS),
            vectors=len(VECTORS),
            intensity=self.intensity.copy(),
            speed=self.speed.copy(),
            bound=self.bound.copy(),
            milliseconds=self.milliseconds.copy(),
            error=self.error.copy(),
        )
