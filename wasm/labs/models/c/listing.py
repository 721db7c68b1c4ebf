"""What the front end makes of a program, as lists of lines that name each other.

Every instruction of three-address code has a number in the whole program; a line of any later stage says by these
numbers what it comes from, and the code says which characters of the source that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache

from labs.models.c import ssa, tree, types
from labs.models.c.code import Instruction, Routine, Temporary, Unit
from labs.models.c.macros import MOST, tokenize

MARKS = ("statement", "live", "dead", "constant")  # for debuggers and for the machine: they compute nothing


@dataclass(frozen=True)
class Piece:
    """A token."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Branch:
    """A node of the syntax tree; its children follow it, one deeper."""

    depth: int
    role: str
    """What it is to its parent, such as the condition of an if."""
    kind: str
    detail: str
    """Its operator, name, value or type."""
    start: int
    end: int


@dataclass(frozen=True)
class Line:
    """An instruction of three-address code, or a label. Its number is its place in the list."""

    routine: str
    text: str
    op: str
    start: int
    end: int


@dataclass(frozen=True)
class Valued:
    """A line of the SSA form."""

    block: int
    text: str
    code: int
    """The number of the instruction that it was; -1 for what is new, such as a phi."""
    defines: str
    uses: list[str]


@dataclass(frozen=True)
class Part:
    """A basic block of the SSA form, by its number in the program."""

    number: int
    routine: str
    before: list[int]
    """The blocks that lead here."""
    dominator: int
    """The last block on every way here; -1 for an entry."""


def pieces(source: str) -> list[Piece]:
    found = [each for each in tokenize(source, MOST) if each.kind != "end"]
    return [Piece(each.kind, each.text, each.start, each.end) for each in found]


def branches(program: tree.Program) -> Iterator[Branch]:
    tops: list[tree.Node] = [*program.variables, *program.functions.values()]
    for node in sorted(tops, key=lambda node: node.span):
        yield from branch(node, 0, "")[1]


def branch(node: tree.Node, depth: int, role: str) -> tuple[int, list[Branch]]:
    """Where a node ends, and its lines. The span of a loop is its head, which is what its jumps come from; the node
    holds the body, too."""
    end, below = node.span[1], list[Branch]()
    kind: type = type(node)
    for name in parts(kind):
        value = getattr(node, name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, tree.Node):
                last, lines = branch(child, depth + 1, name)
                end = max(end, last)
                below += lines
    return end, [Branch(depth, role, type(node).__name__, detail(node), node.span[0], end), *below]


@cache
def parts(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node that may hold others."""
    return tuple(each.name for each in fields(kind) if each.name not in ("place", "span"))


def detail(node: tree.Node) -> str:
    match node:
        case tree.Text(data=data):
            return f'"{data.decode(errors="replace")}"'
        case tree.Constant() | tree.Case():
            return "default" if node.value is None else str(node.value)
        case tree.Variable() | tree.Parameter():
            return f"{node.type} {node.name}"
        case tree.Definition():
            return f"{node.type.returns} {node.name}"
        case tree.Access():
            return f"{'->' if node.arrow else '.'}{node.member}"
        case tree.Assign():
            return "=" if node.op == "=" else f"{node.op}="
        case tree.Unary() | tree.Binary() | tree.Step():
            return node.op
        case tree.Name() | tree.Call() | tree.Mark() | tree.Goto():
            return node.name
        case tree.Loop() | tree.Leave():
            return node.keyword
        case tree.Cast() | tree.Compound():
            return str(node.type)
        case tree.SizeOf(of=of) if isinstance(of, types.KINDS):
            return str(of)
    return ""


def numbered(unit: Unit) -> list[tuple[Routine, int, Instruction]]:
    """The instructions of the whole program that a listing shows, each with its index in its routine."""
    return [
        (routine, index, each)
        for routine in unit.routines.values()
        for index, each in enumerate(routine.body)
        if each.op not in MARKS
    ]


def lines(unit: Unit) -> list[Line]:
    return [Line(routine.name, str(each), each.op, *each.span) for routine, _, each in numbered(unit)]


@dataclass(frozen=True)
class Values:
    """The SSA form of a whole program."""

    forms: list[ssa.Form]
    parts: list[Part]
    lines: list[Valued]


def values(unit: Unit) -> Values:
    numbers = {(routine.name, index): number for number, (routine, index, _) in enumerate(numbered(unit))}
    found = Values([ssa.convert(routine) for routine in unit.routines.values()], [], [])
    for form in found.forms:
        first = len(found.parts)
        for block in form.blocks:
            above = first + block.dominator.number if block.dominator else -1
            before = [first + each.number for each in block.predecessors]
            found.parts.append(Part(first + block.number, form.routine.name, before, above))
            for phi in form.phis[block.number]:
                sources = {first + number: value for number, value in phi.sources.items()}
                inside = ", ".join(f"B{number}: {value}" for number, value in sources.items())
                uses = [str(each) for each in sources.values() if isinstance(each, Temporary)]
                text = f"{phi.result} = φ({inside})"
                found.lines.append(Valued(first + block.number, text, -1, str(phi.result), uses))
            for index, each in form.bodies[block.number]:
                uses = [str(operand) for operand in each.operands if isinstance(operand, Temporary)]
                defines = str(each.result or "")
                text = told(each, [first + way.number for way in block.successors])
                code = numbers.get((form.routine.name, index), -1)
                found.lines.append(Valued(first + block.number, text, code, defines, uses))
    return found


def told(it: Instruction, ways: list[int]) -> str:
    """Like three-address code, but one goes to blocks."""
    match it.op:
        case "jump":
            return f"goto B{ways[0]}"
        case "branch":
            return f"if {it.operands[0]} goto B{ways[0]} else B{ways[-1]}"
    return str(it)
