"""Factors of a speed-up: from loops in Python to all cores, one change at a time, and the speed that each brings.

C = A B, n × n floats. Each step changes one thing and leaves the rest as it was: the language, the order of the
loops, vectors, a tile in registers, packing, threads. So the factors multiply to the whole. The first three can be
made in three orders, and a change is not worth the same in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal, cast, get_args

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, LabError, Sentence, say
from labs.models.timing import QUARTILES, refuse_impossible

from native.models import products
from native.models.cores import cores
from native.models.products import RUNGS, Choice, Operands, Rung, part, peak
from native.models.timing import Timing, timed

MEASURES = True
PATIENCE = 0.35  # seconds for all repetitions of one way, as far as one multiplication allows
ONE_NUMBER, VECTORS = "-O3 -march=native -fno-vectorize", "-O3 -march=native"
Change = Literal["C", "loop order", "vectors", "registers", "packing", "threads"]
Sequence = Literal["C, loop order, vectors", "C, vectors, loop order", "loop order, C, vectors"]


@dataclass(frozen=True)
class Params:
    order: Annotated[
        Sequence, Label("Order of the changes", help="Vectors need compiled code; the rest may come in any order.")
    ] = "C, loop order, vectors"
    n: Annotated[
        int,
        Interval(ge=16, le=2048),
        Label("Rows and columns", help="At 50, all three matrices fit in the first cache."),
    ] = 1000
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads")] = 2
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    added: Annotated[
        bool, Label("Add the factors", group="Mistakes", help="As if 3 times and then 2 times were 5 times.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class Factors(Event):
    """One more way is measured, and with it perhaps one more factor is known."""

    kind: Literal["factors"] = "factors"
    stage: str
    """The way that was measured just now; at the end, orders."""
    names: list[str]
    speed: Annotated[Float32, Axes(way="names", quartile=QUARTILES)]
    """[ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured"""
    share: Annotated[Float32, Axes(way="names")]
    """[ways] of the peak of all threads that it used"""
    cores: Annotated[list[int], Axes(way="names")]
    """[ways] threads that it used"""
    seconds: Annotated[Float32, Axes(way="names")]
    """[ways] median for one product of all rows, computed from those that were multiplied"""
    error: Annotated[Float32, Axes(way="names")]
    """[ways] largest difference from the product in float64, as a share of its largest number"""
    path: list[int]
    """The ways that are gone through, from the first to the last."""
    changes: list[Change]
    """[path - 1] what is changed between one and the next"""
    factor: Annotated[Float32, Axes(change="changes", quartile=QUARTILES)]
    """[changes, 3] how many times faster: between the near quarters of the repetitions, medians, the far ones"""
    total: float | None
    """All factors multiplied; None until all are known"""
    promised: float | None
    """All factors added up, where that mistake is made; else None"""
    library: float | None
    """How many times faster than the first way NumPy is"""
    orders: list[str]
    compared: Annotated[Float32, Axes(order="orders", change=("C", "loop order", "vectors"))]
    """[orders, 3] what C, the order of the loops and vectors are worth when they are changed in that order"""
    peak: float
    """GFLOP/s of multiply-adds in registers on one thread, the best so far"""
    n: int
    repetitions: int


@dataclass(frozen=True)
class Way:
    """The changes that were made; the rung that is timed."""

    changed: frozenset[str]
    rung: Rung


def way(changed: str, name: str, says: str, start: Callable[[Operands, Choice], Callable[[int], object]]) -> Way:
    return Way(frozenset(changed.split(", ")) - {""}, Rung(name, says, start))


def compiled(version: str, flags: str) -> Callable[[Operands, Choice], Callable[[int], object]]:
    return lambda operands, choice: products.loops(version)(operands, replace(choice, flags=flags))


CHANGES: tuple[Change, ...] = get_args(Change)
EARLY, LATE = CHANGES[:3], CHANGES[3:]
ORDERS: tuple[Sequence, ...] = ("C, loop order, vectors", "C, vectors, loop order", "loop order, C, vectors")
RUNG = {rung.name: rung for rung in RUNGS}
WAYS = (
    way("", "Python", "Loops in Python, i outside, then j, then k", products.lists(products.ijk)),
    way("loop order", "Python, ikj", "The same with k before j", products.lists(products.ikj)),
    way("C", "C", "The same loops in C, one number at a time", compiled("ijk", ONE_NUMBER)),
    way("C, loop order", "C, ikj", "C with k before j", compiled("ikj", ONE_NUMBER)),
    way("C, vectors", "C, vectors", "C whose compiler may use vectors", compiled("ijk", VECTORS)),
    way("C, loop order, vectors", "C, ikj, vectors", "Vectors along the rows of B and C", compiled("ikj", VECTORS)),
    *(
        Way(frozenset({*EARLY, *LATE[: place + 1]}), RUNG[name])
        for place, name in enumerate(("registers", "packed", "threads"))
    ),
)
DOES = {
    "C": "machine code in place of the interpreter",
    "loop order": "k before j",
    "vectors": "many numbers at once",
    "registers": "a tile of C that stays in registers",
    "packing": "A and B copied into the order of reading",
    "threads": "several threads",
}


def run(params: Params) -> Iterator[Factors]:
    available = cores()
    if params.threads > available:
        raise LabError(f"This machine gives a run {available} cores; choose at most {available} threads.")
    choice = Choice(VECTORS, 64, params.threads)
    random = np.random.default_rng(params.seed)
    a, b = (random.uniform(-1, 1, (params.n, params.n)).astype(np.float32) for _ in range(2))
    exact = a.astype(np.float64) @ b
    board = Board(params)
    library = Rung(
        "NumPy",
        "What NumPy calls",
        partial(products.numpy, threads=params.threads),
        rows=None,
        team=True,
        ours=False,
    )
    rungs = [*(way.rung for way in WAYS), library]
    rest = [place for place in range(len(WAYS)) if place not in board.path]
    for place in (*board.path, len(WAYS), *rest):
        operands = part(rungs[place], Operands(a, b, np.full_like(a, np.nan), params.n), choice)
        taken = timed(rungs[place].start(operands, choice), params.repetitions, PATIENCE)
        off = np.abs(operands.c[: operands.rows] - exact[: operands.rows]).max() / np.abs(exact).max()
        known = board.measured(place, rungs[place], operands.rows, taken, float(off))
        yield known
    yield replace(known, stage="orders", text=tell(known))


def path(order: Sequence) -> list[int]:
    """The ways between nothing changed and everything, in that order."""
    changes = [*order.split(", "), *LATE]
    places = {way.changed: place for place, way in enumerate(WAYS)}
    return [places[frozenset(changes[:made])] for made in range(len(changes) + 1)]


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.path = path(params.order)
        self.changes = [*params.order.split(", "), *LATE]
        teams = [*(way.rung.team for way in WAYS), True]
        self.cores = [params.threads if team else 1 for team in teams]
        ways = len(teams)
        self.speed = np.full((ways, 3), np.nan, np.float32)
        self.share, self.seconds, self.error = (np.full(ways, np.nan, np.float32) for _ in range(3))
        self.peak = 0.0
        self.limit()

    def limit(self) -> None:
        """Measured again beside each way, since the clock of a processor changes with what it does."""
        work, flops = peak()
        self.peak = max(self.peak, flops / timed(work, 9, 0.03).least / 1e9)

    def factor(self, of: list[int]) -> Float32:
        """[path - 1, 3] how many times faster each is than the one before."""
        low, median, high = self.speed[of].T
        return np.array([low[1:] / high[:-1], median[1:] / median[:-1], high[1:] / low[:-1]], np.float32).T

    def compared(self) -> Float32:
        worth = []
        for order in ORDERS:
            gains = dict(zip(order.split(", "), self.factor(path(order))[:3, 1], strict=True))
            worth.append([gains[change] for change in EARLY])
        return np.array(worth, np.float32)

    def measured(self, place: int, rung: Rung, rows: int, taken: Timing, error: float) -> Factors:
        n = self.params.n
        self.limit()
        flops = 2 * n * n * rows / 1e9
        self.speed[place] = flops / taken.high, flops / taken.median, flops / taken.low
        self.share[place] = flops / taken.median / (self.peak * self.cores[place])
        self.seconds[place], self.error[place] = taken.median * n / rows, error
        if rung.ours:
            refuse_impossible(rung.name, float(self.share[place]), "processor")
        factor = self.factor(self.path)
        total, library = (
            None if np.isnan(self.speed[way, 1]) else float(self.speed[way, 1] / self.speed[0, 1])
            for way in (self.path[-1], len(WAYS))
        )
        return Factors(
            text=self.text(place, rung, factor),
            stage=rung.name,
            names=[*(way.rung.name for way in WAYS), "NumPy"],
            speed=self.speed.copy(),
            share=self.share.copy(),
            cores=self.cores,
            seconds=self.seconds.copy(),
            error=self.error.copy(),
            path=list(self.path),
            changes=cast(list[Change], self.changes),
            factor=factor,
            total=total,
            promised=float(factor[:, 1].sum()) if self.params.added and total else None,
            library=library,
            orders=list(ORDERS),
            compared=self.compared(),
            peak=self.peak,
            n=n,
            repetitions=self.params.repetitions,
        )

    def text(self, place: int, rung: Rung, factor: Float32) -> Sentence:
        speed = say("{:.3g} GFLOP/s", self.speed[place, 1])
        if place == self.path[0]:
            return say("{}: {}, the base of all the factors that follow.", rung.says, speed)
        if place not in self.path:
            many = self.speed[place, 1] / self.speed[0, 1]
            return say("{}: {}, {:.3g} times the loops in Python.", rung.says, speed, many)
        step = self.path.index(place) - 1
        change = self.changes[step]
        worth = say("{:.3g} times the speed before", factor[step, 1])
        return say("{}{}: {} and nothing else, {}, {}.", change[0].upper(), change[1:], DOES[change], speed, worth)


def tell(known: Factors) -> Sentence:
    if known.promised:
        return say(
            "Added up, the factors promise {:,.0f} times the speed; all changes together bring {:,.0f} times.",
            known.promised,
            known.total,
        )
    vectors = known.compared[:, EARLY.index("vectors")]
    return say(
        "All changes together bring a factor of {:,.0f} in any order, but vectors "
        "alone {:.3g} or {:.3g}, depending on the changes before them.",
        known.total,
        vectors.min(),
        vectors.max(),
    )
