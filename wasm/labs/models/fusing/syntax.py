"""Which programs are taken: functions of tensors, straight on, with loops of a known length; nothing is executed.

The last function whose parameters all have a type, such as `x: f32[1024, 64]`, is the program. Those above may be
called from it, and so may numbers that have a name: `n = 1024`.
"""

from __future__ import annotations

import ast

from labs.models.fusing.graph import DTYPES
from labs.models.traced.accept import DEPTH, literal, read
from labs.models.traced.trouble import ProgramError, refuse

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
    check(tree, 0)
    return tree


def check(node: ast.AST, depth: int) -> None:
    name = type(node).__name__
    if name not in TAKEN:
        raise refuse(node, INSTEAD.get(name, f"{name} is not taken here"))
    if depth > DEPTH:
        raise refuse(node, "this is nested too deeply; give a part of it a name")
    match node:
        case ast.Constant():
            literal(node)
        case ast.FunctionDef() if node.decorator_list or node.returns:
            raise refuse(node, "decorators and the type of a result are not taken here; leave them out")
        case ast.FunctionDef() if depth != 1:
            raise refuse(node, "a function stands outside of others; move it up")
        case ast.arguments() if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs or node.defaults:
            raise ProgramError("parameters of a function are plain names here, without *, / or a default")
        case ast.arguments() if len({each.arg for each in node.args}) < len(node.args):
            raise ProgramError("two parameters have one name; give each its own")
        case ast.keyword(arg=None):
            raise refuse(node, "** before an argument is not taken here; write the arguments out")
        case ast.Return() if depth < 2:
            raise refuse(node, "return stands inside of a function")
        case ast.Compare() if len(node.ops) > 1:
            raise refuse(node, "one comparison at a time; write (a < b) & (b < c)")
        case ast.For() if node.orelse:
            raise refuse(node, "else after for is not taken here")
    for child in ast.iter_child_nodes(node):
        check(child, depth + 1)


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
