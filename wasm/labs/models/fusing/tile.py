"""Loops put into another order, so that memory is gone through line by line.

Where one buffer is gone along and another across, both are taken in square tiles, whose lines stay until they are
used up. What goes down columns is for `columns`.
"""

from __future__ import annotations

from dataclasses import replace

from labs.models.fusing.accesses import accesses
from labs.models.fusing.cut import Change, cut, fresh
from labs.models.fusing.loops import (
    Kernel,
    Loop,
    Product,
    Start,
    Statement,
)


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


CROSSED = "one buffer is read along its cache lines, the other across them: in a tile, every line is used in full"


def crossed(outer: Loop, inner: Loop, tile: int) -> bool:
    if outer.limit or inner.limit or outer.extent <= tile or inner.extent <= tile:
        return False
    if any(isinstance(each, Loop | Product | Start) for each in inner.body):
        return False
    steps = [(abs(i.along(outer.variable)), abs(i.along(inner.variable))) for _, i, _ in accesses(inner.body)]
    return any(near == 1 and far > 1 for far, near in steps) and any(far == 1 and near > 1 for far, near in steps)
