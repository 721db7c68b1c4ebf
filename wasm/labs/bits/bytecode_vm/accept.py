"""Which programs are taken: the syntax is checked before CPython's compiler sees it."""

from __future__ import annotations

import ast
import warnings
from types import CodeType

from labs.bits.bytecode_vm.trouble import RefusedError
from labs.models.nesting import too_deep

DEPTH = 40  # of the syntax tree
BLOCKS = 8  # statements inside of statements: nested loops copy their conditions
# fmt: off
TAKEN = frozenset({
    "Module", "Expr", "Assign", "AugAssign", "Return", "Delete", "If", "While", "For", "Break", "Continue", "Pass",
    "Assert", "Raise", "Try", "ExceptHandler", "FunctionDef", "Lambda", "Global", "Nonlocal", "arguments", "arg",
    "keyword", "Load", "Store", "Del", "Constant", "Name", "Attribute", "Subscript", "Slice", "Starred", "BinOp",
    "UnaryOp", "BoolOp", "Compare", "IfExp", "NamedExpr", "Call", "List", "Tuple", "Dict", "Set", "ListComp",
    "DictComp", "SetComp",
    "comprehension", "JoinedStr", "FormattedValue", "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "LShift",
    "RShift", "BitOr", "BitXor", "BitAnd", "Invert", "Not", "UAdd", "USub", "And", "Or", "Eq", "NotEq", "Lt", "LtE",
    "Gt", "GtE", "Is", "IsNot", "In", "NotIn",
})
# fmt: on
CALLED = {
    "ClassDef": "class",
    "Import": "import",
    "ImportFrom": "import",
    "With": "with",
    "Match": "match",
    "Yield": "yield",
    "YieldFrom": "yield from",
    "Await": "await",
    "AsyncFunctionDef": "async def",
    "AsyncFor": "async for",
    "AsyncWith": "async with",
    "TryStar": "except*",
    "GeneratorExp": "a generator expression; write a list in [ ]",
    "MatMult": "@",
    "TemplateStr": "a t-string",
    "TypeAlias": "type",
    "AnnAssign": "the type of a variable; leave it out",
}


def compile_python(source: str) -> CodeType:
    """What this interpreter's own compiler makes of the program. Raises ``RefusedError``."""
    if place := too_deep(source):
        raise RefusedError(f"line {place[0]}: this is nested too deeply; make it flatter")
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except SyntaxError as wrong:
        raise RefusedError(f"line {wrong.lineno}: {wrong.msg.partition('. ')[0]}") from None
    except (ValueError, RecursionError, MemoryError):
        raise RefusedError("this program cannot be read; make it simpler") from None
    if not tree.body:
        raise RefusedError("there is no statement; write one")
    check(tree, 0, 0)
    try:
        with warnings.catch_warnings(action="ignore"):
            return compile(tree, "<program>", "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError) as wrong:
        raise RefusedError(str(wrong).partition(". ")[0]) from None
    except (RecursionError, MemoryError):
        raise RefusedError("this program is nested too deeply; make it flatter") from None


def check(node: ast.AST, depth: int, blocks: int) -> None:
    line = f"line {getattr(node, 'lineno', 1)}: "
    name = type(node).__name__
    if name not in TAKEN:
        raise RefusedError(f"{line}{CALLED.get(name, name)} is not taken here")
    if depth > DEPTH or blocks > BLOCKS:
        raise RefusedError(f"{line}this is nested too deeply; make it flatter")
    match node:
        case ast.Try() if any(isinstance(inner, ast.Try) for each in node.finalbody for inner in ast.walk(each)):
            raise RefusedError(f"{line}try inside of finally is not taken here")
        case ast.FunctionDef() if node.decorator_list:
            raise RefusedError(f"{line}decorators are not taken here")
        case ast.arguments() if node.vararg or node.kwarg:
            raise RefusedError("functions with * or ** parameters are not taken here; name each parameter")
        case ast.Call() if any(isinstance(each, ast.Starred) for each in node.args):
            raise RefusedError(f"{line}calls with * are not taken here; write out the arguments")
        case ast.keyword(arg=None):
            raise RefusedError(f"{line}calls with ** are not taken here; write out the arguments")
        case ast.Attribute() if not isinstance(node.ctx, ast.Load) or node.attr.startswith("_"):
            raise RefusedError(f"{line}.{node.attr} is not taken here; only methods are")
        case ast.Name(id=name) if name.startswith("__"):
            raise RefusedError(f"{line}{name} is not taken here; begin names with a letter")
        case ast.Constant(value=bytes() | complex()):
            raise RefusedError(f"{line}bytes and complex numbers are not taken here")
        case ast.arg(annotation=ast.expr()) | ast.FunctionDef(returns=ast.expr()):
            raise RefusedError(f"{line}annotations are not taken here; leave the types out")
    inner = blocks + isinstance(node, ast.stmt)
    for child in ast.iter_child_nodes(node):
        check(child, depth + 1, inner)
