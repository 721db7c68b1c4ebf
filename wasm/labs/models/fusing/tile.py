"""Loops put into another order, so that memory is gone through line by line.

Where one buffer is gone along and another across, both are taken in square tiles, whose lines stay until they are
used up. A sum over rows is gone through row by row, with a row of sums in the cache, and not column by column.
"""

from __future__ import annotations

from dataclasses import replace

from labs.models.fusing.accesses import accesses
from labs.models.fusing.affine import variable
from labs.models.fusing.cut import Change, cut, fresh
from labs.models.fusing.interpret import NEUTRAL, neutral
from labs.models.fusing.loops import (
    Apply,
    Buffer,
    Const,
    Kernel,
    Let,
    Load,
    Loop,
    Product,
    Start,
    Statement,
    Store,
    Update,
    statements,
)

COMBINE = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}


def tiled(kernel: Kernel, tile: int) -> tuple[Kernel, list[Change]]:
    """Nests of two loops in which one buffer wants the one loop inside, and another buffer the other."""
    changes: list[Change] = []

    def visit(statement: Statement) -> Statement:
        if not isinstance(statement, Loop):
            return statement
        inner = statement.body[0]
        if len(statement.body) == 1 and isinstance(inner, Loop) and crossed(statement, inner, tile):
            names = [fresh(f"{each.variable}o", kernel.body) for each in (statement, inner)]
            columns = cut(replace(inner, kind="serial"), tile, "serial", names[1])
            (column,) = columns.body
            rows = cut(replace(statement, body=(column,), kind="serial"), tile, "serial", names[0])
            changes.append(Change(kernel.name, "tile", f"{tile} × {tile} tiles of {inner.variable}", CROSSED))
            return replace(rows, body=(replace(columns, body=rows.body),), kind=statement.kind)
        return replace(statement, body=tuple(map(visit, statement.body)))

    return replace(kernel, body=tuple(map(visit, kernel.body))), changes


DOWN = "rows lie one after the other in memory, the elements of a column do not"
CROSSED = "one buffer is gone along its lines, the other across them: in a tile the lines of both are used up"


def crossed(outer: Loop, inner: Loop, tile: int) -> bool:
    if outer.limit or inner.limit or outer.extent <= tile or inner.extent <= tile:
        return False
    if any(isinstance(each, Loop | Product | Start) for each in inner.body):
        return False
    steps = [(abs(i.along(outer.variable)), abs(i.along(inner.variable))) for _, i, _ in accesses(inner.body)]
    return any(near == 1 and far > 1 for far, near in steps) and any(far == 1 and near > 1 for far, near in steps)


def by_rows(kernel: Kernel, columns: int) -> tuple[Kernel, list[Change]]:
    """for column: start; for row: update; …  →  for block: sums of a block in the cache; for row: for column: …"""
    body: list[Statement] = []
    changes: list[Change] = []
    own: list[Buffer] = []
    for each in kernel.body:
        if isinstance(each, Loop) and (parts := down(each)):
            starts, rows, rest = parts
            body.append(swapped(each, starts, rows, rest, columns, own))
            what = f"{rows.variable} outside of {each.variable}"
            changes.append(Change(kernel.name, "rows first", what, DOWN))
        else:
            body.append(each)
    return replace(kernel, body=tuple(body), buffers=(*kernel.buffers, *own)), changes


def down(loop: Loop) -> tuple[list[Start], Loop, tuple[Statement, ...]] | None:
    """Its accumulators, the loop that goes down a column, and what follows; None if it is no such loop."""
    starts = [each for each in loop.body if isinstance(each, Start)]
    loops = [each for each in loop.body if isinstance(each, Loop)]
    if len(loops) != 1 or not starts or any(each.monoid not in COMBINE for each in starts) or loop.limit:
        return None
    (rows,) = loops
    place = loop.body.index(rows)
    if any(not isinstance(each, Start) for each in loop.body[:place]) or rows.limit:
        return None
    if any(isinstance(each, Loop | Product | Start | Store) for each in statements(rows.body)):
        return None
    steps = [(i.along(loop.variable), i.along(rows.variable)) for _, i, _ in accesses(rows.body)]
    if not any(near == 1 and far > 1 for near, far in steps) or any(near > 1 and far == 1 for near, far in steps):
        return None
    return starts, rows, loop.body[place + 1 :]


def swapped(
    loop: Loop, starts: list[Start], rows: Loop, rest: tuple[Statement, ...], columns: int, own: list[Buffer]
) -> Loop:
    size = min(columns, loop.extent, max(64, -(-loop.extent // 64) * 16))  # four blocks at least, for threads
    names: dict[str, Buffer] = {}
    for start in starts:
        names[start.names[0]] = Buffer(f"{start.names[0]}s", start.dtype, size, "local")
    own += names.values()
    block = cut(loop, size, "serial")
    (inner,) = block.body
    assert isinstance(inner, Loop)
    here = variable(loop.variable)

    def along(body: tuple[Statement, ...]) -> Loop:
        return replace(inner, body=body)

    begin = along(
        tuple(
            Store(
                names[s.names[0]].name, here, Const(neutral(NEUTRAL[s.monoid][0], s.dtype).item(), s.dtype), s.node
            )
            for s in starts
        )
    )
    cut_rows = next(each for each in inner.body if isinstance(each, Loop))
    body: list[Statement] = []
    for each in cut_rows.body:
        if isinstance(each, Update):
            sums = names[each.names[0]]
            total = Apply(COMBINE[each.monoid], (Load(sums.name, here, sums.dtype), *each.values), sums.dtype)
            body.append(Store(sums.name, here, total, each.node))
        else:
            body.append(each)
    after = inner.body[inner.body.index(cut_rows) + 1 :]
    found = tuple(Let(s.names[0], Load(names[s.names[0]].name, here, s.dtype), s.node) for s in starts)
    end = along((*found, *after))
    return replace(block, body=(begin, replace(cut_rows, body=(along(tuple(body)),)), end))
