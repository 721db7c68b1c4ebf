"""How much there is to do, roughly: whether it is worth the while of a second thread."""

from __future__ import annotations

from labs.models.fusing.loops import Expr, Let, Loop, Product, Statement, Store, Update

from native.models.compiler.lanes import HEAVY, within

DEAR = 8
"""Operations that a function like exp stands for."""


def weight(value: Expr) -> float:
    return sum(DEAR if getattr(each, "op", "") in HEAVY else 1 for each in within(value))


def work(it: Statement) -> float:
    """Operations of a statement."""
    match it:
        case Loop():
            return it.extent * sum(work(each) for each in it.body)
        case Let(_, value) | Store(_, _, value):
            return weight(value)
        case Update(_, _, values):
            return sum(weight(each) for each in values)
        case Product():
            return 0.25 * it.rows * it.columns * it.depth
    return 0


def shareable(it: Loop, threads: int, worth: float) -> bool:
    return it.kind == "parallel" and threads > 1 and it.extent > 1 and work(it) >= worth
