"""Counts the cache lines a program moves by going through its loops, address after address, with a cache beside it.

The cache holds any lines, and throws out the one that was used longest ago. A line that is written to is loaded
before, and carried back when it is thrown out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.fusing.accesses import accesses
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import (
    Area,
    Index,
    Kernel,
    Loop,
    Product,
    Program,
    Statement,
)
from labs.models.fusing.traffic import LINE

Places = NDArray[np.int64]


@dataclass
class Counted:
    """Lines, for each kernel: loaded by it, and carried back because it wrote to them."""

    loaded: list[int]
    carried: list[int]

    def bytes(self) -> list[int]:
        return [LINE * (a + b) for a, b in zip(self.loaded, self.carried, strict=True)]


def count(program: Program, cache: int) -> Counted:
    lines = Lines(cache // LINE, Counted([0] * len(program.kernels), [0] * len(program.kernels)))
    bases: dict[str, int] = {}
    top = 0
    for number, kernel in enumerate(program.kernels):
        own = {each.name for each in kernel.buffers if each.role == "local"}
        for each in kernel.buffers:
            if each.name not in bases or each.name in own:
                bases[each.name] = top
                top += -(-each.size * BYTES[each.dtype] // LINE) * LINE
        lines.kernel = number
        Walk(kernel, bases, lines).block(kernel.body, {})
    lines.flush()
    return lines.counted


@dataclass
class Lines:
    """Those in the cache, in order of their last use, and which kernel wrote to each last; −1 if none did."""

    capacity: int
    counted: Counted
    kernel: int = 0
    held: dict[int, int] = field(default_factory=dict)

    def touch(self, line: int, written: bool) -> None:
        owner = self.held.pop(line, None)
        if owner is None:
            self.counted.loaded[self.kernel] += 1
            owner = -1
            if len(self.held) >= self.capacity:
                self.carry(self.held.pop(next(iter(self.held))))
        self.held[line] = self.kernel if written else owner

    def carry(self, owner: int) -> None:
        if owner >= 0:
            self.counted.carried[owner] += 1

    def flush(self) -> None:
        for owner in self.held.values():
            self.carry(owner)


@dataclass
class Walk:
    kernel: Kernel
    bases: dict[str, int]
    lines: Lines
    limits: list[Loop] = field(default_factory=list)
    widths: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.widths = {each.name: BYTES[each.dtype] for each in self.kernel.buffers}

    def block(self, body: Sequence[Statement], at: dict[str, int]) -> None:
        for each in body:
            if isinstance(each, Loop):
                self.loop(each, at)
            elif isinstance(each, Product):
                self.product(each, at)
            else:
                for buffer, index, written in accesses((each,)):
                    self.lines.touch(int(self.place(buffer, index, at)), written)

    def loop(self, loop: Loop, at: dict[str, int]) -> None:
        extent = loop.extent
        if loop.limit and loop.outer:
            extent = min(extent, loop.limit - at[loop.outer] * extent)
        if any(isinstance(each, Loop | Product) for each in loop.body):
            if loop.limit and not loop.outer:
                self.limits.append(loop)
            for turn in range(extent):
                self.block(loop.body, at | {loop.variable: turn})
            if loop.limit and not loop.outer:
                self.limits.pop()
        elif found := [*accesses(loop.body)]:
            self.innermost(found, at | {loop.variable: np.arange(extent)}, extent)

    def innermost(self, found: list[tuple[str, Index, bool]], at: dict[str, Any], extent: int) -> None:
        """A turn that touches the lines of the turn before changes nothing, and is left out."""
        written = [each for _, _, each in found]
        rows = np.stack([np.broadcast_to(self.place(name, index, at), extent) for name, index, _ in found], axis=1)
        new = np.ones(len(rows), bool)
        new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        for row in rows[new].tolist():
            for line, writes in zip(row, written, strict=True):
                self.lines.touch(line, writes)

    def place(self, buffer: str, index: Index, at: dict[str, Any]) -> Any:
        total = index.offset + sum(stride * at[name] for name, stride in index.strides)
        return (self.bases[buffer] + total * self.widths[buffer]) // LINE

    def product(self, product: Product, at: dict[str, int]) -> None:
        """Each side once, row after row."""
        rows = product.rows
        if self.limits:
            rows = min(rows, self.limits[-1].limit - at[self.limits[-1].variable] * rows)
        sides = ((product.left, rows, product.depth), (product.right, product.depth, product.columns))
        for area, down, along in sides:
            self.area(area, down, along, at, False)
        self.area(product.out, rows, product.columns, at, True)

    def area(self, area: Area, rows: int, columns: int, at: dict[str, int], written: bool) -> None:
        place = np.arange(rows)[:, None] * area.down + np.arange(columns) * area.along
        corner = area.start.offset + sum(stride * at[name] for name, stride in area.start.strides)
        lines = ((self.bases[area.buffer] + (corner + place) * self.widths[area.buffer]) // LINE).ravel()
        new = np.ones(len(lines), bool)
        new[1:] = lines[1:] != lines[:-1]
        for line in lines[new].tolist():
            self.lines.touch(line, written)
