"""Innermost loops cut into vectors: as many lanes as a register holds, one instruction for all.

A loop is worth it if its places lie side by side or are one for all lanes. A reduction in lanes has a part of the
result in each, and `unroll` takes several vectors at a time, so that no addition waits for the one before.
"""

from __future__ import annotations

from dataclasses import replace

from labs.models.fusing.accesses import accesses
from labs.models.fusing.cut import Change, cut, fresh
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Kernel, Loop, Product, Start, Statement, Update, statements


def vectorised(kernel: Kernel, width: int, unroll: int = 1) -> tuple[Kernel, list[Change]]:
    """`width` is in bytes: 32 for AVX2, 64 for AVX-512."""
    return Vectoriser(kernel, width, unroll).run()


class Vectoriser:
    def __init__(self, kernel: Kernel, width: int, unroll: int) -> None:
        self.kernel, self.width, self.unroll = kernel, width, unroll
        self.sizes = {each.name: BYTES[each.dtype] for each in kernel.buffers}
        self.changes: list[Change] = []

    def run(self) -> tuple[Kernel, list[Change]]:
        body = tuple(map(self.visit, self.kernel.body))
        return replace(self.kernel, body=body), self.changes

    def visit(self, statement: Statement) -> Statement:
        if not isinstance(statement, Loop):
            return statement
        if self.fits(statement):
            return self.vector(statement)
        return replace(statement, body=tuple(map(self.visit, statement.body)))

    def fits(self, loop: Loop) -> bool:
        """Lanes must not write to one place, nor have loops of other lengths."""
        steps = [(index.along(loop.variable), written) for _, index, written in accesses(loop.body)]
        if any(
            isinstance(each, Product) or (isinstance(each, Loop) and each.outer) for each in statements(loop.body)
        ):
            return False
        if any(written and not step for step, written in steps) or not steps:
            return False
        inside = any(isinstance(each, Loop) for each in loop.body)
        if inside and not any(isinstance(each, Start) for each in loop.body):
            return False  # the loop inside is the better one, or neither is
        good = sum(step in (0, 1) for step, _ in steps)
        return any(step == 1 for step, _ in steps) and (good == len(steps) if inside else 2 * good > len(steps))

    def vector(self, loop: Loop) -> Loop:
        sizes = [self.sizes[name] for name, _, _ in accesses(loop.body)]
        lanes = self.width // max(sizes)
        adds = any(isinstance(each, Update) for each in loop.body)
        if loop.extent <= lanes:
            self.note(
                loop, f"{loop.variable} in one vector of {loop.extent}", "its elements lie side by side in memory"
            )
            return replace(loop, kind="vector")
        if loop.limit or loop.outer:
            self.note(loop, f"{loop.variable} in vectors", "its elements lie side by side in memory")
            return replace(loop, kind="vector")
        many = min(self.unroll, loop.extent // lanes) if adds else 1
        if many > 1:
            outer = fresh(f"{loop.variable}o", self.kernel.body)
            blocks = cut(loop, lanes * many, "serial", outer)
            (block,) = blocks.body
            assert isinstance(block, Loop)
            self.note(loop, f"{loop.variable} in {many} vectors of {lanes} at a time", WAITING)
            return replace(blocks, body=(replace(block, kind="vector"),))
        self.note(loop, f"{loop.variable} in vectors of {lanes}", "its elements lie side by side in memory")
        return cut(loop, lanes, "vector", fresh(f"{loop.variable}o", self.kernel.body))

    def note(self, loop: Loop, what: str, why: str) -> None:
        self.changes.append(Change(self.kernel.name, "vectors", what, why))


WAITING = "each addition waits for the one before, and several sums do not wait for one another"
