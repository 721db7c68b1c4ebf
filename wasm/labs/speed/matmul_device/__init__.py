"""The ladder on your own device: one matrix product, in nine ways open to a web page, timed in your browser.

C = A B, n × n floats, as in matmul_ladder, by JavaScript, WebAssembly, WebGPU and NumPy. Each way is timed several
times, a sample of its rows is checked against NumPy in float64, and what the processor does is held against the
most that it did in the same run: multiply-adds of WebAssembly that never leave the registers. Slow ways multiply
the first rows of A only. A way that this browser does not offer says why.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from labs.models.loop_order import Order, ikj, packed, team, walk, workgroups
from labs.models.timing import QUARTILES, Timing, refuse_impossible
from labs.speed.matmul_device.device import Floats, NumPy, Stopwatch, Work, lent, numbers

MEASURES = True
POSTER = 45  # the fastest way that needs no GPU, and its walk
SMALL = 12
PICTURES = 8
CLOSELY = 4  # of the pictures show the first steps: which numbers stay, and which come and go
SAMPLE = 24  # rows that are checked, at most
PATIENCE = 0.3  # seconds for all repetitions of one way, as far as one multiplication allows
ROW_PATIENCE = 0.05  # seconds for one multiplication, as far as its first rows allow


@dataclass(frozen=True)
class Way:
    name: str
    key: str
    """As frontend/src/device knows it."""
    says: str
    """What is done, as the first half of a sentence."""
    order: Order | None = None
    """In which order it goes through the matrices, where we know."""
    rows: int | None = None
    """Works on so many rows at once, so that a part of them tells what all would take; None if only all rows do."""
    gpu: bool = False
    team: bool = False
    """Whether it uses all threads that the reader chose."""


WAYS = (
    Way("JavaScript", "javascript", "A number of A times a row of B, over typed arrays", ikj, rows=1),
    Way("WASM loops", "loops", "The same loops in C, compiled to WebAssembly", ikj, rows=1),
    Way("WASM scalar", "scalar", "A tile of C in registers, A and B copied into the order of reading", packed, 48),
    Way("WASM SIMD", "vectors", "The same with four numbers at a time", packed),
    Way("WASM threads", "threads", "The same by workers that share their memory", team, team=True),
    Way(
        "WebGPU naive", "naive", "A thread for each number of C", partial(workgroups, side=4, deep=1), 64, gpu=True
    ),
    Way("WebGPU tiled", "tiled", "Squares in shared memory", partial(workgroups, side=4, deep=4), 64, gpu=True),
    Way(
        "WebGPU registers",
        "registers",
        "Squares, and sixteen numbers of C in the registers of each thread",
        partial(workgroups, side=6, deep=3),
        64,
        gpu=True,
    ),
    Way("NumPy", "numpy", "What NumPy has in a browser, without a BLAS", rows=16),
)


@dataclass(frozen=True)
class Params:
    n: Annotated[
        int, Interval(ge=16, le=2048), Label("Rows and columns", help="1,024 is slower than 1,000: try both.")
    ] = 512
    threads: Annotated[int, Interval(ge=2, le=64), Label("Threads", help="For the kernel called WASM threads.")] = 2
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Ways(Event):
    """A moment on the way through small matrices, or one more way measured."""

    kind: Literal["ways"] = "ways"
    stage: str
    """The way that is shown or was measured just now."""
    names: list[str]
    speed: Annotated[Float32, Axes(way="names", quartile=QUARTILES)]
    """[ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not measured"""
    error: Annotated[Float32, Axes(way="names")]
    """[ways] largest difference from the product in float64 in the rows that were checked, as a share of its
    largest number"""
    rows: Annotated[Int32, Axes(way="names")]
    """[ways] rows of A that were multiplied; 0 where not measured"""
    seconds: Annotated[Float32, Axes(way="names")]
    """[ways] median for one product of all rows, computed from those that were multiplied"""
    missing: list[str]
    """[ways] why this browser cannot do it; empty where it can, or was not asked yet"""
    peak: float
    """GFLOP/s of multiply-adds in registers on one thread of WebAssembly, the best so far"""
    cores: Annotated[list[int], Axes(way="names")]
    """[ways] threads of the processor that it used; 0 on a GPU, whose peak is not known"""
    vectors: str
    """what WebAssembly has for numbers here"""
    gpu: str
    """what the browser tells of the GPU; empty where it lends none"""
    tick: float
    """seconds that the clock of the page can tell apart"""
    n: int
    repetitions: int
    touched: Annotated[Uint8, Axes(matrix=("A", "B", "C"), row=None, column=None)]
    """[3, 12, 12] what the way has touched of A, B and C in small: 0 nothing yet, 1 before, 2 now"""
    step: int
    steps: int
    """0 where the order is not ours to show"""


async def run(params: Params) -> AsyncIterator[Ways]:
    device = lent()
    random = np.random.default_rng(params.seed)
    a, b = (random.uniform(-1, 1, (params.n, params.n)).astype(np.float32) for _ in range(2))
    # Whatever rows a way makes, some are in it.
    sample = np.unique(np.geomspace(1, params.n, SAMPLE).astype(int)) - 1
    exact = a[sample].astype(np.float64) @ b
    board = Board(params, device.vectors, await device.graphics(), Stopwatch(device), await device.peak())
    for place, way in enumerate(WAYS):
        for picture in board.order(way):
            yield picture
        work, rows = await start(device, way, a, b, params.threads)
        if isinstance(work, str):
            yield board.missed(place, work)
            continue
        try:
            taken = await board.watch.timed(work, params.repetitions, PATIENCE)
            found = await numbers(work, params.n)
        finally:
            work.close()
        checked = sample < rows
        off = np.abs(found[sample[checked]] - exact[checked]).max() / np.abs(exact).max()
        yield await board.measured(place, rows, taken, float(off))


async def start(device: Any, way: Way, a: Floats, b: Floats, threads: int) -> tuple[Work | str, int]:
    """The work on as many rows as a reader waits for, and how many those are; or why there is none."""

    async def begin(rows: int) -> Any:
        if way.key == "numpy":
            return NumPy(device, a[:rows], b)
        return await device.start(way.key, len(a), rows, threads, a, b)

    n = len(a)
    if way.rows is None or way.rows >= n:
        return await begin(n), n
    work = await begin(way.rows)
    if isinstance(work, str):
        return work, 0
    took = min([await work.clocked(1) for _ in range(5)])
    work.close()
    rows = min(n, max(1, int(ROW_PATIENCE / max(took, 1e-6))) * way.rows)
    return await begin(rows), rows


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params, vectors: str, gpu: str, watch: Stopwatch, limit: Any) -> None:
        self.params, self.vectors, self.gpu, self.watch, self.limit = params, vectors, gpu, watch, limit
        ways = len(WAYS)
        self.speed = np.full((ways, 3), np.nan, np.float32)
        self.error, self.seconds = (np.full(ways, np.nan, np.float32) for _ in range(2))
        self.rows = np.zeros(ways, np.int32)
        self.missing = [""] * ways
        self.touched = np.zeros((3, SMALL, SMALL), np.uint8)
        self.peak = 0.0

    def order(self, way: Way) -> Iterator[Ways]:
        if not way.order:
            self.touched = np.zeros_like(self.touched)
            return
        for step, steps, self.touched in walk(way.order, SMALL, PICTURES, CLOSELY):
            text = say("{}: step {:,} of {:,} in matrices of 12 × 12.", way.says, step, steps)
            yield self.picture(text, way, step, steps)

    def missed(self, place: int, why: str) -> Ways:
        self.missing[place] = why
        return self.picture(say("{} cannot run here: {}.", WAYS[place].name, why), WAYS[place])

    async def measured(self, place: int, rows: int, taken: Timing, error: float) -> Ways:
        way, n = WAYS[place], self.params.n
        if not way.gpu:  # measured beside each way, since the clock of a processor changes with what it does
            limit = await self.watch.timed(self.limit, 9, 0.03)
            self.peak = max(self.peak, self.limit.flops / limit.least / 1e9)
        flops = 2 * n * n * rows / 1e9
        speed = flops / taken.median
        self.speed[place] = flops / taken.high, speed, flops / taken.low
        self.error[place], self.rows[place], self.seconds[place] = error, rows, taken.median * n / rows
        of = "" if rows == n else say(", timed on {:,} of {:,} rows", rows, n)
        if way.gpu:
            return self.picture(say("{}: {:.3g} GFLOP/s{}.", way.name, speed, of), way)
        share = speed / (self.peak * self.cores(way))
        refuse_impossible(way.name, share, "processor")
        return self.picture(
            say("{}: {:.3g} GFLOP/s, {:.3g} % of the peak{}.", way.name, speed, 100 * share, of), way
        )

    def cores(self, way: Way) -> int:
        return 0 if way.gpu else self.params.threads if way.team else 1

    def picture(self, text: Sentence, way: Way, step: int = 0, steps: int = 0) -> Ways:
        return Ways(
            text=text,
            stage=way.name,
            names=[each.name for each in WAYS],
            speed=self.speed.copy(),
            error=self.error.copy(),
            rows=self.rows.copy(),
            seconds=self.seconds.copy(),
            missing=[*self.missing],
            peak=self.peak,
            cores=[self.cores(each) for each in WAYS],
            vectors=self.vectors,
            gpu=self.gpu,
            tick=self.watch.tick,
            n=self.params.n,
            repetitions=self.params.repetitions,
            touched=self.touched.copy(),
            step=step,
            steps=steps,
        )
