"""From a program's text to what runs, with every pass a switch: the front end, and then `native.models.compiler`.

`contest` has the programs, and `listing` shows the loop that a kernel spends its time in.
"""

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

from native.compilers.fused_kernels import listing
from native.models.compiler.compiled import Compiled
from native.models.compiler.machine import assembly, here, module, ready
from native.models.compiler.phases import Machine
from native.models.peak_kernel import Roof, reading_by
from native.models.timing import together

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
    ahead: bool = True
    pages: bool = True
    threads: int = 1

    @property
    def machine(self) -> Machine:
        found = here(self.threads)
        large = found.large if self.pages else NEVER
        return replace(found, around=self.around, ahead=found.ahead * self.ahead, large=large)


@dataclass(frozen=True)
class Build:
    graph: Graph
    program: Program
    code: Compiled
    moved: list[float]
    """[kernels] bytes that each is predicted to move"""
    switches: Switches
    seconds: float
    """From text to machine code."""

    def ready(self) -> tuple[Compiled, float]:
        """What runs, and how long it took to make."""
        return self.code, self.seconds

    @property
    def bytes(self) -> float:
        return sum(self.moved)

    @property
    def footprint(self) -> int:
        """Bytes of inputs and outputs: less cannot be moved."""
        return sum(each.size * BYTES[each.dtype] for each in self.program.buffers if each.role != "temporary")

    @property
    def lanes(self) -> int:
        """Numbers that one instruction works on."""
        return self.switches.machine.register // 4 if self.switches.vectors else 1

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
    ready()  # what a process needs once is not what this program takes
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
    return Build(graph, program, code, [each.bytes for each in cost.costs(program, machine)], switches, seconds)


def bandwidth(threads: int, footprint: int, repetitions: int) -> float:
    """GB/s that the faster of ``movers`` comes to."""
    works, moved = zip(*movers(threads, footprint), strict=True)
    taken = together(works, repetitions, 0.05)
    rates = [each / its.least / 1e9 for each, its in zip(moved, taken, strict=True)]
    return float(max(rates))


def movers(threads: int, footprint: int) -> list[Roof]:
    """What moves about so many bytes and does little else, and how many those are: adding two arrays that are as
    large with their sum, and reading."""
    import torch

    numbers = max(footprint // 12, 1 << 12)
    adding = build(
        f"def f(x: f32[{numbers}], y: f32[{numbers}]):\n    return x + y\n", Switches(threads=threads)
    ).code
    x, y, z = (torch.ones(numbers) for _ in range(3))

    def add(rounds: int) -> None:
        for _ in range(rounds):
            adding.into((z,), x, y)

    return [(add, 12 * numbers), reading_by(threads, max(12 * numbers, 1 << 16))]
