"""Lowering through MLIR: a PyTorch program on the road that PolyBlocks takes, pass by pass down to machine code.

The passes are MLIR's own, as they come in the torch-mlir wheel. The program is written in PyTorch's operations,
then in operations on tensors, on buffers, as loops with affine bounds, as blocks that jump, for LLVM. After each of
them it is also taken as it stands, lowered with nothing more made faster, run, timed, and compared with float64.
The other road leads to kernels for a GPU, in PTX; nothing runs there.

Reading order: `programs` is what is lowered, `road` says by which passes, `worker` takes it there in a process of
its own, `bench` runs and times what it is on the way, `ptx` makes code for a GPU of where it ends. `nest` reads
loops and what they access off the text, with `bounds` and `operands`; `count` says how often all of it happens,
`jumps` what became of loops, `changes` what a pass did to the lines. `pictures` shows it, and `tell` says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from labs.contract import Interval, Label, LabError, Sentence
from labs.models.timing import refuse_impossible

from native.compilers.mlir_lowering import ptx, tell
from native.compilers.mlir_lowering.changes import Changes, changes
from native.compilers.mlir_lowering.pictures import MOST as MOST_ROWS
from native.compilers.mlir_lowering.pictures import (
    WRONG,
    Buffer,
    Lowered,
    Part,
    Row,
    Way,
    between,
    buffers,
    counts,
    rows,
)
from native.compilers.mlir_lowering.road import Choice, Step, road

if TYPE_CHECKING:
    from native.compilers.mlir_lowering.bench import Ran
    from native.compilers.mlir_lowering.worker import Made

MEASURES = True
POSTER = 8
EAGER = "PyTorch"


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["matmul_relu", "matmul_gelu", "chain", "distance", "blur", "softmax", "layer_norm", "attention"],
        Label("Program", main=True),
    ] = "matmul_relu"
    n: Annotated[int, Interval(ge=16, le=512), Label("n", help="Rows and columns.")] = 256
    target: Annotated[
        Literal["cpu", "gpu"], Label("Road", help="The road to a GPU ends with its code, which is not run.")
    ] = "cpu"
    fuse_tensors: Annotated[bool, Label("Fuse on tensors", group="On both roads")] = True
    tile: Annotated[
        Literal["off", "8", "16", "32", "64", "128"],
        Label(
            "Tiles", help="The side of a tile; for a GPU, of a block of threads.", group="On both roads", main=True
        ),
    ] = "32"
    fusion: Annotated[
        Literal["off", "by cost", "maximal"],
        Label(
            "Fuse loops",
            help="Maximal does not ask what it costs. With either choice MLIR's pass may move a read past a write: "
            "a step whose results are wrong says so.",
            group="On the CPU's road",
        ),
    ] = "by cost"
    scalars: Annotated[bool, Label("Scalar replacement", group="On the CPU's road")] = True
    vectors: Annotated[Literal["off", "4", "8", "16"], Label("Lanes of a vector", group="On the CPU's road")] = "8"

    @property
    def choice(self) -> Choice:
        tile, width = ("0" if each == "off" else each for each in (self.tile, self.vectors))
        return Choice(self.target, self.fuse_tensors, self.fusion, self.scalars, int(tile), int(width))


def run(params: Params) -> Iterator[Lowered]:
    if params.target == "gpu" and params.choice.tile > 32:
        side = params.choice.tile
        raise LabError(
            f"A block has at most 1,024 threads, and {side} × {side} are more: choose tiles of 32 or less."
        )
    board = Board(params)
    yield board.given()
    from native.compilers.mlir_lowering.worker import Order, Worker  # which takes a moment

    for made in Worker(Order(params.program, params.n, params.choice)):
        yield board.picture(made)


class Board:
    """All that is known so far."""

    def __init__(self, params: Params) -> None:
        from native.compilers.mlir_lowering.programs import PROGRAMS

        self.params, self.steps = params, road(params.choice)
        self.program = PROGRAMS[params.program]
        self.work = self.program.work(params.n)
        self.text, self.buffers, self.peak = "", list[Buffer](), 0.0
        timed = [EAGER, *(each.short for each in self.steps if params.target == "cpu")]
        self.ways = [Way(name, [], 0, 0, "unknown") for name in timed]

    def picture(self, made: Made) -> Lowered:
        """Of what the worker has made last."""
        if made.step < 0:
            return self.imported(made)
        if made.step >= len(self.steps):
            return self.ended(made)
        step = self.steps[made.step]
        found = changes(self.text, made.text)
        before, now = self.last(), self.measured(made.step + 1, made.ran)
        held = between(self.buffers)
        self.buffers = buffers(made.text)
        told = tell.step(step, found, now, before, held, between(self.buffers))
        return self.drawn(told, step, made.text, found)

    def given(self) -> Lowered:
        """Before anything is asked of MLIR."""
        step = Step(EAGER, "torch")
        told = tell.given(self.params.n, self.program.shapes(self.params.n))
        return self.drawn(told, step, self.program.source, changes("", self.program.source), EAGER)

    def imported(self, made: Made) -> Lowered:
        step = Step("import", "torch")
        found = changes("", made.text)
        way = self.measured(0, made.ran)
        return self.drawn(tell.imported(len(found.lines), way), step, made.text, found)

    def ended(self, made: Made) -> Lowered:
        self.buffers = []
        if made.step == len(self.steps):
            step = Step("LLVM IR", "llvm")
            found = changes("", made.text)
            told = tell.llvm(made.text.count("\n"), self.params.target == "cpu")
            return self.drawn(told, step, made.text, found, step.short)
        step = Step("PTX", "llvm")
        mix = [Part(name, count) for name, count in ptx.mix(made.text).items()]
        outside = sorted(set(re.findall(r"\.extern \.func .*?\b(__nv_\w+)", made.text, re.DOTALL)))
        told = tell.code(mix, made.text.count(".visible .entry"), outside)
        return self.drawn(told, step, made.text, changes("", made.text), step.short, mix)

    def last(self) -> Way | None:
        return next((each for each in reversed(self.ways[1:]) if each.speed), None)

    def measured(self, place: int, ran: Ran | None) -> Way | None:
        """Put a measurement in its place. Raises ``ImpossibleError`` if it is above what the processor can do."""
        if place >= len(self.ways) or not ran:
            return None
        if self.params.target == "cpu":
            self.limit()
        name = self.ways[place].name
        if ran.broke:
            self.ways[place] = Way(name, [], 0, -1, "broke")
            return self.ways[place]
        speed = [self.work / each / 1e9 for each in ran.seconds]
        verdict: Literal["right", "wrong"] = "right" if 0 <= ran.error <= WRONG else "wrong"
        if place and verdict == "right":
            refuse_impossible(name, speed[1] / self.peak, "processor")
        self.ways[place] = Way(name, speed, ran.seconds[1], ran.error, verdict)
        return self.ways[place]

    def limit(self) -> None:
        """Measured again beside each step, since the clock of a processor changes with what it does."""
        from native.models.products import peak
        from native.models.timing import timed

        work, flops = peak()
        self.peak = max(self.peak, flops / timed(work, 3, 0.02).least / 1e9)

    def drawn(
        self, text: Sentence, step: Step, code: str, found: Changes, stage: str = "", mix: list[Part] | None = None
    ) -> Lowered:
        stage = stage or step.level
        self.text = code
        whole = [Row(0, "work", self.params.program, 0, 0, 1, [], [], [], False)]
        loops = whole if stage == EAGER else rows(code, stage, found.places)
        total = counts(code, stage)
        return Lowered(
            text=text,
            stage=stage,
            name=step.short,
            passes=re.findall(r"[\w-]{4,}(?:\{[^}]*\})?", re.sub(r"func\.func|gpu\.module", "", step.passes)),
            lines=found.lines,
            left_out=found.left_out,
            new=found.new,
            gone=found.gone,
            loops=loops[:MOST_ROWS],
            loops_left_out=max(0, len(loops) - MOST_ROWS),
            reads=total.reads if total else -1,
            writes=total.writes if total else -1,
            floats=total.floats if total else -1,
            work=self.work,
            buffers=self.buffers,
            ways=list(self.ways),
            peak=self.peak,
            mix=mix or [],
        )
