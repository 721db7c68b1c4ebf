"""Four ways to write a function down, each given an example: PyTorch's own, as they come."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from native.compilers.trace_or_script.functions import Program, read

Function = Callable[[Any], Any]


@dataclass
class Captured:
    call: Function
    code: Callable[[], str]
    """What is written down by now."""
    notes: Callable[[], list[str]] = list
    """What PyTorch has said by now."""


def as_it_is(program: Program, example: str) -> Captured:
    return Captured(program.function, lambda: "Nothing is written down: Python runs the function each time.")


def trace(program: Program, example: str) -> Captured:
    """Runs it once and writes down what was done to tensors."""
    run_once: Any = torch.jit.trace  # which PyTorch does not annotate
    with said() as notes:
        traced = run_once(program.function, (read(example),), check_trace=False)
    return Captured(traced, lambda: tidy(traced.code), lambda: notes)


def script(program: Program, example: str) -> Captured:
    """Reads its source; the example is not used."""
    with said() as notes:
        scripted = torch.jit.script(program.function)
    return Captured(scripted, lambda: tidy(scripted.code), lambda: notes)


def export(program: Program, example: str) -> Captured:
    """Runs it once on tensors that have shapes and no numbers."""

    class Module(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return program.function(x)

    exported = torch.export.export(Module(), (read(example),))
    return Captured(exported.module(), lambda: tidy(exported.graph_module.code))


def compile_(program: Program, example: str) -> Captured:
    """Watches Python's own bytecode; writes pieces down, each with guards that say when it holds."""
    torch._dynamo.reset()
    breaks = torch._dynamo.utils.counters["unimplemented"]
    breaks.clear()
    graphs: list[str] = []

    def backend(module: torch.fx.GraphModule, inputs: Any) -> Function:
        graphs.append(tidy(module.code))
        return module.forward

    compiled = torch.compile(program.function, backend=backend, dynamic=None)
    return Captured(
        compiled,
        lambda: "\n\n".join(f"# graph {n}\n{code}" for n, code in enumerate(graphs, 1)),
        lambda: [f"Breaks off and lets Python go on: {first_line(why)}" for why in breaks],
    )


WAYS: dict[str, Callable[[Program, str], Captured]] = {
    "eager": as_it_is,
    "trace": trace,
    "script": script,
    "export": export,
    "compile": compile_,
}


@contextmanager
def quiet() -> Iterator[None]:
    """Without the advice for developers that PyTorch logs."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def said() -> Iterator[list[str]]:
    """What PyTorch warns of meanwhile: the first sentence of each warning, once."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
    for each in caught:
        sentence = first_line(str(each.message)).partition(". ")[0].rstrip(".")
        if sentence not in notes:
            notes.append(sentence)


def first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def reason(refused: Exception) -> str:
    """In a sentence: the first that PyTorch says; of TorchScript, whose first is the same each time, the last."""
    lines = str(refused).strip().splitlines()
    said = lines[-1] if lines and "TorchScript interpreter" in lines[0] else first_line(str(refused))
    said = said.strip().partition(". ")[0].rstrip(".") or type(refused).__name__
    return said if len(said) <= 160 else said[:159] + "…"


def tidy(code: str) -> str:
    """Without what only frees memory."""
    code = re.sub(r";  \w+ = (?:\w+ = )*None", "", code)
    return "\n".join(line.rstrip() for line in code.splitlines() if line.strip())
