"""Matrix products on this processor as the bench measures them: ways by precision, roofs, a check by float64.

A machine of the bench has what ``Processor`` has in public; which one a run gets, it says by its device.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from labs.contract import LabError
from numpy.typing import NDArray

from native.models import kernel
from native.models.cores import cores
from native.models.peak_kernel import Roof, peak, reading_by, unknown
from native.models.products import RUNGS, Choice, Operands, numpy, part
from native.models.timing import Timing, clocked, timed

PRECISIONS = ("fp32", "fp64", "bf16")
ROUNDOFF = {"fp32": 2**-24, "tf32": 2**-11, "fp64": 2**-53, "bf16": 2**-8}
"""What rounding to the nearest number of a format loses at most, as a share of it."""
BYTES = {"fp32": 4, "tf32": 4, "fp64": 8, "bf16": 2}
FLAGS = "-O3 -march=native"
CHECKED = 64  # rows of a product that are held against float64
MEMORY, CACHE = 1 << 28, 1 << 18  # bytes read for the slopes

Doubles = NDArray[np.float64]


class Problem(NamedTuple):
    """Two matrices whose numbers are those of the precision, and what becomes of some rows of their product."""

    n: int
    a: NDArray[Any]
    b: NDArray[Any]
    rows: NDArray[np.int64]
    exact: Doubles
    size: Doubles
    """[rows, n] the sum of |a||b|: rounding is measured by it"""


class Measured(NamedTuple):
    timing: Timing
    rows: int
    """Of the product that were computed; fewer than n where a reader would not wait for all."""
    error: float
    """Largest difference from float64, as a share of the sum of |a||b|"""


class Way(NamedTuple):
    name: str
    precisions: tuple[str, ...]
    team: bool = False
    """Whether it uses all threads."""

    @property
    def switch(self) -> str:
        """What turns it on and off."""
        return self.name.split()[0].lower()

    @property
    def possible(self) -> bool:
        """Whether this machine has what it takes: one that is only lent may have NumPy and no more."""
        return self.name == "NumPy" or (
            find_spec("torch") is not None if self.name == "torch" else kernel.available()
        )


WAYS = (
    Way("ijk", ("fp32",)),
    Way("ikj", ("fp32",)),
    Way("tiled", ("fp32",)),
    Way("packed", ("fp32",), team=True),
    Way("NumPy", ("fp32", "fp64"), team=True),
    Way("torch", PRECISIONS, team=True),
)


class Processor:
    """Raises ``LabError`` where this machine has not what is asked for."""

    largest = 4096
    precisions = PRECISIONS

    def __init__(self, precision: str, threads: int) -> None:
        available = cores()
        if threads > available:
            raise LabError(f"This machine gives a run {available} cores; choose at most {available} threads.")
        self.precision, self.threads = precision, threads
        self.ways = tuple(way for way in WAYS if way.possible)

    def peaks(self, patience: float = 0.03) -> tuple[float, float] | None:
        """GFLOP/s of multiply-adds in registers, on one thread and on all, at best; None if it cannot be known."""
        if platform.system() == "Darwin" or unknown(self.precision):  # Accelerate has units of its own
            return None
        if not kernel.available():
            return None
        return most(lambda threads: peak(self.precision, threads), self.threads, patience)

    def bandwidths(self) -> tuple[float, float]:
        """GB/s that all threads read from memory, and from what a cache holds; NaN if it cannot be known."""
        if not kernel.available():
            return math.nan, math.nan
        memory, cache = (
            most(lambda threads, size=size: reading_by(threads, size), self.threads, 0.1)[1]  # type: ignore[misc]
            for size in (MEMORY, CACHE)
        )
        return memory, cache

    def problem(self, n: int, seed: int) -> Problem:
        random = np.random.default_rng((seed, n))
        a, b = (rounded(random.uniform(-1, 1, (n, n)), self.precision) for _ in range(2))
        return problem(a, b)

    def bound(self, n: int) -> float:
        return bound(n, self.precision)

    def measure(self, way: Way, given: Problem, repetitions: int, patience: float) -> Measured:
        if way.name in ("NumPy", "torch"):
            return self._library(way, given, repetitions, patience)
        name = "threads" if way.team and self.threads > 1 else way.name
        rung = next(rung for rung in RUNGS if rung.name == name)
        choice = Choice(FLAGS, 64, self.threads)
        operands = part(rung, Operands(given.a, given.b, np.full_like(given.a, np.nan), given.n), choice)
        taken = timed(rung.start(operands, choice), repetitions, patience)
        return Measured(taken, operands.rows, off(given, operands.c[: operands.rows]))

    def _library(self, way: Way, given: Problem, repetitions: int, patience: float) -> Measured:
        how = with_numpy if way.name == "NumPy" else with_torch
        work, result = how(given, self.precision, self.threads)
        taken = timed(work, repetitions, patience)
        return Measured(taken, given.n, off(given, result()))


def most(roof: Callable[[int], Roof], threads: int, patience: float) -> tuple[float, float]:
    """What a roof comes to at best on one thread and on so many, in thousand millions a second.

    How many rounds are worth a repetition one thread says: several take their time to begin.
    """
    work, amount = roof(1)
    taken = timed(work, 9, patience)
    one = amount / taken.least / 1e9
    if threads == 1:
        return one, one
    rounds = max(1, int(patience / 9 / taken.least))
    work, amount = roof(threads)
    all_ = amount / min(clocked(work, rounds) / rounds for _ in range(9)) / 1e9
    return one, max(one, all_)


def problem(a: NDArray[Any], b: NDArray[Any]) -> Problem:
    n = len(a)
    rows = np.unique(np.linspace(0, n - 1, min(n, CHECKED)).astype(np.int64))
    some, all_ = a[rows].astype(np.float64), b.astype(np.float64)
    return Problem(n, a, b, rows, some @ all_, np.abs(some) @ np.abs(all_))


def off(given: Problem, product: NDArray[Any]) -> float:
    """The error of those rows that were computed; infinite if there is a number that is none."""
    known = given.rows < len(product)
    apart = np.abs(product[given.rows[known]] - given.exact[known]) / given.size[known]
    return float(apart.max()) if np.isfinite(apart).all() else float("inf")


def bound(n: int, precision: str) -> float:
    """What rounding can amount to at most in sums of n products, in any order (Higham, Accuracy and Stability of
    Numerical Algorithms, 3.5): those of bf16 and tf32 are summed up in fp32 and rounded at the beginning or end."""
    if precision == "fp64":
        return 2 * ROUNDOFF[precision] * (n + 1)  # what it is held against is rounded as well
    return ROUNDOFF["fp32"] * (n + 1) + (0 if precision == "fp32" else 2 * ROUNDOFF[precision])


def rounded(numbers: Doubles, precision: str) -> NDArray[Any]:
    """The nearest numbers of a precision; those of bf16 as floats, since NumPy has none."""
    if precision != "bf16":
        return numbers.astype(np.float64 if precision == "fp64" else np.float32)
    import torch

    made: NDArray[Any] = torch.from_numpy(numbers).bfloat16().float().numpy()
    return made


def with_numpy(
    given: Problem, precision: str, threads: int
) -> tuple[Callable[[int], object], Callable[[], NDArray[Any]]]:
    out = np.full_like(given.a, np.nan)
    return numpy(Operands(given.a, given.b, out, given.n), Choice(FLAGS, 64, threads), threads), lambda: out


def with_torch(
    given: Problem, precision: str, threads: int
) -> tuple[Callable[[int], object], Callable[[], NDArray[Any]]]:
    import torch

    torch.set_num_threads(threads)
    kind = {"fp32": torch.float32, "fp64": torch.float64, "bf16": torch.bfloat16}[precision]
    a, b = (torch.from_numpy(each).to(kind) for each in (given.a, given.b))
    out = torch.full_like(a, float("nan"))

    def work(rounds: int) -> None:
        for _ in range(rounds):
            torch.mm(a, b, out=out)

    def result() -> NDArray[Any]:
        found: NDArray[Any] = out.double().numpy()
        return found

    return work, result
