"""Whether every place that a program reads or writes lies in its buffer: asked before it becomes native code.

An index is a sum of loop variables times strides, so its least and its greatest are known exactly. Only a loop that
is cut in two needs care: the last block has fewer turns, and how many depends on the loop outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.models.fusing.accesses import values
from labs.models.fusing.affine import plus, variable
from labs.models.fusing.loops import (
    Area,
    Buffer,
    Index,
    Kernel,
    Loop,
    Product,
    Program,
    Statement,
    Store,
    loads,
    statements,
)


class UnprovenError(ValueError):
    """A program that may leave its buffers."""


def proven(program: Program) -> Program:
    """The same program. Raises ``UnprovenError`` unless every access of it lies in its buffer."""
    known = {each.name: each for each in program.buffers}
    for kernel in program.kernels:
        own = {each.name: each for each in kernel.buffers}
        for name, each in own.items():
            if each.role != "local" and known.get(name, each).size < each.size:
                raise UnprovenError(f"{kernel.name} takes more of {name} than there is")
        Prover(kernel, own).body(kernel.body)
    return program


@dataclass
class Prover:
    kernel: Kernel
    buffers: dict[str, Buffer]
    nest: list[Loop] = field(default_factory=list)

    def body(self, body: tuple[Statement, ...]) -> None:
        for each in body:
            for value in values(each):
                for load in loads(value):
                    self.lies(load.buffer, load.index, load.dtype)
            match each:
                case Store(buffer, index):
                    self.lies(buffer, index)
                case Product():
                    self.product(each)
                case Loop():
                    self.nest.append(each)
                    self.body(each.body)
                    self.nest.pop()

    def product(self, it: Product) -> None:
        written = {each.buffer for each in statements(self.kernel.body) if isinstance(each, Store)}
        written |= {each.out.buffer for each in statements(self.kernel.body) if isinstance(each, Product)}
        if it.right.buffer in written:
            raise UnprovenError(f"{self.kernel.name} multiplies by {it.right.buffer}, which it writes itself")
        cut = next((each for each in reversed(self.nest) if each.limit and not each.outer), None)
        rows = Loop(".row", it.rows, (), outer=cut.variable if cut else "", limit=cut.limit if cut else 0)
        sides = (it.out, it.rows, it.columns), (it.left, it.rows, it.depth), (it.right, it.depth, it.columns)
        for area, height, width in sides:
            high = rows if area is not it.right else Loop(".row", height, ())
            self.nest += [high, Loop(".column", width, ())]
            self.lies(area.buffer, corner(area))
            del self.nest[-2:]

    def lies(self, name: str, index: Index, dtype: str = "") -> None:
        buffer = self.buffers.get(name)
        if not buffer or (dtype and buffer.dtype != dtype):
            raise UnprovenError(f"{self.kernel.name} has no {name} of {dtype or 'any type'}")
        opposite = Index(tuple((each, -step) for each, step in index.strides), -index.offset)
        least, greatest = -self.greatest(opposite), self.greatest(index)
        if least < 0 or greatest >= buffer.size:
            reached = least if least < 0 else greatest
            raise UnprovenError(f"{self.kernel.name} may reach {name}[{reached}] of {buffer.size}")

    def greatest(self, index: Index) -> int:
        """The greatest value of an index over all turns of the loops around it."""
        loops = {each.variable: each for each in self.nest}
        steps = dict(index.strides)
        if missing := steps.keys() - loops.keys():
            raise UnprovenError(f"{self.kernel.name} has no loop over {', '.join(sorted(missing))} there")
        inner = [each for each in loops.values() if each.outer in loops and each.limit]
        outer = {each.outer for each in inner}
        total = index.offset
        for name, loop in loops.items():
            if name in outer:
                blocks = [each for each in inner if each.outer == name]
                total += max(self.at(block, steps.get(name, 0), steps, blocks) for block in turning(loop, blocks))
            elif loop not in inner:
                total += max(steps.get(name, 0), 0) * (turns(loop) - 1)
        return total

    def at(self, block: int, step: int, steps: dict[str, int], inner: list[Loop]) -> int:
        """What one turn of the outer loop adds, with the most that the inner ones can add in that turn."""
        left = (min(each.extent, each.limit - block * each.extent) - 1 for each in inner)
        more = (max(steps.get(each.variable, 0), 0) * most for each, most in zip(inner, left, strict=True))
        return step * block + sum(more)


def turns(loop: Loop) -> int:
    return min(loop.extent, loop.limit) if loop.limit and not loop.outer else loop.extent


def turning(loop: Loop, inner: list[Loop]) -> Iterator[int]:
    """Turns of an outer loop among which the greatest value is: between them it grows or falls steadily."""
    last = min(turns(loop), *(-(-each.limit // each.extent) for each in inner)) - 1
    yield from {
        0,
        last,
        *(max(0, min(last, each.limit // each.extent + side)) for each in inner for side in (-1, 0)),
    }


def corner(area: Area) -> Index:
    """The element in some row and column."""
    return plus(area.start, variable(".row", area.down), variable(".column", area.along))
