"""What is read across its lines, in blocks that are turned in registers.

A vector of numbers that lie far apart costs a load for each. Where the loop around goes along those lines, as many
vectors are loaded along them as there are lanes, and the square of numbers is transposed (a shuffle of each pair of
vectors for each power of two): then it holds what as many turns of that loop read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from labs.models.fusing.accesses import values
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Index, Load, Loop, Product, Start, Statement, Store, Update, loads, statements

from native.models.compiler.lanes import within
from native.models.compiler.writer import MEMORY, Value, Writer, typed

Where = str | int
MOST = 24
"""Parts of what is computed for one number: a block writes them down once for each lane."""
SIZE = 4
"""Bytes of the numbers that are turned, so that a register has as many lanes as a block has lines."""


class Around(Protocol):
    """Who writes the loops."""

    w: Writer
    register: int
    at: dict[str, Where]
    values: dict[str, Value]
    vector: Loop | None
    lanes: int
    held: dict[Load, Value]

    def address(self, buffer: str, index: Index) -> str: ...
    def body(self, body: tuple[Statement, ...]) -> None: ...
    def counted(self, low: Where, high: Where, step: int, inside: Callable[[Where], None]) -> None: ...
    def length(self, it: Loop) -> Where: ...
    def once(self, it: Loop, at: Where) -> None: ...
    def turns(self, it: Loop, low: Where, high: Where) -> None: ...


def across(rows: Loop) -> tuple[Load, ...]:
    """What a loop of vectors reads across lines that ``rows``, the loop around it alone, goes along."""
    if len(rows.body) != 1 or not isinstance(inner := rows.body[0], Loop) or inner.kind != "vector":
        return ()
    if any(isinstance(each, Loop | Product | Start | Update) for each in inner.body):
        return ()
    if sum(1 for each in statements(inner.body) for it in values(each) for _ in within(it)) > MOST:
        return ()
    found = dict.fromkeys(load for each in inner.body for it in values(each) for load in loads(it))
    far = tuple(
        load
        for load in found
        if load.index.along(inner.variable) > 1
        and load.index.along(rows.variable) == 1
        and BYTES[load.dtype] == SIZE
    )
    written = {each.buffer for each in inner.body if isinstance(each, Store)}
    return () if written & {load.buffer for load in far} else far


def blocks(maker: Around, rows: Loop, low: Where, high: Where, far: tuple[Load, ...]) -> None:
    """Turns of ``rows``, as many at a time as a register has lanes; what is no whole block goes one by one."""
    (inner,) = rows.body
    assert isinstance(inner, Loop)
    w, lanes = maker.w, maker.register // SIZE

    def several(row: Where) -> None:
        length = maker.length(inner)
        maker.counted(0, length, lanes, lambda column: block(maker, rows, inner, row, column, far))
        left = _whole(w, length, lanes)
        maker.counted(row, w.affine([(row, 1)], lanes), 1, lambda one: single(one, left, length))

    def single(row: Where, begin: Where, end: Where) -> None:
        maker.at[rows.variable] = row
        maker.turns(inner, begin, end)

    maker.counted(low, high, lanes, several)
    count = w.affine([(high, 1), (low, -1)], 0)
    rest = w.affine([(low, 1), (_whole(w, count, lanes), 1)], 0)
    maker.counted(rest, high, 1, lambda row: maker.once(rows, row))


def block(maker: Around, rows: Loop, inner: Loop, row: Where, column: Where, far: tuple[Load, ...]) -> None:
    """A square: read along its lines, turned, and computed a row at a time."""
    w, lanes = maker.w, maker.register // SIZE
    maker.vector, maker.lanes = inner, lanes
    squares: dict[Load, list[Value]] = {}
    for load in far:
        lines = []
        for n in range(lanes):
            maker.at |= {rows.variable: row, inner.variable: w.affine([(column, 1)], n)}
            where, kind = maker.address(load.buffer, load.index), MEMORY[load.dtype]
            lines.append(w.put(f"load {typed(kind, lanes)}, ptr {where}, align {SIZE}", kind, lanes))
        squares[load] = transposed(w, lines)
    for n in range(lanes):
        maker.at |= {rows.variable: w.affine([(row, 1)], n), inner.variable: column}
        maker.held = {load: square[n] for load, square in squares.items()}
        kept = dict(maker.values)
        maker.body(inner.body)
        maker.values = kept
    maker.vector, maker.lanes, maker.held = None, 0, {}


def _whole(w: Writer, length: Where, lanes: int) -> Where:
    """The part of a length that blocks fill."""
    if isinstance(length, int):
        return length // lanes * lanes
    return w.put(f"and i64 {length}, {-lanes}", "i64").name


def transposed(w: Writer, rows: list[Value]) -> list[Value]:
    """``rows[n]`` has lane m of what it returns at m, as its lane n: as many vectors as lanes, a power of two."""
    lanes, side = len(rows), 1
    while side < lanes:
        for n in range(lanes):
            if not n & side:
                low, high = rows[n], rows[n + side]
                rows[n] = _mixed(w, low, high, [m if not m & side else lanes + m - side for m in range(lanes)])
                rows[n + side] = _mixed(
                    w, low, high, [m + side if not m & side else lanes + m for m in range(lanes)]
                )
        side *= 2
    return rows


def _mixed(w: Writer, low: Value, high: Value, picked: list[int]) -> Value:
    places = ", ".join(f"i32 {lane}" for lane in picked)
    return w.put(f"shufflevector {low}, {high}, <{len(picked)} x i32> <{places}>", low.kind, len(picked))
