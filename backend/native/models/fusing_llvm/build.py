"""From a program's text to what runs, with every pass a switch."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from labs.models.fusing import cost
from labs.models.fusing.fuse import fuse
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Program
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import Graph, read
from labs.models.fusing.rewrite import EXACT, rewritten

from native.models.fusing_llvm import listing
from native.models.fusing_llvm.machine import assembly, here, module
from native.models.fusing_llvm.phases import Machine
from native.models.fusing_llvm.run import Compiled
from native.models.peak_kernel import reading_by
from native.models.timing import timed

BLOCK = 112
"""Rows of a product at a time: eight tiles of the packed kernel with AVX-512."""
NEVER = 1 << 60
"""Bytes that nothing has."""


@dataclass(frozen=True)
class Switches:
    rewrites: bool = True
    fusion: bool = True
    order: bool = True
    vectors: bool = True
    around: bool = True
    pages: bool = True
    threads: int = 1

    @property
    def machine(self) -> Machine:
        found = here(self.threads)
        cache, large = found.cache if self.around else NEVER, found.large if self.pages else NEVER
        return replace(found, cache=cache, large=large)


@dataclass(frozen=True)
class Build:
    graph: Graph
    program: Program
    code: Compiled
    moved: list[float]
    """[kernels] bytes that each is predicted to move"""
    seconds: float
    """From text to machine code."""

    @property
    def bytes(self) -> float:
        return sum(self.moved)

    @property
    def footprint(self) -> int:
        """Bytes of inputs and outputs: less cannot be moved."""
        return sum(each.size * BYTES[each.dtype] for each in self.program.buffers if each.role != "temporary")

    def hot(self) -> list[list[listing.Line]]:
        """Of each kernel the loop that it spends its time in."""
        found = listing.functions(assembly(module(self.program, self.code.machine, places=True).text))
        return [
            max(
                (listing.hottest(lines) for name, lines in found.items() if name.startswith(f"{it.name}.")), key=len
            )
            for it in self.program.kernels
        ]


def build(text: str, switches: Switches) -> Build:
    begun = time.perf_counter()
    graph = read(text)
    if switches.rewrites:
        graph = rewritten(graph, EXACT)
    machine = cost.Machine(threads=switches.threads)
    passes = Passes(
        rows_first=switches.order,
        tile=32 * switches.order,
        width=switches.machine.register * switches.vectors,
    )
    program = fuse(graph.outputs, "cost" if switches.fusion else "none", machine, BLOCK, passes).program
    program, _ = optimised(program, passes)
    code = Compiled(program, switches.machine)
    seconds = time.perf_counter() - begun
    return Build(graph, program, code, [each.bytes for each in cost.costs(program, machine)], seconds)


def bandwidth(threads: int, footprint: int, repetitions: int) -> float:
    """GB/s of reading so many bytes, or of adding two arrays that are as large with their sum; the faster."""
    import torch

    numbers = max(footprint // 12, 1 << 12)
    adding = build(
        f"def f(x: f32[{numbers}], y: f32[{numbers}]):\n    return x + y\n", Switches(threads=threads)
    ).code
    x, y, z = (torch.ones(numbers) for _ in range(3))

    def add(rounds: int) -> None:
        for _ in range(rounds):
            adding.into((z,), x, y)

    read_all, bytes_ = reading_by(threads, max(12 * numbers, 1 << 16))
    rates = (
        12 * numbers / timed(add, repetitions, 0.05).least,
        bytes_ / timed(read_all, repetitions, 0.05).least,
    )
    return max(rates) / 1e9
