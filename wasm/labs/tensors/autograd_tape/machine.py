"""Runs a program, statement by statement, and lets somebody look after each one and at each step of a walk back."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from labs.models.programs.trouble import refuse
from labs.models.tensor import tape
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.evaluate import STATEMENTS, Evaluator, Returned
from labs.tensors.autograd_tape.expressions import compute, put_in, write_over
from labs.tensors.autograd_tape.values import Budget, Function, Items, Scope, kind
from labs.tensors.autograd_tape.walks import Observer


class Machine(Evaluator):
    def __init__(self, tree: ast.Module, observer: Observer | None = None) -> None:
        super().__init__()
        self.tree, self.observer = tree, observer
        self.names = Scope()
        self.budget = Budget()
        self._statements = 0

    def run(self) -> None:
        """Raises ``ProgramError`` for what is not taken, ``StoppedError`` where the library refuses."""
        with np.errstate(all="ignore"), tape.watched(self.budget.spend):
            self.block(self.tree.body, self.names)

    # -- statements -----------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> Returned | None:
        for statement in body:
            if returned := self.execute(statement, scope):
                return returned
        return None

    def execute(self, statement: ast.stmt, scope: Scope) -> Returned | None:
        self._statements += 1
        if self._statements > STATEMENTS:
            raise refuse(statement, f"after {STATEMENTS} statements the program is stopped; make its loops shorter")
        self.line = statement.lineno
        match statement:
            case ast.With():
                return self.without_tape(statement, scope)
            case ast.For():
                return self.loop(statement, scope)
            case ast.If():
                held = self.guarded(statement.test, truth, self.value(statement.test, scope))
                return self.block(statement.body if held else statement.orelse, scope)
            case ast.Return():
                return Returned(None if statement.value is None else self.value(statement.value, scope))
            case ast.Assign():
                value = self.value(statement.value, scope)
                for target in statement.targets:
                    self.assign(target, value, scope)
            case ast.AugAssign():
                self.change(statement, scope)
            case ast.FunctionDef():
                parameters = tuple(each.arg for each in statement.args.args)
                scope.names[statement.name] = Function(statement.name, parameters, statement.body, scope)
            case ast.Delete():
                for target in statement.targets:
                    self.delete(target, scope)
            case ast.Expr():
                self.value(statement.value, scope)
        if self.observer and not isinstance(statement, ast.Pass):
            self.observer.after(statement)
        return None

    def without_tape(self, statement: ast.With, scope: Scope) -> Returned | None:
        match statement.items:
            case [ast.withitem(context_expr=ast.Call(func=function, args=[], keywords=[]), optional_vars=None)] if (
                ast.unparse(function) in ("no_grad", "torch.no_grad")
            ):
                with tape.no_grad():
                    return self.block(statement.body, scope)
        raise refuse(statement, "with is taken for no_grad() alone here")

    def loop(self, statement: ast.For, scope: Scope) -> Returned | None:
        over = self.value(statement.iter, scope)
        if not isinstance(over, range | Items):
            raise refuse(statement.iter, f"for goes through range(…) or a list here, not {kind(over)}")
        for each in over:
            self.assign(statement.target, each, scope)
            if returned := self.block(statement.body, scope):
                return returned
        return None

    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                if not isinstance(value, Items) or len(value) != len(targets):
                    raise refuse(target, f"{len(targets)} names need a list of {len(targets)} values")
                for each, one in zip(targets, value, strict=True):
                    self.assign(each, one, scope)
            case ast.Subscript():
                where = self.value(target.value, scope)
                self.guarded(target, put_in, where, self.key(target.slice, scope), value)
            case ast.Attribute(attr="grad"):
                found = self.value(target.value, scope)
                if not isinstance(found, Tensor) or value is not None:
                    raise refuse(target, "grad can be set to None alone, to let go of it")
                found.grad = None
            case _:
                raise refuse(target, "this cannot be assigned to; give a name, an element or .grad")

    def change(self, statement: ast.AugAssign, scope: Scope) -> None:
        target, by = statement.target, self.value(statement.value, scope)
        before = self.value(target, scope)  # which does not ask whether it is read or written
        if isinstance(before, Tensor):
            after = self.guarded(statement, write_over, before, statement.op, by)
        else:
            after = self.guarded(statement, compute, statement.op, before, by)
        if not isinstance(target, ast.Attribute):
            self.assign(target, after, scope)

    def delete(self, target: ast.expr, scope: Scope) -> None:
        if not isinstance(target, ast.Name):
            raise refuse(target, "only a name can be deleted")
        if scope.names.pop(target.id, self) is self:
            raise refuse(target, f"{target.id} has no value here, so there is nothing to delete")


def truth(value: Any) -> bool:
    if not isinstance(value, Tensor | int | float):
        raise TypeError(f"if asks a number or a comparison, not {kind(value)}")
    return bool(value)
