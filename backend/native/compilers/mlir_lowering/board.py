"""Pictures one after the other, and all that is known so far."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from labs.contract import Sentence
from labs.models.timing import refuse_impossible

from native.compilers.mlir_lowering import ptx, tell
from native.compilers.mlir_lowering.changes import Changes, changes
from native.compilers.mlir_lowering.hot import Hot, hottest
from native.compilers.mlir_lowering.passes import Step
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
from native.compilers.mlir_lowering.road import road
from native.compilers.mlir_lowering.schedule import lanes
from native.models.cores import cores

if TYPE_CHECKING:
    from native.compilers.mlir_lowering import Params
    from native.compilers.mlir_lowering.bench import Ran
    from native.compilers.mlir_lowering.worker import Made

EAGER = "PyTorch"


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
        return self.drawn(
            tell.imported(len(found.lines), way, self.params.choice.plan.threads), step, made.text, found
        )

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
        one = flops / timed(work, 3, 0.02).least / 1e9
        self.peak = max(self.peak, one * min(self.params.choice.plan.threads, cores()))

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
            passes=[name for part in step.parts for name in names(part)],
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
            hot=self.hot(stage, code),
            mix=mix or [],
            rivals=rivals or [],
        )

    def hot(self, stage: str, code: str) -> list[Hot]:
        scheduled = self.params.road == "schedule" and stage in ("llvm", "LLVM IR")
        return hottest(code, self.lanes) if scheduled else []

    def tiles(self, step: Step) -> list[Held]:
        """The tile that the program works on, once it is cut in tiles and until it is in LLVM's words."""
        if self.params.road != "schedule" or step not in self.steps or step.level in ("cf", "llvm"):
            return []
        done = [each.short for each in self.steps[: self.steps.index(step) + 1]]
        if "tiles" not in done:
            return []
        plan = self.params.choice.plan
        tile = plan.tile
        return [
            Held(
                tile.rows,
                tile.columns,
                self.lanes,
                plan.depth or plan.n,
                -(-plan.n // plan.depth) if plan.depth else 1,
                "vectors" in done,
                "registers" in done,
                plan.fuse and not plan.depth,
            )
        ]


def names(passes: str) -> list[str]:
    """Of passes, or of what a part of a schedule does."""
    if "transform." in passes:
        return list(dict.fromkeys(re.findall(r"transform\.([\w.]+)", passes)))
    return re.findall(r"[\w-]{4,}(?:\{[^}]*\})?", re.sub(r"func\.func|gpu\.module", "", passes))
