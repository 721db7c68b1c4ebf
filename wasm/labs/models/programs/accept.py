"""Which programs are taken: straight lines of tensor code, bounded loops, small functions, nothing else.

A whitelist of the nodes of a syntax tree, so that the rest is refused with its place before anything runs.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from labs.models.nesting import too_deep
from labs.models.programs.trouble import ProgramError, refuse

DEPTH = 24  # of the syntax tree
LARGEST = 2**53  # a whole number that a float64 still holds exactly
# fmt: off
TAKEN = frozenset({
    "Module", "Expr", "Assign", "AugAssign", "With", "withitem", "For", "If", "FunctionDef", "Lambda", "Return",
    "Pass", "Delete", "arguments", "arg", "keyword", "Load", "Store", "Del", "Constant", "Name", "Attribute",
    "Subscript", "Slice", "BinOp", "UnaryOp", "Compare", "Call", "List", "Tuple", "Add", "Sub", "Mult", "Div",
    "Pow", "MatMult", "UAdd", "USub", "Gt", "GtE", "Lt", "LtE", "Eq",
})
# fmt: on
CALLED = {
    "Import": "import is not needed; tensor, exp, no_grad and the like are there already",
    "ImportFrom": "import is not needed; tensor, exp, no_grad and the like are there already",
    "While": "while is not taken here; write for _ in range(…)",
    "ListComp": "a list comprehension is not taken here; write the list out",
    "GeneratorExp": "a generator is not taken here; write the list out",
    "ClassDef": "classes are not taken here; write a function",
    "BoolOp": "and and or are not taken here; write one if inside of the other",
    "AnnAssign": "the type of a variable is not taken here; leave it out",
    "JoinedStr": "f-strings are not taken here; print takes several values",
    "Dict": "dictionaries are not taken here; use one name for each value",
    "Starred": "* before a value is not taken here; write the values out",
    "Mod": "% is not taken here",
    "FloorDiv": "// is not taken here; use /",
}


@dataclass(frozen=True)
class Language:
    """A part of Python, to which `check` keeps a program."""

    taken: frozenset[str]
    instead: Mapping[str, str]
    """What to do without a node that is not taken."""
    twice: str
    """How it compares twice."""
    refused: Callable[[ast.AST, int], str]
    """What else it does not take, of a node so deep in the tree; empty if it does."""


def parse(source: str) -> ast.Module:
    """The syntax tree of a program that is taken. Raises ``ProgramError``."""
    tree = read(source)
    check(tree, TRACED)
    return tree


def read(source: str) -> ast.Module:
    """The syntax tree of anything that is Python and not nested too deeply. Raises ``ProgramError``."""
    if place := too_deep(source):
        raise ProgramError(
            f"line {place[0]}, column {place[1]}: this is nested too deeply; give a part of it a name"
        )
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except SyntaxError as wrong:
        message = wrong.msg.partition(". ")[0]
        raise ProgramError(f"line {wrong.lineno or 1}, column {wrong.offset or 1}: {message}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ProgramError("this program cannot be read; make it simpler") from None
    if not tree.body:
        raise ProgramError("there is no statement; write one, or choose an example")
    return tree


def check(node: ast.AST, language: Language, depth: int = 0, inside: bool = False) -> None:
    """``inside`` of a function. Raises ``ProgramError``."""
    name = type(node).__name__
    if name not in language.taken:
        raise refuse(node, language.instead.get(name, f"{name} is not taken here"))
    if depth > DEPTH:
        raise refuse(node, "this is nested too deeply; give a part of it a name")
    if why := language.refused(node, depth):
        raise refuse(node, why)
    match node:
        case ast.Constant():
            literal(node)
        case ast.FunctionDef() if node.decorator_list or node.returns:
            raise refuse(node, "decorators and the type of a result are not taken here; leave them out")
        case ast.arguments() if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs or node.defaults:
            raise ProgramError("parameters of a function are plain names here, without *, / or a default")
        case ast.arguments() if len({each.arg for each in node.args}) < len(node.args):
            raise ProgramError("two parameters have one name; give each its own")
        case ast.keyword(arg=None):
            raise refuse(node, "** before an argument is not taken here; write the arguments out")
        case ast.Return() if not inside:
            raise refuse(node, "return stands inside of a function")
        case ast.Compare() if len(node.ops) > 1:
            raise refuse(node, f"one comparison at a time; write {language.twice}")
        case ast.For() if node.orelse:
            raise refuse(node, "else after for is not taken here")
    inside = inside or isinstance(node, ast.FunctionDef)
    for child in ast.iter_child_nodes(node):
        check(child, language, depth + 1, inside)


def refused(node: ast.AST, depth: int) -> str:
    match node:
        case ast.Name(id=found) | ast.arg(arg=found) if found.startswith("__"):
            return f"{found[:20]} is not taken here; begin names with a letter"
        case ast.arg(annotation=ast.expr()):
            return "annotations are not taken here; leave the type out"
    return ""


TRACED = Language(TAKEN, CALLED, "a < b, not a < b < c", refused)


def literal(node: ast.Constant) -> None:
    value = node.value
    if isinstance(value, bytes | complex):
        raise refuse(node, "bytes and complex numbers are not taken here; write a number such as 0.5")
    if isinstance(value, int) and abs(value) > LARGEST:
        raise refuse(node, "this number is too large; stay below 2**53")
    if isinstance(value, float) and not math.isfinite(value):
        raise refuse(node, "this number is too large for 64 bits; write a smaller one")
