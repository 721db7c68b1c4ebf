"""Runs a program on torch, one statement after the other, and hands over after each."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from labs.models.programs.trouble import ProgramError, StoppedError, TooMuchError, refuse
from torch import Tensor

from native.models.torch_programs.words import (
    BINARY,
    COMPUTE,
    CONTEXTS,
    DTYPES,
    MAKE,
    METHODS,
    NAMED,
    OVER,
    READ,
    careful,
    checked,
)  # fmt: skip

STATEMENTS = 60
REFUSALS = (RuntimeError, ValueError, TypeError, IndexError, ArithmeticError)
"""What torch raises where it is asked for what cannot be."""


class Machine:
    def __init__(
        self,
        tree: ast.Module,
        methods: Mapping[str, Callable[..., Any]] | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """``methods`` are called in place of a tensor's own, ``functions`` beside torch's."""
        self.tree, self.methods, self.functions = tree, methods or {}, functions or {}
        self.names: dict[str, Any] = {}
        self.line = 0
        """Of the statement that is being executed."""
        self._statements = 0

    def run(self) -> Iterator[ast.stmt]:
        """Each statement once it was executed. Raises ``ProgramError`` for what is not taken, ``StoppedError`` with
        torch's message where torch refuses."""
        return self.block(self.tree.body)

    def block(self, body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in body:
            yield from self.execute(statement)

    def execute(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        self._statements += 1
        if self._statements > STATEMENTS:
            raise refuse(statement, f"after {STATEMENTS} statements the program is stopped; make its loops shorter")
        self.line = statement.lineno
        match statement:
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=what, args=[], keywords=[]))]):
                name = ast.unparse(what).removeprefix("torch.")
                if name not in CONTEXTS:
                    raise refuse(statement, f"with is taken for {' and '.join(CONTEXTS)} here")
                with CONTEXTS[name]():
                    yield from self.block(statement.body)
                return
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[end])):
                for n in range(self.whole(end)):
                    self.names[name] = n
                    yield from self.block(statement.body)
                return
            case ast.Pass():
                return
            case ast.Assign(targets=[target]):
                self.assign(target, self.value(statement.value))
            case ast.AugAssign():
                self.change(statement)
            case ast.Delete(targets=targets):
                for each in targets:
                    if not isinstance(each, ast.Name) or each.id not in self.names:
                        raise refuse(each, "del takes a name that has a value")
                    del self.names[each.id]
            case ast.Expr():
                self.value(statement.value)
            case _:
                raise refuse(statement, f"this is not taken here; write {TAKEN}")
        yield statement

    def whole(self, node: ast.expr) -> int:
        found = self.value(node)
        if not isinstance(found, int) or not 0 <= found <= STATEMENTS:
            raise refuse(node, f"a loop runs from 0 to {STATEMENTS} times here")
        return found

    # -- what changes --------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self.names[name] = value
            case ast.Tuple(elts=targets) if isinstance(value, tuple | list) and len(value) == len(targets):
                for each, one in zip(targets, value, strict=True):
                    self.assign(each, one)
            case ast.Subscript():
                where = self.tensor(target.value)
                self.guarded(target, where.__setitem__, self.key(target.slice), value)
            case ast.Attribute(attr="grad" | "data" as name):
                self.guarded(target, setattr, self.tensor(target.value), name, value)
            case _:
                raise refuse(target, "this cannot be assigned to; give a name, an element, .grad or .data")

    def change(self, statement: ast.AugAssign) -> None:
        target, op = statement.target, type(statement.op).__name__
        by = self.value(statement.value)
        before = self.value(target)  # which does not ask whether it is read or written
        table = OVER if isinstance(before, Tensor) else BINARY
        self.assign(target, self.guarded(statement, table[op], before, by))

    # -- what comes of an expression -----------------------------------------------------------------------

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value) if value is None or isinstance(value, bool | int | float):
                return value
            case ast.Constant(value=value) if value is Ellipsis:
                return value
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name(id=name) if name in DTYPES:
                return DTYPES[name]
            case ast.Name(id=name):
                raise refuse(node, f"{name[:30]} has no value yet; give it one in a line above")
            case ast.List(elts=items):
                return [self.value(each) for each in items]
            case ast.Tuple(elts=items):
                return tuple(self.value(each) for each in items)
            case ast.BinOp(left=left, op=op, right=right):
                return self.guarded(node, self.calculate, type(op).__name__, self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.guarded(node, self.calculate, "Mult", self.value(operand), -1)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.guarded(node, self.calculate, type(op).__name__, self.value(left), self.value(right))
            case ast.Subscript():
                return self.guarded(node, indexed, self.value(node.value), self.key(node.slice))
            case ast.Attribute(value=ast.Name(id="torch"), attr=name) if name in DTYPES:
                return DTYPES[name]
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self.call(node)
        raise refuse(node, f"this is not taken here; write {TAKEN}")

    def calculate(self, op: str, left: Any, right: Any) -> Any:
        for each in (left, right):
            if not isinstance(each, Tensor | int | float):
                raise TypeError(f"operators take tensors and numbers here, not {type(each).__name__}")
        return BINARY[op](left, right)

    def tensor(self, node: ast.expr) -> Tensor:
        found = self.value(node)
        if not isinstance(found, Tensor):
            raise refuse(node, "a tensor has to stand here")
        return found

    def attribute(self, node: ast.Attribute) -> Any:
        owner = self.tensor(node.value)
        if node.attr not in READ:
            called = f"{node.attr[:30]} is called here, with its arguments in ( )"
            raise refuse(node, called if node.attr in METHODS else f".{node.attr[:30]} is not taken here")
        return self.guarded(node, getattr, owner, node.attr)

    def key(self, node: ast.expr) -> Any:
        match node:
            case ast.Tuple(elts=keys):
                return tuple(self.key(each) for each in keys)
            case ast.Slice():
                parts = (node.lower, node.upper, node.step)
                return slice(*(None if each is None else self.value(each) for each in parts))
        return self.value(node)

    def call(self, node: ast.Call) -> Any:
        match node.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="torch"), attr=name):
                if name not in MAKE | COMPUTE and name not in self.functions:
                    raise refuse(node.func, f"{name[:30]} is no function here; exp, zeros, cat and the like are")
                function, given = self.functions.get(name) or getattr(torch, name), []
            case ast.Attribute(value=owner, attr=name):
                found = self.tensor(owner)
                if name not in METHODS and name not in self.methods:
                    raise refuse(node.func, f".{name[:30]} is not taken here; .view, .exp, .add_ and the like are")
                function, given = self.methods.get(name) or getattr(Tensor, name), [found]
            case _:
                raise refuse(node, "only a name can be called")
        arguments = [
            self.function(each) if isinstance(each, ast.Lambda) else self.value(each) for each in node.args
        ]
        named = {str(each.arg): self.value(each.value) for each in node.keywords}
        if unknown := named.keys() - NAMED:
            raise refuse(node, f"{min(unknown)[:30]}= is not taken here")

        def called() -> Any:
            careful(name, [*arguments, *named.values()])
            return function(*given, *arguments, **named)

        return self.guarded(node, called)

    def function(self, node: ast.Lambda) -> Callable[..., Any]:
        """What a function of torch's takes as an argument; a program has no other use for it."""
        parameters = [each.arg for each in node.args.args]

        def called(*given: Any) -> Any:
            if len(given) != len(parameters):
                raise refuse(node, f"this function is given {len(given)} values")
            outside = self.names
            self.names = outside | dict(zip(parameters, given, strict=True))
            try:
                return self.value(node.body)
            finally:
                self.names = outside

        return called

    def guarded(self, node: ast.AST, function: Callable[..., Any], *arguments: Any) -> Any:
        """What is refused inside gets the place in the program that asked for it."""
        try:
            with warnings.catch_warnings(action="ignore"):
                return checked(function(*arguments))
        except TooMuchError as wrong:
            raise refuse(node, str(wrong)) from None
        except (ProgramError, StoppedError):
            raise
        except REFUSALS as wrong:
            raise StoppedError(str(wrong), getattr(node, "lineno", self.line)) from None


TAKEN = "assignments, operators, calls, for _ in range(…), with no_grad() and del"


def indexed(owner: Any, key: Any) -> Any:
    if not isinstance(owner, Tensor | tuple | list):
        raise TypeError(f"{type(owner).__name__} cannot be indexed")
    return owner[key]
