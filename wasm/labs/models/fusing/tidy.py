"""Loops that go once disappear, and loops that go on where the last turn ended become one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from labs.models.fusing.accesses import accesses
from labs.models.fusing.affine import ZERO, put
from labs.models.fusing.loops import (
    Apply,
    Area,
    Expr,
    Index,
    Kernel,
    Let,
    Load,
    Loop,
    Product,
    Statement,
    Store,
    Update,
    statements,
)

Change = Callable[[Index], Index]


def tidied(kernel: Kernel) -> Kernel:
    body = tuple(each for statement in kernel.body for each in merged(statement))
    return replace(kernel, body=parallel(body))


def merged(statement: Statement) -> tuple[Statement, ...]:
    if not isinstance(statement, Loop):
        return (statement,)
    loop = statement
    if loop.extent == 1:
        body = (once(each, loop.variable) for each in loop.body)
        return tuple(each for part in body for each in merged(part))
    body_ = tuple(each for part in loop.body for each in merged(part))
    loop = replace(loop, body=body_)
    if len(body_) == 1 and isinstance(inner := body_[0], Loop) and not (inner.limit or loop.limit):
        steps = ((each.along(loop.variable), each.along(inner.variable)) for each in indices(inner.body))
        if all(far == near * inner.extent for far, near in steps):
            body_ = moved_body(inner.body, lambda index: put(index, loop.variable, ZERO))
            return (replace(inner, extent=inner.extent * loop.extent, body=body_, kind=loop.kind),)
    return (loop,)


def once(statement: Statement, name: str) -> Statement:
    """Without this variable, which is 0."""
    if isinstance(statement, Loop):
        body = tuple(once(each, name) for each in statement.body)
        if statement.outer == name:
            return replace(statement, body=body, outer="", limit=0, extent=min(statement.extent, statement.limit))
        return replace(statement, body=body)
    return moved_statement(statement, lambda index: put(index, name, ZERO))


def parallel(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The outermost loops are shared among the threads; of what each adds up, the parts are added in the end. Not
    those whose turns read what the turn before has written, such as the blocks of keys of an attention."""
    return tuple(
        replace(each, kind="parallel") if isinstance(each, Loop) and not carries(each) else each for each in body
    )


def carries(loop: Loop) -> bool:
    """Whether a turn reads a place before it writes there, and an earlier turn has written the same place."""

    def moves(index: Index) -> bool:
        return any(name == loop.variable for name, _ in index.strides)

    early: set[str] = set()
    written: set[str] = set()
    for each in statements(loop.body):
        if isinstance(each, Loop):  # its body comes by itself
            continue
        areas = [(area.buffer, area.start) for area in (each.left, each.right)] if isinstance(each, Product) else []
        reads = [*areas, *((name, index) for name, index, writes in accesses((each,)) if not writes)]
        writes = [(name, index) for name, index, writes in accesses((each,)) if writes]
        if isinstance(each, Product):
            writes.append((each.out.buffer, each.out.start))
        early |= {name for name, index in reads if not moves(index)} - written
        written |= {name for name, index in writes if not moves(index)}
    return bool(early & written)


def moved_body(body: tuple[Statement, ...], change: Change) -> tuple[Statement, ...]:
    return tuple(moved_statement(each, change) for each in body)


def moved_statement(statement: Statement, change: Change) -> Statement:
    """The same with every index changed."""
    match statement:
        case Loop():
            return replace(statement, body=moved_body(statement.body, change))
        case Let():
            return replace(statement, value=moved_value(statement.value, change))
        case Update():
            return replace(statement, values=tuple(moved_value(each, change) for each in statement.values))
        case Store():
            return replace(statement, index=change(statement.index), value=moved_value(statement.value, change))
        case Product():
            out, left, right = (shifted(each, change) for each in (statement.out, statement.left, statement.right))
            return replace(statement, out=out, left=left, right=right)
    return statement


def shifted(area: Area, change: Change) -> Area:
    return replace(area, start=change(area.start))


def moved_value(value: Expr, change: Change) -> Expr:
    match value:
        case Load():
            return replace(value, index=change(value.index))
        case Apply():
            return replace(value, args=tuple(moved_value(each, change) for each in value.args))
    return value


def indices(body: tuple[Statement, ...]) -> Iterator[Index]:
    yield from (index for _, index, _ in accesses(body))
    for each in statements(body):
        if isinstance(each, Product):
            yield from (side.start for side in (each.out, each.left, each.right))
