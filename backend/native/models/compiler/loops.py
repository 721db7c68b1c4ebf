"""Loops, and what is in them.

A loop whose lanes are computed at once goes in steps of as many, and once more for what is left, with the lanes
that stick out masked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from labs.models.fusing.accesses import accesses
from labs.models.fusing.loops import (
    Buffer,
    Index,
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

from native.models.compiler import product_kernel, products, scalars, sums, turned
from native.models.compiler.lanes import lanes as lanes_of
from native.models.compiler.writer import MEMORY, Value, Writer

Where = str | int
"""A whole number that is known now, or the name of one."""


@dataclass
class Maker:
    """Writes statements. It is the place that expressions ask."""

    w: Writer
    buffers: dict[str, Buffer]
    register: int
    """Bytes of a vector register."""
    around: bool = False
    """Whether results go to memory without staying in a cache."""
    ahead: int = 0
    """Bytes that what is read is asked for before it is needed."""
    at: dict[str, Where] = field(default_factory=dict)
    """Where each loop variable is; in a vector loop, its first lane."""
    values: dict[str, Value] = field(default_factory=dict)
    totals: dict[str, tuple[sums.Sum, int]] = field(default_factory=dict)
    vector: Loop | None = None
    lanes: int = 0
    mask: Value | None = None
    held: dict[Load, Value] = field(default_factory=dict)
    """What has been read already, for all lanes."""
    packed: set[str] = field(default_factory=set)
    nest: list[Loop] = field(default_factory=list)
    """The loops around, from without."""
    bounds: dict[str, Where] = field(default_factory=dict)
    """Turns of loops that are known no other way."""

    # -- what expressions ask

    def stride(self, index: Index) -> int:
        return index.along(self.vector.variable) if self.vector else 0

    def address(self, buffer: str, index: Index) -> str:
        where = self.w.affine([(self.at[name], step) for name, step in index.strides], index.offset)
        kind = MEMORY[self.buffers[buffer].dtype]
        return self.w.put(f'getelementptr inbounds {kind}, ptr %"{buffer}", i64 {where}', "ptr").name

    def accumulated(self, name: str) -> Value | None:
        if name not in self.totals:
            return None
        it, part = self.totals[name]
        return sums.read(self.w, it, sums.Parts(it.whole.lanes, [it.whole.places[part]]))[0]

    # -- statements

    def body(self, body: tuple[Statement, ...], begun: list[sums.Sum] | None = None) -> None:
        begun = begun or []
        for each in body:
            if isinstance(each, Loop | Product):
                self.prepare(each)
            self.w.node = getattr(each, "node", -1)
            if isinstance(each, Start):
                begun.append(self.start(each))
            else:
                self.statement(each)
            for it in begun:
                sums.joined(self.w, it)

    def start(self, it: Start) -> sums.Sum:
        begun = sums.started(self.w, it, self.lanes, self.vector)
        self.totals |= {name: (begun, part) for part, name in enumerate(it.names)}
        return begun

    def statement(self, it: Statement) -> None:
        match it:
            case Let(name, value):
                self.totals.pop(name, None)
                self.values[name] = scalars.value(self, value)
            case Store(buffer, index, value):
                dtype = self.buffers[buffer].dtype
                found = scalars.narrowed(self.w, scalars.value(self, value), dtype)
                scalars.store(self, buffer, index, found, MEMORY[dtype], self.passes(buffer, index))
            case Update(names, _, values):
                element = [scalars.value(self, each) for each in values]
                total = self.totals[names[0]][0]
                sums.update(self.w, total, self.parts(total), element, self.mask)
            case Product():
                products.product(self, it, self.rows(it))
            case Loop():
                self.loop(it)

    def parts(self, it: sums.Sum) -> sums.Parts:
        """Those that an update goes to: the whole, or the lanes of a vector loop that began later."""
        if self.vector is it.loop:
            return it.whole
        key = (self.vector, self.lanes)
        if key not in it.apart:
            places = [self.w.room(f"<{self.lanes} x {it.kind}>") for _ in it.start.names]
            it.apart[key] = sums.Parts(self.lanes, places)
            sums.begin(self.w, it, it.apart[key])
        return it.apart[key]

    def passes(self, buffer: str, index: Index) -> bool:
        """Whether a store may go around the caches: it has to begin where a vector does, whatever the loops do."""
        if not self.around or not self.vector or self.buffers[buffer].role == "local":
            return False
        steps = [index.offset, *(step for name, step in index.strides if name != self.vector.variable)]
        return all(step % self.lanes == 0 for step in steps)

    # -- loops

    def loop(self, it: Loop) -> None:
        self.turns(it, 0, self.length(it))

    def prepare(self, it: Statement) -> None:
        """Right sides of products, as soon as it is known where they lie."""
        for each in products.found((it,), self.buffers):
            names = {name for name, _ in each.right.start.strides}
            packed = products.named(each)
            if (
                names
                and names <= set(self.at)
                and self.buffers[packed].role == "local"
                and packed not in self.packed
            ):
                self.packed.add(packed)
                products.pack(self, each, 0, product_kernel.strips(each.columns))

    def rows(self, it: Product) -> Where:
        """Of a block that may be the last."""
        for loop in reversed(self.nest):
            if loop.limit and not loop.outer:
                return self.w.least(it.rows, self.w.affine([(self.at[loop.variable], -it.rows)], loop.limit))
        return it.rows

    def length(self, it: Loop) -> Where:
        if it.variable in self.bounds:
            return self.bounds[it.variable]
        if not it.limit:
            return it.extent
        before = self.at[it.outer] if it.outer else 0
        left = self.w.affine([(before, -it.extent)], it.limit)
        return self.w.least(it.extent, left)

    def turns(self, it: Loop, low: Where, high: Where) -> None:
        """The turns from ``low`` to ``high`` of a loop."""
        at, packed = dict(self.at), set(self.packed)
        self.nest.append(it)
        self.written(it, low, high)
        self.nest.pop()
        self.at, self.packed = at, packed  # behind the loop nothing is where its variable says

    def written(self, it: Loop, low: Where, high: Where) -> None:
        if flat := flattened(it):
            inner, limit = flat
            begin = self.w.affine([(low, inner.extent)], 0)
            end = self.w.least(self.w.affine([(high, inner.extent)], 0), limit)
            self.at[it.variable] = 0
            self.vectors(inner, begin, end, limit)
        elif it.kind == "vector" and not self.vector and vectorisable(it):
            self.vectors(it, low, high, it.extent)
        elif not self.vector and (across := turned.across(it)):
            turned.blocks(self, it, low, high, across)
        else:
            self.cut(it, low, high)

    def cut(self, it: Loop, low: Where, high: Where) -> None:
        """The last turn of a loop that was cut into blocks is told apart: in all others, blocks are whole."""
        inside = [each for each in statements(it.body) if isinstance(each, Loop) and each.outer == it.variable]
        ragged = [each for each in inside if each.limit % each.extent]
        if not ragged:
            self.counted(low, high, 1, lambda at: self.once(it, at))
            return
        whole = min(each.limit // each.extent for each in ragged)
        self.counted(low, self.w.least(high, whole), 1, lambda at: self.once(it, at))
        if isinstance(high, int) and high <= whole:
            return
        self.when(f"icmp sgt i64 {high}, {whole}", lambda: self.once(it, whole))

    def once(self, it: Loop, at: Where) -> None:
        packed = set(self.packed)
        self.at[it.variable] = at
        self.body(it.body)
        self.packed = packed  # another turn may be another matrix

    def counted(self, low: Where, high: Where, step: int, inside: Callable[[Where], None]) -> None:
        if isinstance(low, int) and isinstance(high, int) and high - low <= step:
            if high - low == step:
                inside(low)
            return
        w = self.w
        head, body, end = w.labels("head", "body", "end")
        at, following = w.fresh(), w.fresh()
        before = w.block
        w.say(f"br label %{head}")
        w.label(head)
        phi: list[str] = w.later()
        last = w.put(f"add nsw i64 {at}, {step}", "i64").name
        more = w.put(f"icmp sle i64 {last}, {high}", "i1").name
        w.say(f"br i1 {more}, label %{body}, label %{end}")
        w.label(body)
        inside(at)
        w.say(f"{following} = add nsw i64 {at}, {step}")
        phi.append(f"  {at} = phi i64 [{low}, %{before}], [{following}, %{w.block}]")
        w.say(f"br label %{head}")
        w.label(end)

    def when(self, test: str, inside: Callable[[], None]) -> None:
        yes, end = self.w.labels("yes", "end")
        self.w.say(f"br i1 {self.w.put(test, 'i1').name}, label %{yes}, label %{end}")
        self.w.label(yes)
        inside()
        self.w.say(f"br label %{end}")
        self.w.label(end)

    def vectors(self, it: Loop, low: Where, high: Where, most: int) -> None:
        """Steps of as many lanes as fit, and a masked one for the rest."""
        known = high - low if isinstance(low, int) and isinstance(high, int) else None
        lanes = lanes_of(it, known if known is not None else most, self.register)
        if known is None or known >= lanes:
            self.counted(low, high, lanes, lambda at: self.step(it, at, lanes))
        if known is not None:
            if rest := known % lanes:
                few = 1 << (rest - 1).bit_length()
                self.step(it, self.w.affine([(low, 1)], known - rest), few, rest)
            return
        total = self.w.affine([(high, 1), (low, -1)], 0)
        rest_ = self.w.put(f"and i64 {total}, {lanes - 1}", "i64").name
        begin = self.w.affine([(high, 1), (rest_, -1)], 0)
        self.when(f"icmp sgt i64 {rest_}, 0", lambda: self.step(it, begin, lanes, rest_))

    def step(self, it: Loop, at: Where, lanes: int, rest: Where = 0) -> None:
        """One step; with a ``rest``, only so many lanes count."""
        self.vector, self.lanes = it, lanes
        self.at[it.variable] = at
        if rest and rest != lanes:
            numbers = ", ".join(f"i64 {lane}" for lane in range(lanes))
            bound = self.w.spread(Value(str(rest), "i64"), lanes)
            self.mask = self.w.put(f"icmp slt <{lanes} x i64> <{numbers}>, {bound.name}", "i1", lanes)
        kept = dict(self.values)
        self.body(it.body)
        self.values = kept
        self.vector, self.lanes, self.mask = None, 0, None


def flattened(it: Loop) -> tuple[Loop, int] | None:
    """The inner loop of a vector loop that was cut into registers, as one loop over all turns, and their number.

    The cut is undone, since how many lanes go at once is decided here. Only if every place moves alike in both.
    """
    if len(it.body) != 1 or not isinstance(inner := it.body[0], Loop):
        return None
    if inner.kind != "vector" or inner.outer != it.variable or not vectorisable(inner):
        return None
    for _, index, _ in accesses(inner.body):
        if index.along(it.variable) != index.along(inner.variable) * inner.extent:
            return None
    return inner, inner.limit or it.extent * inner.extent


def vectorisable(it: Loop) -> bool:
    """Not if lanes would have loops of different lengths, or write to one place."""
    return not any(
        isinstance(each, Product) or (isinstance(each, Loop) and each.outer == it.variable)
        for each in statements(it.body)
    )
