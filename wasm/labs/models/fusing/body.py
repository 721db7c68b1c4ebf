"""The loops of one group: a statement goes into the loop whose variables it needs, and no deeper.

Along the axes that its reductions go, a group runs once for each reduction that needs the one before it: softmax
takes three passes over a row. What is dear to compute and wanted in a later pass waits in a buffer of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from labs.models.fusing.affine import ZERO, Place, long, moved, plus, row_major, source, times
from labs.models.fusing.graph import BYTES, ELEMENTWISE, REDUCE, Node
from labs.models.fusing.loops import (
    Apply,
    Buffer,
    Const,
    Expr,
    Index,
    Let,
    Load,
    Loop,
    Ref,
    Role,
    Start,
    Statement,
    Store,
    Update,
)
from labs.models.fusing.online import Pair, pairs
from labs.models.fusing.plan import Group, Plan
from labs.models.fusing.space import Level, RefusedError, Space, wide
from labs.models.fusing.weights import weight

DEAR = 8
"""Operations from which on a value is looked up in a row that lies in the cache, and not computed again."""
ROOM = 1 << 18
"""Bytes that one turn of the parallel loop may keep for itself."""

MOST = 1000
"""Operations in a kernel."""


class AgainError(Exception):
    """A value turned out to be wanted in a later pass: start again and keep it."""


def wrapped(lists: Sequence[Sequence[Statement]], levels: Sequence[Level]) -> tuple[Statement, ...]:
    """One list of statements for each depth; a loop comes after the statements it is among."""
    body = tuple(lists[-1])
    for level, before in zip(reversed(levels), reversed(lists[:-1]), strict=True):
        loop = Loop(level.variable, level.extent, body, outer=level.outer, limit=level.limit)
        body = (*before, loop) if body else tuple(before)
    return body


class Body:
    def __init__(self, plan: Plan, group: Group, block: int, share: bool = True, online: bool = False) -> None:
        self.plan, self.group, self.inside = plan, group, set(group)
        self.share = share
        """Whether a value that is used twice is computed once."""
        self.online = pairs(plan, group) if online else {}
        """Reductions that are found together with another, which they would else wait for."""
        self.firsts = {pair.first: pair for pair in self.online.values()}
        self.stored = plan.stored(group)
        self.space = Space(plan, group, block, self.stored)
        self.place, self.product = self.space.place, self.space.product
        self.inner = [level.variable for level in self.space.inner]
        levels = [*self.space.outer, *self.space.inner]
        self.depths = {level.variable: depth for depth, level in enumerate(levels, 1)}
        self.kept: dict[Node, Load] = {}
        """What is saved from one pass to the next, and where."""
        self.locals = [*self.space.locals]
        self.ranks: dict[Node, int] = {}

    def emit(self) -> tuple[Statement, ...]:
        while True:
            self.lists: list[list[Statement]]
            self.memo: dict[tuple[Node, Place], Expr] = {}
            self.names: set[str] = set()
            self.seen: set[Node] = set()
            """Computed in this pass; `past`: in one before."""
            self.past: set[Node] = set()
            first = self.space.first
            self.lists = [[first[depth]] if depth in first else [] for depth in range(len(self.space.outer) + 1)]
            try:
                self.passes()
            except AgainError:
                continue
            return wrapped(self.lists, self.space.outer)

    def passes(self) -> None:
        row, space = self.lists[-1], self.space
        last = max((self.rank(node) for node in self.group), default=0)
        for rank in range(last + 1):
            reductions = [node for node in self.group if node.op in REDUCE and self.rank(node) == rank + 1]
            full = [node for node in self.stored if self.rank(node) == rank and self.is_full(node)]
            begun = [self.begin(node, row) for node in reductions if node not in self.online]
            self.lists += [[] for _ in space.inner]
            for names, monoid, node, rest in begun:
                value = self.value(node.inputs[0], space.place)
                one = (Const(1.0, wide(node.dtype)),)
                values = (*one * (monoid == "moments"), value, *rest)
                self.lists[-1].append(Update(names, monoid, values, self.plan.number[node]))
            for node in full:
                self.store(node, space.place)
            if space.inner:
                loops = wrapped([[], *self.lists[-len(space.inner) :]], space.inner)
                del self.lists[-len(space.inner) :]
                row += loops
                self.memo = {key: value for key, value in self.memo.items() if not self.varies(key[1])}
                self.past |= self.seen
            for names, monoid, node, _ in begun:
                if monoid == "moments":
                    total = Apply(
                        "mul", (Ref(names[1], wide(node.dtype)), Ref(names[0], wide(node.dtype))), node.dtype
                    )
                    row.append(Let(name := self.name(node), total, self.plan.number[node]))
                    self.memo[node, space.row] = Ref(name, wide(node.dtype))
        for node in self.stored:
            if not self.is_full(node):
                self.store(node, space.row)

    def begin(self, node: Node, row: list[Statement]) -> tuple[tuple[str, ...], str, Node, tuple[Expr, ...]]:
        """Accumulators for a reduction, or for a pair; their monoid, and what an element has besides its value."""
        dtype, pair = wide(node.dtype), self.firsts.get(node)
        monoid, names = (pair.monoid, self.pair(pair)) if pair else (node.op, (self.name(node),))
        if monoid != "moments":
            self.memo[node, self.space.row] = Ref(names[0], dtype)
        if pair:
            self.memo[pair.second, self.space.row] = Ref(names[-1], dtype)
        row.append(Start(names, monoid, dtype, self.plan.number[node]))
        rest = {"softmax": (Const(1.0, dtype),), "moments": (Const(0.0, dtype),)}
        return names, monoid, node, rest.get(monoid, ())

    def pair(self, pair: Pair) -> tuple[str, ...]:
        if pair.monoid == "softmax":
            return self.name(pair.first), self.name(pair.second)
        return *(self.named(f"{word}{self.plan.number[pair.first]}") for word in ("count", "mean")), self.name(
            pair.second
        )

    def rank(self, node: Node) -> int:
        """How many reductions have to be done one after the other until it is known."""
        if node in self.online:
            return self.rank(self.online[node].first)
        if node not in self.ranks:
            below = max((self.rank(each) for each in node.inputs if self.holds(each)), default=0)
            self.ranks[node] = below + (node in self.inside and node.op in REDUCE)
        return self.ranks[node]

    def holds(self, node: Node) -> bool:
        return self.plan.base(node) in self.inside

    def is_full(self, node: Node) -> bool:
        shape = node.inputs[0].shape if node.op == "pad" else node.shape
        if long(shape) == long(self.space.shape):
            return True
        if long(shape) == long(self.space.rows):
            return False
        raise RefusedError("their shapes differ")

    def store(self, node: Node, place: Place) -> None:
        """A node of another rank lies at the same long axes."""
        view, number = self.plan.lies(node), self.plan.number[node]
        shape = node.inputs[0].shape if node.op == "pad" else node.shape
        rest = [each for each, length in zip(place, self.space.shape, strict=True) if length != 1 and each != ZERO]
        here = tuple(ZERO if length == 1 else rest.pop(0) for length in shape)
        if node.op == "matmul":
            return
        value = self.value(node, here)
        if node.op == "pad":
            parts = zip(node.arg, here, strict=True)
            here = tuple(plus(times(each, step), Index((), start)) for (start, _, step), each in parts)
        self.lists[self.depth(place)].append(Store(view.buffer, view.at(here), value, number))

    # values

    def value(self, node: Node, place: Place) -> Expr:
        if node in self.inside:
            return self.computed(node, place)
        if node.op == "const":
            return Const(float(node.arg), wide(node.dtype))
        view = self.plan.views[node]
        if view and not self.holds(node):
            return Load(view.buffer, view.at(place), view.dtype)
        below = source(node, place)
        if below is None:
            raise RefusedError("between them elements are arranged in new rows, which no stride can express")
        return self.value(node.inputs[0], below)

    def computed(self, node: Node, place: Place) -> Expr:
        if (node, place) in self.memo:
            return self.memo[node, place]
        if node.op in (*REDUCE, "matmul"):
            if node.op == "matmul" and place == self.place and self.product:
                return self.let(node, place, self.product)
            raise RefusedError("a result is needed in another place than where it is made")
        again = node in self.past and self.varies(place) and place == self.place
        if again and node in self.kept:
            return self.kept[node]
        if again and self.dear(node, set()) >= DEAR and self.keep(node):
            raise AgainError
        self.seen.add(node)
        return self.let(node, place, self.formula(node, place))

    def formula(self, node: Node, place: Place) -> Expr:
        if node.op in ELEMENTWISE:
            return scalar(node, [self.value(each, place) for each in node.inputs])
        if node.op == "const":
            return Const(float(node.arg), wide(node.dtype))
        if node.op == "pad":
            return self.value(node.inputs[0], place)
        below = source(node, place)
        if below is not None:
            return self.value(node.inputs[0], below)
        view = self.plan.views[node.inputs[0]]
        copy = view and moved(view, node)
        if copy is None or self.holds(node.inputs[0]):
            raise RefusedError("between them elements are arranged in new rows, which no stride can express")
        return Load(copy.buffer, copy.at(place), copy.dtype)

    def let(self, node: Node, place: Place, value: Expr) -> Expr:
        number, where = self.plan.number[node], self.lists[self.depth(place)]
        if isinstance(value, Apply | Load) and (node.op in ELEMENTWISE or node.op == "matmul"):
            name = self.name(node)
            where.append(Let(name, value, number))
            value = Ref(name, wide(value.dtype))
            if len(self.names) > MOST:
                raise RefusedError(f"one loop would hold more than {MOST} operations")
        if (
            node in self.kept and place == self.place
        ):  # whatever it is: a cast that only widens has no name of its own
            saved = self.kept[node]
            where.append(Store(saved.buffer, saved.index, value, number))
        if self.share or node.op == "matmul":
            self.memo[node, place] = value
        return value

    def keep(self, node: Node) -> bool:
        """A row of it, if there is room."""
        extents = tuple(level.extent for level in self.space.inner)
        size, index = math.prod(extents), Index(tuple(zip(self.inner, row_major(extents), strict=True)))
        dtype = wide(node.dtype)
        if size * BYTES[dtype] + sum(each.size * BYTES[each.dtype] for each in self.locals) > ROOM:
            return False
        # with no loop around, the turns of one loop after the other share it
        role: Role = "local" if self.space.outer else "temporary"
        buffer = Buffer(self.plan.fresh(f"l{self.plan.number[node]}"), dtype, size, role)
        self.locals.append(buffer)
        self.kept[node] = Load(buffer.name, index, dtype)
        return True

    def dear(self, node: Node, seen: set[Node]) -> int:
        """What it takes to compute it once more, and what it needs that is not `seen` yet."""
        if node not in self.inside or node in self.kept or node in seen or node.op not in ELEMENTWISE:
            return 0
        seen.add(node)
        return weight(node.op) + sum(self.dear(self.plan.base(each), seen) for each in node.inputs)

    def varies(self, place: Place) -> bool:
        return any(each.along(name) for each in place for name in self.inner)

    def depth(self, place: Place) -> int:
        return max((self.depths[name] for each in place for name, _ in each.strides), default=0)

    def name(self, node: Node) -> str:
        return self.named(f"{node.op}{self.plan.number[node]}")

    def named(self, base: str) -> str:
        base, name, copies = self.plan.fresh(base), "", 0
        while not name or name in self.names:
            name = base + f"_{copies}" * bool(copies)
            copies += 1
        self.names.add(name)
        return name


def scalar(node: Node, args: list[Expr]) -> Expr:
    if node.op == "cast":
        (x,) = args
        return x if wide(x.dtype) == node.dtype else Apply("cast", (x,), node.dtype)
    value = Apply(node.op, tuple(args), wide(node.dtype))
    return Apply("cast", (value,), "i8") if node.dtype == "i8" else value
