"""The roofline: what a processor can do per byte, and how close a program comes to it.

The flat roof is the peak: multiply-adds on numbers that never leave the registers. The slopes are what can be read
from each cache and from memory. Both are measured, here and now, on one thread. Below them stand programs: a
polynomial for every number of an array, which does more for each byte the higher its degree, and three products of
matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES
from numpy.typing import NDArray

from native.models.aligned import aligned
from native.models.products import RUNGS, Choice, Operands, peak
from native.models.roofline_kernel import polynomial, reading, stride
from native.models.timing import Timing, timed

MEASURES = True
SIZES = {"16 KiB": 1 << 14, "256 KiB": 1 << 18, "4 MiB": 1 << 22, "256 MiB": 1 << 28}
DEGREES = (1, 2, 4, 8, 16, 32, 64, 128)
WAYS = ("ijk", "ikj", "packed")
PATIENCE = 0.25  # seconds for all repetitions of a point, as far as one round allows


@dataclass(frozen=True)
class Params:
    size: Annotated[
        Literal["16 KiB", "256 KiB", "4 MiB", "256 MiB"],
        Label("Array", help="Which of the caches holds it depends on the processor; none holds the largest."),
    ] = "256 MiB"
    n: Annotated[int, Interval(ge=64, le=1024), Label("Matrices", help="Their rows and columns.")] = 512
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7


@dataclass(frozen=True, kw_only=True)
class Roof(Event):
    """One more roof or point is measured."""

    kind: Literal["roof"] = "roof"
    stage: str
    """What was measured just now."""
    peak: float | None
    """GFLOP/s of multiply-adds in registers; None where not yet measured"""
    sizes: list[str]
    """Arrays, from the smallest"""
    bandwidth: Annotated[Float32, Axes(size="sizes")]
    """[sizes] GB/s read from an array of that size; NaN where not yet measured"""
    points: list[str]
    """Programs"""
    intensity: Annotated[Float32, Axes(point="points")]
    """[points] operations for each byte that has to be read or written at least once"""
    speed: Annotated[Float32, Axes(point="points", quartile=QUARTILES)]
    """[points, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured"""
    size: str
    """The array of the polynomials"""


def run(params: Params) -> Iterator[Roof]:
    board = Board(params)
    work, flops = peak()
    taken = timed(work, 3 * params.repetitions, PATIENCE)
    board.peak = flops / taken.least / 1e9
    yield board.picture("peak", say("Multiply-adds in registers: {:.3g} GFLOP/s, the flat roof.", board.peak))

    for place, (name, size) in enumerate(SIZES.items()):
        x = array(size)
        read = timed(reading(x), params.repetitions, PATIENCE)
        board.bandwidth[place] = x.nbytes / read.median / 1e9
        yield board.picture(name, say("Reading {}: {:.3g} GB/s, a slope.", name, board.bandwidth[place]))

    x = array(SIZES[params.size])
    for place, degree in enumerate(DEGREES):
        coefficients = np.linspace(1, 0.5, degree + 1, dtype=np.float32)
        taken = timed(polynomial(x, coefficients), params.repetitions, PATIENCE)
        yield board.point(place, f"A polynomial of degree {degree}", len(x) * (2 * degree + 1), taken)

    random = np.random.default_rng(0)
    a, b = (random.uniform(-1, 1, (params.n, params.n)).astype(np.float32) for _ in range(2))
    choice = Choice("-O3 -march=native", 64, 1)
    for place, name in enumerate(WAYS, len(DEGREES)):
        rung = next(rung for rung in RUNGS if rung.name == name)
        taken = timed(rung.start(Operands(a, b, np.empty_like(a), params.n), choice), params.repetitions, PATIENCE)
        yield board.point(place, f"A product of matrices, {name},", 2 * params.n**3, taken)


def array(size: int) -> NDArray[np.float32]:
    """About that many bytes, in whole rounds of the kernel, from the beginning of a cache line.

    All are written: memory that never was is not there.
    """
    numbers = aligned(size // 4 // stride() * stride())
    numbers[:] = 0.5
    return numbers


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.peak: float | None = None
        self.bandwidth = np.full(len(SIZES), np.nan, np.float32)
        self.points = [*(f"degree {degree}" for degree in DEGREES), *WAYS]
        # A polynomial reads each number once; a product reads A and B, and writes C.
        matrices = [2 * params.n**3 / (3 * 4 * params.n**2)] * len(WAYS)
        self.intensity = np.array([*((2 * degree + 1) / 4 for degree in DEGREES), *matrices], np.float32)
        self.speed = np.full((len(self.points), 3), np.nan, np.float32)

    def point(self, place: int, name: str, flops: int, taken: Timing) -> Roof:
        self.speed[place] = [flops / each / 1e9 for each in (taken.high, taken.median, taken.low)]
        known, does = float(self.intensity[place]), float(self.speed[place, 1])
        slope = known * float(self.bandwidth[list(SIZES).index(self.params.size)])
        under = "the slope" if place < len(DEGREES) and slope < (self.peak or 0) else "the flat roof"
        share = does / min(slope, self.peak or 0) if place < len(DEGREES) else does / (self.peak or 1)
        text = say(
            "{} does {:.3g} operations per byte: {:.3g} GFLOP/s, {:.3g} % of {}.",
            name,
            known,
            does,
            100 * share,
            under,
        )
        return self.picture(self.points[place], text)

    def picture(self, stage: str, text: Sentence) -> Roof:
        return Roof(
            text=text,
            stage=stage,
            peak=self.peak,
            sizes=list(SIZES),
            bandwidth=self.bandwidth.copy(),
            points=list(self.points),
            intensity=self.intensity.copy(),
            speed=self.speed.copy(),
            size=self.params.size,
        )
