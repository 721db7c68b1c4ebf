"""How many cache lines a kernel moves, told from its loops alone, without running them.

A loop's footprint is the lines that all of its turns touch. If one turn's lines fit into the cache, the next turn
finds what it touches again, and the loop loads its footprint once; if not, every turn loads its own. What one
statement leaves behind, the next one finds as far as nothing else pushed it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeGuard

from labs.models.fusing.accesses import accesses
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import (
    Area,
    Buffer,
    Index,
    Kernel,
    Loop,
    Product,
    Statement,
    statements,
)

LINE = 64
Lines = dict[str, float]
"""By buffer."""


class Touch(NamedTuple):
    """A place that a statement reads or writes: where it begins, and by how many bytes each loop moves it."""

    buffer: str
    offset: int
    steps: tuple[tuple[str, int], ...]
    width: int
    written: bool = False

    def renamed(self, old: str, new: str) -> Touch:
        steps = tuple((new if name == old else name, step) for name, step in self.steps)
        return Touch(self.buffer, self.offset, steps, self.width, self.written)


@dataclass
class Part:
    """Some statements: the places they touch, the loops these move with, and lines by buffer. Stays as it is."""

    touches: list[Touch]
    extents: dict[str, int]
    lines: Lines
    """Touched."""
    loaded: Lines
    carried: Lines
    """Back to memory, because they were written to."""
    within: list[Part] = field(default_factory=list)
    """What it consists of, one after the other."""

    @property
    def total(self) -> float:
        return sum(self.lines.values())

    @property
    def bytes(self) -> float:
        return LINE * (sum(self.loaded.values()) + sum(self.carried.values()))


def traffic(kernel: Kernel, cache: int) -> Part:
    return moved(kernel.body, kernel.buffers, cache)


@lru_cache(1024)
def moved(body: tuple[Statement, ...], buffers: tuple[Buffer, ...], cache: int) -> Part:
    """Remembered: an edit leaves most of its kernels as they were."""
    return Traffic(buffers, cache).block(body)


class Traffic:
    def __init__(self, buffers: Iterable[Buffer], cache: int) -> None:
        self.capacity = cache // LINE
        self.widths = {each.name: BYTES[each.dtype] for each in buffers}
        self.sizes = {each.name: -(-each.size * BYTES[each.dtype] // LINE) for each in buffers}

    def block(self, body: Sequence[Statement]) -> Part:
        parts: list[Part] = []
        for each in body:
            if isinstance(each, Loop):
                parts.append(self.loop(each))
            elif isinstance(each, Product):
                parts += [self.once([side], self.sides(each)) for side in self.product(each)]
            elif found := [self.touch(*access) for access in accesses((each,))]:
                parts.append(self.once(found, {}))
        if len(parts) == 1:
            return parts[0]
        touches = [touch for part in parts for touch in part.touches]
        extents = {name: extent for part in parts for name, extent in part.extents.items()}
        lines = self.lines(touches, extents)
        shares = reuse(parts, lines, self.capacity)
        return Part(touches, extents, lines, *added(shares), within=parts)

    def once(self, touches: list[Touch], extents: dict[str, int]) -> Part:
        """Each line is loaded once."""
        lines = self.lines(touches, extents)
        written = {touch.buffer for touch in touches if touch.written}
        return Part(touches, extents, lines, lines, {name: lines[name] for name in lines if name in written})

    def loop(self, loop: Loop) -> Part:
        turn = self.block(loop.body)
        # loops beside one another may have one variable and go unequally far
        name = f"{loop.variable} to {loop.extent}"
        touches = [each.renamed(loop.variable, name) for each in turn.touches]
        whole = self.once(touches, turn.extents | {name: loop.extent})
        if turn.total <= self.capacity:
            return whole
        # a turn that follows finds what the end of the one before has left
        parts = turn.within or [turn]
        two = self.lines(touches, turn.extents | {name: 2})
        later = added(reuse([*parts, *parts], turn.lines, self.capacity, two)[len(parts) :])
        more = turns(loop) - 1
        loaded, carried = (
            {name: max(count + after.get(name, 0) * more, whole.lines[name]) for name, count in first.items()}
            for first, after in zip((turn.loaded, turn.carried), later, strict=True)
        )
        return Part(touches, whole.extents, whole.lines, loaded, carried)

    # places

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
        alike: dict[tuple[str, tuple[tuple[int, int], ...], int], set[int]] = {}
        for each in touches:
            steps = [(step, extents[name]) for name, step in each.steps if name in extents]
            alike.setdefault((each.buffer, *spread(steps, each.width)), set()).add(each.offset)
        found: Lines = {}
        for (buffer, apart, run), offsets in alike.items():
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


def turns(loop: Loop) -> float:
    """How many it makes, the last block of a cut loop counted as a part of one."""
    cuts = [each.limit / each.extent for each in statements(loop.body) if cuts_short(each, loop)]
    cuts += [loop.limit / each.rows for each in loop.body if isinstance(each, Product) and loop.limit]
    return min([loop.extent, *cuts])


def cuts_short(statement: Statement, loop: Loop) -> TypeGuard[Loop]:
    return isinstance(statement, Loop) and statement.outer == loop.variable and statement.limit > 0


def added(shares: Iterable[tuple[Lines, Lines]]) -> tuple[Lines, Lines]:
    loaded: Lines = {}
    carried: Lines = {}
    for share in shares:
        for total, part in zip((loaded, carried), share, strict=True):
            for name, count in part.items():
                total[name] = total.get(name, 0) + count
    return loaded, carried


def spread(steps: list[tuple[int, int]], width: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Which steps jump over lines, and how long the run of bytes is that the others cover."""
    apart: list[tuple[int, int]] = []
    run = width
    for step, extent in sorted((abs(step), extent) for step, extent in steps):
        if step <= max(run, LINE - 1):
            run += step * (extent - 1)
        else:
            apart.append((step, extent))
    return tuple(apart), run


def reuse(
    parts: Sequence[Part], together: Lines, capacity: int, turned: Lines | None = None
) -> list[tuple[Lines, Lines]]:
    """What each of several things done one after the other has to load and to carry back.

    Not what is still there from before, nor what was written to before and is still there. `together` is what all
    of them touch; if the second half is the next turn of a loop, `turned` is what both turns touch.
    """
    shares: list[tuple[Lines, Lines]] = []
    last: dict[str, int] = {}
    written: dict[str, float] = {}
    """How much of a buffer's lines in the cache will be carried back in any case."""
    for here, part in enumerate(parts):
        loaded: Lines = {}
        carried: Lines = {}
        for name, count in part.loaded.items():
            hits = kept = 0.0
            if name in last:
                before = parts[last[name]]
                apart = turned is not None and last[name] < len(parts) // 2 <= here
                all_ = turned[name] if turned and apart else together[name]
                both = max(part.lines[name] + before.lines[name] - all_, 0.0)
                kept = found(before, parts[last[name] + 1 : here], part, capacity)
                hits = min(part.lines[name], before.lines[name], both) * kept
            loaded[name] = max(count - hits, 0.0)
            if name in part.carried:
                carried[name] = max(part.carried[name] - hits * written.get(name, 0.0), 0.0)
                written[name] = 1.0
            else:
                written[name] = written.get(name, 0.0) * kept
            last[name] = here
        shares.append((loaded, carried))
    return shares


def found(first: Part, others: Sequence[Part], second: Part, capacity: int) -> float:
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
