"""MLIR, in a process of its own: where it is lost, it aborts."""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import signal
import socket
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from labs.contract import LabError

from native.compilers.mlir_lowering import ptx
from native.compilers.mlir_lowering.bench import Bench, Ran, eager, others, passed
from native.compilers.mlir_lowering.pictures import Rival
from native.compilers.mlir_lowering.programs import PROGRAMS, Name, Program, inputs
from native.compilers.mlir_lowering.road import Choice, road
from native.models.alone import alone, reason

SECONDS = 50


@dataclass(frozen=True)
class Order:
    program: Name
    n: int
    choice: Choice


@dataclass(frozen=True)
class Made:
    """What one more step has made of the program."""

    step: int
    """-1 PyTorch's operations, from 0 the steps of the road, behind them LLVM's text and PTX"""
    text: str
    ran: Ran | None
    rivals: list[Rival] = field(default_factory=list)


class Worker:
    """One order under way; iterate over what it makes."""

    def __init__(self, order: Order) -> None:
        import torch_mlir.fx  # before the fork, so that it is read once for all workers

        assert torch_mlir.fx
        self.ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if not self.pid:
            self.ours.close()
            alone(partial(carry_out, order, theirs), SECONDS)
        theirs.close()

    def __iter__(self) -> Iterator[Made]:
        """It works while somebody waits for it and at no other time, so that nothing runs beside what it measures.

        Raises ``LabError`` if MLIR did not come to an end.
        """
        code = 0
        with self.ours, self.ours.makefile() as lines:
            try:
                while self.asked() and (line := lines.readline()):
                    yield read(json.loads(line))
            finally:
                self.ours.shutdown(socket.SHUT_RDWR)  # it ends where nobody asks for more
                code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if code == -signal.SIGALRM:
            raise LabError(f"MLIR was stopped after {SECONDS} seconds: take a smaller n.")
        if code:
            raise LabError(
                f"MLIR failed after the last step shown, with {reason(code)}: switch off one of those that follow."
            )

    def asked(self) -> bool:
        """Ask for more; false if it is no longer there."""
        try:
            self.ours.sendall(b"?")
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True


def read(found: dict[str, Any]) -> Made:
    ran = found["ran"]
    return Made(
        found["step"], found["text"], Ran(**ran) if ran else None, [Rival(**each) for each in found["rivals"]]
    )


def carry_out(order: Order, asked: socket.socket) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # for what MLIR prints
    faulthandler.disable()
    steps = work(order)
    while asked.recv(1) and (made := next(steps, None)):
        asked.sendall(json.dumps(asdict(made)).encode() + b"\n")


def work(order: Order) -> Iterator[Made]:
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    logging.disable()
    program, choice = PROGRAMS[order.program], order.choice
    given = inputs(program, order.n)
    exact = program.function(*(each.double() for each in given)).numpy()
    module = exported(program, given)
    module.context.enable_multithreading(False)  # threads would not survive a fork
    yield Made(-1, str(module), eager(program, given, exact, choice.plan.threads))
    bench = Bench(given, exact, choice.plan.threads)
    text, ran = "", None
    steps = road(choice)
    for number, step in enumerate(steps):
        before = text
        text = passed(module, [*step.parts])
        if text != before and choice.target != "gpu":
            ran = bench.ran(module.context, text, step)
        yield Made(number, text, ran)
    if choice.target != "gpu":
        rivals = []
        if choice.target == "schedule":
            rest = others(program, given, choice.plan.threads)
            rivals = bench.rivals(module.context, text, steps[-1], rest, program.work(order.n))
        yield Made(len(steps), llvm_text(module), ran, rivals)
        return
    kernels = [llvm_text(each) for each in ptx.kernels(module)]
    yield Made(len(steps), "\n".join(kernels), None)
    yield Made(len(steps) + 1, "\n".join(map(ptx.made, kernels)), None)


def exported(program: Program, given: list[Any]) -> Any:
    """The program in PyTorch's own operations, as a module of MLIR."""
    import torch
    from torch_mlir import fx
    from torch_mlir.compiler_utils import OutputType

    class Module(torch.nn.Module):
        def forward(self, *given: Any) -> Any:
            return program.function(*given)

    return fx.export_and_import(Module(), *given, output_type=OutputType.TORCH, func_name="main")


def llvm_text(module: Any) -> str:
    from torch_mlir.dialects.llvm import translate_module_to_llvmir

    found: str = translate_module_to_llvmir(module.operation)
    return found
