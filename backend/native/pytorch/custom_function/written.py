"""The two functions of a reader's program, run on torch by a machine that walks their syntax trees."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

import torch
from labs.models.programs.accept import TRACED, check, read
from labs.models.programs.trouble import ProgramError, StoppedError, refuse
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from native.models.torch_programs.machine import REFUSALS, Machine
from native.pytorch.custom_function.kept import Kept, kept

ELEMENTS = 6  # of all inputs, and of all outputs
ONCE = "once_differentiable"


class ReturnedError(Exception):
    """Ends a function."""


@dataclass
class Context:
    """What the program calls ctx. Its own attributes lie on torch's ctx, under a prefix that torch does not use."""

    torch: Any
    saved: list[Tensor] = field(default_factory=list)
    kept: dict[str, Tensor] = field(default_factory=dict)

    def read(self, name: str) -> Any:
        if name in ("saved_tensors", "needs_input_grad"):
            return getattr(self.torch, name)
        if not hasattr(self.torch, f"kept_{name}"):
            raise AttributeError(f"ctx has no attribute {name[:30]}")
        return getattr(self.torch, f"kept_{name}")

    def write(self, name: str, value: Any) -> None:
        setattr(self.torch, f"kept_{name}", value)
        if isinstance(value, Tensor):
            self.kept[name] = value

    def call(self, name: str, given: list[Any]) -> None:
        if name == "save_for_backward":
            self.saved = [each for each in given if isinstance(each, Tensor)]
        getattr(self.torch, name)(*given)


class Free:
    """A ctx of no node: a forward pass that nobody will go back through."""

    saved_tensors = ()
    needs_input_grad = (True,) * ELEMENTS

    def save_for_backward(self, *tensors: Any) -> None: ...
    def mark_non_differentiable(self, *tensors: Any) -> None: ...
    def set_materialize_grads(self, value: bool) -> None: ...


CALLS = frozenset({"save_for_backward", "mark_non_differentiable", "set_materialize_grads"})


class Body(Machine):
    """A machine inside of a function, which knows ctx, if and return besides."""

    def __init__(self, of: ast.FunctionDef, values: tuple[Any, ...]) -> None:
        super().__init__(ast.Module(body=of.body, type_ignores=[]))
        self.of = of
        self.names = dict(zip((each.arg for each in of.args.args), values, strict=True))
        self.lines: list[int] = []
        self.result: Any = None
        self.returned = False

    def finish(self) -> Any:
        try:
            for statement in self.run():
                self.lines.append(statement.lineno)
        except ReturnedError:
            self.lines.append(self.line)
        if not self.returned:
            raise refuse(self.of, f"{self.of.name} returns nothing; write return at its end")
        return self.result

    def execute(self, statement: ast.stmt) -> Any:
        match statement:
            case ast.Return(value=value):
                self.line = statement.lineno
                self.result = None if value is None else self.value(value)
                self.returned = True
                raise ReturnedError
            case ast.If(test=test):
                self.line = statement.lineno
                found = self.guarded(test, bool, self.value(test))
                yield from self.block(statement.body if found else statement.orelse)
            case _:
                yield from super().execute(statement)

    def context(self, node: ast.expr) -> Context | None:
        found = self.names.get(node.id) if isinstance(node, ast.Name) else None
        return found if isinstance(found, Context) else None

    def attribute(self, node: ast.Attribute) -> Any:
        if ctx := self.context(node.value):
            try:
                return ctx.read(node.attr)
            except AttributeError as wrong:
                raise refuse(node, f"{wrong}; give it one in forward") from None
            except REFUSALS as wrong:
                return self.guarded(node, again, wrong)
        return super().attribute(node)

    def assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Attribute) and (ctx := self.context(target.value)):
            if target.attr in CALLS | {"saved_tensors", "needs_input_grad"}:
                raise refuse(target, f"{target.attr} belongs to ctx; choose another name")
            ctx.write(target.attr, value)
        else:
            super().assign(target, value)

    def call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute) and (ctx := self.context(node.func.value)):
            if node.func.attr not in CALLS:
                raise refuse(
                    node.func, f"ctx.{node.func.attr[:30]} is not taken here; {', '.join(sorted(CALLS))} are"
                )
            given = [self.value(each) for each in node.args]
            return self.guarded(node, ctx.call, node.func.attr, given)
        return super().call(node)


def again(wrong: Exception) -> None:
    raise wrong


class Written:
    """A program that was taken: the functions, the inputs, and what the last call did."""

    def __init__(self, source: str) -> None:
        """Raises ``ProgramError``."""
        tree = read(source)
        found, rest = dict[str, ast.FunctionDef](), list[ast.stmt]()
        self.once = False
        for statement in tree.body:
            if not isinstance(statement, ast.FunctionDef):
                rest.append(statement)
                continue
            match statement.decorator_list:
                case [ast.Name(id="once_differentiable")] if statement.name == "backward":
                    self.once, statement.decorator_list = True, []
            found[statement.name] = statement
        check(tree, TRACED)
        if found.keys() != {"forward", "backward"}:
            raise ProgramError("a program has two functions here, forward and backward, and then its inputs")
        self.forward, self.backward = found["forward"], found["backward"]
        for each in found.values():
            if len(each.args.args) < 2:
                raise refuse(each, f"{each.name} takes ctx and at least one tensor")
        self.names = [each.arg for each in self.forward.args.args[1:]]
        self.inputs = self._inputs(rest)
        self.line = self.forward.lineno
        self.lines: list[int] = []
        """That the last backward pass executed"""
        self.watching = False
        self.kept: list[Kept] = []
        """Of the last forward pass, if it was watched"""
        self.function = self._function()

    def _inputs(self, rest: list[ast.stmt]) -> list[Tensor]:
        machine = Machine(ast.Module(body=rest, type_ignores=[]))
        try:
            for _ in machine.run():
                pass
        except StoppedError as wrong:
            raise ProgramError(f"line {wrong.line}: {wrong.message}") from None
        inputs = [machine.names.get(name) for name in self.names]
        for name, value in zip(self.names, inputs, strict=True):
            if not isinstance(value, Tensor) or not value.is_floating_point():
                raise ProgramError(f"below the functions {name} needs a value, such as {name} = tensor([0.5, 1.])")
        tensors = [each.detach().to(torch.float64).clone() for each in inputs if isinstance(each, Tensor)]
        if not 1 <= sum(each.numel() for each in tensors) <= ELEMENTS:
            raise ProgramError(f"the inputs have 1 to {ELEMENTS} numbers here; make them smaller")
        return tensors

    def call(self, of: ast.FunctionDef, ctx: Any, values: tuple[Any, ...]) -> tuple[Any, Body, Context]:
        if len(of.args.args) != len(values) + 1:
            raise refuse(of, f"{of.name} is called with ctx and {len(values)} more; give it as many parameters")
        context = Context(ctx)
        body = Body(of, (context, *values))
        return body.finish(), body, context

    def plain(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """The outputs, without a node behind them."""
        with torch.no_grad():
            result, _, _ = self.call(self.forward, Free(), tuple(each.clone() for each in inputs))
        return self.outputs(result)

    def outputs(self, result: Any) -> tuple[Tensor, ...]:
        outputs = result if isinstance(result, tuple) else (result,)
        if not outputs or not all(isinstance(each, Tensor) for each in outputs):
            raise refuse(self.forward, "forward returns a tensor, or several with commas between")
        if sum(each.numel() for each in outputs) > ELEMENTS:
            raise refuse(self.forward, f"forward returns at most {ELEMENTS} numbers here; give it smaller inputs")
        return outputs

    def apply(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """The outputs, made by torch's own Function."""
        return self.outputs(self.function.apply(*inputs))

    def _function(self) -> Any:
        def forward(ctx: Any, *inputs: Tensor) -> Any:
            result, body, context = self.call(self.forward, ctx, inputs)
            self.line = body.line
            if self.watching:
                self.kept = kept(body, context, result)
            return result

        def backward(ctx: Any, *gradients: Any) -> Any:
            result, body, _ = self.call(self.backward, ctx, gradients)
            self.lines, self.line = body.lines, body.line
            given = result if isinstance(result, tuple) else (result,)
            if not all(each is None or isinstance(each, Tensor) for each in given):
                raise refuse(self.backward, "backward returns a tensor or None for each input")
            return result

        made = once_differentiable(backward) if self.once else backward
        return type("Custom", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(made)})
