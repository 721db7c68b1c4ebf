"""Workers and threads: how many processes serve requests, with how many threads each, on a few cores.

A request is a prompt that goes through a layer of a transformer, in PyTorch. Each worker is a process that serves
one request at a time, with some threads for its products. All numbers of workers and threads are measured in turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, LabError, Sentence, Uint8, counted, say
from labs.models.timing import QUARTILES

from native.models.child import started
from native.models.cores import cores
from native.speed.workers_and_threads.worker import Cell, Did, rate

MEASURES = True
POSTER = 5
ROOM = "native.speed.workers_and_threads"
SECONDS = 0.08  # in which requests begin, of a turn
POLICIES = {"usual": "", "spin": "active", "sleep": "passive"}  # as OMP_WAIT_POLICY says it
MOST = 4  # cores of which all are kept busy in one way or another


@dataclass(frozen=True)
class Params:
    wait: Annotated[
        Literal["usual", "spin", "sleep"],
        Label(
            "A thread that waits",
            help="“usual”: it spins for a while, then sleeps; or it spins for long, or sleeps at once.",
            main=True,
        ),
    ] = "usual"
    tokens: Annotated[
        int, Interval(ge=1, le=128), Label("Prompt", unit="tokens", help="Of each request.", main=True)
    ] = 32
    turns: Annotated[
        int, Interval(ge=1, le=15), Label("Turns", help="In each turn, every combination is measured once.")
    ] = 5


@dataclass(frozen=True, kw_only=True)
class Served(Event):
    """So many workers served with so many threads each."""

    kind: Literal["served"] = "served"
    workers: int
    threads: int
    """Of each worker."""
    cores: int
    """That this run may use."""
    counts: list[str]
    """Numbers of workers, and of threads, that were tried."""
    rate: Annotated[Float32, Axes(worker="counts", thread="counts", quartile=QUARTILES)]
    """[counts, counts, 3] requests a second, by workers and threads"""
    share: Annotated[Float32, Axes(worker="counts", thread="counts")]
    """[counts, counts] of the highest rate"""
    latency: Annotated[Float32, Axes(worker="counts", thread="counts")]
    """[counts, counts] milliseconds that half of the requests took at most"""
    busy: Annotated[Float32, Axes(worker="counts", thread="counts")]
    """[counts, counts] milliseconds for which a request kept a core busy, all threads together"""
    best: tuple[int, int]
    """Workers and threads with the highest rate."""
    window: float
    """Milliseconds in which requests began"""
    worker: Uint8
    """[spans] who served"""
    begin: Float32
    """[spans] milliseconds from the start of the median turn"""
    end: Float32
    """[spans] milliseconds from the start of the median turn"""


def run(params: Params) -> Iterator[Served]:
    counts = tried(cores())
    cells = sorted(product(counts, counts), key=lambda each: (each[0] * each[1], each[0]))
    board = Board(counts, measure(params, cells))
    for cell in cells:
        yield board.picture(cell)


def tried(cores: int) -> tuple[int, int, int]:
    """One, one for each core, and twice as many."""
    many = min(max(cores, 2), MOST)
    return 1, many, 2 * many


@dataclass(frozen=True)
class Turn:
    begin: float
    """Seconds on the clock of all."""
    workers: list[Did]

    @property
    def rate(self) -> float:
        return rate((span for done, _, _ in self.workers for span in done), self.begin, self.begin + SECONDS)


def measure(params: Params, cells: list[Cell]) -> dict[Cell, list[Turn]]:
    """The turns of each cell, from the slowest."""
    found: dict[Cell, list[Turn]] = {cell: [] for cell in cells}
    told = (params.tokens, SECONDS, POLICIES[params.wait], json.dumps(cells), params.turns)
    with started(ROOM, *told) as (_, says):
        says.readline()  # the turn that warms up
        for cell in cells * params.turns:
            if not (line := says.readline()):
                raise LabError("The workers ended before their last turn.")
            found[cell].append(Turn(*json.loads(line)))
    return {cell: sorted(turns, key=lambda turn: turn.rate) for cell, turns in found.items()}


class Board:
    """All that was measured."""

    def __init__(self, counts: tuple[int, ...], turns: dict[Cell, list[Turn]]) -> None:
        self.turns, self.counts = turns, counts
        shape = (len(counts), len(counts))
        everything = [turns[cell] for cell in product(counts, counts)]
        rates = [np.percentile([turn.rate for turn in each], [25, 50, 75]) for each in everything]
        took = [
            [high - low for turn in each for done, *_ in turn.workers for low, high in done] for each in everything
        ]
        busy = [sum(used for turn in each for _, used, _ in turn.workers) for each in everything]
        self.rate = np.array(rates).reshape(*shape, 3)
        self.share = self.rate[..., 1] / self.rate[..., 1].max()
        self.latency = 1e3 * np.array([np.median(each) for each in took]).reshape(shape)
        self.busy = 1e3 * np.array([all_ / len(each) for all_, each in zip(busy, took, strict=True)]).reshape(shape)
        workers, threads = divmod(int(self.share.argmax()), len(counts))
        self.best = counts[workers], counts[threads]

    def picture(self, cell: Cell) -> Served:
        workers, threads = cell
        turn = self.turns[cell][len(self.turns[cell]) // 2]
        spans = [(low, high, n) for n, (done, *_) in enumerate(turn.workers) for low, high in done]
        begin, end, worker = zip(*sorted(spans), strict=True)
        named: dict[str, Any] = {name: getattr(self, name) for name in ("rate", "share", "latency", "busy")}
        return Served(
            text=self.telling(cell),
            workers=workers,
            threads=threads,
            cores=cores(),
            counts=[str(count) for count in self.counts],
            best=self.best,
            window=1e3 * SECONDS,
            worker=np.array(worker, np.uint8),
            begin=(1e3 * (np.array(begin) - turn.begin)).astype(np.float32),
            end=(1e3 * (np.array(end) - turn.begin)).astype(np.float32),
            **{name: values.astype(np.float32) for name, values in named.items()},
        )

    def telling(self, cell: Cell) -> Sentence:
        place = tuple(self.counts.index(count) for count in cell)
        return served(*cell, cores(), self.rate[(*place, 1)], self.share[place])


def served(workers: int, threads: int, cores: int, rate: float, share: float) -> Sentence:
    return say(
        "{} with {}{} {} {:,g} requests/s on {}, {:.0f} % of the best.",
        counted(workers, "worker"),
        counted(threads, "thread"),
        "" if workers == 1 else " each",
        "serves" if workers == 1 else "serve",
        float(f"{rate:.3g}"),
        counted(cores, "core"),
        100 * share,
    )
