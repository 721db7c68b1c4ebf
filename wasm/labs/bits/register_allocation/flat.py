"""Code that a register allocator takes: blocks of lines over names, without phis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from labs.models.c import types
from labs.models.c.code import Constant, Instruction, Temporary
from labs.models.c.ssa import Form, Undefined, Value
from labs.models.c.trouble import CError

ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="])
Operand = str | int


@dataclass(frozen=True)
class Line:
    op: str
    """An operator of C, or a word: convert, negate, invert, move, argument, load, store, branch, jump, return."""
    result: str = ""
    operands: tuple[Operand, ...] = ()
    type: types.Integer = types.INT
    """Of the operands."""
    made: types.Integer = types.INT
    """Of the result."""
    place: int = 0
    """Line in the source."""
    slot: int = -1
    """The place in memory that ``load`` and ``store`` use; for ``argument`` its number."""
    temporary: bool = False
    """Made by a spill: it lives for one line, and spilling it again would help nobody."""

    @cached_property
    def uses(self) -> list[str]:
        return [each for each in self.operands if isinstance(each, str)]

    def renamed(self, names: dict[str, str]) -> Line:
        operands = tuple(names.get(each, each) if isinstance(each, str) else each for each in self.operands)
        return replace(self, result=names.get(self.result, self.result), operands=operands)

    def __str__(self) -> str:
        a, b = (*map(str, self.operands), "", "")[:2]
        match self.op:
            case "move":
                return f"{self.result} = {a}"
            case "argument":
                return f"{self.result} = argument {self.slot + 1}"
            case "load":
                return f"{self.result} = memory[{self.slot}]"
            case "store":
                return f"memory[{self.slot}] = {a}"
            case "convert":
                return f"{self.result} = ({self.made}) {a}"
            case "negate" | "invert":
                return f"{self.result} = {'-' if self.op == 'negate' else '~'}{a}"
            case "branch":
                return f"if {a}"
            case "jump":
                return "goto"
            case "return":
                return f"return {a}".rstrip()
        return f"{self.result} = {a} {self.op} {b}"


@dataclass(frozen=True)
class Block:
    lines: tuple[Line, ...]
    successors: tuple[int, ...]
    """For a branch: where to go if it holds, and where else."""
    depth: int
    """Loops around it."""


def flatten(form: Form) -> list[Block]:
    """Each phi becomes a name of its own, set at the end of every block before, read at the start of its block.

    That is more moves than needed, and safe whatever the phis of a block have to do with each other; joining what
    moves connect is the allocator's business.
    """
    blocks = []
    depths = loops(form)
    for block, phis, body in zip(form.blocks, form.phis, form.bodies, strict=True):
        lines: list[Line] = []
        if block.number == 0:
            parameters = [slot.key for slot in form.routine.parameters]
            for key, value in form.arguments.items():
                kind = integer(value.type, form)
                lines.append(Line("argument", str(value), made=kind, slot=parameters.index(key)))
        for phi in phis:
            kind = integer(phi.result.type, form)
            lines.append(Line("move", str(phi.result), (f"{phi.result}'",), kind, kind))
        flat = [line(each, form) for _, each in body]
        moves = []
        for following in block.successors:
            for phi in form.phis[following.number]:
                kind = integer(phi.result.type, form)
                source = operand(phi.sources[block.number], form)
                place = flat[-1].place
                moves.append(Line("move", f"{phi.result}'", (source,), kind, kind, place))
        lines += [*flat[:-1], *moves, flat[-1]]
        successors = tuple(each.number for each in block.successors)
        blocks.append(Block(tuple(lines), successors, depths[block.number]))
    return blocks


def line(each: Instruction, form: Form) -> Line:
    place = each.place
    if each.op not in ARITHMETIC | {"convert", "negate", "invert", "branch", "jump", "return"}:
        what = {"call": "a call", "load": "memory", "store": "memory", "copy": "memory"}.get(each.op, "a pointer")
        raise CError(f"this needs {what}; write one function of whole numbers, without arrays and calls", place)
    operands = tuple(operand(value, form) for value in each.operands)
    kind = integer(each.operands[0].type, form) if each.operands else types.INT
    made = integer(each.result.type, form) if each.result else types.INT
    return Line(each.op, str(each.result or ""), operands, kind, made, place.line)


def operand(value: Value, form: Form) -> Operand:
    if isinstance(value, Undefined):
        raise CError("a variable may be read here before it has a value; give it one", form.routine.place)
    if isinstance(value, Temporary):
        return str(value)
    if isinstance(value, Constant) and isinstance(value.value, int):
        return value.value
    raise CError("only whole numbers are taken here", form.routine.place)


def integer(kind: types.Type, form: Form) -> types.Integer:
    if not isinstance(kind, types.Integer):
        raise CError(f"{kind} is not taken here; use whole numbers only", form.routine.place)
    return kind


def loops(form: Form) -> list[int]:
    """By block, how many loops it lies in: a way back to a block that dominates it makes one."""
    inside = [set[int]() for _ in form.blocks]
    for block in form.blocks:
        for head in block.successors:
            above = block
            while above is not head and above.dominator:
                above = above.dominator
            if above is not head:
                continue
            body, work = {head.number}, [block]
            while work:
                each = work.pop()
                if each.number not in body:
                    body.add(each.number)
                    work += each.predecessors
            for number in body:
                inside[number].add(head.number)
    return [len(heads) for heads in inside]
