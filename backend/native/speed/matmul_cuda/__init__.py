"""The ladder of matrix multiplication on a GPU: one product, many ways, from one thread per number to tensor cores.

C = A B, n × n, by kernels in CUDA C (`wasm/kernels/matmul.cu`, for tensor cores `matmul_wmma.cu` and, on Hopper,
`matmul_wgmma.cu`) and in Triton (`backend/native/models/triton_kernels.py`). The kernels for tensor cores take
bfloat16, add in float32 and return bfloat16, as Triton's and cuBLAS beside them do. First come the pictures of
what a warp reads, counted from the kernels: they need no GPU. Then each way is timed several times by the GPU's
own clock, warm and in graphs, checked against float64, and held against cuBLAS in the same precision and against
the most that the same GPU did in that precision without touching memory. Caches are not emptied between
repetitions. The three slowest ways multiply a part of the rows where there are many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, Uint8, say
from labs.models.timing import QUARTILES, Timing, refuse_impossible
from labs.models.warp_pictures import Access, Product, pictures

from native.models.cuda_driver import here
from native.models.cuda_products import Precision, Way, Work, bound, cast, error, operands, peak
from native.models.cuda_timing import Weather, timed, weather
from native.models.tensor_cores import ladder, used
from native.speed.matmul_cuda.levels import CUT, LEVELS, tables

MEASURES = True
FRONT = "speed/warp_access"  # computes the first pictures in the browser
POSTER = 32  # our best kernel on tensor cores
PATIENCE = 0.5  # seconds for all repetitions of one way, as far as one multiplication allows
WHOLE = 4096  # rows and columns up to which all ways multiply all rows
ROUNDS: dict[Precision, int] = {"fp32": 16384, "tf32": 2048, "bf16": 2048}  # about 10 ms at the peak


@dataclass(frozen=True)
class Params(Product):
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 11
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    device: Annotated[Literal["cuda"], Label("Run on")] = "cuda"


@dataclass(frozen=True, kw_only=True)
class Measured(Event):
    """One more way was measured."""

    kind: Literal["measured"] = "measured"
    stage: str
    """The way that is shown, or was measured just now."""
    names: list[str]
    precision: Annotated[list[str], Axes(way="names")]
    """[ways] fp32, tf32 or bf16"""
    ours: Annotated[list[bool], Axes(way="names")]
    """[ways] false for NVIDIA's library"""
    speed: Annotated[Float32, Axes(way="names", quartile=QUARTILES)]
    """[ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured"""
    error: Annotated[Float32, Axes(way="names")]
    """[ways] ‖C − AB‖ / ‖AB‖ in float64, over at most 512 rows"""
    bound: Annotated[Float32, Axes(way="names")]
    """[ways] what that may be in this precision"""
    rows: Annotated[Int32, Axes(way="names")]
    """[ways] rows of A that were multiplied; 0 where not yet measured"""
    seconds: Annotated[Float32, Axes(way="names")]
    """[ways] median for one product of all rows, computed from those that were multiplied"""
    peak: Annotated[Float32, Axes(way="names")]
    """[ways] GFLOP/s of multiply-adds in this precision that need no memory, the best so far"""
    clock: Annotated[Int32, Axes(way="names")]
    """[ways] MHz of the multiprocessors meanwhile; 0 where the driver does not say"""
    temperature: Annotated[Int32, Axes(way="names")]
    """[ways] degrees Celsius; 0 where the driver does not say"""
    power: Annotated[Float32, Axes(way="names")]
    """[ways] W; 0 where the driver does not say"""
    gpu: str
    """Its name, multiprocessors and cache, and versions of what compiles for it."""
    block: Annotated[Int32, Axes(way="names", cut=CUT)]
    """[ways, 3] rows and columns of C that a block of threads makes, and how deep a slab is; 0 where not known"""
    holder: Annotated[list[str], Axes(way="names")]
    """[ways] who keeps the sums of a small tile: a thread, or of a fragment a warp; empty where not known"""
    down: Uint8
    """[ways, most] rows of the block in the first such tile; 255 beyond its last"""
    across: Uint8
    """[ways, most] and its columns"""
    cost: Annotated[Float32, Axes(way="names", level=LEVELS)]
    """[ways, 3] bytes for a multiply-add: from global memory, into registers, and taken by instructions"""
    cached: bool
    """Whether all three matrices of float32 fit into its cache, so that repetitions find them there."""
    n: int
    repetitions: int


def run(params: Params) -> Iterator[Access | Measured]:
    yield from pictures(params)
    import torch

    if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (8, 0):
        raise LabError("The rest is measured on an NVIDIA GPU of 2020 or later, and there is none here.")
    try:
        a, b = operands(params.n, params.seed)
        board = Board(params, Gpu())
        for place, way in enumerate(board.ways):
            yield board.add(place, *measure(way, a, b, params))
    except torch.OutOfMemoryError:
        raise LabError("The GPU's memory does not hold these matrices; choose fewer rows and columns.") from None


def rows_for(n: int) -> int:
    """Rows that the slowest ways multiply: as many numbers as in the largest product that they do whole."""
    return n if n <= WHOLE else -(-(WHOLE**3) // n**2 // 128) * 128


def measure(way: Way, a: Any, b: Any, params: Params) -> tuple[int, Timing, float, Weather, Work]:
    """Rows, seconds of a multiplication of so many, the error, how the GPU did meanwhile, and what it did."""
    import torch

    rows = rows_for(params.n) if way.part else params.n
    left, right = (cast(each, way.precision) for each in (a, b))
    c = torch.full_like(left[:rows], torch.nan)
    work = way.start(left, right, c)
    c.fill_(torch.nan)
    work()
    off = error(c, a, b)
    if way.ours and way.precision == "bf16" and not used(c, left, right) <= 1:
        raise LabError(
            f"{way.name} came out wrong: it is further from its own operands' product than rounding allows."
        )
    taken = timed(work, params.repetitions, PATIENCE)
    return rows, taken, off, weather(work, taken.median), work


class Gpu:
    """What a board has to know of the GPU."""

    def __init__(self) -> None:
        import torch

        facts = torch.cuda.get_device_properties()
        self.arch = here()
        self.cache = int(facts.L2_cache_size)
        self.name = (
            f"{facts.name}, {facts.multi_processor_count} multiprocessors, {self.cache / 2**20:.0f} MiB of cache, "
            f"CUDA {torch.version.cuda}, Triton {metadata.version('triton')}"
        )

    def peak(self, precision: Precision) -> float:
        """GFLOP/s, now."""
        work, flops = peak(precision, ROUNDS[precision])
        return flops / timed(work, 5, 0.05).least / 1e9


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params, gpu: Gpu) -> None:
        self.params, self.gpu = params, gpu
        self.ways = [way for way in ladder(params.tile) if way.runs_on(gpu.arch)]
        count = len(self.ways)
        self.speed = np.full((count, 3), np.nan, np.float32)
        self.error, self.seconds, self.power = (np.full(count, np.nan, np.float32) for _ in range(3))
        self.rows, self.clock, self.temperature = (np.zeros(count, np.int32) for _ in range(3))
        self.peaks: dict[Precision, float] = {}
        self.chosen: dict[str, tuple[int, int, int]] = {}

    def add(
        self, place: int, rows: int, taken: Timing, error: float, weather: Weather, work: Work | None = None
    ) -> Measured:
        way, n = self.ways[place], self.params.n
        if config := getattr(work, "config", None):  # of a program in Triton
            self.chosen[way.name] = config[:3]
        # Measured again beside each way, since the clock of a GPU changes with what it does.
        peak = max(self.peaks.get(way.precision, 0.0), self.gpu.peak(way.precision))
        self.peaks[way.precision] = peak
        allowed = bound(way.precision, n)
        if not error <= allowed:
            raise LabError(
                f"{way.name} came out wrong: {error:.2g} from the product in float64, not at most {allowed:.2g}."
            )
        flops = 2 * n * n * rows / 1e9
        share = flops / taken.median / peak
        if way.ours:
            refuse_impossible(way.name, share, "GPU")
        self.speed[place] = flops / taken.high, flops / taken.median, flops / taken.low
        self.error[place], self.rows[place], self.seconds[place] = error, rows, taken.median * n / rows
        self.clock[place], self.temperature[place] = weather.clock, weather.temperature
        self.power[place] = weather.power
        of = "" if rows == n else say(", timed on {:,} of {:,} rows", rows, n)
        words = say(
            "{}: {:.3g} TFLOP/s, {:.3g} % of the peak{}.", way.says, flops / taken.median / 1e3, 100 * share, of
        )
        return self.picture(words, way)

    def picture(self, text: Sentence, way: Way) -> Measured:
        n, names = self.params.n, [each.name for each in self.ways]
        block, holder, down, across, cost = tables(names, n, self.params.tile, self.chosen)
        return Measured(
            text=text,
            stage=way.name,
            names=names,
            precision=[each.precision for each in self.ways],
            ours=[each.ours for each in self.ways],
            speed=self.speed.copy(),
            error=self.error.copy(),
            bound=np.array([bound(each.precision, n) for each in self.ways], np.float32),
            rows=self.rows.copy(),
            seconds=self.seconds.copy(),
            peak=np.array([self.peaks.get(each.precision, np.nan) for each in self.ways], np.float32),
            clock=self.clock.copy(),
            temperature=self.temperature.copy(),
            power=self.power.copy(),
            gpu=self.gpu.name,
            block=block,
            holder=holder,
            down=down,
            across=across,
            cost=cost,
            cached=3 * 4 * n * n <= self.gpu.cache,
            n=n,
            repetitions=self.params.repetitions,
        )
