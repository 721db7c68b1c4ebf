"""From a program's text to its graph: each line is followed once, with tensors that have a shape and no numbers.

Loops of a known length are unrolled, calls of the program's own functions are followed, and a name that is written
again is another tensor: nothing of that is left in the graph.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from labs.models.fusing import ops
from labs.models.fusing.functions import FUNCTIONS, METHODS, NUMBERS, call, kind, wholes
from labs.models.fusing.graph import DTYPES, Node, walk
from labs.models.fusing.movements import t
from labs.models.fusing.operators import BINARY, COMPARE, UNARY, indexed, operate
from labs.models.fusing.pytorch import ABSENT, Extremes, Places, extremes
from labs.models.fusing.syntax import dtype, main, parse
from labs.models.programs.trouble import ProgramError, refuse

STATEMENTS = 400
CALLS = 5  # functions that call functions
NODES = 400
ELEMENTS = 2**28  # of one tensor
AXES = 6


@dataclass(frozen=True)
class Graph:
    """A function: what it takes and what it returns."""

    name: str
    inputs: tuple[Node, ...]
    outputs: tuple[Node, ...]
    names: tuple[str, ...]
    """Of the outputs."""
    called: dict[Node, str] = field(default_factory=dict)
    """What the program calls a node."""


def read(source: str) -> Graph:
    """Raises ``ProgramError``, which names the line and what to change."""
    tree = parse(source)
    return Reader(tree).graph()


class Reader:
    def __init__(self, tree: ast.Module) -> None:
        self.main = main(tree)
        self.functions: dict[str, ast.FunctionDef] = {}
        self.globals: dict[str, Any] = {name: name for name in DTYPES}
        self.called: dict[Node, str] = {}
        self.made = 0
        self.statements = 0
        for each in tree.body:
            match each:
                case ast.FunctionDef():
                    self.functions[each.name] = each
                case ast.Assign() | ast.For() | ast.If() | ast.AugAssign():
                    self.block([each], self.globals, 0)
                case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Pass():
                    pass
                case _:
                    raise refuse(each, "outside of a function only numbers are given names")

    def graph(self) -> Graph:
        inputs = tuple(self.input(arg) for arg in self.main.args.args)
        scope = self.globals | {each.arg: each for each in inputs}
        with ops.at(self.main.lineno):
            found = self.block(self.main.body, scope, 0)
        several = isinstance(found, tuple) and not isinstance(found, Extremes)
        results = found if several else (found,)
        if pair := next((each for each in results if isinstance(each, Extremes | Places)), None):
            raise refuse(self.main, f"{self.main.name[:20]} returns {kind(pair)}")
        if not results or not all(isinstance(each, Node) for each in results):
            raise refuse(self.main, f"{self.main.name[:20]} has to return a tensor, or several: return x")
        names = self.names(len(results))
        if sum(1 for _ in walk(results)) > NODES:
            raise refuse(self.main, f"this is more than {NODES} operations, loops unrolled; shorten it")
        return Graph(self.main.name, inputs, results, names, self.called)

    def names(self, count: int) -> tuple[str, ...]:
        """Outputs are called what the return statement calls them, as long as that tells them apart."""
        last = next((each for each in reversed(self.main.body) if isinstance(each, ast.Return)), None)
        value = last.value if last else None
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        taken = {arg.arg for arg in self.main.args.args}
        names: list[str] = []
        for number in range(count):
            part = parts[number] if number < len(parts) else None
            name = part.id if isinstance(part, ast.Name) else "out" if count == 1 else f"out{number}"
            names.append(name if name not in taken and name not in names else f"{name}_{number}")
        return tuple(names)

    def input(self, arg: ast.arg) -> Node:
        assert arg.annotation
        shape: Any = ()
        if isinstance(arg.annotation, ast.Subscript):
            shape = self.value(arg.annotation.slice, self.globals)
            shape = (shape,) if isinstance(shape, int) else shape
        if not wholes(shape) or len(shape) > AXES:
            raise refuse(arg, f"a shape is up to {AXES} whole numbers, such as f32[1024, 64]")
        with ops.at(arg.lineno):
            return self.bounded(self.guarded(arg, ops.input, arg.arg, shape, dtype(arg.annotation)), arg)

    def bounded(self, node: Node, place: ast.AST) -> Node:
        if math.prod(node.shape) > ELEMENTS:
            raise refuse(place, f"{ops.said(node.shape)} has more than 2**28 elements; make it smaller")
        return node

    # -- statements -----------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], scope: dict[str, Any], depth: int) -> Any:
        """What it returns, or None."""
        for statement in body:
            self.statements += 1
            if self.statements > STATEMENTS:
                raise refuse(statement, f"this is more than {STATEMENTS} statements, loops unrolled; shorten them")
            with ops.at(statement.lineno):
                found = self.execute(statement, scope, depth)
            if found is not None:
                return found
        return None

    def execute(self, statement: ast.stmt, scope: dict[str, Any], depth: int) -> Any:
        match statement:
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, scope, depth)
                for target in targets:
                    self.assign(target, found, scope)
            case ast.AugAssign(target=ast.Name() as target, op=sign, value=value):
                before = self.named(target, scope)
                after = self.guarded(statement, operate, BINARY, sign, before, self.value(value, scope, depth))
                self.assign(target, after, scope)
            case ast.For(target=target, iter=over, body=body):
                for each in self.turns(over, scope, depth):
                    self.assign(target, each, scope)
                    if (found := self.block(body, scope, depth)) is not None:
                        return found
            case ast.If(test=test, body=body, orelse=other):
                held = self.value(test, scope, depth)
                if isinstance(held, Node):
                    raise refuse(test, "if cannot ask a tensor, which has no numbers yet; write where(…, a, b)")
                return self.block(body if held else other, scope, depth)
            case ast.Return(value=value):
                return None if value is None else self.value(value, scope, depth)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr():
                raise refuse(statement, "this is computed and not used; give it a name or return it")
            case ast.AugAssign() | ast.FunctionDef() | _:
                raise refuse(statement, "tensors are not changed in place here; give the new one a name")
        return None

    def turns(self, over: ast.expr, scope: dict[str, Any], depth: int) -> Sequence[Any]:
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            bounds = [self.value(each, scope, depth) for each in over.args]
            if wholes(tuple(bounds)) and 1 <= len(bounds) <= 3 and (len(bounds) < 3 or bounds[2]):
                return range(*bounds)
        else:
            found = self.value(over, scope, depth)
            if isinstance(found, tuple):
                return found
        raise refuse(over, "for goes through range(…) with whole numbers, or through a list")

    def assign(self, target: ast.expr, value: Any, scope: dict[str, Any]) -> None:
        match target:
            case ast.Name(id=name):
                if name in DTYPES or name in FUNCTIONS:
                    raise refuse(target, f"{name} has a meaning here already; take another name")
                scope[name] = value
                if isinstance(value, Node):
                    self.called.setdefault(value, name)
            case ast.Tuple(elts=targets) if isinstance(value, tuple) and len(value) == len(targets):
                for each, one in zip(targets, value, strict=True):
                    self.assign(each, one, scope)
            case ast.Tuple(elts=targets):
                raise refuse(target, f"{len(targets)} names need {len(targets)} values")
            case _:
                raise refuse(target, "tensors are not changed in place here; write where(…), or another name")

    # -- expressions ----------------------------------------------------------------------------------------

    def value(self, node: ast.expr, scope: dict[str, Any], depth: int = 0) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name():
                return self.named(node, scope)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return tuple(self.value(each, scope, depth) for each in items)
            case ast.BinOp(left=left, op=operator, right=right):
                pair = self.value(left, scope, depth), self.value(right, scope, depth)
                return self.guarded(node, operate, BINARY, operator, *pair)
            case ast.UnaryOp(op=operator, operand=operand):
                return self.guarded(node, operate, UNARY, operator, self.value(operand, scope, depth))
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                pair = self.value(left, scope, depth), self.value(right, scope, depth)
                return self.guarded(node, operate, COMPARE, operator, *pair)
            case ast.Subscript(value=value, slice=key):
                return self.guarded(node, indexed, self.value(value, scope, depth), self.key(key, scope, depth))
            case ast.Attribute(value=value, attr=name):
                return self.attribute(node, self.value(value, scope, depth), name)
            case ast.Call():
                return self.result(node, scope, depth)
        raise refuse(node, "this is not taken here")

    def named(self, node: ast.Name, scope: dict[str, Any]) -> Any:
        if node.id in scope:
            return scope[node.id]
        if node.id in FUNCTIONS or node.id in self.functions:
            raise refuse(node, f"{node.id} is called, with its arguments in ( )")
        raise refuse(node, f"{node.id[:30]} has no value yet; give it one above, or as a parameter")

    def attribute(self, node: ast.expr, owner: Any, name: str) -> Any:
        if isinstance(owner, Extremes) and name in ("values", "indices"):
            return owner[name == "indices"]
        if not isinstance(owner, Node):
            raise refuse(node, f"{kind(owner)} has nothing after a dot here; only tensors do")
        if name in ("T", "mT"):
            return self.guarded(node, t if name == "T" else METHODS["transpose"], owner)
        if name in ("shape", "ndim"):
            return owner.shape if name == "shape" else len(owner.shape)
        said = (
            "is called, with its arguments in ( )" if name in METHODS else "is not taken here; .shape and .mT are"
        )
        raise refuse(node, f".{name[:30]} {said}")

    def key(self, node: ast.expr, scope: dict[str, Any], depth: int) -> Any:
        match node:
            case ast.Tuple(elts=keys):
                return tuple(self.key(each, scope, depth) for each in keys)
            case ast.Slice(lower=lower, upper=upper, step=step):
                parts = (None if each is None else self.value(each, scope, depth) for each in (lower, upper, step))
                return slice(*parts)
        return self.value(node, scope, depth)

    def result(self, node: ast.Call, scope: dict[str, Any], depth: int) -> Any:
        given: list[Any] = []
        match node.func:
            case ast.Name(id=name):
                table: dict[str, Callable[..., Any]] = FUNCTIONS
            case ast.Attribute(value=ast.Name(id="torch" | "F" | "np"), attr=name):
                table = FUNCTIONS
            case ast.Attribute(value=owner, attr=name):
                table, given = METHODS, [self.value(owner, scope, depth)]
                if not isinstance(given[0], Node):
                    raise refuse(node.func, f"{kind(given[0])} has nothing after a dot here; only tensors do")
            case _:
                raise refuse(node.func, "only a name can be called")
        given += [self.value(each, scope, depth) for each in node.args]
        named = {str(each.arg): self.value(each.value, scope, depth) for each in node.keywords}
        if isinstance(node.func, ast.Name) and name in self.functions:
            return self.follow(node, self.functions[name], given, named, depth)
        if name in NUMBERS and given and all(isinstance(each, int | float) for each in given) and not named:
            return self.guarded(node, NUMBERS[name], *given)
        if name == "float" and given in (["inf"], ["-inf"], ["nan"]):
            return float(given[0])
        if name not in table:
            raise refuse(
                node.func,
                ABSENT[name]
                if name in ABSENT
                else f"{name[:30]} is no function here; exp, sum, softmax, matmul and the like are",
            )
        return extremes(name, given, named, self.guarded(node, call, name, table[name], given, named))

    def follow(
        self, node: ast.Call, function: ast.FunctionDef, given: list[Any], named: dict[str, Any], depth: int
    ) -> Any:
        parameters = [each.arg for each in function.args.args]
        if depth >= CALLS:
            raise refuse(node, f"functions call functions here up to {CALLS} deep; write this one out")
        if named or len(given) != len(parameters):
            wanted = f"{len(parameters)} argument{'s' * (len(parameters) != 1)}"
            raise refuse(node, f"{function.name[:20]} takes {wanted}, without names")
        scope = self.globals | dict(zip(parameters, given, strict=True))
        return self.block(function.body, scope, depth + 1)

    def guarded(self, node: ast.AST, function: Callable[..., Any], *given: Any) -> Any:
        """What is refused below is refused at this place."""
        try:
            found = function(*given)
        except ProgramError:
            raise
        except (ValueError, TypeError, ArithmeticError) as wrong:
            raise refuse(node, str(wrong)) from None
        if isinstance(found, Node):
            self.bounded(found, node)
            self.made += 1
            if self.made > 2 * NODES:  # before they are all made; those that nobody needs count, too
                raise refuse(node, f"this is more than {2 * NODES} operations, loops unrolled; shorten it")
        return found
