"""The stages as they are made, one picture after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from labs.contract import LabError, Sentence
from labs.models.fusing.emit_c import Line
from labs.models.fusing.fuse import Decision
from labs.models.fusing.graph import Node

from native.compilers.gpu_kernel_stages import block, listing, price, tell, toolchain
from native.compilers.gpu_kernel_stages.compiled import Compiled
from native.compilers.gpu_kernel_stages.emit import EVERYTHING
from native.compilers.gpu_kernel_stages.pictures import Kernel, Op, Picture
from native.compilers.gpu_kernel_stages.search import Search, branches
from native.compilers.gpu_kernel_stages.tiles import space
from native.models.occupancy import limits

if TYPE_CHECKING:
    from native.compilers.gpu_kernel_stages import Params

SMALL = 64, 128
"""Tokens of the block that runs on a processor, before those that are left over of tiles; numbers of a token"""
MOST_APART = 1e-4
"""Of results in float32, after sums of up to 4,096 numbers"""
BLANK: dict[str, Any] = {"rows": [], "lines": 0, "counts": [], "branches": [], "limits": []}


class Story:
    def __init__(self, params: Params) -> None:
        self.params = params
        if params.device == "cuda":
            from native.compilers.gpu_kernel_stages import on_gpu

            self.on = on_gpu.name()
        self.made = Compiled(params, params.tokens)
        self.plan, self.numbers = self.made.grouped.plan, self.made.numbers
        self.ready = self.kernels()
        total = sum(each.predicted or 0.0 for each in self.ready) + price.LAUNCH * params.everything
        self.picture = Picture(
            text=tell.graph(len(self.plan.work), 0),
            stage="graph",
            program=self.made.lines,
            line=0,
            ops=[],
            kernels=[],
            follow=self.made.follow,
            touched=[],
            refused=False,
            rows=[],
            lines=0,
            counts=[],
            branches=[],
            limits=[],
            predicted=None,
            floor=sum(each.floor for each in self.ready),
            moved=0,
            measured=None,
            behind=None,
            ways=[],
            impossible=[],
            together=params.everything,
            gpu=params.gpu,
            on="",
        )
        self.total = total

    # what is known

    def kernels(self) -> list[Kernel]:
        found = []
        for at, it in enumerate(self.made.program.kernels):
            tile = self.made.tiles.get(it.name)
            cost = price.price(it, tile, self.made.gpu, alone=self.params.everything)
            found.append(
                Kernel(
                    key=min(self.number(node) for node in self.made.grouped.groups[at]),
                    name=it.name,
                    value=self.made.values[at],
                    tile=list(tile) if tile else [],
                    blocks=1 if self.params.everything else self.made.emitted.launches[at][1],
                    bytes=cost.bytes,
                    fetched=cost.fetched,
                    operations=cost.operations,
                    predicted=cost.seconds,
                    floor=price.floor(it, self.made.gpu),
                    registers=0,
                    shared=0,
                    spilled=0,
                    resident=cost.resident,
                    error=None,
                    measured=None,
                )
            )
        return found

    def number(self, node: Node) -> int:
        return self.numbers[self.plan.number[node]]

    def tell(self) -> Iterator[Picture]:
        yield from self.fusion()
        follow, kernel = self.made.follow, self.made.program.kernels[self.made.follow]
        self.picture = replace(
            self.picture,
            line=self.line(follow),
            kernels=self.ready,
            touched=[],
            refused=False,
            moved=sum(each.bytes for each in self.ready),
        )
        lines = listing.loops(kernel)
        yield self.listed("loops", lines, tell.loops(kernel.name, self.ready[follow].blocks, len(lines)))
        yield from self.search()
        yield self.listed("CUDA", listing.cuda(self.made.emitted, kernel.name, self.params.everything))
        yield from self.machine_code(kernel.name)
        if self.params.device == "cuda":
            from native.compilers.gpu_kernel_stages.on_gpu import OnGpu

            self.gpu = OnGpu(self.made.program, self.made.emitted, self.made.source, self.params.seed)
            self.gpu.run()
            found = block.apart(self.gpu.given, self.made.makers, self.gpu.memory)
            self.picture = replace(self.picture, on=self.on)
            yield self.correct(
                found, tell.checked_on(self.on, len(self.made.emitted.launches), max(found.values()))
            )
        else:
            yield self.checked()
        self.picture = replace(self.picture, predicted=self.total)
        floor = self.picture.floor
        many = len(self.made.emitted.launches)
        yield self.show("predicted", tell.predicted(many, self.total, floor, self.params.gpu))
        if self.params.device == "cuda":
            from native.compilers.gpu_kernel_stages.measuring import measured

            yield from measured(self, self.gpu)

    def show(self, stage: Any, text: Sentence, **changed: Any) -> Picture:
        self.picture = replace(self.picture, stage=stage, text=text, **changed)
        return self.picture

    def line(self, kernel: int) -> int:
        return self.made.grouped.groups[kernel][-1].line

    # fusion

    def fusion(self) -> Iterator[Picture]:
        groups = [[self.number(node)] for node in self.plan.work]
        yield self.show("graph", tell.graph(len(groups), self.moved(groups)), **self.state(groups))

        def about(it: Decision) -> tuple[bool, int]:
            return it.joined, self.plan.nodes[it.second[-1]].line

        decisions = [each for each in self.made.grouped.decisions if each.why != "order"]
        for (joins, line), some in groupby(decisions, about):
            alike = list(some)
            if joins:
                for each in alike:
                    members = {self.numbers[n] for n in (*each.first, *each.second)}
                    home = next(group for group in groups if members & set(group))
                    rest = [group for group in groups if not members & set(group)]
                    groups = [sorted({*home, *members}) if group is home else group for group in groups
                              if group is home or group in rest]  # fmt: skip
            last = alike[-1]
            said = tell.decision(self.said(last.first), self.said(last.second), joins, last.reason, len(alike) - 1)
            touched = sorted({self.numbers[n] for each in alike for n in (*each.first, *each.second)})
            yield self.show("fusion", said, line=line, touched=touched, refused=not joins, **self.state(groups))
        for copy, maker in self.made.grouped.sunk:
            one, other = self.numbers[copy], self.numbers[maker]
            home = next(group for group in groups if other in group)
            groups = [sorted([*home, one]) if group is home else group for group in groups if group != [one]]
            node = self.plan.nodes[copy]
            said = tell.sunk(node.op, self.made.value(self.plan.nodes[maker].line) or "it", len(groups))
            yield self.show(
                "fusion", said, line=node.line, touched=[one, other], refused=False, **self.state(groups)
            )

    def said(self, nodes: tuple[int, ...]) -> str:
        ops = [self.plan.nodes[each].op for each in nodes]
        return " → ".join(ops) if len(ops) <= 3 else f"{ops[0]} → … → {ops[-1]}"

    def state(self, groups: list[list[int]]) -> dict[str, Any]:
        where = {number: at for at, group in enumerate(groups) for number in group}
        ops = [Op(at, node.op, node.line, where[at]) for at, node in enumerate(self.plan.work)]
        blank = replace(self.ready[0], name="", value="", tile=[], blocks=0, bytes=0, fetched=0, operations=0.0,
                        predicted=None, floor=0.0, resident=0)  # fmt: skip
        return {
            "ops": ops,
            "moved": self.moved(groups),
            "kernels": [replace(blank, key=group[0]) for group in groups],
        }

    def moved(self, groups: list[list[int]]) -> int:
        """Bytes, if each group is a kernel that reads and writes each of its tensors once."""
        total = 0
        for group in groups:
            nodes = [self.plan.work[number] for number in group]
            inside = set(nodes)
            read = {base for node in nodes for base in self.plan.sources(node) if base.op != "const"} - inside
            total += sum(4 * math.prod(each.shape) for each in (*read, *self.plan.stored(nodes)))
        return total

    # listings

    def listed(self, stage: Any, lines: list[Line], text: Sentence | None = None) -> Picture:
        name = self.made.program.kernels[self.made.follow].name
        found = listing.counts(stage, lines)
        text = text or tell.listing(stage, name, len(lines), found, self.guarded())
        rows = listing.rows(lines, self.numbers)
        return self.show(stage, text, rows=rows, lines=len(lines), counts=found, branches=[], limits=[])

    def guarded(self) -> list[tuple[int, int]]:
        """Sides of the followed kernel's tile that do not divide the matrix, each with that of the matrix."""
        kernel = self.made.program.kernels[self.made.follow]
        where, tile = space(kernel), self.made.tiles.get(kernel.name)
        return where.guarded(tile) if where and tile else []

    def search(self) -> Iterator[Picture]:
        at = self.made.follow
        it = self.ready[at]
        assert it.predicted is not None
        if not it.tile:
            text = tell.no_tiles(it.name, it.blocks, it.predicted)
            yield self.show("search", text, rows=[], lines=0, counts=[])
            return
        if it.name not in self.made.searches:
            text = tell.chosen(it.name, it.tile, it.blocks, it.predicted)
            yield self.show("search", text, rows=[], lines=0, counts=[])
            return
        done = self.made.searches[it.name]
        again = Search(done.kernel, done.where, done.gpu)
        for _ in again.run():
            assert again.best
            tried = sum(each.state in ("tried", "best") and not each.children for each in again.branches)
            cut = sum(each.state == "cut" for each in again.branches)
            blocks = done.where.blocks(again.best)
            text = tell.searched(again.best, blocks, cut, tried, again.seconds)
            yield self.show("search", text, rows=[], lines=0, counts=[], branches=branches(again))

    def machine_code(self, name: str) -> Iterator[Picture]:
        if what := toolchain.missing():
            yield self.show("PTX", tell.absent(what), rows=[], lines=0, counts=[], branches=[])
            return
        emitted, together, arch = self.made.emitted, self.params.everything, self.made.gpu.arch
        built = toolchain.stages(emitted.text, arch)
        yield self.listed("PTX", listing.machine(emitted, name, together, built.ptx))
        yield self.listed("SASS", listing.machine(emitted, name, together, built.sass))
        for at, it in enumerate(self.ready):
            taken = built.resources[EVERYTHING if together else it.name]
            kernel = self.made.program.kernels[at]
            cost = price.price(
                kernel, self.made.tiles.get(it.name), self.made.gpu, taken.registers, taken.shared, together
            )
            self.ready[at] = replace(
                it, registers=taken.registers, shared=taken.shared, spilled=taken.spilled, resident=cost.resident,
                predicted=cost.seconds,
            )  # fmt: skip
        self.total = sum(each.predicted or 0.0 for each in self.ready) + price.LAUNCH * together
        it = self.ready[self.made.follow]
        found = limits(arch, price.WARPS, it.registers, it.shared)
        tightest = min(found, key=lambda each: each.blocks)
        yield self.show(
            "fits", tell.fits(it, tightest), rows=[], lines=0, counts=[], branches=[], limits=found,
            kernels=list(self.ready),
        )  # fmt: skip

    # results

    def checked(self) -> Picture:
        from native.compilers.gpu_kernel_stages.on_processor import errors

        tokens, width = SMALL[0] + self.params.tokens % SMALL[0], SMALL[1]
        small = Compiled(self.params, tokens, width)
        found = errors(small.program, small.emitted, small.source, small.makers, self.params.seed)
        return self.correct(found, tell.checked(len(small.emitted.launches), tokens, width, max(found.values())))

    def correct(self, found: dict[str, float], text: Sentence) -> Picture:
        off = max(found.values())
        if not off < MOST_APART:
            raise LabError(f"The kernels came out wrong: {off:.2g} from PyTorch in float64.")
        self.ready = [replace(it, error=found.get(it.value)) for it in self.ready]
        return self.show("checked", text, **BLANK, kernels=list(self.ready))
