"""The line that is followed: read, checked, and kept as a tree of nodes that know their shapes and characters."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from labs.models.programs.trouble import refuse

Shape = tuple[int, ...]
SHAPES: dict[str, Shape] = {"x": (2, 3), "w": (3, 4), "b": (4,)}
OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul"}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "matmul": "@"}
TIMED = "y = relu(x @ w + b)"
EXAMPLES = {
    "a layer": TIMED,
    "no relu": "y = x @ w + b",
    "cut off": "y = relu(-(x @ w)) * b",
    "a view": "y = 2 - x.T * 3",
    "turned": "y = w.T @ x.T",
    "there and back": "y = relu(x @ w) @ w.T",
}
TAKEN = "+, -, *, @, relu(…), .T, brackets and numbers"
LONGEST = 24
"""Characters of the line that a refusal repeats."""
MOST = 8
"""Operators in the line."""
STEPS = 160
"""Loads, products and sums for one element."""
LARGEST = 100.0
"""No number that is typed is larger: nothing overflows, whatever the operations."""


@dataclass(frozen=True, eq=False)
class Node:
    """A part of the line. Two nodes are the same if they are one object."""

    op: str
    """``input``, ``const``, ``matmul``, ``add``, ``sub``, ``mul``, ``neg``, ``relu`` or ``t``"""
    inputs: tuple[Node, ...]
    shape: Shape
    begin: int
    end: int
    """Its characters in the line."""
    name: str = ""
    """Of an input."""
    number: float = 0.0
    """Of a constant."""


@dataclass(frozen=True)
class Line:
    source: str
    target: str
    """What the result is called."""
    root: Node


def walk(node: Node) -> Iterator[Node]:
    """Inputs before what uses them, from left to right: the order in which Python computes them."""
    for each in node.inputs:
        yield from walk(each)
    yield node


@lru_cache(maxsize=16)
def read(source: str) -> Line:
    """One object for each line, so that what depends on nothing else is kept. Raises ``ProgramError``, which names
    the column and what to change."""
    source = source.strip()
    if odd := next((each for each in source if not each.isascii()), ""):
        raise refuse(at(source.index(odd)), f"“{odd}” cannot be followed here; this figure knows {TAKEN}")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as wrong:
        place = at((getattr(wrong, "offset", 0) or 1) - 1)
        raise refuse(place, "this is not a line of Python yet; write y = relu(x @ w + b)") from None
    match tree.body:
        case [ast.Assign(targets=[ast.Name(id=target)], value=value)]:
            pass
        case _:
            raise refuse(ast.Pass(), f"write one assignment, such as {assignment(tree.body)}")
    if target in SHAPES or target == "relu" or keyword.iskeyword(target) or len(target) > 12:
        raise refuse(ast.Pass(), f"{target[:12]} has a meaning here already, or is too long; write y = …")
    root = read_value(value)
    if root.op == "const" or not root.shape:
        raise refuse(value, "the result has to be a tensor; use x, w or b")
    if sum(node.op not in ("input", "const") for node in walk(root)) > MOST:
        raise refuse(value, f"a line may have {MOST} operators; take some out")
    if (steps := work(root)) > STEPS:
        raise refuse(value, f"an element takes {steps} steps here, and {STEPS} are followed; take a product out")
    if root.op == "input":
        raise refuse(value, "nothing is computed; add an operation, such as @, +, * or relu")
    return Line(source, target, root)


def assignment(statements: list[ast.stmt]) -> str:
    """What to write instead: the reader's own expression with a name, if it is one."""
    match statements:
        case [ast.Expr(value=value)] if len(written := ast.unparse(value)) <= LONGEST:
            return f"y = {written}"
    return "y = x @ w"


def shown(it: ast.expr) -> str:
    """The part that cannot be followed: of a call its name alone."""
    written = f"{ast.unparse(it.func)}(…)" if isinstance(it, ast.Call) else ast.unparse(it)
    return written if len(written) <= LONGEST else "that"


def at(column: int) -> ast.AST:
    """A place for a complaint where there is no tree yet."""
    return ast.Pass(lineno=1, col_offset=column, end_lineno=1, end_col_offset=column)


def read_value(it: ast.expr) -> Node:
    place = it.col_offset, it.end_col_offset or 0
    match it:
        case ast.Name(id=name) if name in SHAPES:
            return Node("input", (), SHAPES[name], *place, name=name)
        case ast.Name(id=name):
            raise refuse(it, f"{name[:20]} is unknown; there are x, w and b")
        case ast.Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool):
            if not abs(value) <= LARGEST:
                raise refuse(it, f"numbers go to {LARGEST:g} here; take a smaller one")
            return Node("const", (), (), *place, number=float(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            below = read_value(operand)
            if below.op == "const":
                return Node("const", (), (), *place, number=-below.number)
            return Node("neg", (below,), below.shape, *place)
        case ast.Attribute(value=owner, attr="T"):
            below = tensor(owner)
            if len(below.shape) != 2:
                raise refuse(it, ".T turns a matrix; b is a row of numbers")
            return Node("t", (below,), below.shape[::-1], *place)
        case ast.Call(func=ast.Name(id="relu"), args=[given], keywords=[]):
            below = tensor(given)
            return Node("relu", (below,), below.shape, *place)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            op = OPERATORS[type(operator)]
            if op == "matmul":
                pair = tensor(left), tensor(right)
                return Node(op, pair, product(it, *pair), *place)
            both = read_value(left), read_value(right)
            if not any(each.shape for each in both):
                raise refuse(it, "this is a sum of plain numbers; put in the result")
            return Node(op, both, common(it, *both), *place)
    raise refuse(it, f"this figure cannot follow {shown(it)}; it knows {TAKEN}")


def work(node: Node) -> int:
    """Loads, products and sums for one element of it."""
    parts = sum(map(work, node.inputs))
    return node.inputs[0].shape[1] * (parts + 2) - 1 if node.op == "matmul" else parts + 1


def tensor(it: ast.expr) -> Node:
    node = read_value(it)
    if node.op == "const":
        raise refuse(it, "here a tensor is needed; use x, w or b")
    return node


def product(place: ast.expr, left: Node, right: Node) -> Shape:
    if len(left.shape) != 2 or len(right.shape) != 2:
        raise refuse(place, "@ takes two matrices here, and b is a row of numbers")
    if left.shape[1] != right.shape[0]:
        said = f"{left.shape[0]}×{left.shape[1]} @ {right.shape[0]}×{right.shape[1]}"
        raise refuse(place, f"{said} does not fit: the inner lengths have to be equal; .T turns a matrix")
    return left.shape[0], right.shape[1]


def common(place: ast.expr, left: Node, right: Node) -> Shape:
    """The shape that both are repeated to."""
    long, short = (left.shape, right.shape) if len(left.shape) >= len(right.shape) else (right.shape, left.shape)
    if short and long[len(long) - len(short) :] != short:
        said = " and ".join("×".join(map(str, each.shape)) for each in (left, right))
        raise refuse(place, f"{said} do not fit: the lengths have to agree, counted from the last")
    return long
