"""What goes from operation to operation, and which of them go through memory together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from native.compilers.fused_kernels.contest import Program
from native.models.stages.pictures import Operation, Row

if TYPE_CHECKING:
    from labs.models.fusing.graph import Node

    from native.compilers.fused_kernels.build import Build
    from native.compilers.fused_kernels.listing import Line


@dataclass(frozen=True)
class Given:
    """An input of the program."""

    name: str
    bytes: int


@dataclass(frozen=True)
class Made:
    """What an operation makes of what it takes."""

    takes: list[int]
    """Operations by their number from 0; the first input of the program is -1, the next one -2"""
    bytes: int
    result: bool
    """Of the program"""


class Flow:
    """The graph of a build: its nodes by their place, and the operations among them by their number."""

    def __init__(self, build: Build) -> None:
        from labs.models.fusing.plan import FREE, Plan

        self.plan = Plan(build.graph.outputs)
        self.nodes = list(self.plan.nodes)
        work = (place for place, node in enumerate(self.nodes) if node.op not in FREE)
        self.numbers = {place: n for n, place in enumerate(work)}
        self.inputs = build.graph.inputs

    def operations(self) -> list[Operation]:
        return [Operation(self.nodes[place].op, self.nodes[place].line) for place in self.numbers]

    def given(self) -> list[Given]:
        return [Given(str(node.arg), self.bytes(node)) for node in self.inputs]

    def made(self) -> list[Made]:
        ends = {self.plan.base(node) for node in self.plan.ends}
        return [
            Made(self.takes(node), self.bytes(node), node in ends)
            for node in (self.nodes[place] for place in self.numbers)
        ]

    def takes(self, node: Node) -> list[int]:
        inputs = {each: -1 - place for place, each in enumerate(self.inputs)}
        found = ((each, self.numbers.get(self.plan.number[each])) for each in self.plan.sources(node))
        return [inputs.get(each, -1) if n is None else n for each, n in found if n is not None or each in inputs]

    def bytes(self, node: Node) -> int:
        return self.plan.buffer(node).size * _width(node)

    def passes(self, build: Build) -> list[list[int]]:
        """The operations of each kernel of a build of the same graph; each where it is done first."""
        from labs.models.fusing.loops import statements

        seen: set[int] = set()
        found = []
        for kernel in build.program.kernels:
            places = (getattr(each, "node", -1) for each in statements(kernel.body))
            own = {self.numbers[place] for place in places if place in self.numbers} - seen
            seen |= own
            found.append(sorted(own))
        return [own for own in found if own]

    def rows(self, lines: list[Line]) -> list[Row]:
        """Lines of machine code, each with its operation and the line of the program."""
        return [
            Row(
                line.text,
                (self.numbers[line.node],) if line.node in self.numbers else (),
                self.nodes[line.node].line if 0 <= line.node < len(self.nodes) else 0,
                line.text.endswith(":"),
            )
            for line in lines
        ]

    def each(self) -> list[list[int]]:
        return [[n] for n in range(len(self.numbers))]

    def rivals(self, program: Program) -> dict[str, list[list[int]]]:
        """NumPy goes through memory for each operation, and so does PyTorch, unless one call does them all.

        Inductor joins all; how it does a product is not known.
        """
        product = any(self.nodes[place].op == "matmul" for place in self.numbers)
        whole = [[*range(len(self.numbers))]]
        return {
            "NumPy": self.each(),
            "eager": whole if program.call else self.each(),
            "Inductor": [] if product else whole,
        }


def _width(node: Node) -> int:
    from labs.models.fusing.graph import BYTES

    return BYTES[node.dtype]
