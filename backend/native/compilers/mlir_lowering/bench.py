"""Machine code of a module at any level: made, run, timed, compared, in a process of its own.

A pass may be wrong, and what it makes may then write anywhere.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from labs.models.timing import summary

from native.compilers.mlir_lowering import schedule, team
from native.compilers.mlir_lowering.passes import Step
from native.compilers.mlir_lowering.pictures import Rival
from native.compilers.mlir_lowering.programs import Program
from native.compilers.mlir_lowering.road import rest
from native.models.alone import reason
from native.models.timing import clocked, enough, timed

REPETITIONS = 5
LONG = 0.4  # seconds, of which nobody waits for many
PATIENCE = 0.12  # seconds for all repetitions, as far as one run allows


COPY = re.compile(r"memref\.copy (%\w+), (%\w+) : (.+) to (.+)$", re.MULTILINE)
LOOPS = r"linalg.copy ins(\1 : \3) outs(\2 : \4)"  # for which LLVM needs no library

Rivals = dict[str, Callable[[int], object]]


@dataclass(frozen=True)
class Ran:
    """What came of a run."""

    seconds: list[float]
    """that three, two and one quarter of the repetitions took at least; empty if it broke down"""
    error: float
    """largest difference from float64, as a share of the largest result; -1 where a result is no number"""
    broke: str
    """with which signal it broke down; empty if it did not"""


def eager(program: Program, given: list[Any], exact: Any, threads: int) -> Ran:
    """PyTorch itself; its threads stay in a process of their own, since none would survive the next fork."""
    found = apart(lambda: asdict(eagerly(program, given, exact, threads)))
    return Ran([], -1.0, found) if isinstance(found, str) else Ran(**found)


def eagerly(program: Program, given: list[Any], exact: Any, threads: int) -> Ran:
    team.torch(threads)

    def rounds(count: int) -> None:
        for _ in range(count):
            program.function(*given)

    begun = time.perf_counter()
    found = program.function(*given).numpy()
    return measured(rounds, found, exact, time.perf_counter() - begun)


def measured(rounds: Callable[[int], None], found: Any, exact: Any, first: float) -> Ran:
    """``first`` is the seconds of the run that ``found`` is from: a long one is repeated only once."""
    far = float(np.abs(found - exact).max() / np.abs(exact).max())
    slow = first > LONG
    taken = summary([first, clocked(rounds, 1)], 1) if slow else timed(rounds, REPETITIONS, PATIENCE)
    return Ran([taken.high, taken.median, taken.low], far if np.isfinite(far) else -1.0, "")


def passed(module: Any, pipelines: list[str]) -> str:
    """The module after some passes, or parts of a schedule."""
    from torch_mlir.passmanager import PassManager

    with module.context:
        for each in pipelines:
            if "transform." in each:
                transformed(module, each)
            else:
                PassManager.parse(f"builtin.module({each})").run(module.operation)
    return str(module)


def transformed(module: Any, part: str) -> None:
    """By a part of a schedule."""
    from torch_mlir import ir
    from torch_mlir.dialects.transform import interpreter

    script = ir.Module.parse(schedule.module("part", part))
    interpreter.apply_named_sequence(module.operation, script.body.operations[0], script)
    module.operation.verify()


class Bench:
    def __init__(self, given: list[Any], exact: Any, threads: int = 1) -> None:
        from torch_mlir.runtime import get_ranked_memref_descriptor

        self.exact, self.threads = exact, threads
        self.result = np.empty(exact.shape, np.float32)
        self.held = [get_ranked_memref_descriptor(each) for each in (*(x.numpy() for x in given), self.result)]
        # A buffer is handed over as its pointers, offset, sizes and strides, each by its address: eight bytes each.
        places = [ctypes.addressof(each) + at for each in self.held for at in range(0, ctypes.sizeof(each), 8)]
        self.arguments = (ctypes.c_void_p * len(places))(*places)

    def ran(self, context: Any, text: str, step: Step) -> Ran:
        """With nothing more made faster on the way down."""
        found = apart(lambda: asdict(self.run(context, text, step)))
        return Ran([], -1.0, found) if isinstance(found, str) else Ran(**found)

    def run(self, context: Any, text: str, step: Step) -> Ran:
        rounds = self.code(context, text, step)
        self.result.fill(np.nan)
        first = clocked(rounds, 1)
        return measured(rounds, self.result.copy(), self.exact, first)

    def rivals(self, context: Any, text: str, step: Step, others: Rivals, work: int) -> list[Rival]:
        """In turns with others, so that what slows the machine for a while slows all of them; none if it breaks."""

        def turns() -> list[tuple[str, list[float], list[float]]]:
            team.torch(self.threads)
            return in_turns({"this": self.code(context, text, step), **others}, work, self.threads)

        found = apart(turns)
        return [] if isinstance(found, str) else [Rival(*each) for each in found]

    def code(self, context: Any, text: str, step: Step) -> Callable[[int], None]:
        """Machine code, as what does so many rounds."""
        from torch_mlir import ir
        from torch_mlir.execution_engine import ExecutionEngine

        with context:
            module = ir.Module.parse(text)
            for each in rest(step):
                after = passed(module, [each])
                if self.threads > 1:  # where strips that threads share are copied, when nothing is in vectors yet
                    module = ir.Module.parse(COPY.sub(LOOPS, after))
            engine = ExecutionEngine(module, opt_level=3, shared_libs=team.libraries(self.threads))
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup("main"))

        def rounds(count: int) -> None:
            for _ in range(count):
                call(self.arguments)

        self.engine = engine  # its code is gone when it is
        return rounds


def apart(work: Callable[[], Any]) -> Any:
    """What comes of it in a process of its own; where a signal ended that, its name."""
    reader, writer = os.pipe()
    if not (pid := os.fork()):
        code = 1
        try:
            # Threads of OpenMP belong to the one that began them and are lost in a fork: another one begins anew.
            found = ThreadPoolExecutor(1).submit(work).result()
            os.write(writer, json.dumps(found).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        data = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return reason(code) if code < 0 else json.loads(data)


def in_turns(works: Rivals, work: int, threads: int = 1) -> list[tuple[str, list[float], list[float]]]:
    """Of each its name, its speeds, and how many times as fast the first one is."""
    counts = {name: enough(each, PATIENCE / REPETITIONS) for name, each in works.items()}

    def turn(name: str) -> float:
        team.settle(threads)
        return clocked(works[name], counts[name]) / counts[name]

    turns = [[turn(name) for name in works] for _ in range(3 * REPETITIONS)]
    seconds = np.array(turns)
    speeds = np.percentile(work / seconds / 1e9, (25, 50, 75), axis=0).T
    times = np.percentile(seconds / seconds[:, :1], (25, 50, 75), axis=0).T
    return [(name, speeds[n].tolist(), times[n].tolist()) for n, name in enumerate(works)]


def others(program: Program, given: list[Any], threads: int) -> Rivals:
    """Our own kernel, which only multiplies, and PyTorch, which does all of it."""
    from native.models import products

    a, b, *_ = (each.numpy() for each in given)
    start = products.vectors("packed") if threads == 1 else products.threads

    def eager(count: int) -> None:
        for _ in range(count):
            program.function(*given)

    packed = start(products.Operands(a, b, np.empty_like(a), len(a)), products.Choice("", 0, threads))
    return {"our packed kernel": packed, "PyTorch": eager}
