"""What of a kernel's loops becomes tiles: its products, and how large a tile a block of threads may hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import NamedTuple

from labs.models.fusing.affine import put
from labs.models.fusing.loops import Area, Index, Kernel, Load, Loop, Product, Statement, Store, Update, statements

SIDE = 16
"""A block is SIDE × SIDE threads, each of which holds rows/SIDE × columns/SIDE numbers of the tile."""
SIDES, DEPTHS = (16, 32, 64, 128), (8, 16, 32)
SHARED = 47 << 10
"""Bytes of shared memory for tiles: CUDA gives 48 KiB without more ado, and a sum of all threads takes one"""
PAD = 4
"""Numbers between the rows of a tile that is turned over in shared memory, so that a column lies in many banks"""


class Tile(NamedTuple):
    rows: int
    columns: int
    """Of the result; in attention keys that are taken at a time"""
    depth: int
    """How much of both factors lies in shared memory at a time; in attention the length of a query"""

    @property
    def each(self) -> tuple[int, int]:
        """Numbers that a thread holds."""
        return self.rows // SIDE, self.columns // SIDE


@dataclass(frozen=True)
class Space:
    """A kernel of one product, or of the two of attention: [batch, rows, columns], and depth."""

    batch: int
    batch_name: str
    """The variable of the loop over the batch; nothing if there is none"""
    rows: int
    columns: int
    """Of the result; in attention of the scores"""
    depth: int
    products: tuple[Product, ...]
    left: Area
    right: Area
    """Their beginnings in terms of the batch alone"""
    values: Area | None
    """The second right factor, in attention"""
    epilogue: tuple[Statement, ...]
    """For each number of the result"""
    row: str
    column: str
    """The variables of the epilogue"""
    score: tuple[Statement, ...] = ()
    """In attention for each score, the last a Store of it"""
    score_column: str = ""

    @property
    def width(self) -> int:
        """Columns of what is stored."""
        return self.products[-1].columns

    @property
    def padded(self) -> int:
        """The width of attention's values in shared memory: each thread has as many columns, or four at a time."""
        each = -(-self.width // SIDE)
        return SIDE * (each if each <= 4 else -(-each // 4) * 4)

    def shared(self, tile: Tile) -> int:
        """Floats."""
        return sum(self.rooms(tile).values())

    def rooms(self, tile: Tile) -> dict[str, int]:
        """Floats of each array in shared memory."""
        found = {
            "left": tile.depth * (tile.rows + pad(self.left)),
            "right": tile.depth * (tile.columns + pad(turned(self.right))),
        }
        if self.values is not None:
            found["weight"] = tile.columns * (tile.rows + PAD)
            found["value"] = tile.columns * (self.padded + pad(turned(self.values)))
            found["part"] = tile.rows * (SIDE + 1)
        return found

    def high(self, tile: Tile) -> int:
        """Tiles from top to bottom, the last of which may hang over."""
        return -(-self.rows // tile.rows)

    def wide(self, tile: Tile) -> int:
        """Tiles from left to right; in attention rounds, as keys go past."""
        return -(-self.columns // tile.columns)

    def blocks(self, tile: Tile) -> int:
        return self.batch * self.high(tile) * (1 if self.values else self.wide(tile))

    def guarded(self, tile: Tile) -> list[tuple[int, int]]:
        """Sides of the tile that do not divide theirs of the matrix, each with that."""
        sides = (tile.rows, self.rows), (tile.columns, self.columns), (tile.depth, self.depth)
        return [(side, whole) for side, whole in sides if whole % side]

    def tiles(self) -> list[Tile]:
        depths = [self.depth] if self.values else sizes(DEPTHS, self.depth)
        rows, columns = sizes(SIDES, self.rows), sizes(SIDES, self.columns)
        every = (Tile(r, c, depth) for r in rows for c in columns for depth in depths)
        return [tile for tile in every if 4 * self.shared(tile) <= SHARED]

    def square(self, side: int) -> Tile:
        """The tile nearest to side × side."""
        return min(self.tiles(), key=lambda it: (
            abs(math.log2(it.rows / side)) + abs(math.log2(it.columns / side)), abs(it.depth - 16), it,
        ))  # fmt: skip


def sizes(known: tuple[int, ...], whole: int) -> list[int]:
    """Those that divide it, or fit into it, or else the smallest."""
    return [each for each in known if whole % each == 0 or each < whole] or [known[0]]


def turned(area: Area) -> Area:
    """A right factor [depth, columns] as [columns, depth]."""
    return Area(area.buffer, area.start, area.along, area.down)


def pad(area: Area) -> int:
    """Tiles lie as [depth][row] in shared memory. Where memory has the depth side by side, they are turned over."""
    return PAD if area.along == 1 else 0


def space(kernel: Kernel) -> Space | None:
    """None if it multiplies no matrices."""
    products = [each for each in statements(kernel.body) if isinstance(each, Product)]
    if not products:
        return None
    loops: list[Loop] = []
    body = kernel.body
    while isinstance(body[0], Loop) and not body[0].outer:
        loops.append(body[0])
        body = body[0].body
    blocks = loops[-1]
    batch = loops[0] if len(loops) > 1 else None
    first = products[0]
    keys = next((each for each in body if isinstance(each, Loop) and not each.outer), None)
    gone = [blocks.variable, keys.variable if keys else ""]
    inner = next((each for each in body if isinstance(each, Loop) and each.outer), None)
    if inner is None:
        epilogue: tuple[Statement, ...] = ()
        row, column = "row", "column"
    else:
        last = [each for each in body if isinstance(each, Loop) and each.outer][-1]
        row, (loop,) = last.variable, [each for each in last.body if isinstance(each, Loop)]
        column, epilogue = loop.variable, tuple(without(each, gone) for each in loop.body)
    if not epilogue:
        start = beginning(first.out.start, gone)
        index = Index(
            (*start.strides, *((n, s) for n, s in ((row, first.out.down), (column, first.out.along)) if s)),
            start.offset,
        )
        buffer = next(each for each in kernel.buffers if each.name == first.out.buffer)
        epilogue = (Store(buffer.name, index, Load(buffer.name, index, buffer.dtype), first.node),)
    columns, score_column = first.columns, ""
    score: tuple[Statement, ...] = ()
    values = None
    if len(products) > 1:  # two for each block of keys, and two for what is left of them
        inside = keys.body if keys else body
        columns = sum(each.columns * (keys.extent if keys and each in keys.body else 1) for each in products[::2])
        scoring = next(each for each in statements(inside) if isinstance(each, Loop) and takes_maximum(each))
        score_column = scoring.variable
        score = tuple(without(each, gone) for each in scoring.body if not isinstance(each, Update))
        values = begun(products[1].right, gone)
    return Space(
        batch=batch.extent if batch else 1,
        batch_name=batch.variable if batch else "",
        rows=blocks.limit,
        columns=columns,
        depth=first.depth,
        products=tuple(products[:2]),
        left=begun(first.left, gone),
        right=begun(first.right, gone),
        values=values,
        epilogue=epilogue,
        row=row,
        column=column,
        score=score,
        score_column=score_column,
    )


def takes_maximum(loop: Loop) -> bool:
    return any(isinstance(each, Update) and each.monoid == "amax" for each in loop.body)


def beginning(index: Index, gone: list[str]) -> Index:
    for name in gone:
        index = put(index, name, Index()) if name else index
    return index


def begun(area: Area, gone: list[str]) -> Area:
    return replace(area, start=beginning(area.start, gone))


def without(it: Statement, gone: list[str]) -> Statement:
    """A statement with the variables of blocks set to 0: rows are then counted from the first of all."""

    def of(value: object) -> object:
        if isinstance(value, Index):
            return beginning(value, gone)
        if isinstance(value, tuple):
            return tuple(of(each) for each in value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{each.name: of(getattr(value, each.name)) for each in fields(value)})
        return value

    found = of(it)
    assert isinstance(found, type(it))
    return found
