"""What goes down columns goes through rows instead, for a block of columns at a time.

A sum over rows keeps a row of sums in the cache. A softmax over rows goes down each column three times; so does its
block, and what one column kept for itself, the block keeps for each of its columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from labs.models.fusing.accesses import accesses
from labs.models.fusing.affine import plus, times, variable
from labs.models.fusing.cut import Change, cut
from labs.models.fusing.loops import (
    Apply,
    Buffer,
    Const,
    Expr,
    Index,
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
from labs.models.fusing.neutral import NEUTRAL, neutral

COMBINE = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}
DOWN = "rows lie one after the other in memory, the elements of a column do not"
KEPT = 1 << 16
"""Numbers that the columns of a block keep for themselves."""
LINE = 16
"""Numbers of a line of the cache, which a block takes whole."""


def by_rows(kernel: Kernel, columns: int) -> tuple[Kernel, list[Change]]:
    """for column: start; for row: update; …  →  for block: sums of a block in the cache; for row: for column: …"""
    changes: list[Change] = []
    body: list[Statement] = []
    for each in kernel.body:
        if isinstance(each, Loop) and down(each, shared(kernel, each)):
            made = Block(kernel, each, columns)
            body.append(made.loop())
            kernel = replace(kernel, buffers=made.buffers())
            rows = next(each.variable for each in each.body if isinstance(each, Loop))
            changes.append(Change(kernel.name, "rows first", f"{rows} outside of {each.variable}", DOWN))
        else:
            body.append(each)
    return replace(kernel, body=tuple(body)), changes


def shared(kernel: Kernel, loop: Loop) -> set[str]:
    """Buffers that are not the loop's own."""
    others = {name for each in kernel.body if each is not loop for name, _, _ in accesses((each,))}
    return {each.name for each in kernel.buffers if each.role != "local" or each.name in others}


def down(loop: Loop, shared: set[str]) -> bool:
    """Whether it goes down columns, and columns do not ask for one another."""
    phases = [each for each in loop.body if isinstance(each, Loop)]
    starts = [each for each in loop.body if isinstance(each, Start)]
    if loop.limit or not phases or not starts or any(each.monoid not in COMBINE for each in starts):
        return False
    if any(isinstance(each, Update | Product) for each in loop.body) or any(each.limit for each in phases):
        return False
    if any(isinstance(inner, Loop | Product | Start) for each in phases for inner in statements(each.body)):
        return False
    if isinstance(loop.body[0], Loop):
        return False
    written = {name for name, _, writes in accesses(loop.body) if writes}
    for name, index, writes in accesses(loop.body):
        if name in shared and name in written and not (writes and index.along(loop.variable)):
            return False
    steps = [
        (index.along(loop.variable), index.along(rows.variable))
        for rows in phases
        for name, index, _ in accesses(rows.body)
        if name in shared
    ]
    across = any(near > 1 and far == 1 for near, far in steps)
    return not across and any(near == 1 and far > 1 for near, far in steps)


@dataclass
class Block:
    kernel: Kernel
    source: Loop
    columns: int
    sums: dict[str, Buffer] = field(default_factory=dict)
    """By the accumulator that each is for."""
    known: list[Let] = field(default_factory=list)
    """What is known of a column by now, as it is found again in a later loop over columns."""

    def __post_init__(self) -> None:
        extent = self.source.extent
        self.size = min(self.columns, extent, max(64, -(-extent // 64) * 16))  # four blocks at least, for threads
        taken = {name for name, _, _ in accesses(self.source.body)}
        own = (each for each in self.kernel.buffers if each.role == "local" and each.name in taken)
        self.own = {each.name: each for each in own}
        if self.own:
            most = max(each.size for each in self.own.values())
            self.size = min(self.size, max(KEPT // most // LINE * LINE, LINE))

    def buffers(self) -> tuple[Buffer, ...]:
        sizes = {name: each.size * self.size for name, each in self.own.items()}
        grown = (replace(each, size=sizes.get(each.name, each.size)) for each in self.kernel.buffers)
        return (*grown, *self.sums.values())

    def loop(self) -> Loop:
        block = cut(self.source, self.size, "serial")
        (inner,) = block.body
        assert isinstance(inner, Loop)
        self.inner, self.here = inner, variable(self.source.variable)
        return replace(block, body=tuple(self.parts()))

    def parts(self) -> Iterator[Statement]:
        """Loops over the columns of a block, alone or inside of loops over rows."""
        waiting: list[Statement] = []
        plain = True
        for each in map(self.grown, self.inner.body):
            match each:
                case Start():
                    self.sums[each.names[0]] = Buffer(f"{each.names[0]}s", each.dtype, self.size, "local")
                    first = neutral(NEUTRAL[each.monoid][0], each.dtype).item()
                    waiting.append(self.store(each.names[0], Const(first, each.dtype), each.node))
                case Let():
                    self.known.append(each)
                case Loop():
                    if waiting:
                        yield self.along(waiting if plain else [*self.known, *waiting])
                    waiting, plain = [], True
                    yield replace(each, body=(self.along([*self.known, *map(self.taken, each.body)]),))
                    updated = [it for it in each.body if isinstance(it, Update)]
                    self.known += [Let(it.names[0], self.load(it.names[0]), it.node) for it in updated]
                case _:
                    waiting.append(each)
                    plain = False
        if waiting:
            yield self.along([*self.known, *waiting])

    def along(self, body: list[Statement]) -> Loop:
        return replace(self.inner, body=tuple(body))

    def taken(self, it: Statement) -> Statement:
        if not isinstance(it, Update):
            return it
        name, monoid = it.names[0], it.monoid
        kind = self.sums[name].dtype
        return self.store(name, Apply(COMBINE[monoid], (self.load(name), *it.values), kind), it.node)

    def load(self, name: str) -> Load:
        return Load(self.sums[name].name, self.here, self.sums[name].dtype)

    def store(self, name: str, value: Expr, node: int) -> Store:
        return Store(self.sums[name].name, self.here, value, node)

    def grown(self, it: Statement) -> Statement:
        """What a column kept for itself has a place for each column of the block."""
        match it:
            case Loop():
                return replace(it, body=tuple(map(self.grown, it.body)))
            case Let():
                return replace(it, value=self.grown_value(it.value))
            case Update():
                return replace(it, values=tuple(map(self.grown_value, it.values)))
            case Store():
                return replace(it, index=self.grown_index(it.buffer, it.index), value=self.grown_value(it.value))
        return it

    def grown_value(self, value: Expr) -> Expr:
        match value:
            case Load():
                return replace(value, index=self.grown_index(value.buffer, value.index))
            case Apply():
                return replace(value, args=tuple(map(self.grown_value, value.args)))
        return value

    def grown_index(self, name: str, index: Index) -> Index:
        return plus(times(index, self.size), self.here) if name in self.own else index
