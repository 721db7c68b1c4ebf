"""Cache, counted: the six orders of the three loops on this server, by a model, by its counters and by its clock.

The model is that of the cache walk, a cache of sets and ways whose line that was used longest ago makes room, as
large as the first cache of this processor and at the addresses that the loops really use. Beside it stands what
the processor itself counts, where Linux lends its counters, and how long a multiply-add takes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, LabError, Sentence, say
from labs.models.matmul import ORDERS
from labs.models.timing import QUARTILES
from numpy.typing import NDArray

from native.models.aligned import PAGE, aligned
from native.models.kernel import at, load
from native.models.timing import timed
from native.speed.cache_counted import counters
from native.speed.cache_counted.kernel import ORDERS as KERNEL

MEASURES = True
MOST = 1 << 24  # multiply-adds of an order: the outermost loop ends when they are done
PATIENCE = 0.2  # seconds for the repetitions of an order, as far as one allows
LEAST_PASSES = 4  # of the outermost loop, so that what it does again is seen
FIRST_CACHE = Path("/sys/devices/system/cpu/cpu0/cache/index0")  # of data, on x86 and on Arm


@dataclass(frozen=True)
class Geometry:
    line: int
    """bytes"""
    sets: int
    ways: int


USUAL = Geometry(64, 64, 8)  # 32 KiB, where the system does not say


@dataclass(frozen=True)
class Params:
    n: Annotated[
        int, Interval(ge=64, le=1024), Label("Rows and columns n", help="512 and 1,024 are the worst: try 500.")
    ] = 512
    padding: Annotated[
        int, Interval(ge=0, le=64), Label("Padding", unit="floats", help="Left empty after each row.")
    ] = 0
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7


@dataclass(frozen=True, kw_only=True)
class Orders(Event):
    """One more order of the loops."""

    kind: Literal["orders"] = "orders"
    stage: str
    """The order that was followed just now; "all" at the end."""
    orders: list[str]
    expected: Annotated[Float32, Axes(order="orders", matrix=("A", "B", "C"))]
    """[orders, 3] misses for each multiply-add by the model, of A, B and C; NaN where not followed yet"""
    counted: Annotated[Float32, Axes(order="orders")]
    """[orders] misses for each multiply-add that the processor counted; NaN where it did not"""
    refused: str
    """Why nothing is counted; empty where it is"""
    took: Annotated[Float32, Axes(order="orders", quartile=QUARTILES)]
    """[orders, 3] nanoseconds of a multiply-add: one, two and three quarters of the repetitions took no longer"""
    line: int
    """bytes of a line of the first cache"""
    sets: int
    ways: int
    n: int
    padding: int
    passes: int
    """How often the outermost loop goes round, of n"""
    repetitions: int


def run(params: Params) -> Iterator[Orders]:
    walk = Walk(params, geometry())
    for order in range(len(ORDERS)):
        yield walk.follow(order)
    yield walk.whole()


def geometry() -> Geometry:
    """The first cache of this machine, as Linux tells it."""
    try:
        line, sets, ways = (
            int((FIRST_CACHE / name).read_text())
            for name in ("coherency_line_size", "number_of_sets", "ways_of_associativity")
        )
    except (OSError, ValueError):
        return USUAL
    return Geometry(line, sets, ways)


class Walk:
    """The matrices, and all that was found out so far."""

    def __init__(self, params: Params, cache: Geometry) -> None:
        self.params, self.cache = params, cache
        n = params.n
        self.pitch = n + params.padding
        self.passes = min(n, max(LEAST_PASSES, MOST // n**2))
        random = np.random.default_rng(0)
        # From a page on, so that the model sees the same sets in each run.
        self.a, self.b, self.c = (aligned(n * self.pitch, PAGE) for _ in range(3))
        self.a[:], self.b[:] = random.uniform(-1, 1, (2, n * self.pitch)).astype(np.float32)
        self.expected = np.full((len(ORDERS), 3), np.nan, np.float32)
        self.counted = np.full(len(ORDERS), np.nan, np.float32)
        self.took = np.full((len(ORDERS), 3), np.nan, np.float32)
        self.refused = ""

    @property
    def steps(self) -> int:
        """Multiply-adds of an order."""
        return self.passes * self.params.n**2

    def follow(self, order: int) -> Orders:
        self.expected[order] = self.model(order) / self.steps
        self.c[:] = 0
        taken = timed(lambda rounds: self.multiply(order, rounds), self.params.repetitions, PATIENCE)
        self.took[order] = np.array([taken.low, taken.median, taken.high]) / self.steps * 1e9
        try:
            counted = counters.count(counters.FIRST_CACHE_MISSES, lambda: self.multiply(order, 1))
            self.counted[order] = counted / self.steps
        except LabError as problem:
            self.refused = str(problem)
        shown = self.picture(ORDERS[order])
        return replace(shown, text=tell(shown, order))

    def model(self, order: int) -> NDArray[np.int64]:
        """[3] misses of A, B and C, from an empty cache on."""
        cache, missed = self.cache, np.zeros(3, np.int64)
        lines = np.zeros(cache.sets * cache.ways, np.uintp)  # no array lies in line 0
        load(KERNEL).model(
            *(order, self.params.n, ctypes.c_size_t(self.pitch), self.passes, at(self.a), at(self.b), at(self.c)),
            *(cache.line, cache.sets, cache.ways, at(lines), at(missed)),
        )
        return missed

    def multiply(self, order: int, rounds: int) -> None:
        load(KERNEL).multiply(
            *(order, rounds, self.params.n, ctypes.c_size_t(self.pitch), self.passes),
            *(at(self.a), at(self.b), at(self.c)),
        )

    def whole(self) -> Orders:
        shown = self.picture("all")
        return replace(shown, text=tell_all(shown))

    def picture(self, stage: str) -> Orders:
        return Orders(
            text=say(""),
            stage=stage,
            orders=list(ORDERS),
            expected=self.expected.copy(),
            counted=self.counted.copy(),
            refused=self.refused,
            took=self.took.copy(),
            line=self.cache.line,
            sets=self.cache.sets,
            ways=self.cache.ways,
            n=self.params.n,
            padding=self.params.padding,
            passes=self.passes,
            repetitions=self.params.repetitions,
        )


def tell(shown: Orders, order: int) -> Sentence:
    counted = shown.counted[order]
    told = "" if np.isnan(counted) else say(", the processor counts {:.3g}", counted)
    misses = say("{:.3g}", shown.expected[order].sum())
    return say(
        "{}: the model expects {} {} for each multiply-add{}, and each takes {:.3g} ns.",
        shown.orders[order],
        misses,
        "miss" if misses == "1" else "misses",
        told,
        shown.took[order, 1],
    )


def tell_all(shown: Orders) -> Sentence:
    took = shown.took[:, 1]
    slow, quick = int(took.argmax()), int(took.argmin())
    misses = shown.expected[[slow, quick]].sum(1)
    more = float(misses[0] / misses[1])
    often = say("{:.3g} times as often", more) if not 0.95 < more < 1.05 else "as often"
    return say(
        "{} takes {:.3g} times as long as {}, and should miss {}.",
        shown.orders[slow],
        took[slow] / took[quick],
        shown.orders[quick],
        often,
    )
