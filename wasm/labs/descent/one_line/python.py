"""What Python itself makes of the line: its tree, its bytecode, and the stack after each instruction.

Tree and bytecode are those of the Python that runs this. The stack is followed by name: nothing is executed.
"""

from __future__ import annotations

import ast
import dis
from dataclasses import dataclass
from functools import lru_cache

from labs.models.one_line.line import Line

HIDDEN = {"CACHE", "RESUME", "PRECALL", "NOP", "EXTENDED_ARG"}
"""They keep a place for later, prepare a call, or say where a function begins: the line does not need them."""


@dataclass(frozen=True)
class Branch:
    """A node of the syntax tree."""

    label: str
    begin: int
    end: int
    """Its characters in the line."""
    depth: int


@dataclass(frozen=True)
class Instruction:
    """One instruction of CPython's bytecode."""

    name: str
    argument: str
    begin: int
    end: int
    """The characters that it comes from."""
    stack: list[str]
    """After it, the topmost last; each as the part of the line that made it."""


@lru_cache(maxsize=16)
def tree(line: Line) -> list[Branch]:
    """Those that have characters of their own, from the root down."""
    found: list[Branch] = []

    def put(node: ast.AST, depth: int) -> None:
        if isinstance(node, ast.expr | ast.stmt):
            found.append(Branch(label(node), node.col_offset, node.end_col_offset or 0, depth))
            depth += 1
        for each in ast.iter_child_nodes(node):
            put(each, depth)

    put(ast.parse(line.source).body[0], 0)
    return found


def label(node: ast.AST) -> str:
    kind = type(node).__name__
    match node:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return f"{kind} {type(op).__name__}"
        case ast.Name(id=name):
            return f"Name {name}"
        case ast.Constant(value=value):
            return f"Constant {value!r}"
        case ast.Attribute(attr=attr):
            return f"Attribute {attr}"
    return kind


@lru_cache(maxsize=16)
def bytecode(line: Line) -> list[Instruction]:
    """Up to the instruction that gives the result its name."""
    found: list[Instruction] = []
    stack: list[str] = []
    for each in dis.get_instructions(compile(line.source, "line", "exec")):
        if each.opname in HIDDEN:
            continue
        place = each.positions
        begin, end = (place.col_offset or 0, place.end_col_offset or 0) if place else (0, 0)
        stack = after(each, stack, line.source[begin:end])
        found.append(Instruction(each.opname, argument(each), begin, end, stack))
        if each.opname.startswith("STORE_"):
            break
    return found


@lru_cache(maxsize=16)
def listed(line: Line) -> int:
    """How many instructions ``dis`` lists."""
    return len(list(dis.get_instructions(compile(line.source, "line", "exec"))))


def argument(each: dis.Instruction) -> str:
    return each.argrepr or ("" if each.arg is None else str(each.arg))


def after(each: dis.Instruction, stack: list[str], source: str) -> list[str]:
    """The stack behind an instruction. What is taken and put is as many as ``dis.stack_effect`` says."""
    name = each.opname
    if name.startswith("STORE_"):
        return stack[:-1]
    if name == "PUSH_NULL":
        return [*stack, "NULL"]
    if name.startswith("BINARY_OP"):
        return [*stack[:-2], source]
    if name == "CALL":
        return [*stack[: -(each.arg or 0) - 2], source]
    if name.startswith(("UNARY_", "LOAD_ATTR")):
        return [*stack[:-1], source]
    assert name.startswith("LOAD_"), name
    return [*stack, source]
