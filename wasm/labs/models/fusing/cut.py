"""Loops cut in two: blocks outside, and the turns of a block inside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from labs.models.fusing.affine import plus, put, variable
from labs.models.fusing.loops import Index, Loop, Statement, statements
from labs.models.fusing.tidy import moved_body

Kind = Literal["serial", "parallel", "vector", "unrolled"]


@dataclass(frozen=True)
class Change:
    """What a pass did to a kernel, and what for."""

    kernel: str
    name: str
    what: str
    why: str


def cut(loop: Loop, size: int, kind: Kind, outer: str = "") -> Loop:
    """Blocks of this size; the last has what is left."""
    outer = outer or f"{loop.variable}o"
    body = moved_body(loop.body, lambda index: split(index, loop.variable, outer, size))
    limit = loop.extent if loop.extent % size else 0
    inner = replace(loop, extent=size, body=body, kind=kind, outer=outer, limit=limit)
    return Loop(outer, -(-loop.extent // size), (inner,), loop.kind)


def split(index: Index, name: str, outer: str, size: int) -> Index:
    return put(index, name, plus(variable(outer, size), variable(name)))


def fresh(name: str, body: tuple[Statement, ...]) -> str:
    taken = {each.variable for each in statements(body) if isinstance(each, Loop)}
    while name in taken:
        name += "o"
    return name
