"""Machine code of a module at any level: made, run, timed, compared, in a process of its own.

A pass may be wrong, and what it makes may then write anywhere.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from native.compilers.mlir_lowering.programs import Program
from native.compilers.mlir_lowering.road import Level, rest
from native.models.alone import reason
from native.models.timing import timed

REPETITIONS = 5
PATIENCE = 0.12  # seconds for all repetitions, as far as one run allows


@dataclass(frozen=True)
class Ran:
    """What came of a run."""

    seconds: list[float]
    """that three, two and one quarter of the repetitions took at least; empty if it broke down"""
    error: float
    """largest difference from float64, as a share of the largest result; -1 where a result is no number"""
    broke: str
    """with which signal it broke down; empty if it did not"""


def eager(program: Program, given: list[Any], exact: Any) -> Ran:
    """PyTorch itself."""

    def rounds(count: int) -> None:
        for _ in range(count):
            program.function(*given)

    return measured(rounds, program.function(*given).numpy(), exact)


def measured(rounds: Callable[[int], None], found: Any, exact: Any) -> Ran:
    far = float(np.abs(found - exact).max() / np.abs(exact).max())
    taken = timed(rounds, REPETITIONS, PATIENCE)
    return Ran([taken.high, taken.median, taken.low], far if np.isfinite(far) else -1.0, "")


def passed(module: Any, pipelines: list[str]) -> str:
    """The module after some passes."""
    from torch_mlir.passmanager import PassManager

    with module.context:
        for each in pipelines:
            PassManager.parse(f"builtin.module({each})").run(module.operation)
    return str(module)


class Bench:
    def __init__(self, given: list[Any], exact: Any) -> None:
        from torch_mlir.runtime import get_ranked_memref_descriptor

        self.exact = exact
        self.result = np.empty(exact.shape, np.float32)
        self.held = [get_ranked_memref_descriptor(each) for each in (*(x.numpy() for x in given), self.result)]
        # A buffer is handed over as its pointers, offset, sizes and strides, each by its address: eight bytes each.
        places = [ctypes.addressof(each) + at for each in self.held for at in range(0, ctypes.sizeof(each), 8)]
        self.arguments = (ctypes.c_void_p * len(places))(*places)

    def ran(self, context: Any, text: str, level: Level) -> Ran:
        """With nothing more made faster on the way down."""
        reader, writer = os.pipe()
        if not (pid := os.fork()):
            code = 1
            try:
                found = self.run(context, text, level)
                os.write(writer, json.dumps(asdict(found)).encode())
                code = 0
            finally:
                os._exit(code)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            data = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code < 0:
            return Ran([], -1.0, reason(code))
        return Ran(**json.loads(data))

    def run(self, context: Any, text: str, level: Level) -> Ran:
        from torch_mlir import ir
        from torch_mlir.execution_engine import ExecutionEngine

        with context:
            module = ir.Module.parse(text)
            passed(module, rest(level))
            engine = ExecutionEngine(module, opt_level=3)
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup("main"))

        def rounds(count: int) -> None:
            for _ in range(count):
                call(self.arguments)

        self.result.fill(np.nan)
        rounds(1)
        return measured(rounds, self.result.copy(), self.exact)
