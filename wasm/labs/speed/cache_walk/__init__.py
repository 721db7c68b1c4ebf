"""Cache walk: which lines of memory the loops of a matrix multiplication touch, and what a cache makes of it.

C[i][j] += A[i][k] · B[k][j] for all i, j and k, in an order that the reader chooses. Each multiply-add touches
one element of A, of B and of C, and an element comes with its whole cache line. In each set of the cache the line
that was used longest ago makes room. At the end all six orders of the loops are compared, whole and in tiles.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from labs.contract import Axes, Event, Int32, Interval, Label, Sentence, Uint8, say
from labs.models.matmul import ORDERS, Memory, Order, nest, passes
from labs.speed.cache_walk.cache import Cache, Touch, judged, stirring
from labs.speed.cache_walk.orders import Compared, compare

# Pictures of single multiply-adds, of innermost loops, and of leaps through what remains.
PICTURES = {"ever faster": (64, 80, 96), "multiply-add": (240, 0, 0), "inner loop": (0, 240, 0)}
FETCHED = {
    Touch.COMPULSORY: "for the first time",
    Touch.CAPACITY: "again for lack of room",
    Touch.CONFLICT: "again for lack of room in a set",
}
Stage = Literal["start", "multiply-add", "inner loop", "leap", "orders"]

POSTER = 201


@dataclass(frozen=True)
class Params:
    order: Annotated[Order, Label("Order of the loops", help="From the outermost to the innermost.", main=True)] = (
        "ijk"
    )
    transposed: Annotated[bool, Label("B transposed", help="B[k][j] lies in row j, column k.")] = False
    n: Annotated[int, Interval(ge=4, le=48), Label("Rows and columns n")] = 16
    element: Annotated[Literal[4, 8], Label("Element", unit="bytes")] = 8
    padding: Annotated[
        int, Interval(ge=0, le=16), Label("Padding", unit="elements", help="Left empty after each row.")
    ] = 0
    tiled: Annotated[
        bool,
        Label("Tiled", group="Tiles", help="The three loops run over one small cube after another.", main=True),
    ] = False
    tile: Annotated[int, Interval(ge=2, le=32), Label("Edge of a tile", unit="elements", group="Tiles")] = 4
    line: Annotated[Literal[16, 32, 64, 128], Label("Line", unit="bytes", group="Cache")] = 64
    sets: Annotated[
        Literal[1, 2, 4, 8, 16, 32],
        Label("Sets", group="Cache", help="The set of a line is its number mod the number of sets."),
    ] = 8
    ways: Annotated[int, Interval(ge=1, le=8), Label("Ways", unit="lines a set", group="Cache")] = 4
    every: Annotated[
        Literal["ever faster", "multiply-add", "inner loop"],
        Label("Pace", group="Steps", help="A step is one multiply-add, one inner loop, or ever more of the walk."),
    ] = "ever faster"
    begin: Annotated[int, Interval(ge=0, le=99), Label("Begin at", unit="% of the walk", group="Steps")] = 0


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """Matrices and cache after so many multiply-adds. Lines are numbered through A, then B, then C."""

    kind: Literal["picture"] = "picture"
    stage: Stage
    order: Order
    transposed: bool
    n: int
    pitch: int
    """Bytes from one row to the next."""
    element: int
    """bytes"""
    line: int
    """bytes"""
    edge: int
    """Of a tile; n where there are none."""
    done: int
    """Multiply-adds so far."""
    total: int
    """n³"""
    at: Int32
    """[3] i, j and k at the last of them; empty before the first"""
    touched: Annotated[Int32, Axes(step=None, matrix=("A", "B", "C"))]
    """[m, 3] what the innermost loop has touched since it began: row · n + column in A, B and C as they lie"""
    found: Annotated[Uint8, Axes(step=None, matrix=("A", "B", "C"))]
    """[m, 3] how: 0 hit, 1 first touch, 2 no room, 3 no room in its set"""
    lines: Annotated[Uint8, Axes(matrix=("A", "B", "C"), line=None)]
    """[3, lines] of each matrix: 0 never fetched, 1 no longer in the cache, 2 in it"""
    held: Annotated[Int32, Axes(set=None, way=None)]
    """[sets, ways] the line in each place of the cache; -1 where none is"""
    ages: Annotated[Int32, Axes(set=None, way=None)]
    """[sets, ways] 0 for the line of a set used last, 1 for the one before; -1 where none is"""
    counts: Annotated[Int32, Axes(matrix=("A", "B", "C"), how=("hit", "cold", "capacity", "conflict"))]
    """[3, 4] touches of A, B and C so far, by how the line was found, as in ``found``"""
    misses: float
    """Misses for each multiply-add so far."""
    fetched: int
    """Bytes brought into the cache so far."""
    needed: int
    """Bytes of all elements of the three matrices."""
    compared: list[Compared] | None = None
    """All six orders over the whole walk, for the last picture alone."""


def run(params: Params) -> Iterator[Picture]:
    memory = Memory(params.n, params.element, params.padding, params.line, params.transposed)
    edge = min(params.tile, params.n) if params.tiled else params.n
    walk = nest(params.order, params.n, edge)
    begins = passes(walk, params.order)
    starts = begins.tolist()
    places = memory.places(walk)
    lines = memory.lines_of(places)
    touches = lines.ravel()
    found = judged(touches, params.sets, params.ways).reshape(-1, 3)
    moments = stirring(touches, params.sets)
    changes = iter(touches[moments].tolist())
    cache = Cache(params.sets, params.ways)
    counts = np.zeros((3, 4), np.int32)
    seen = np.zeros(3 * memory.lines, np.uint8)
    before = 0

    def picture(done: int, stage: Stage) -> Picture:
        nonlocal before
        came, come = np.searchsorted(moments, [3 * before, 3 * done]).tolist()
        for line in islice(changes, come - came):
            cache.touch(line)
        np.add.at(counts, (np.arange(3), found[before:done]), 1)
        seen[lines[before:done]] = 1
        before = done
        held = cache.held()
        states = seen.copy()
        states[held[held >= 0]] = 2
        since = starts[bisect_left(starts, max(done, 1)) - 1]
        missed = int(counts[:, 1:].sum())
        shown = Picture(
            text=say(""),
            stage=stage,
            order=params.order,
            transposed=params.transposed,
            n=params.n,
            pitch=memory.pitch,
            element=params.element,
            line=params.line,
            edge=edge,
            done=done,
            total=len(walk),
            at=walk[max(0, done - 1) : done].ravel(),
            touched=places[since:done],
            found=found[since:done],
            lines=states.reshape(3, -1),
            held=held,
            ages=cache.ages(),
            counts=counts.copy(),
            misses=missed / max(1, done),
            fetched=missed * params.line,
            needed=memory.needed,
        )
        return replace(shown, text=TELL[stage](shown))

    for done, stage in plan(params, begins, len(walk)):
        yield picture(done, stage)
    compared = [compare(order, params.tile, memory, params.sets, params.ways) for order in ORDERS]
    text = tell_orders(compared, params)
    yield replace(picture(len(walk), "leap"), stage="orders", text=text, compared=compared)


def plan(params: Params, begins: NDArray[np.intp], total: int) -> Iterator[tuple[int, Stage]]:
    """How many multiply-adds are done in each picture."""
    ones, loops, leaps = PICTURES[params.every]
    ends = np.append(begins[1:], total)
    done = int(begins[np.searchsorted(begins, total * params.begin // 100, side="right") - 1])
    yield done, "leap" if done else "start"
    for _ in range(min(ones, total - done)):
        done += 1
        yield done, "multiply-add"
    for end in ends[ends > done][:loops].tolist():
        done = end
        yield done, "inner loop"
    left = ends[ends > done]
    for place in np.unique(np.linspace(0, len(left), leaps + 1).astype(int))[1:]:
        yield int(left[place - 1]), "leap"


# -- in words -----------------------------------------------------------------------------------------------


def tell_start(shown: Picture) -> Sentence:
    room = "one line" if shown.held.size == 1 else say("{} lines", shown.held.size)
    return say(
        "The cache is still empty: it has room for {} of {} bytes, and the three matrices span {} lines.",
        room,
        shown.line,
        shown.lines.size,
    )


def tell_one(shown: Picture) -> Sentence:
    i, j, k = shown.at.tolist()
    elements = (f"A[{i}][{k}]", f"B[{k}][{j}]", f"C[{i}][{j}]")
    parts = []
    for how in Touch:
        these = [element for element, found in zip(elements, shown.found[-1].tolist(), strict=True) if found == how]
        many = len(these) > 1
        names = f"{', '.join(these[:-1])} and {these[-1]}" if many else "".join(these)
        if these and how == Touch.HIT:
            parts.append(f"{names} {'are' if many else 'is'} in the cache")
        elif these:
            lines = "lines of {} are" if many else "line of {} is"
            parts.append(f"the {lines.format(names)} fetched {FETCHED[how]}")
    text = "; ".join(parts)
    return say("{}{}.", text[0].upper(), text[1:])


def tell_loop(shown: Picture) -> Sentence:
    at = dict(zip("ijk", shown.at.tolist(), strict=True))
    outer, middle, inner = shown.order
    a, b, c = (shown.found > 0).sum(axis=0).tolist()
    return say(
        "With {} = {} and {} = {}, the loop over {} missed {} of its {} touches: {} in A, {} in B, {} in C.",
        outer,
        at[outer],
        middle,
        at[middle],
        inner,
        a + b + c,
        shown.found.size,
        a,
        b,
        c,
    )


def tell_leap(shown: Picture) -> Sentence:
    misses = shown.counts[:, 1:]
    first, room, conflicts = misses.sum(axis=0).tolist()
    of_each = misses.sum(axis=1).tolist()
    total, most = sum(of_each), max(of_each)
    return say(
        "After {:,} of {:,} multiply-adds, {:,} touches have missed, {:.0%} of them in {}: {:,} at "
        "the first touch of a line, {:,} for lack of room, {:,} for lack of room in a set.",
        shown.done,
        shown.total,
        total,
        most / total,
        "ABC"[of_each.index(most)],
        first,
        room,
        conflicts,
    )


TELL = {"start": tell_start, "multiply-add": tell_one, "inner loop": tell_loop, "leap": tell_leap}


def tell_orders(compared: list[Compared], params: Params) -> Sentence:
    sums = {each.order: int((each.tiled if params.tiled else each.misses).sum()) for each in compared}
    best, worst = min(ORDERS, key=lambda order: sums[order]), max(ORDERS, key=lambda order: sums[order])
    least, most = (say("{:.3g} misses per multiply-add", sums[order] / params.n**3) for order in (best, worst))
    tiles = say(" in tiles of {}", min(params.tile, params.n)) if params.tiled else ""
    along, down = moves(best, params.transposed), moves(worst, params.transposed)
    if sums[best] == sums[worst]:
        return say("All six orders{} miss equally often: {}.", tiles, least)
    return say(
        "Of the six orders{}, {} misses least, {}: its innermost loop {}; that of {}, which misses most ({}), {}.",
        tiles,
        best,
        least,
        along,
        worst,
        most,
        down,
    )


def moves(order: Order, transposed: bool) -> Sentence:
    """How the innermost loop goes through each matrix as it lies."""
    rows = {"A": "i", "B": "j" if transposed else "k", "C": "i"}
    columns = {"A": "k", "B": "k" if transposed else "j", "C": "j"}
    down = " and ".join(name for name, row in rows.items() if row == order[-1])
    along = " and ".join(name for name, column in columns.items() if column == order[-1])
    ways = [f"along rows of {along}"] * bool(along) + [f"down columns of {down}"] * bool(down)
    return say("goes {}", " and ".join(ways))
