"""How many cache lines a kernel moves, told from its loops alone, without running them.

A loop's footprint is the lines that all of its turns touch. If one turn's lines fit into the cache, the next turn
finds what it touches again, and the loop loads its footprint once; if not, every turn loads its own. What one
statement leaves behind, the next one finds as far as nothing else pushed it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Area, Expr, Index, Kernel, Let, Loop, Product, Statement, Store, Update, loads

LINE = 64
Lines = dict[str, float]
"""By buffer."""


@dataclass(frozen=True)
class Touch:
    """A place that a statement reads or writes: where it begins, and by how many bytes each loop moves it."""

    buffer: str
    offset: int
    steps: tuple[tuple[str, int], ...]
    width: int
    written: bool = False


@dataclass
class Part:
    """Some statements: the places they touch, the loops these move with, lines touched and lines loaded."""

    touches: list[Touch] = field(default_factory=list)
    extents: dict[str, int] = field(default_factory=dict)
    lines: Lines = field(default_factory=dict)
    loaded: Lines = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.lines.values())


@dataclass
class Moved:
    """What a kernel moves, by buffer."""

    lines: Lines
    loaded: Lines
    written: frozenset[str]

    @property
    def total(self) -> float:
        return sum(self.lines.values())

    def bytes(self, loaded: Lines | None = None) -> float:
        """What was written is carried back, too."""
        found = self.loaded if loaded is None else loaded
        return LINE * sum(lines * (2 if name in self.written else 1) for name, lines in found.items())


class Traffic:
    def __init__(self, kernel: Kernel, cache: int) -> None:
        self.capacity = cache // LINE
        self.widths = {each.name: BYTES[each.dtype] for each in kernel.buffers}
        self.sizes = {each.name: -(-each.size * BYTES[each.dtype] // LINE) for each in kernel.buffers}
        part = self.block(kernel.body)
        written = frozenset(touch.buffer for touch in part.touches if touch.written)
        self.moved = Moved(part.lines, part.loaded, written)

    def block(self, body: Sequence[Statement]) -> Part:
        parts: list[Part] = []
        for each in body:
            if isinstance(each, Loop):
                parts.append(self.loop(each))
            elif isinstance(each, Product):
                parts += [self.whole([side], self.sides(each)) for side in self.product(each)]
            elif found := [*self.touches(each)]:
                parts.append(self.whole(found, {}))
        if len(parts) == 1:
            return parts[0]
        touches = [touch for part in parts for touch in part.touches]
        extents = {name: extent for part in parts for name, extent in part.extents.items()}
        lines = self.lines(touches, extents)
        loaded: Lines = {}
        for share in reuse(parts, lines, self.capacity):
            for name, count in share.items():
                loaded[name] = loaded.get(name, 0) + count
        return Part(touches, extents, lines, loaded)

    def whole(self, touches: list[Touch], extents: dict[str, int]) -> Part:
        lines = self.lines(touches, extents)
        return Part(touches, extents, lines, lines)

    def loop(self, loop: Loop) -> Part:
        turn = self.block(loop.body)
        extents = turn.extents | {loop.variable: loop.extent}
        lines = self.lines(turn.touches, extents)
        if turn.total <= self.capacity:
            return Part(turn.touches, extents, lines, lines)
        loaded = {name: max(count * loop.extent, lines[name]) for name, count in turn.loaded.items()}
        return Part(turn.touches, extents, lines, loaded)

    # places

    def touches(self, statement: Statement) -> Iterator[Touch]:
        values: tuple[Expr, ...] = ()
        match statement:
            case Let() | Store():
                values = (statement.value,)
            case Update():
                values = statement.values
        for load in (load for value in values for load in loads(value)):
            yield self.touch(load.buffer, load.index)
        if isinstance(statement, Store):
            yield self.touch(statement.buffer, statement.index, True)

    def touch(self, buffer: str, index: Index, written: bool = False) -> Touch:
        width = self.widths[buffer]
        return Touch(
            buffer,
            index.offset * width,
            tuple((name, stride * width) for name, stride in index.strides),
            width,
            written,
        )

    def product(self, product: Product) -> list[Touch]:
        """Each side is gone over once: the packed kernel keeps what it needs again."""
        rows, columns, depth = self.sides(product)

        def area(side: Area, down: str, along: str, written: bool = False) -> Touch:
            corner = self.touch(side.buffer, side.start, written)
            steps = ((down, side.down * corner.width), (along, side.along * corner.width))
            moves = (*corner.steps, *(step for step in steps if step[1]))
            return Touch(corner.buffer, corner.offset, moves, corner.width, written)

        return [
            area(product.left, rows, depth),
            area(product.right, depth, columns),
            area(product.out, rows, columns, True),
        ]

    def sides(self, product: Product) -> dict[str, int]:
        """Loops that nobody wrote."""
        sizes = (product.rows, product.columns, product.depth)
        return {f"{side} {product.node}": size for side, size in zip("mnk", sizes, strict=True)}

    def lines(self, touches: Iterable[Touch], extents: dict[str, int]) -> Lines:
        alike: dict[tuple[str, tuple[tuple[str, int], ...], int], set[int]] = {}
        for each in touches:
            steps = tuple(step for step in each.steps if step[0] in extents)
            alike.setdefault((each.buffer, steps, each.width), set()).add(each.offset)
        found: Lines = {}
        for (buffer, steps, width), offsets in alike.items():
            apart, run = spread([(step, extents[name]) for name, step in steps], width)
            count, places = 1, sorted(offsets)
            for _, extent in apart:
                count *= extent
            aligned = all(step % LINE == 0 for step, _ in apart)
            ends: list[tuple[int, int]] = []
            for offset in places:  # places at other offsets overlap, or are touched beside
                if ends and offset <= ends[-1][1]:
                    ends[-1] = (ends[-1][0], offset + run)
                else:
                    ends.append((offset, offset + run))
            lines = sum(
                -(-end // LINE) - start // LINE if aligned else (end - start - 1) / LINE + 1 for start, end in ends
            )
            found[buffer] = min(found.get(buffer, 0) + count * lines, self.sizes[buffer])
        return found


def spread(steps: list[tuple[int, int]], width: int) -> tuple[list[tuple[int, int]], int]:
    """Which steps jump over lines, and how long the run of bytes is that the others cover."""
    apart: list[tuple[int, int]] = []
    run = width
    for step, extent in sorted((abs(step), extent) for step, extent in steps):
        if step <= max(run, LINE - 1):
            run += step * (extent - 1)
        else:
            apart.append((step, extent))
    return apart, run


def reuse(parts: Sequence[Part | Moved], together: Lines, capacity: int) -> list[Lines]:
    """What each of several things done one after the other has to load: not what is still there from before."""
    shares: list[Lines] = []
    last: dict[str, int] = {}
    for here, part in enumerate(parts):
        share: Lines = {}
        for name, count in part.loaded.items():
            if name in last:
                before = parts[last[name]]
                both = part.lines[name] + before.lines[name] - together[name]
                again = min(part.lines[name], before.lines[name], max(both, 0.0))
                kept = found(before, parts[last[name] + 1 : here], part, capacity)
                count = max(count - again * kept, 0.0)
            share[name] = count
        last |= dict.fromkeys(part.lines, here)
        shares.append(share)
    return shares


def found(first: Part | Moved, others: Sequence[Part | Moved], second: Part | Moved, capacity: int) -> float:
    """How much of what the first touches the second still finds.

    A line that is touched when a share f of the first is done, and again at f of the second, has had (1 − f) of the
    one, all between, and f of the other between its touches.
    """
    between: Lines = {}
    for part in others:
        for name, lines in part.lines.items():
            between[name] = max(lines, between.get(name, 0))
    middle = sum(between.values())
    rest, ahead = (
        sum(max(lines - between.get(name, 0), 0) for name, lines in part.lines.items()) for part in (first, second)
    )
    room = capacity + 1 - middle  # the line itself is no other
    if max(rest, ahead) <= room or min(rest, ahead) > room:
        return float(max(rest, ahead) <= room)
    turn = (room - rest) / (ahead - rest)
    return 1 - turn if ahead <= room else turn
