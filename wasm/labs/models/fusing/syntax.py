"""Which programs are taken: functions of tensors, straight on, with loops of a known length; nothing is executed.

The last function whose parameters all have a type, such as `x: f32[1024, 64]`, is the program. Those above may be
called from it, and so may numbers that have a name: `n = 1024`.
"""

from __future__ import annotations

import ast

from labs.models.fusing.graph import DTYPES
from labs.models.programs.accept import Language, check, read
from labs.models.programs.trouble import ProgramError, refuse

# fmt: off
TAKEN = frozenset({
    "Module", "FunctionDef", "arguments", "arg", "Return", "Assign", "AugAssign", "For", "If", "Expr", "Pass",
    "Constant", "Name", "Attribute", "Subscript", "Slice", "BinOp", "UnaryOp", "Compare", "Call", "keyword",
    "Tuple", "List", "Load", "Store", "Add", "Sub", "Mult", "Div", "FloorDiv", "Pow", "MatMult", "UAdd", "USub",
    "Not", "Invert", "BitAnd", "BitOr", "Gt", "GtE", "Lt", "LtE", "Eq", "NotEq", "Import", "ImportFrom", "alias",
})
# fmt: on
INSTEAD = {
    "While": "while is not taken here; write for _ in range(…)",
    "IfExp": "… if … else … is not taken here; write where(condition, a, b)",
    "BoolOp": "and and or are not taken here; between conditions write & and |, in brackets",
    "ListComp": "a list comprehension is not taken here; write a loop",
    "ClassDef": "classes are not taken here; write a function",
    "Lambda": "lambda is not taken here; write a function above",
    "AnnAssign": "the type of a variable is not taken here; leave it out, or cast with .to(f32)",
    "With": "with is not taken here; leave it out",
    "Starred": "* before a value is not taken here; write the values out",
    "Mod": "% is not taken here",
}


def parse(source: str) -> ast.Module:
    """Raises ``ProgramError``."""
    tree = read(source)
    check(tree, TENSORS)
    return tree


def refused(node: ast.AST, depth: int) -> str:
    nested = isinstance(node, ast.FunctionDef) and depth != 1
    return "a function stands outside of others; move it up" if nested else ""


TENSORS = Language(TAKEN, INSTEAD, "(a < b) & (b < c)", refused)


def main(tree: ast.Module) -> ast.FunctionDef:
    """The function that is compiled."""
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    if not functions:
        raise ProgramError("there is no function; write one, such as def f(x: f32[1024]): return x + 1")
    typed = [each for each in functions if all(arg.annotation for arg in each.args.args)]
    if not typed:
        first = functions[-1].args.args[0]
        raise refuse(first, f"give {first.arg[:20]} a type and a shape, such as {first.arg[:20]}: f32[1024, 64]")
    return typed[-1]


def dtype(node: ast.expr) -> str:
    """Of an annotation, whose shape is the caller's to find."""
    name = node.value if isinstance(node, ast.Subscript) else node
    if isinstance(name, ast.Name) and name.id in DTYPES:
        return name.id
    raise refuse(node, f"this is no type of a tensor; write f32[1024, 64], with one of {', '.join(DTYPES)}")
