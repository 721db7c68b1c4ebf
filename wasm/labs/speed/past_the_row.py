"""Past the row: what a loop over whole vectors writes where the row of a matrix has ended.

C = A B for n × n numbers that lie row after row. The inner loop takes as many columns at a time as a vector has
lanes and stores all of them, as if n were a multiple of that. Behind C lie numbers of somebody else. Beside it runs
the same loop, fixed: its last store ends with the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from labs.models.arrays import ints

GUARD = 99.0
"""What lies after A, B and C."""
LEAST, MOST = 4, 20
UNTOUCHED, RIGHT, WRONG, OVERWRITTEN = range(4)
Rows = Literal["first to last", "last to first", "two threads"]


@dataclass(frozen=True)
class Params:
    n: Annotated[int, Interval(ge=LEAST, le=MOST), Label("Rows and columns n", main=True)] = 12
    lanes: Annotated[Literal[4, 8, 16], Label("Lanes of a vector", unit="numbers")] = 8
    rows: Annotated[
        Rows,
        Label(
            "Rows are done",
            help="With two threads, each takes one half, and they take turns at storing.",
            main=True,
        ),
    ] = "first to last"
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """C and the numbers after it after one more store, as listed and as fixed; at the end the check."""

    kind: Literal["picture"] = "picture"
    stage: Literal["store", "check"]
    n: int
    lanes: int
    at: Int32
    """[2] row and column where the store begins; empty for the check"""
    held: Annotated[Float32, Axes(program=("listed", "fixed"), place=None)]
    """[2, n² + lanes] as listed and as fixed: C row after row, then the numbers after it"""
    state: Annotated[Uint8, Axes(program=("listed", "fixed"), place=None)]
    """[2, n² + lanes] 0 as it was, 1 what the product has there, 2 something else, 3 not ours and overwritten"""
    stored: Annotated[Uint8, Axes(program=("listed", "fixed"), place=None)]
    """[2, n² + lanes] 1 where this store writes"""
    past: Annotated[Int32, Axes(program=("listed", "fixed"))]
    """[2] numbers after C that are overwritten"""
    wrong: Annotated[Int32, Axes(program=("listed", "fixed"))]
    """[2] numbers of C that were stored and are not those of the product"""
    read: int
    """Numbers from after B that were read as listed"""
    by_n: Int32
    """[17] for n = 4, 5, … 20: numbers after C that whole vectors overwrite"""


def run(params: Params) -> Iterator[Picture]:
    n, lanes = params.n, params.lanes
    random = np.random.default_rng(params.seed)
    a, b = (random.integers(-4, 5, (n, n)).astype(np.float32) for _ in range(2))
    exact = (a @ b).ravel()
    behind = np.full(lanes, GUARD, np.float32)
    memory = np.concatenate([b.ravel(), behind])
    held = np.stack([np.concatenate([np.full(n * n, np.nan, np.float32), behind])] * 2)
    touched = np.zeros(held.shape, bool)
    read = 0

    def picture(at: tuple[int, ...], stored: Uint8) -> Picture:
        state = np.zeros(held.shape, np.uint8)
        state[:, : n * n] = np.where(held[:, : n * n] == exact, RIGHT, WRONG)
        state[:, n * n :] = OVERWRITTEN
        state[~touched] = UNTOUCHED
        return Picture(
            text=say(""),
            stage="store" if at else "check",
            n=n,
            lanes=lanes,
            at=ints(at),
            held=held.copy(),
            state=state,
            stored=stored,
            past=ints((state == OVERWRITTEN).sum(axis=1)),
            wrong=ints((state == WRONG).sum(axis=1)),
            read=read,
            by_n=ints([-each % lanes for each in range(LEAST, MOST + 1)]),
        )

    for i, j in stores(params):
        begin = i * n + j
        # A row of A times as many columns of B: after a row of B lies the next one, after the last the guard.
        columns = memory[n * np.arange(n)[:, None] + j + np.arange(lanes)]
        sums = a[i] @ columns
        read = max(read, j + lanes - n)
        stored = np.zeros(held.shape, np.uint8)
        for which, end in enumerate((begin + lanes, min(begin + lanes, (i + 1) * n))):
            held[which, begin:end] = sums[: end - begin]
            stored[which, begin:end] = 1
        touched |= stored > 0
        shown = picture((i, j), stored)
        yield replace(shown, text=tell(shown))
    last = picture((), np.zeros(held.shape, np.uint8))
    yield replace(last, text=verdict(last))


def stores(params: Params) -> Iterator[tuple[int, int]]:
    """Row and column of one store after the other."""
    n = params.n
    starts = range(0, n, params.lanes)
    if params.rows == "two threads":
        half = -(-n // 2)
        for i in range(half):
            for j in starts:
                yield from ((row, j) for row in (half + i, i) if row < n)
        return
    for i in range(n) if params.rows == "first to last" else reversed(range(n)):
        yield from ((i, j) for j in starts)


def tell(shown: Picture) -> Sentence:
    i, j = shown.at.tolist()
    over = max(0, j + shown.lanes - shown.n)
    if not over:
        return say("C[{}][{}] to C[{}][{}]: the vector fits in the row.", i, j, i, j + shown.lanes - 1)
    end = i * shown.n + j + shown.lanes
    beyond = min(over, max(0, end - shown.n**2))
    parts = [f"{many} of the next row" for many in (over - beyond,) if many]
    parts += [f"{beyond} after the matrix" for _ in range(1) if beyond]
    if over == 1:
        return say("C[{}][{}] to the end of its row, and one number more: {}.", i, j, parts[0])
    return say("C[{}][{}] to the end of its row, and {} numbers more: {}.", i, j, over, " and ".join(parts))


def verdict(shown: Picture) -> Sentence:
    past, wrong = int(shown.past[0]), int(shown.wrong[0])
    if not past and not wrong:
        return say("{} is a multiple of {}: C is right, and nothing after it was touched.", shown.n, shown.lanes)
    right = say("{} numbers of C are wrong", wrong) if wrong else "C is right, so a test of C passes"
    if wrong == 1:
        right = say("one number of C is wrong")
    if past == 1:
        return say("{}; one number after C is overwritten, and none by the fixed loop.", right)
    return say("{}; {} numbers after C are overwritten, and none by the fixed loop.", right, past)
