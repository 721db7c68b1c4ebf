"""Pictures of a graph on its way to loops: rows that keep their number and name from picture to picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from labs.compilers.fusing_compiler.emit_c import Line
from labs.compilers.fusing_compiler.pictures import Change, Code, Row, Work
from labs.models.fusing import ops, show
from labs.models.fusing.cost import Cost, Machine, costs
from labs.models.fusing.graph import BYTES, REDUCE, Node, walk
from labs.models.fusing.loops import Program
from labs.models.fusing.lower import lower
from labs.models.fusing.plan import FREE, VIEWS
from labs.models.fusing.read import Graph
from labs.models.fusing.space import wide
from labs.models.fusing.weights import weight

Matrix = tuple[tuple[int, ...], str]
"""Its shape and its type."""
SMALL = "₀₁₂₃₄₅₆₇₈₉"


def plus(one: Work, other: Work) -> Work:
    return Work(one.bytes + other.bytes, one.operations + other.operations)


def minus(one: Work, other: Work) -> Work:
    return Work(one.bytes - other.bytes, one.operations - other.operations)


class Painter:
    def __init__(self, graph: Graph, numbers: dict[Node, int]) -> None:
        self.graph, self.numbers = graph, dict(numbers)
        self.names: dict[int, str] = {}
        self.taken: set[str] = set()
        self.rows: list[Row] = []
        self.texts: dict[Node, str] = {}
        self.drawn: dict[tuple[Node, str, int, bool], Row] = {}
        """Most rows of a picture stood in the one before."""

    def name(self, node: Node) -> str:
        """The program's; where it calls several so, they are told apart."""
        number = self.numbers[node]
        if number not in self.names:
            wanted = str(node.arg) if node.op == "input" else self.graph.called.get(node, f"v{number}")
            name, count = wanted, 1
            while name in self.taken:
                count += 1
                name = wanted + "".join(SMALL[int(digit)] for digit in str(count))
            self.names[number] = name
            self.taken.add(name)
        return self.names[number]

    def paint(
        self,
        graph: Graph,
        numbers: dict[Node, int],
        kernels: dict[Node, int] | None = None,
        order: Sequence[Node] = (),
    ) -> list[Row]:
        """Its rows, and where the last picture had others, those as gone."""
        self.graph = graph
        self.numbers |= numbers
        ends = set(graph.outputs)
        all_ = walk((*graph.called, *graph.outputs))
        nodes = order or [node for node in all_ if node.op != "const" or node in ends]
        before = {row.number: row.text for row in self.rows}
        made = [self.row(node, before, ends, kernels or {}) for node in nodes]
        found = self.merged(made)
        self.rows = made
        return found

    def row(self, node: Node, before: dict[int, str], ends: set[Node], kernels: dict[Node, int]) -> Row:
        number = self.numbers[node]
        if node not in self.texts:
            self.texts[node] = show.operation(node, self.name)
        text = self.texts[node]
        known = before.get(number, None if before else text)
        change: Change = "new" if known is None else "same" if known == text else "changed"
        key = node, change, kernels.get(node, -1), node in ends
        if key not in self.drawn:
            self.drawn[key] = Row(
                number=number,
                name=self.name(node),
                text=text,
                type=show.kind(node),
                line=node.line,
                uses=[self.numbers[each] for each in dict.fromkeys(node.inputs) if each.op != "const"],
                change=change,
                kernel=kernels.get(node, -1),
                output=node in ends,
                view=node.op in VIEWS,
            )
        return self.drawn[key]

    def merged(self, made: list[Row]) -> list[Row]:
        """What is gone stays for one picture, before what followed it."""
        now = {row.number: row for row in made}
        found: list[Row] = []
        waiting: dict[int, list[Row]] = {}
        gone: list[Row] = []
        for row in self.rows:
            if row.number not in now:
                gone.append(replace(row, change="gone", output=False))
            elif gone:
                waiting[row.number], gone = gone, []
        for row in made:
            found += [*waiting.get(row.number, ()), row]
        return found + gone

    def changed(self, old: Iterable[Node], before: Node, after: Node) -> tuple[str, str]:
        """Both sides of a rewrite as formulas, down to what they have in common."""
        known = set(old)
        now = set(walk(self.graph.outputs))
        left = show.formula(before, lambda node: node is before or node not in now, self.name)
        right = show.formula(after, lambda node: node not in known, self.name)
        return left, right


def tally(graph: Graph, machine: Machine) -> Work:
    """If every operation went through memory by itself. What is written is loaded before, a line at a time."""
    total = Work(0.0, 0.0)
    for node in walk(graph.outputs):
        if node.op in FREE:
            continue
        if node.op == "matmul":
            total = plus(total, product(*((each.shape, each.dtype) for each in node.inputs), machine))
            continue
        inputs = [each for each in dict.fromkeys(node.inputs) if each.op != "const"]
        elements, moved = math.prod(node.shape), 2 * size(node) + sum(map(size, set(map(behind, inputs))))
        if node.op in REDUCE:
            total = plus(total, Work(moved, 2 * math.prod(node.inputs[0].shape) + elements))
        else:
            total = plus(total, Work(moved, elements * (arithmetic(node) + len(inputs) + 1)))
    return total


def arithmetic(node: Node) -> int:
    """Of an element; a number that only becomes wider does so while it is loaded."""
    widened = node.op == "cast" and wide(node.inputs[0].dtype) == node.dtype
    return 0 if widened else weight(node.op)


@cache
def product(left: Matrix, right: Matrix, machine: Machine) -> Work:
    """Of a product alone: how often it goes over its right factor, its loops know."""
    factors = [ops.input(name, *matrix) for name, matrix in (("left", left), ("right", right))]
    return spent(costs(lower([ops.matmul(*factors)]), machine))


def spent(kernels: Sequence[Cost]) -> Work:
    return Work(sum(each.bytes for each in kernels), sum(each.operations + each.products for each in kernels))


def behind(node: Node) -> Node:
    while node.op in VIEWS:
        (node,) = node.inputs
    return node


def size(node: Node) -> int:
    return math.prod(node.shape) * BYTES[node.dtype]


def code(
    program: Program, nodes: Sequence[Node], numbers: dict[Node, int], before: Sequence[Sequence[Code]]
) -> list[list[Code]]:
    """The lines of each kernel; a statement's number is a place among `nodes`."""
    known = {(line.text, line.depth) for lines in before for line in lines}

    def written(line: show.Line) -> Code:
        node = nodes[line.node] if line.node >= 0 else None
        new = bool(known) and (line.text, line.depth) not in known
        return Code(line.text, line.depth, numbers[node] if node else -1, node.line if node else 0, new)

    return [[written(line) for line in show.kernel(kernel)] for kernel in program.kernels]


def listing(lines: Iterable[Line], nodes: Sequence[Node], numbers: dict[Node, int]) -> list[Code]:
    """A file of C or CUDA, whose lines know their node as those of loops do."""
    found = []
    for line in lines:
        node = nodes[line.node] if line.node >= 0 else None
        text = line.text.lstrip(" ")
        depth = (len(line.text) - len(text)) // 2
        found.append(Code(text, depth, numbers[node] if node else -1, node.line if node else 0, False))
    return found
