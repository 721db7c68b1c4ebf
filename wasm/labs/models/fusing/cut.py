"""Loops cut in two: blocks outside, and the turns of a block inside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from labs.models.fusing.affine import plus, put, variable
from labs.models.fusing.loops import Index, Loop, Statement, Store, loads, statements
from labs.models.fusing.tidy import moved_body
from labs.models.fusing.values import values

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


def accesses(body: tuple[Statement, ...]) -> Iterator[tuple[str, Index, bool]]:
    """Buffer, place and whether it is written to; of products none."""
    for each in statements(body):
        for value in values(each):
            for load in loads(value):
                yield load.buffer, load.index, False
        if isinstance(each, Store):
            yield each.buffer, each.index, True


def fresh(name: str, body: tuple[Statement, ...]) -> str:
    taken = {each.variable for each in statements(body) if isinstance(each, Loop)}
    while name in taken:
        name += "o"
    return name
