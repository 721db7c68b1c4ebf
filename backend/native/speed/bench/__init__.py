"""Bench: matrix products on your machine, by kernel and size, compared with what the machine can do.

Each kernel multiplies matrices of each size several times. In the same run the machine's roofs are measured: the
most multiply-adds it does in registers, and what it reads from memory. Every product is held against float64. What
comes out above the roof, or further from float64 than rounding can lead, is refused and not remembered.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

import numpy as np
from labs.contract import (
    Axes,
    Event,
    Float32,
    ImpossibleError,
    Interval,
    Label,
    LabError,
    Sentence,
    Text,
    joined,
    say,
)
from labs.models.timing import NOISE, QUARTILES, refuse_impossible

from native.models.cuda_products import Precision
from native.speed.bench.cpu import BYTES, Measured, Processor, Way
from native.speed.bench.gpu import Gpu

MEASURES = True
HISTORY = True
MOST_SIZES = 12
PATIENCE = 0.15  # seconds for all repetitions of a dot, as far as one multiplication allows
MOST_SECONDS = 40  # a run has a minute
CPU, GPU = "Kernels on a processor", "Kernels on a GPU"
SIZES = "64, 128, 256, 512, 768, 1000, 1024"
OnProcessor = Literal["ijk", "ikj", "tiled", "packed", "NumPy", "torch"]
OnGpu = Literal["naive", "coalesced", "shared", "registers", "vectors", "pipelined"]
InFloats = Literal["Triton fp32", "cuBLAS fp32", "Triton tf32", "cuBLAS tf32"]
InBfloats = Literal["WMMA bf16", "WGMMA bf16", "Triton bf16", "cuBLAS bf16"]
Kernel = Literal[OnProcessor, OnGpu, InFloats, InBfloats]


@dataclass(frozen=True)
class Params:
    ijk: Annotated[bool, Label("ijk", help="Three loops, a column of B in the innermost.", group=CPU)] = True
    ikj: Annotated[bool, Label("ikj", help="The same, a row of B in the innermost.", group=CPU)] = True
    tiled: Annotated[bool, Label("tiled", help="Squares that fit in a cache.", group=CPU)] = True
    packed: Annotated[
        bool,
        Label(
            "packed",
            help="A and B copied into the order of reading, a tile of C in registers: our best.",
            group=CPU,
        ),
    ] = True
    numpy: Annotated[bool, Label("NumPy", help="Whatever BLAS it came with.", group=CPU)] = True
    torch: Annotated[bool, Label("torch", help="Whatever BLAS it came with.", group=CPU)] = True
    naive: Annotated[bool, Label("naive", help="A thread for each number, a warp down a column.", group=GPU)] = True
    coalesced: Annotated[bool, Label("coalesced", help="The same, a warp along a row.", group=GPU)] = True
    shared: Annotated[bool, Label("shared", help="Tiles in shared memory.", group=GPU)] = True
    registers: Annotated[
        bool, Label("registers", help="8 × 8 numbers in the registers of a thread.", group=GPU)
    ] = True
    vectors: Annotated[bool, Label("vectors", help="Four numbers in each read.", group=GPU)] = True
    pipelined: Annotated[
        bool, Label("pipelined", help="Copies two slabs ahead: our best in CUDA C.", group=GPU)
    ] = True
    wmma: Annotated[bool, Label("WMMA", help="Tiles of 16 × 16 on tensor cores, in bf16: our own.", group=GPU)] = (
        True
    )
    wgmma: Annotated[
        bool,
        Label("WGMMA", help="Tiles of 64 × 256 out of shared memory, on Hopper, in bf16: our own.", group=GPU),
    ] = True
    triton: Annotated[
        bool, Label("Triton", help="A tile in Triton, on tensor cores where the precision has them.", group=GPU)
    ] = True
    cublas: Annotated[bool, Label("cuBLAS", help="NVIDIA’s library.", group=GPU)] = True
    sizes: Annotated[
        str,
        Text(
            120,
            examples={
                "to a thousand": SIZES,
                "around 1,024": "1000, 1008, 1016, 1020, 1024, 1028, 1032, 1040",
                "two quick ones": "128, 256",
            },
        ),
        Label("Sizes", help=f"Rows and columns: at most {MOST_SIZES} numbers, separated by commas.", main=True),
    ] = SIZES
    precision: Annotated[
        Literal["fp32", "fp64", "tf32", "bf16"],
        Label("Precision", help="fp32, fp64 and bf16 on a processor; fp32, tf32 and bf16 on a GPU.", main=True),
    ] = "fp32"
    threads: Annotated[
        int, Interval(ge=1, le=64), Label("Threads", help="For the kernels that can share the work.")
    ] = 1
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    device: Annotated[Literal["cpu", "cuda"], Label("Run on")] = "cpu"


@dataclass(frozen=True, kw_only=True)
class Dots(Event):
    """A roof is measured, or one more kernel with one more size."""

    kind: Literal["dots"] = "dots"
    stage: str
    """What was measured just now"""
    kernels: list[Kernel]
    """In the order of the rows below"""
    cores: Annotated[list[int], Axes(kernel="kernels")]
    """[kernels] threads of the processor that it used"""
    left_out: list[str]
    """Kernels that were chosen and cannot multiply this precision"""
    sizes: list[int]
    """Rows and columns"""
    speed: Annotated[Float32, Axes(kernel="kernels", size="sizes", quartile=QUARTILES)]
    """[kernels, sizes, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN if unmeasured"""
    error: Annotated[Float32, Axes(kernel="kernels", size="sizes")]
    """[kernels, sizes] largest difference from float64, as a share of the sum without signs"""
    bound: Annotated[Float32, Axes(size="sizes")]
    """[sizes] what rounding can make of that at most"""
    intensity: Annotated[Float32, Axes(size="sizes")]
    """[sizes] operations for each byte that has to be read or written at least once"""
    peaks: Annotated[Float32, Axes(threads=("one", "all"))]
    """[2] GFLOP/s of multiply-adds in registers, on one thread and on all that were chosen; NaN where not known"""
    bandwidths: Annotated[Float32, Axes(of=("memory", "cache"))]
    """[2] GB/s that all of them read: from memory, and from a cache; NaN where not known"""
    precision: str
    threads: int
    repetitions: int
    device: str


def run(params: Params) -> Iterator[Dots]:
    machine = machine_of(params)
    sizes = sizes_of(params.sizes, machine.largest)
    chosen = [way for way in machine.ways if getattr(params, way.switch)]
    ways = [way for way in chosen if params.precision in way.precisions]
    if not ways:
        others = [way.name for way in machine.ways if params.precision in way.precisions]
        mend = f"turn on {' or '.join(others)}" if others else "this machine has none, so choose another precision"
        raise LabError(f"No kernel chosen here computes {params.precision}: {mend}.")
    board = Board(params, machine, ways, [way.name for way in chosen if way not in ways], sizes)
    board.limit()
    yield board.picture("peak", board.about_peaks())
    board.bandwidths[:] = machine.bandwidths()
    yield board.picture("bandwidth", board.about_bandwidths())
    board.refuse_what_takes_too_long()
    for column, n in enumerate(sizes):
        given = machine.problem(n, params.seed)
        board.limit()
        for row, way in enumerate(ways):
            yield board.dot(row, column, machine.measure(way, given, params.repetitions, PATIENCE))


def machine_of(params: Params) -> Any:
    kind, name = (Gpu, "A GPU") if params.device == "cuda" else (Processor, "A processor")
    if params.precision not in kind.precisions:
        raise LabError(f"{name} does not multiply {params.precision} here: choose {' or '.join(kind.precisions)}.")
    if kind is Gpu:
        return Gpu(cast(Precision, params.precision))
    return Processor(params.precision, params.threads)


def sizes_of(text: str, largest: int) -> list[int]:
    """Sizes as they were typed, in order. Raises ``LabError`` saying which of them is not taken."""
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    for part in parts:
        if not re.fullmatch(r"[0-9]{1,6}", part) or not 16 <= int(part) <= largest:
            raise LabError(
                f"“{part}” is no size: type whole numbers from 16 to {largest:,}, such as 256, 512, 1000."
            )
    if not 1 <= len(set(parts)) <= MOST_SIZES:
        found = f"these are {len(set(parts))}" if parts else "there is none"
        raise LabError(f"Type 1 to {MOST_SIZES} sizes, such as 256, 512, 1000; {found}.")
    return sorted({int(part) for part in parts})


class Board:
    """All that was found out so far."""

    def __init__(
        self, params: Params, machine: Any, ways: list[Way], left_out: list[str], sizes: list[int]
    ) -> None:
        self.params, self.machine, self.ways, self.left_out, self.sizes = params, machine, ways, left_out, sizes
        self.speed = np.full((len(ways), len(sizes), 3), np.nan, np.float32)
        self.error = np.full((len(ways), len(sizes)), np.nan, np.float32)
        self.peaks, self.bandwidths = (np.full(2, np.nan, np.float32) for _ in range(2))

    def limit(self, patience: float = 0.03) -> None:
        """Measured again beside each size, since the clock of a processor changes with what it does."""
        if found := self.machine.peaks(patience):
            self.peaks = np.fmax(self.peaks, np.array(found, np.float32))

    def about_peaks(self) -> Sentence:
        names, precision = joined(", ", self.left_out), self.params.precision
        left = say("; left out, not available in {}: {}", precision, names) if names else ""
        one, all_ = self.peaks.tolist()
        if math.isnan(one):
            return say("The peak of this machine in {} is not known{}.", precision, left)
        threads = self.params.threads
        team = say(", {} on {} threads", rounded(all_), threads) if threads > 1 else ""
        return say("Multiply-adds in registers: {} GFLOP/s{}, the flat roof{}.", rounded(one), team, left)

    def about_bandwidths(self) -> Sentence:
        memory, cache = self.bandwidths.tolist()
        if math.isnan(memory):
            return say("Without a C compiler, the reading speed of this machine is not known.")
        return say("Reading: {} GB/s from memory, {} GB/s from a cache.", rounded(memory), rounded(cache))

    def refuse_what_takes_too_long(self) -> None:
        """What a kernel at the peak would take for all that is multiplied whole."""
        whole = sum(way.team or self.params.device == "cuda" for way in self.ways)
        flops = sum(2e-9 * n**3 for n in self.sizes) * (self.params.repetitions + 1) * whole
        least = flops / float(np.nan_to_num(self.peaks, nan=100).max())
        if least > MOST_SECONDS:
            raise LabError(
                f"That takes at least {least:.0f} seconds here, and a run has a minute: "
                "choose smaller sizes, fewer of them, or fewer repetitions."
            )

    def dot(self, row: int, column: int, found: Measured) -> Dots:
        way, n = self.ways[row], self.sizes[column]
        taken, flops = found.timing, 2 * n * n * found.rows / 1e9
        speed = flops / taken.median
        self.refuse_what_cannot_be(way, n, speed, found.error)
        self.speed[row, column] = flops / taken.high, speed, flops / taken.low
        self.error[row, column] = found.error
        roof = self.roof(way)
        share = "" if math.isnan(roof) else say(", {} % of the peak", rounded(100 * speed / roof))
        rows = "" if found.rows == n else say(", timed on {:,} rows", found.rows)
        told = say("{}, {:,} × {:,}: {} GFLOP/s{}{}.", way.name, n, n, rounded(speed), share, rows)
        return self.picture(way.name, told)

    def refuse_what_cannot_be(self, way: Way, n: int, speed: float, error: float) -> None:
        allowed = self.machine.bound(n)
        if not error <= allowed:
            raise ImpossibleError(
                f"{way.name} is wrong at {n:,} × {n:,}, {error:.2g} from float64 where rounding leads to "
                f"{allowed:.2g} at most, so that nothing of this run is kept."
            )
        for patience in (0.03, 0.1, 0.3):  # whatever slowed the peak may be over by then
            if not speed > NOISE * self.roof(way):
                return
            self.limit(patience)
        refuse_impossible(f"{way.name} at {n:,} × {n:,}", speed / self.roof(way), "machine")

    def roof(self, way: Way) -> float:
        """NaN where it is not known."""
        return float(self.peaks[1 if way.team else 0])

    def picture(self, stage: str, text: Sentence) -> Dots:
        params = self.params
        sizes = np.array(self.sizes)
        return Dots(
            text=text,
            stage=stage,
            kernels=cast(list[Kernel], [way.name for way in self.ways]),
            cores=[params.threads if way.team else 1 for way in self.ways],
            left_out=self.left_out,
            sizes=self.sizes,
            speed=self.speed.copy(),
            error=self.error.copy(),
            bound=np.array([self.machine.bound(n) for n in self.sizes], np.float32),
            intensity=(2 * sizes / (3 * BYTES[params.precision])).astype(np.float32),
            peaks=self.peaks.copy(),
            bandwidths=self.bandwidths.copy(),
            precision=params.precision,
            threads=params.threads,
            repetitions=params.repetitions,
            device=params.device,
        )


def rounded(value: float) -> Sentence:
    return say("{:,g}", float(f"{value:.3g}"))
