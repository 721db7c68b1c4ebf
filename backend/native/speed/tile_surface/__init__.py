"""Tile surface: the time of one matrix product over both sides of its blocks, predicted and measured.

The product is the packed one of the ladder: a block of A is copied, meets strips of B, and C grows by its sums. How
high and how deep the block is decides what stays in which cache. A model predicts the time from the peak and from
what can be read of arrays of several sizes, all measured in the same run; then every pair of sides is timed, in
turns, so that what slows the machine for a while slows all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, say
from labs.models.timing import refuse_impossible
from numpy.typing import NDArray

from native.models.aligned import PAGE, aligned
from native.models.products import peak
from native.models.roofline_kernel import reading, stride
from native.models.timing import clocked, timed
from native.speed.tile_surface.kernel import multiply, tile
from native.speed.tile_surface.model import Machine, seconds

MEASURES = True
STRIPS = (1, 2, 4, 8, 16, 32)
DEPTHS = (8, 16, 32, 64, 128, 256, 512)
SIZES = tuple(1 << power for power in (14, 16, 18, 20, 22, 24))  # bytes
PATIENCE = 0.05  # seconds for all repetitions of a limit


@dataclass(frozen=True)
class Params:
    strips: Annotated[
        Literal[1, 2, 4, 8, 16, 32],
        Label("Height of the block", unit="strips", help="A strip is as high as a tile in registers.", main=True),
    ] = 16
    deep: Annotated[
        Literal[8, 16, 32, 64, 128, 256, 512], Label("Depth of the block", unit="columns of A", main=True)
    ] = 256
    n: Annotated[int, Interval(ge=64, le=1024), Label("Rows and columns")] = 768
    repetitions: Annotated[int, Interval(ge=3, le=15), Label("Repetitions")] = 5


@dataclass(frozen=True, kw_only=True)
class Surface(Event):
    """What the model predicts, and the medians of the turns so far."""

    kind: Literal["surface"] = "surface"
    stage: Literal["predicted", "measuring", "measured"]
    strips: list[int]
    """heights of a block of A, as far as the matrix is as high"""
    strip: int
    """rows of a strip"""
    depths: list[int]
    """columns of a block of A, as far as the matrix is as wide"""
    predicted: Annotated[Float32, Axes(deep="depths", high="strips")]
    """[depths, strips] milliseconds of the product by the model"""
    took: Annotated[Float32, Axes(deep="depths", high="strips")]
    """[depths, strips] milliseconds of the product, medians of the turns so far; NaN before the first"""
    chosen: Annotated[Int32, Axes(side=("deep", "high"))]
    """[2] row and column of the reader's block, or of the largest that fits into the matrix"""
    best: Annotated[Int32, Axes(side=("deep", "high"))]
    """[2] row and column of the block with the shortest time: predicted, until it is measured"""
    peak: float
    """GFLOP/s of multiply-adds in registers on one thread"""
    sizes: list[int]
    """bytes of arrays that were read"""
    bandwidth: Annotated[Float32, Axes(size="sizes")]
    """[sizes] GB/s read from an array of that size"""
    n: int
    turns: int
    """Turns so far"""
    repetitions: int


@dataclass(frozen=True)
class Sides:
    """The blocks that are tried, none larger than the matrix, and the reader's or the largest along each side."""

    strips: list[int]
    depths: list[int]
    chosen: tuple[int, int]
    """Places in ``depths`` and in ``strips``"""


def fitting(params: Params, rows: int) -> Sides:
    strips = [each for each in STRIPS if each * rows <= params.n]
    depths = [each for each in DEPTHS if each <= params.n]
    return Sides(
        strips, depths, (depths.index(min(params.deep, depths[-1])), strips.index(min(params.strips, strips[-1])))
    )


def run(params: Params) -> Iterator[Surface]:
    machine = limits()
    sides = fitting(params, machine.rows)
    pairs = [[(strips * machine.rows, deep) for strips in sides.strips] for deep in sides.depths]
    predicted = np.array([[seconds(machine, params.n, *pair) for pair in row] for row in pairs])
    yield picture(params, machine, sides, predicted, [])
    a, b, c = (aligned(params.n**2, PAGE).reshape(params.n, params.n) for _ in range(3))
    a[:], b[:] = np.random.default_rng(0).uniform(-1, 1, (2, params.n, params.n)).astype(np.float32)
    works = [[multiply(a, b, c, *pair) for pair in row] for row in pairs]
    turns: list[NDArray[np.float64]] = []
    for each in range(params.repetitions + 1):
        taken = np.array([[clocked(work, 1) for work in row] for row in works])
        if each:  # the first warms the caches and the pages up
            turns.append(taken)
            yield picture(params, machine, sides, predicted, turns)


def limits() -> Machine:
    """Of this machine, on one thread."""
    work, flops = peak()
    speed = []
    for size in SIZES:
        x = aligned(size // 4 // stride() * stride())
        x[:] = 0.5
        speed.append(x.nbytes / timed(reading(x), 7, PATIENCE).least)
    return Machine(flops / timed(work, 9, PATIENCE).least, SIZES, tuple(speed), *tile())


def picture(
    params: Params,
    machine: Machine,
    sides: Sides,
    predicted: NDArray[np.float64],
    turns: list[NDArray[np.float64]],
) -> Surface:
    took = np.median(turns, axis=0) if turns else np.full_like(predicted, np.nan)
    known = took if turns else predicted
    best = np.unravel_index(int(known.argmin()), known.shape)
    flops = 2 * params.n**3
    if turns:
        refuse_impossible("A product in blocks", flops / float(took.min()) / machine.peak, "processor")
    return Surface(
        text=tell(machine, sides, predicted, took, len(turns)),
        stage="predicted" if not turns else "measured" if len(turns) == params.repetitions else "measuring",
        strips=sides.strips,
        strip=machine.rows,
        depths=sides.depths,
        predicted=(1e3 * predicted).astype(np.float32),
        took=(1e3 * took).astype(np.float32),
        chosen=np.array(sides.chosen, np.int32),
        best=np.array(best, np.int32),
        peak=machine.peak / 1e9,
        sizes=list(machine.sizes),
        bandwidth=(np.array(machine.bandwidth) / 1e9).astype(np.float32),
        n=params.n,
        turns=len(turns),
        repetitions=params.repetitions,
    )


def compared(ratio: float) -> Sentence:
    """A time beside the least one."""
    if ratio == 1:
        return say("the least")
    if f"{ratio:.3g}" == "1":
        return say("as long as the fastest")
    return say("{:.3g} times as long as the fastest", ratio)


def tell(
    machine: Machine, sides: Sides, predicted: NDArray[np.float64], took: NDArray[np.float64], turns: int
) -> Sentence:
    deep, high = at = sides.chosen
    block = say("{:,} × {:,}", sides.strips[high] * machine.rows, sides.depths[deep])
    known = took if turns else predicted
    longer = compared(float(known[at] / known.min()))
    if not turns:
        return say("According to the model, blocks of {} take {:.3g} ms, {}.", block, 1e3 * predicted[at], longer)
    return say(
        "Blocks of {} take {:.3g} ms where the model expects {:.3g}, {} of {} sizes.",
        block,
        1e3 * took[at],
        1e3 * predicted[at],
        longer,
        took.size,
    )
