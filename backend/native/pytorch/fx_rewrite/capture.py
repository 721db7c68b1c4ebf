"""A module becomes graphs: one by symbolic_trace, as many as it takes by torch.compile."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor, fx, nn

Backend = Callable[[fx.GraphModule], fx.GraphModule]


class Tracer(fx.Tracer):
    """FX's own, which also notes the line of each node."""

    record_stack_traces = True


def traced(module: nn.Module) -> fx.GraphModule:
    """Raises torch.fx.proxy.TraceError where Python asks for a number."""
    # Not the class's own name: Layers' weights are found by the same names in the copy.
    return fx.GraphModule(module, Tracer().trace(module), type(module).__name__)


def compiled(
    module: nn.Module, rewrite: Backend, around: Callable[[], AbstractContextManager[Any]] = nullcontext
) -> Callable[[Tensor], Tensor]:
    """``rewrite`` is the backend: Dynamo hands it each graph, and runs what it returns, within ``around``."""

    def backend(graph: fx.GraphModule, _: list[Any]) -> Callable[..., Any]:
        made = rewrite(graph)

        def run(*args: Any) -> Any:
            with around():
                return made.forward(*args)

        return run

    torch._dynamo.reset()
    made = torch.compile(copy.deepcopy(module), backend=backend, dynamic=False)
    return lambda x: made(x)  # a plain function: nobody copies it as a module


def line_of(node: fx.Node, file: str, first: int) -> int:
    """Which line of the program, from 1; 0 if none."""
    found = re.findall(rf'File "{re.escape(file)}", line (\d+)', node.stack_trace or "")
    return int(found[-1]) - first + 1 if found else 0
