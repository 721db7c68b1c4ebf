"""softmax(scores) @ values in one kernel: the scores of all pairs never exist at once.

Keys are taken a block at a time. A row keeps its greatest score so far, the sum of exp(score − greatest), and the
sum of values weighted so; when a greater score comes, both sums shrink by exp(old − new) first. In the end one sum
is divided by the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from labs.models.fusing.affine import ZERO, Place, View, plus, times, variable
from labs.models.fusing.body import Body
from labs.models.fusing.graph import ELEMENTWISE, Node
from labs.models.fusing.loops import (
    Apply,
    Area,
    Buffer,
    Const,
    Expr,
    Index,
    Let,
    Load,
    Loop,
    Product,
    Ref,
    Start,
    Statement,
    Store,
    Update,
)
from labs.models.fusing.plan import Group, Plan
from labs.models.fusing.space import Level, RefusedError, wide

KEYS = 128
UNLIKE = "two products, and no softmax between them"
LEAST = -3.0e38
"""For rows of which nothing has been seen but −inf: their weights are 0, not NaN."""


@dataclass(frozen=True)
class Parts:
    """first = q @ k, score is made of it, share = exp(score − top) / total, second = share @ v."""

    first: Node
    score: Node
    top: Node
    weight: Node
    total: Node
    share: Node
    second: Node


def parts(plan: Plan, group: Group) -> Parts:
    first, second = (node for node in group if node.op == "matmul")
    base = plan.base

    def asked(right: bool, why: str = UNLIKE) -> None:
        if not right:
            raise RefusedError(why)

    share = second.inputs[0]
    asked(share.op == "div" and share in group and share.shape == first.shape)
    weight, total = share.inputs[0], base(share.inputs[1])
    asked(weight.op == "exp" and total.op == "sum" and total.inputs[0] is weight)
    gap = weight.inputs[0]
    asked(gap.op == "sub")
    score, top = gap.inputs[0], base(gap.inputs[1])
    last = (len(first.shape) - 1,)
    asked(top.op == "amax" and top.inputs[0] is score and top.arg == total.arg == last)
    rest = set(group) - {first, second, share, weight, total, gap, top}
    asked(all(node.op in ELEMENTWISE for node in rest))
    asked(plan.stored(group) == [second], "the shares are needed in memory")
    asked(all(wide(node.dtype) == "f32" for node in (first, score, weight, second)), "it is for f32 alone")
    asked(base(second.inputs[1]) not in group and not {*map(base, first.inputs)} & set(group))
    return Parts(first, score, top, weight, total, share, second)


class Attention(Body):
    def __init__(self, plan: Plan, group: Group, block: int, keys: int = KEYS) -> None:
        self.plan, self.group, self.inside, self.share = plan, group, set(group), True
        self.parts = parts(plan, group)
        shape, columns = self.parts.first.shape, self.parts.second.shape[-1]
        *batch, height, self.count = shape
        self.columns, self.block, self.keys = columns, min(block, height), min(keys, self.count)
        names = [plan.fresh(f"i{axis}") for axis in range(len(shape))]
        self.i, self.j, self.c = names[-2], names[-1], plan.fresh(f"i{len(shape)}")
        self.outer, self.blocks = plan.fresh(f"{self.i}o"), plan.fresh(f"{self.j}o")
        self.batch: Place = tuple(
            variable(name) if length > 1 else ZERO for name, length in zip(names, batch, strict=False)
        )
        self.levels = [Level(name, length) for name, length in zip(names, batch, strict=False) if length > 1]
        self.levels.append(Level(self.outer, -(-height // self.block), limit=height))
        self.height = height
        alone = all(level.extent == 1 for level in self.levels)
        sizes = {"scores": self.keys, "sums": columns, "more": columns, "top": 1, "total": 1, "shrink": 1}
        self.own = {
            name: Buffer(plan.fresh(name), "f32", self.block * size, "temporary" if alone else "local")
            for name, size in sizes.items()
        }
        self.locals = [*self.own.values()]
        self.corner = variable(self.outer, self.block)
        self.names: set[str] = set()

    def emit(self) -> tuple[Statement, ...]:
        row, sums = variable(self.i), self.at("sums", self.columns, self.c)
        number = self.plan.number
        zero = Store(sums.buffer, sums.index, Const(0.0, "f32"), number[self.parts.second])
        begin = self.rows(
            Store(self.own["top"].name, row, Const(-math.inf, "f32"), number[self.parts.top]),
            Store(self.own["total"].name, row, Const(0.0, "f32"), number[self.parts.total]),
            Loop(self.c, self.columns, (zero,)),
        )
        whole, rest = divmod(self.count, self.keys)
        body: list[Statement] = [begin]
        body.append(Loop(self.blocks, whole, self.taken(variable(self.blocks, self.keys), self.keys)))
        body += self.taken(Index((), whole * self.keys), rest) if rest else ()
        out = self.plan.lies(self.parts.second)
        here = out.at((*self.batch, plus(self.corner, row), variable(self.c)))
        value = Apply("div", (sums, self.load("total", row)), "f32")
        end = Loop(self.c, self.columns, (Store(out.buffer, here, value, number[self.parts.share]),))
        body.append(self.rows(end))
        statements = tuple(body)
        for level in reversed(self.levels):
            statements = (Loop(level.variable, level.extent, statements, limit=level.limit),)
        return statements

    def taken(self, first: Index, width: int) -> tuple[Statement, ...]:
        """A block of keys, and what becomes of a row's three numbers."""
        p, number = self.parts, self.plan.number
        row, here = variable(self.i), self.at("scores", self.keys, self.j)
        scores = Area(here.buffer, ZERO, self.keys, 1)
        more = Area(self.own["more"].name, ZERO, self.columns, 1)
        q, k, v = (self.view(each) for each in (*p.first.inputs, p.second.inputs[1]))
        depth = p.first.inputs[0].shape[-1]
        left = Area(q.buffer, q.at((*self.batch, self.corner, ZERO)), *q.strides[-2:])
        keys = Area(k.buffer, k.at((*self.batch, ZERO, first)), *k.strides[-2:])
        values = Area(v.buffer, v.at((*self.batch, first, ZERO)), *v.strides[-2:])
        scored = Product(scores, left, keys, self.block, width, depth, number[p.first])
        added = Product(more, scores, values, self.block, self.columns, width, number[p.second])

        before, inner, score = self.scores(here, first)
        top, new, shrink, total = (self.fresh(each) for each in ("most", "raised", "factor", "gained"))
        greatest = Apply("max", (self.load("top", row), Ref(top, "f32")), "f32")
        gap = Apply("sub", (self.load("top", row), Ref(new, "f32")), "f32")
        weight = self.fresh("weight")
        shifted = Apply("sub", (here, Ref(new, "f32")), "f32")
        stored = Store(here.buffer, here.index, score, number[p.score])
        sum_ = self.shrunk(self.load("total", row), Ref(shrink, "f32"), Ref(total, "f32"))
        update = self.rows(
            *before,
            Start((top,), "amax", "f32", number[p.top]),
            Loop(self.j, width, (*inner, stored, Update((top,), "amax", (score,), number[p.top]))),
            Let(new, Apply("max", (greatest, Const(LEAST, "f32")), "f32"), number[p.top]),
            Let(shrink, Apply("exp", (gap,), "f32"), number[p.weight]),
            Start((total,), "sum", "f32", number[p.total]),
            Loop(
                self.j,
                width,
                (
                    Let(weight, Apply("exp", (shifted,), "f32"), number[p.weight]),
                    Store(here.buffer, here.index, Ref(weight, "f32"), number[p.weight]),
                    Update((total,), "sum", (Ref(weight, "f32"),), number[p.total]),
                ),
            ),
            self.put("top", row, Ref(new, "f32"), p.top),
            self.put("shrink", row, Ref(shrink, "f32"), p.weight),
            self.put("total", row, sum_, p.total),
        )
        sums = self.at("sums", self.columns, self.c)
        grown = self.shrunk(sums, self.load("shrink", row), self.at("more", self.columns, self.c))
        weigh = self.rows(Loop(self.c, self.columns, (Store(sums.buffer, sums.index, grown, number[p.second]),)))
        return scored, update, added, weigh

    def scores(self, here: Load, first: Index) -> tuple[list[Statement], list[Statement], Expr]:
        """What comes before a row's scores, what each of them takes, and its value."""
        self.place = (*self.batch, plus(self.corner, variable(self.i)), plus(first, variable(self.j)))
        self.product = here
        self.memo, self.kept, self.seen, self.past = {}, {}, set(), set()
        self.inner, self.lists = [self.j], [[], []]
        value = self.value(self.parts.score, self.place)
        return self.lists[0], self.lists[1], value

    def depth(self, place: Place) -> int:
        return int(self.varies(place))

    def rows(self, *body: Statement) -> Loop:
        return Loop(self.i, self.block, body, outer=self.outer, limit=self.height)

    def at(self, name: str, width: int, along: str) -> Load:
        return Load(self.own[name].name, plus(times(variable(self.i), width), variable(along)), "f32")

    def load(self, name: str, row: Index) -> Load:
        return Load(self.own[name].name, row, "f32")

    def put(self, name: str, row: Index, value: Expr, node: Node) -> Store:
        return Store(self.own[name].name, row, value, self.plan.number[node])

    def shrunk(self, old: Expr, shrink: Expr, more: Expr) -> Expr:
        return Apply("add", (Apply("mul", (old, shrink), "f32"), more), "f32")

    def view(self, node: Node) -> View:
        found = self.plan.views[node]
        assert found is not None
        return found

    def fresh(self, base: str) -> str:
        name, copies = base, 1
        while name in self.names or self.plan.fresh(name) != name:
            copies += 1
            name = f"{base}{copies}"
        self.names.add(name)
        return name
