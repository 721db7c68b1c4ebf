"""Lowering through MLIR: a PyTorch program on the road that PolyBlocks takes, pass by pass down to machine code.

The passes are MLIR's own, as they come in the torch-mlir wheel. A matrix product goes down by a schedule, a program
in MLIR's transform dialect that packs, tiles and vectorises it; any program may go by loops with affine bounds and
the passes that MLIR has for them. After each step it is also taken as it stands, lowered with nothing more made
faster, run, timed, and compared with float64. At the end of the schedule it takes turns with our own kernel and
PyTorch. A third road leads to kernels for a GPU, in PTX; nothing runs there.

Reading order: `programs` is what is lowered, `refusals` what cannot be, `road` says by which passes, `schedule`
by which transformations, `worker` takes it there in a process of its own, `bench` runs and times it on the way,
and in turns with others at its end, `ptx` makes code for a GPU of where it ends. `nest` reads loops and what
they access off the text, with `bounds` and `operands`; `count` says how often all of it happens, `jumps` what
became of loops, `changes` what a pass did to the lines. `pictures` shows it, and `tell` says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from labs.contract import Interval, Label, Sentence
from labs.models.timing import refuse_impossible

from native.compilers.mlir_lowering import ptx, tell
from native.compilers.mlir_lowering.changes import Changes, changes
from native.compilers.mlir_lowering.pictures import MOST as MOST_ROWS
from native.compilers.mlir_lowering.pictures import (
    WRONG,
    Buffer,
    Held,
    Lowered,
    Part,
    Rival,
    Row,
    Way,
    between,
    buffers,
    counts,
    rows,
)
from native.compilers.mlir_lowering.refusals import refuse
from native.compilers.mlir_lowering.road import Choice, Step, Target, road
from native.compilers.mlir_lowering.schedule import Tile, fitting, lanes

if TYPE_CHECKING:
    from native.compilers.mlir_lowering.bench import Ran
    from native.compilers.mlir_lowering.worker import Made

MEASURES = True
POSTER = 8
PRODUCTS = ("matmul_relu", "matmul_gelu")
EAGER = "PyTorch"


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["matmul_relu", "matmul_gelu", "chain", "distance", "blur", "softmax", "layer_norm", "attention"],
        Label("Program", main=True),
    ] = "matmul_relu"
    n: Annotated[int, Interval(ge=16, le=1024), Label("n", help="Rows and columns; up to 512 by loops.")] = 256
    target: Annotated[
        Literal["schedule", "cpu", "gpu"],
        Label(
            "Road",
            help="For the processor by a schedule, if the program is one product, or by loops; or to a GPU's "
            "code, which is not run.",
        ),
    ] = "schedule"
    fuse_tensors: Annotated[bool, Label("Fuse on tensors", group="On all roads")] = True
    registers: Annotated[
        Literal["fit", "6 × 16", "8 × 32", "14 × 32", "28 × 32"],
        Label(
            "Tile in registers",
            help="Rows × columns of the result; fit is what the registers of this processor hold.",
            group="On the road by a schedule",
            main=True,
        ),
    ] = "fit"
    order: Annotated[
        Literal["columns outside", "rows outside"], Label("Loops over tiles", group="On the road by a schedule")
    ] = "columns outside"
    keep: Annotated[
        bool,
        Label(
            "Keep the tile",
            help="In registers for all steps of k; else it is read and written in each.",
            group="On the road by a schedule",
        ),
    ] = True
    tile: Annotated[
        Literal["off", "8", "16", "32", "64", "128"],
        Label("Tiles", help="The side of a tile; for a GPU, of a block of threads.", group="On the roads by loops"),
    ] = "32"
    fusion: Annotated[
        Literal["off", "by cost", "maximal"],
        Label(
            "Fuse loops",
            help="Maximal does not ask what it costs. With either choice MLIR's pass may move a read past a write: "
            "a step whose results are wrong says so.",
            group="By loops for the processor",
        ),
    ] = "by cost"
    scalars: Annotated[bool, Label("Scalar replacement", group="By loops for the processor")] = True
    vectors: Annotated[
        Literal["off", "4", "8", "16"], Label("Lanes of a vector", group="By loops for the processor")
    ] = "8"

    @property
    def choice(self) -> Choice:
        tile, width = ("0" if each == "off" else each for each in (self.tile, self.vectors))
        return Choice(
            self.road,
            self.fuse_tensors,
            self.fusion,
            self.scalars,
            int(tile),
            int(width),
            self.held(),
            self.order == "rows outside",
            self.keep,
        )

    @property
    def road(self) -> Target:
        """The one asked for, if there is a schedule for the program."""
        return "cpu" if self.target == "schedule" and self.program not in PRODUCTS else self.target

    def held(self) -> Tile:
        if self.registers != "fit":
            rows, columns = map(int, self.registers.split(" × "))
            return Tile(rows, columns)
        return fitting()


def run(params: Params) -> Iterator[Lowered]:
    refuse(params)
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
        self.lanes = lanes() if params.road == "schedule" else 1
        timed = [EAGER, *(each.short for each in self.steps if params.road != "gpu")]
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
        told = tell.given(self.params.n, self.program.shapes(self.params.n), self.params.road != self.params.target)
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
            told = tell.llvm(made.text.count("\n"), self.params.road != "gpu", made.rivals)
            return self.drawn(told, step, made.text, found, step.short, rivals=made.rivals)
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
        if self.params.road != "gpu":
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
        self,
        text: Sentence,
        step: Step,
        code: str,
        found: Changes,
        stage: str = "",
        mix: list[Part] | None = None,
        rivals: list[Rival] | None = None,
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
            passes=names(step.passes),
            schedule=step.passes.split("\n") if "transform." in step.passes else [],
            tiles=self.tiles(step),
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
            rivals=rivals or [],
        )

    def tiles(self, step: Step) -> list[Held]:
        """The tile that the program works on, once it is cut in tiles and until it is in LLVM's words."""
        if self.params.road != "schedule" or step not in self.steps or step.level in ("cf", "llvm"):
            return []
        done = [each.short for each in self.steps[: self.steps.index(step) + 1]]
        if "tiles" not in done:
            return []
        choice = self.params.choice
        tile = choice.registers
        return [
            Held(
                tile.rows,
                tile.columns,
                self.lanes,
                self.params.n,
                "vectors" in done,
                "registers" in done,
                choice.fuse_tensors,
            )
        ]


def names(passes: str) -> list[str]:
    """Of passes, or of what a part of a schedule does."""
    if "transform." in passes:
        return list(dict.fromkeys(re.findall(r"transform\.([\w.]+)", passes)))
    return re.findall(r"[\w-]{4,}(?:\{[^}]*\})?", re.sub(r"func\.func|gpu\.module", "", passes))
