"""What an expression of a program comes to. Every call and every operator is looked up in a table of ours."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from labs.models.programs.trouble import ProgramError, StoppedError, TooMuchError, refuse
from labs.models.tensor.dtypes import DTYPES
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.bind import call
from labs.tensors.autograd_tape.chance import Chance
from labs.tensors.autograd_tape.expressions import ATTRIBUTES, compare, compute, indexed
from labs.tensors.autograd_tape.functions import FUNCTIONS, METHODS
from labs.tensors.autograd_tape.values import Extremes, Function, Items, Scope, kind
from labs.tensors.autograd_tape.walks import Walks

STATEMENTS = 600
CALLS = 5  # functions that call functions
TYPES = {name: DTYPES[name] for name in ("bool", "int32", "int64", "float16", "float32", "float64")}
LEAVES = ("tensor", "zeros", "ones", "rand", "randn", "requires_grad_")
"""Who makes what a gradient may be asked for."""
REFUSALS = (RuntimeError, ValueError, TypeError, IndexError, ArithmeticError)
"""What the library and NumPy raise where they are asked for what cannot be."""


class Returned:
    """What a return statement hands over."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Evaluator(Walks):
    block: Callable[[Sequence[ast.stmt], Scope], Returned | None]

    def __init__(self) -> None:
        self.line = 0
        """Of the statement that is being executed, in whatever function."""
        self.depth = 0
        """Calls of the program's own functions that are open."""
        self.output = ""
        self.chance = Chance()
        self.called: dict[str, Callable[..., Any]] = FUNCTIONS | {
            "print": self.print,
            "range": range_,
            "randn": self.chance.randn,
            "rand": self.chance.rand,
            "manual_seed": self.chance.manual_seed,
            "grad": self.grad,
            "checkpoint": self.checkpoint,
        }
        self.methods: dict[str, Callable[..., Any]] = {
            **METHODS,
            **ATTRIBUTES["called"],
            "backward": self.backward,
            "register_hook": self.register_hook,
        }

    def value(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name():
                return self.named(node, scope)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return self.guarded(node, Items, [self.value(each, scope) for each in items])
            case ast.BinOp():
                left = self.value(node.left, scope)
                return self.guarded(node, compute, node.op, left, self.value(node.right, scope))
            case ast.UnaryOp():
                return self.guarded(node, compute, node.op, 0, self.value(node.operand, scope))
            case ast.Compare(left=first, ops=[op], comparators=[second]):
                left = self.value(first, scope)
                return self.guarded(node, compare, op, left, self.value(second, scope))
            case ast.Subscript():
                return self.guarded(node, indexed, self.value(node.value, scope), self.key(node.slice, scope))
            case ast.Lambda():
                body = [ast.copy_location(ast.Return(node.body), node.body)]
                return Function("lambda", tuple(each.arg for each in node.args.args), list(body), scope)
            case ast.Attribute():
                return self.attribute(node, scope)
            case ast.Call():
                return self.result(node, scope)
        raise refuse(node, "a slice stands in [ ] after a tensor")

    def named(self, node: ast.Name, scope: Scope) -> Any:
        try:
            return scope.find(node.id)
        except KeyError:
            pass
        if node.id in TYPES:
            return TYPES[node.id]
        if node.id in self.called or node.id in ("torch", "no_grad"):
            raise refuse(node, f"{node.id} is called here, with its arguments in ( )")
        raise refuse(node, f"{node.id[:30]} has no value yet; give it one in a line above")

    def attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "torch" and node.attr in TYPES:
            return TYPES[node.attr]
        found = self.value(node.value, scope)
        if isinstance(found, Extremes) and node.attr in found.names:
            return found[found.names.index(node.attr)]
        if not isinstance(found, Tensor):
            raise refuse(node, f"{kind(found)} has nothing after a dot here; only tensors do")
        if node.attr in self.methods:
            raise refuse(node, f".{node.attr} is called here, with its arguments in ( )")
        if node.attr not in ATTRIBUTES["read"]:
            raise refuse(node, f".{node.attr[:30]} is not taken here; .grad, .shape and .mT are")
        return self.guarded(node, ATTRIBUTES["read"][node.attr], found)

    def key(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Tuple(elts=keys):
                return tuple(self.key(each, scope) for each in keys)
            case ast.Slice():
                parts = (node.lower, node.upper, node.step)
                return slice(*(None if each is None else self.value(each, scope) for each in parts))
        return self.value(node, scope)

    def result(self, node: ast.Call, scope: Scope) -> Any:
        function, given = node.func, []
        if isinstance(function, ast.Attribute) and getattr(function.value, "id", "") != "torch":
            owner = self.value(function.value, scope)
            if not isinstance(owner, Tensor):
                raise refuse(function, f"{kind(owner)} has nothing after a dot here; only tensors do")
            table, name = self.methods, function.attr
            given = [owner]
        elif isinstance(function, ast.Name | ast.Attribute):
            table, name = self.called, function.id if isinstance(function, ast.Name) else function.attr
        else:
            raise refuse(function, "only a name can be called; give the function one")
        given += [self.value(each, scope) for each in node.args]
        named = {str(each.arg): self.value(each.value, scope) for each in node.keywords}
        own = self.own(function, scope)
        if own:
            if named:
                raise refuse(node, "functions of the program take their arguments without names")
            return self.call(own, given)
        if name not in table:
            raise refuse(function, f"{name[:30]} is no function here; exp, sum, matmul and the like are")
        made = self.guarded(node, call, name, table[name], given, named)
        if self.observer and name in LEAVES and made.requires_grad:
            self.observer.leaf(made)
        return made

    def own(self, function: ast.expr, scope: Scope) -> Function | None:
        try:
            found = scope.find(function.id) if isinstance(function, ast.Name) else None
        except KeyError:
            return None
        if found is not None and not isinstance(found, Function):
            raise refuse(
                function, f"{getattr(function, 'id', '')} stands for {kind(found)} here, not for a function"
            )
        return found

    def call(self, function: Function, given: Sequence[Any]) -> Any:
        """Raises ``TypeError`` where the arguments are too few or too many."""
        if len(given) != len(function.parameters):
            raise StoppedError(
                f"{function.name} takes {len(function.parameters)} arguments, and {len(given)} are given", self.line
            )
        if self.depth >= CALLS:
            raise ProgramError(f"line {self.line}: functions call each other too deeply here; write a loop")
        line = self.line
        self.depth += 1
        try:
            names = dict(zip(function.parameters, given, strict=True))
            returned = self.block(function.body, Scope(names, function.scope))
        finally:
            self.depth -= 1
        self.line = line
        return returned.value if returned else None

    def guarded(self, node: ast.AST, function: Callable[..., Any], *arguments: Any) -> Any:
        """What is refused inside gets the place in the program that asked for it."""
        try:
            return function(*arguments)
        except TooMuchError as wrong:
            raise refuse(node, str(wrong)) from None
        except REFUSALS as wrong:
            raise StoppedError(str(wrong), getattr(node, "lineno", self.line)) from None


def range_(end: int) -> range:
    if not 0 <= end <= STATEMENTS:
        raise TooMuchError(f"a loop runs at most {STATEMENTS} times here")
    return range(end)
