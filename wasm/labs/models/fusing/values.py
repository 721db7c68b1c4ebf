"""The expressions of a statement."""

from __future__ import annotations

from labs.models.fusing.loops import Expr, Let, Statement, Store, Update


def values(statement: Statement) -> tuple[Expr, ...]:
    match statement:
        case Let() | Store():
            return (statement.value,)
        case Update():
            return statement.values
    return ()
