"""One repetition: what a benchmark would have reported if it had measured once.

The same product of matrices is clocked again and again, each time by itself, from the very first. A report takes
the next few of these times and says one number. The fewer it takes, the more it depends on when it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, say
from numpy.typing import NDArray

from native.models import products
from native.models.cores import cores
from native.models.products import RUNGS, Choice, Operands
from native.models.timing import clocked

MEASURES = True
SIZES = (1, 3, 7, 15, 31)
APART = 1.1  # reports that differ by more than a tenth would be told as a difference
PICTURES = 30
SUMS: dict[str, Callable[..., NDArray[np.float64]]] = {"median": np.median, "least": np.min, "mean": np.mean}


@dataclass(frozen=True)
class Params:
    way: Annotated[
        Literal["NumPy", "packed", "ikj"], Label("Product by", help="ikj is plain C, packed our fastest kernel.")
    ] = "NumPy"
    n: Annotated[int, Interval(ge=256, le=700), Label("Rows and columns")] = 500
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads", help="For NumPy; the others use one.")] = 2
    repetitions: Annotated[int, Interval(ge=62, le=620), Label("Repetitions timed")] = 310
    of: Annotated[Literal[1, 3, 7, 15, 31], Label("Repetitions in a report", group="Report", main=True)] = 1
    says: Annotated[Literal["median", "least", "mean"], Label("A report gives the", group="Report", main=True)] = (
        "median"
    )


@dataclass(frozen=True, kw_only=True)
class Clocked(Event):
    """More repetitions are clocked, in the order in which they were made."""

    kind: Literal["clocked"] = "clocked"
    stage: Literal["the first", "more", "reports"]
    milliseconds: Float32
    """[repetitions so far]"""
    first: float
    """Milliseconds of the very first."""
    median: float
    """Milliseconds, of all so far."""
    reports: Float32
    """[reports] milliseconds; what each report of the chosen size would say"""
    all_reports: Float32
    """[sum of counts] milliseconds; what each report says, size after size"""
    counts: Annotated[Int32, Axes(size="sizes")]
    """[sizes] reports of each size"""
    of: int
    total: int
    """Repetitions that the run makes."""
    sizes: Int32
    """Repetitions in a report."""
    ratio: Annotated[Float32, Axes(size="sizes")]
    """[sizes] the highest report over the lowest; NaN where there are not yet two"""
    apart: Annotated[Float32, Axes(size="sizes")]
    """[sizes] share of pairs of reports that differ by more than a tenth; NaN where there is no pair"""


def run(params: Params) -> Iterator[Clocked]:
    available = cores()
    if params.threads > available:
        raise LabError(f"This machine gives a run {available} cores; choose at most {available} threads.")
    random = np.random.default_rng(0)
    a, b = (random.uniform(-1, 1, (params.n, params.n)).astype(np.float32) for _ in range(2))
    choice = Choice("-O3 -march=native", 64, params.threads)
    rung = next(rung for rung in RUNGS if rung.name == params.way)
    start = partial(products.numpy, threads=params.threads) if params.way == "NumPy" else rung.start
    work = start(Operands(a, b, np.empty_like(a), params.n), choice)
    ends = np.unique(np.r_[1, np.linspace(1, params.repetitions, PICTURES).astype(int)]).tolist()
    taken: list[float] = []
    for end in ends:
        taken += [1e3 * clocked(work, 1) for _ in range(end - len(taken))]
        yield picture(np.array(taken), params)
    last = picture(np.array(taken), params)
    yield replace(last, stage="reports", text=tell(last, params))


def reported(times: NDArray[np.float64], of: int, says: str) -> NDArray[np.float64]:
    """What one report after the other says; what is left over makes none."""
    whole = len(times) // of * of
    return SUMS[says](times[:whole].reshape(-1, of), axis=1)


def disagreement(reports: NDArray[np.float64]) -> tuple[float, float]:
    """The highest over the lowest; the share of all pairs that are apart. NaN where nothing can be compared."""
    if len(reports) < 2:
        return np.nan, np.nan
    one, other = np.triu_indices(len(reports), 1)
    pairs = reports[one] / reports[other]
    return float(reports.max() / reports.min()), float((np.maximum(pairs, 1 / pairs) > APART).mean())


def picture(times: NDArray[np.float64], params: Params) -> Clocked:
    every = [reported(times, of, params.says) for of in SIZES]
    both = np.array([disagreement(reports) for reports in every], np.float32)
    many = len(times)
    last = say("{:.3g} ms", times[-1])
    return Clocked(
        text=say("The first took {}.", last)
        if many == 1
        else say("{} repetitions are timed; the last took {}.", many, last),
        stage="the first" if many == 1 else "more",
        milliseconds=times.astype(np.float32),
        first=float(times[0]),
        median=float(np.median(times)),
        reports=every[SIZES.index(params.of)].astype(np.float32),
        all_reports=np.concatenate(every).astype(np.float32),
        counts=np.array([len(reports) for reports in every], np.int32),
        of=params.of,
        total=params.repetitions,
        sizes=np.array(SIZES, np.int32),
        ratio=both[:, 0],
        apart=both[:, 1],
    )


def tell(shown: Clocked, params: Params) -> Sentence:
    place = SIZES.index(params.of)
    each = "one repetition" if params.of == 1 else say("the {} of {} repetitions", params.says, params.of)
    return say(
        "{} reports of {} give {:.3g} to {:.3g} ms, up to {:.3g} times "
        "apart; {:.2g} % of all pairs differ by more than a tenth.",
        len(shown.reports),
        each,
        shown.reports.min(),
        shown.reports.max(),
        shown.ratio[place],
        100 * shown.apart[place],
    )
