"""How many numbers are computed at once: a register's, or several' where that keeps the processor busy."""

from __future__ import annotations

from collections.abc import Iterator

from labs.models.fusing.accesses import values
from labs.models.fusing.loops import (
    Apply,
    Expr,
    Load,
    Loop,
    Ref,
    Update,
    statements,
)

HEAVY = ("exp", "log", "sin", "cos", "tanh", "sigmoid", "erf", "gelu", "pow", "div", "sqrt", "rsqrt")
WIDE = 8
"""Bytes of a double or a long whole number; everything else is computed in 4."""


def within(value: Expr) -> Iterator[Expr]:
    yield value
    if isinstance(value, Apply):
        for each in value.args:
            yield from within(each)


def lanes(loop: Loop, length: int, register: int) -> int:
    """For a loop of so many turns on registers of so many bytes: a power of two."""
    parts = [part for each in statements(loop.body) for it in values(each) for part in within(it)]
    size = max((WIDE for part in parts if getattr(part, "dtype", "") in ("f64", "i64")), default=4)
    one = register // size
    count = one * copies(loop, parts)
    while count > one and count > length:
        count //= 2
    while count > 1 and count >= 2 * length:
        count //= 2
    return count


def copies(loop: Loop, parts: list[Expr]) -> int:
    """Registers at once: a chain of additions waits less, and a heavy function needs all registers for itself."""
    heavy = {part for part in parts if isinstance(part, Apply) and part.op in HEAVY}
    if any(isinstance(each, Update) and each.monoid in ("softmax", "moments") for each in statements(loop.body)):
        return 2
    if heavy:
        return 2 if len(parts) < 24 else 1
    live = {part.buffer for part in parts if isinstance(part, Load)} | {p.name for p in parts if isinstance(p, Ref)}
    return 4 if len(live) <= 6 else 2
