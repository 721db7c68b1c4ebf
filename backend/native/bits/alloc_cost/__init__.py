"""Cost of an allocation: nanoseconds to get some bytes and give them back, in five ways, from 16 bytes to 1 MiB.

Compiled C, timed in batches long enough for the clock. On the stack an allocation is a subtraction; in an arena,
which is given back whole, an addition; malloc has to find a place and to keep books; calloc has to write zeros; and
beyond a threshold malloc asks the operating system for pages each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, say

MEASURES = True
SIZES = tuple(16 << 2 * n for n in range(9))
WAYS = ("stack", "arena", "pair", "zeroed", "many")
NAMES = {
    "stack": "a local array",
    "arena": "an arena",
    "pair": "malloc and free",
    "zeroed": "calloc and free",
    "many": "malloc, 256 alive",
}


@dataclass(frozen=True)
class Params:
    repetitions: Annotated[int, Interval(ge=3, le=51), Label("Repetitions")] = 15
    touch: Annotated[
        Literal["one byte", "every page"],
        Label("Write", help="A page that was never written does not exist yet: the first write makes it."),
    ] = "one byte"
    threshold: Annotated[
        Literal["stays", "adapts"],
        Label(
            "mmap threshold",
            help="From here on a block gets pages of its own; glibc starts at 128 KiB and may raise it.",
        ),
    ] = "stays"


@dataclass(frozen=True, kw_only=True)
class Cost(Event):
    """One more size of one more way is measured."""

    kind: Literal["cost"] = "cost"
    stage: str
    """The way that is being measured."""
    sizes: Int32
    """[sizes] bytes"""
    ways: list[str]
    median: Annotated[Float32, Axes(way="ways", size="sizes")]
    """[ways, sizes] nanoseconds for one allocation and its end; NaN where not yet measured"""
    low: Annotated[Float32, Axes(way="ways", size="sizes")]
    """[ways, sizes] a quarter of the repetitions took less"""
    high: Annotated[Float32, Axes(way="ways", size="sizes")]
    """[ways, sizes] a quarter took more"""
    rounds: Annotated[Int32, Axes(way="ways", size="sizes")]
    """[ways, sizes] allocations in each repetition; 0 where not yet measured"""
    repetitions: int


def run(params: Params) -> Iterator[Cost]:
    from native.bits.alloc_cost.kernel import ALLOC
    from native.models.kernel import made

    program = made(ALLOC)
    low, median, high = (np.full((len(WAYS), len(SIZES)), np.nan, np.float32) for _ in range(3))
    rounds = np.zeros((len(WAYS), len(SIZES)), np.int32)
    for i, way in enumerate(WAYS):
        for j, size in enumerate(SIZES):
            taken, count = measure(program, way, size, params)
            low[i, j], median[i, j], high[i, j] = np.percentile(taken, (25, 50, 75))
            rounds[i, j] = count
            yield Cost(
                text=say(
                    "{} by {}: {}, the median of {} times {:,} rounds.",
                    bytes_of(size),
                    NAMES[way],
                    time_of(float(median[i, j])),
                    params.repetitions,
                    count,
                ),
                stage=way,
                sizes=np.array(SIZES, np.int32),
                ways=list(NAMES.values()),
                median=median.copy(),
                low=low.copy(),
                high=high.copy(),
                rounds=rounds.copy(),
                repetitions=params.repetitions,
            )


def measure(program: Path, way: str, size: int, params: Params) -> tuple[list[float], int]:
    """Nanoseconds a round in each repetition, and how many rounds each took."""
    from native.models.kernel import printed

    stride = size if params.touch == "one byte" else 4096
    limit = 128 << 10 if params.threshold == "stays" else 0
    rounds, *times = printed(program, way, size, stride, params.repetitions, limit)
    return [float(each) for each in times], int(rounds)


def bytes_of(size: int) -> Sentence:
    for unit, of in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= of:
            return say("{} {}", size // of, unit)
    return say("{} bytes", size)


def time_of(nanoseconds: float) -> Sentence:
    for unit, of in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= of:
            return say("{:.3g} {}", nanoseconds / of, unit)
    return say("{:.3g} ns", nanoseconds)
