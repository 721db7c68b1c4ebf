"""The ladder of matrix multiplication: one product, ten ways, from loops in Python to everything the cores can do.

C = A B, n × n floats. Each way is timed several times on this server's processor, checked against NumPy in float64,
and held against the most that the same processor did in the same run: multiply-adds that never leave the registers.
Slow ways multiply the first rows of A only. Before each way come pictures of its order, in matrices of 12 × 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, Uint8, say
from labs.models.loop_order import walk
from labs.models.timing import QUARTILES, refuse_impossible

from native.models.cores import cores
from native.models.products import RUNGS, Choice, Operands, Rung, part, peak
from native.models.timing import Timing, timed

MEASURES = True
POSTER = 72
SMALL = 12
PICTURES = 8
PATIENCE = 0.35  # seconds for all repetitions of one way, as far as one multiplication allows


@dataclass(frozen=True)
class Params:
    n: Annotated[
        int, Interval(ge=16, le=2048), Label("Rows and columns", help="1,024 is slower than 1,000: try both.")
    ] = 1000
    flags: Annotated[
        Literal["-O0", "-O3", "-O3 -march=native", "-O3 -march=native -ffast-math"],
        Label(
            "Compiler flags",
            help="For the plain loops in C; the kernels below them are always compiled for this processor.",
        ),
    ] = "-O3"
    tile: Annotated[int, Interval(ge=8, le=512), Label("Side of a tile", help="For the kernel called tiled.")] = 64
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads")] = 2
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Rungs(Event):
    """A moment on the way through small matrices, or one more way measured."""

    kind: Literal["rungs"] = "rungs"
    stage: str
    """The way that is shown or was measured just now."""
    names: list[str]
    speed: Annotated[Float32, Axes(way="names", quartile=QUARTILES)]
    """[ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured"""
    error: Annotated[Float32, Axes(way="names")]
    """[ways] largest difference from the product in float64, as a share of its largest number"""
    rows: Annotated[Int32, Axes(way="names")]
    """[ways] rows of A that were multiplied; 0 where not yet measured"""
    seconds: Annotated[Float32, Axes(way="names")]
    """[ways] median for one product of all rows, computed from those that were multiplied"""
    peak: float
    """GFLOP/s of multiply-adds in registers on one thread, the best so far"""
    cores: Annotated[list[int], Axes(way="names")]
    """[ways] threads that it used"""
    n: int
    repetitions: int
    touched: Annotated[Uint8, Axes(matrix=("A", "B", "C"), row=None, column=None)]
    """[3, 12, 12] what the way has touched of A, B and C in small: 0 nothing yet, 1 before, 2 now"""
    step: int
    steps: int
    """0 where the order is not ours to show"""


def run(params: Params) -> Iterator[Rungs]:
    available = cores()
    if params.threads > available:
        raise LabError(f"This machine gives a run {available} cores; choose at most {available} threads.")
    choice = Choice(params.flags, params.tile, params.threads)
    random = np.random.default_rng(params.seed)
    a, b = (random.uniform(-1, 1, (params.n, params.n)).astype(np.float32) for _ in range(2))
    exact = a.astype(np.float64) @ b
    board = Board(params)
    for place, rung in enumerate(RUNGS):
        yield from board.order(rung)
        operands = part(rung, Operands(a, b, np.full_like(a, np.nan), params.n), choice)
        taken = timed(rung.start(operands, choice), params.repetitions, PATIENCE)
        off = np.abs(operands.c[: operands.rows] - exact[: operands.rows]).max() / np.abs(exact).max()
        yield board.measured(place, operands.rows, taken, float(off))


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params) -> None:
        self.params = params
        ways = len(RUNGS)
        self.speed = np.full((ways, 3), np.nan, np.float32)
        self.error, self.seconds = (np.full(ways, np.nan, np.float32) for _ in range(2))
        self.rows = np.zeros(ways, np.int32)
        self.touched = np.zeros((3, SMALL, SMALL), np.uint8)
        self.peak = 0.0
        self.limit()

    def limit(self) -> None:
        """Measured again beside each way, since the clock of a processor changes with what it does."""
        work, flops = peak()
        self.peak = max(self.peak, flops / timed(work, 9, 0.03).least / 1e9)

    def order(self, rung: Rung) -> Iterator[Rungs]:
        if not rung.order:
            self.touched = np.zeros_like(self.touched)
            return
        for step, steps, touched in walk(rung.order, SMALL, PICTURES):
            self.touched = touched
            if rung.name == "transposed":
                touched[1] = touched[1].T.copy()
            text = say("{}: step {:,} of {:,} in matrices of 12 × 12.", rung.says, step, steps)
            yield self.picture(text, rung, step, steps)

    def measured(self, place: int, rows: int, taken: Timing, error: float) -> Rungs:
        rung, n = RUNGS[place], self.params.n
        self.limit()
        flops = 2 * n * n * rows / 1e9
        self.speed[place] = flops / taken.high, flops / taken.median, flops / taken.low
        self.error[place], self.rows[place], self.seconds[place] = error, rows, taken.median * n / rows
        cores = self.params.threads if rung.team else 1
        share = flops / taken.median / (self.peak * cores)
        if rung.ours:
            refuse_impossible(rung.name, share, "processor")
        of = "" if rows == n else say(", timed on {:,} of {:,} rows", rows, n)
        words = say("{}: {:.3g} GFLOP/s, {} of the peak{}.", rung.name, flops / taken.median, percent(share), of)
        return self.picture(words, rung, 0, 0)

    def picture(self, text: Sentence, rung: Rung, step: int, steps: int) -> Rungs:
        return Rungs(
            text=text,
            stage=rung.name,
            names=[each.name for each in RUNGS],
            speed=self.speed.copy(),
            error=self.error.copy(),
            rows=self.rows.copy(),
            seconds=self.seconds.copy(),
            peak=self.peak,
            cores=[self.params.threads if each.team else 1 for each in RUNGS],
            n=self.params.n,
            repetitions=self.params.repetitions,
            touched=self.touched.copy(),
            step=step,
            steps=steps,
        )


def percent(share: float) -> Sentence:
    return say("{:.3g} %", 100 * share)
