"""The same function called again and again with other shapes: what Dynamo compiles, uses again, or gives up."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

import torch

from native.compilers.compile_stages.guards import failed
from native.models.stages.pictures import Call

MOST = 11


class Reasons(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        metadata = getattr(record, "metadata", {})
        if metadata.get("artifact", {}).get("name") == "recompile_reasons":
            self.said += [row.text for row in failed(str(getattr(record, "payload", "")))]


@contextlib.contextmanager
def reasons() -> Iterator[Reasons]:
    from torch._logging._internal import trace_log

    before, ear = trace_log.handlers[:], Reasons()
    trace_log.handlers[:] = [ear]
    try:
        yield ear
    finally:
        trace_log.handlers[:] = before


def again(call: Callable[[Any, int], Any], function: Any, sizes: list[int], dynamic: bool | None) -> list[Call]:
    """Dynamo alone decides this, so what it hands over is not compiled further here."""
    graphs = 0

    def backend(module: torch.fx.GraphModule, inputs: Any) -> Any:
        nonlocal graphs
        graphs += 1
        return module.forward

    torch._dynamo.reset()
    compiled = torch.compile(function, backend=backend, dynamic=dynamic)
    found = []
    known: set[int] = set()
    with reasons() as ear:
        for rows in sizes:
            before, ear.said = graphs, []
            call(compiled, rows)
            why = ear.said[0] if ear.said else ""
            if graphs > before:
                done = "compiled"
                known.add(rows)
            else:
                limit = len(known) >= torch._dynamo.config.recompile_limit and rows not in known
                done = "Python" if limit else "reused"
            found.append(Call(rows, done, why))
    return found
