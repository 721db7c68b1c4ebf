"""What statements compute and where in memory they read and write: passes, costs and emitters all ask for it."""

from __future__ import annotations

from collections.abc import Iterator

from labs.models.fusing.loops import Expr, Index, Let, Product, Statement, Store, Update, loads, statements


def values(statement: Statement) -> tuple[Expr, ...]:
    match statement:
        case Let() | Store():
            return (statement.value,)
        case Update():
            return statement.values
    return ()


def accesses(body: tuple[Statement, ...]) -> Iterator[tuple[str, Index, bool]]:
    """Buffer, place and whether it is written to; of products none."""
    for each in statements(body):
        for value in values(each):
            for load in loads(value):
                yield load.buffer, load.index, False
        if isinstance(each, Store):
            yield each.buffer, each.index, True


def named(statement: Statement) -> list[str]:
    """Buffers of one statement, in their order; of a loop none."""
    match statement:
        case Product(out, left, right):
            return [left.buffer, right.buffer, out.buffer]
        case Let() | Update() | Store():
            return [buffer for buffer, _, _ in accesses((statement,))]
    return []
