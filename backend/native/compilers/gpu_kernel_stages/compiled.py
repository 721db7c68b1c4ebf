"""The block compiled as far as no tool but our own is needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from labs.models.fusing.cost import Machine
from labs.models.fusing.loops import Program

from native.compilers.gpu_kernel_stages import block, price
from native.compilers.gpu_kernel_stages.emit import Emitted, emit
from native.compilers.gpu_kernel_stages.gpus import GPUS, Gpu
from native.compilers.gpu_kernel_stages.groups import Grouped, grouped
from native.compilers.gpu_kernel_stages.search import Search
from native.compilers.gpu_kernel_stages.tiles import Tile, space

if TYPE_CHECKING:
    from native.compilers.gpu_kernel_stages import Params


def machine(gpu: Gpu) -> Machine:
    """A multiprocessor is what a thread is to the fusing compiler."""
    each = gpu.flops / gpu.multiprocessors / 2 / 1e9
    return Machine(227 << 10, gpu.bandwidth / 1e9, each, each, gpu.multiprocessors, launch=price.LAUNCH * 1e9)


class Compiled:
    """The block for so many tokens, as far as no tool but our own is needed."""

    def __init__(self, params: Params, tokens: int, width: int = block.WIDTH) -> None:
        self.params, self.gpu = params, GPUS[params.gpu]
        self.source = block.text(tokens, width)
        self.lines = self.source.rstrip().split("\n")
        self.grouped: Grouped = grouped(self.source, params.fusion, machine(self.gpu))
        plan = self.grouped.plan
        self.numbers = {plan.number[node]: at for at, node in enumerate(plan.work)}
        copies = {copy for copy, _ in self.grouped.sunk}
        made = [[node for node in group if plan.number[node] not in copies] for group in self.grouped.groups]
        self.values = [self.value(group[-1].line) for group in made]
        last = {value: at for at, value in enumerate(self.values)}
        self.values = [value if last[value] == at else "" for at, value in enumerate(self.values)]
        names = [f"k{at}_{self.values[at] or group[-1].op}" for at, group in enumerate(self.grouped.groups)]
        kernels = zip(self.grouped.program.kernels, names, strict=True)
        self.program: Program = replace(
            self.grouped.program, kernels=tuple(replace(each, name=name) for each, name in kernels)
        )
        self.searches: dict[str, Search] = {}
        self.tiles = {each.name: self.tile(each) for each in self.program.kernels if space(each)}
        self.emitted: Emitted = emit(self.program, self.tiles, params.everything)

    def value(self, line: int) -> str:
        return (block.named(self.lines[line - 1]) if line else None) or ""

    def tile(self, kernel: Any) -> Tile:
        where = space(kernel)
        assert where
        if self.params.tile != "search":
            return where.square(int(self.params.tile))
        self.searches[kernel.name] = search = Search(kernel, where, self.gpu)
        return search.tile()

    @property
    def follow(self) -> int:
        """The kernel that multiplies for the value, or the one that makes it."""
        at = self.values.index(self.params.follow)
        line = next(n for n, text in enumerate(self.lines, 1) if block.named(text) == self.params.follow)
        same = [n for n, group in enumerate(self.grouped.groups) if any(node.line == line for node in group)]
        return next((n for n in same if space(self.program.kernels[n])), at)

    @property
    def makers(self) -> dict[str, Any]:
        """The kernel of each value that has a name. Unless it writes in the order of the copy after it, that of a
        has another order than PyTorch's."""
        found = {value: it for value, it in zip(self.values, self.program.kernels, strict=True) if value}
        return found if self.grouped.sunk else {value: it for value, it in found.items() if value != "a"}
