"""Fused kernels: our own compiler's machine code beside NumPy, PyTorch and Inductor, and what each pass gains.

A program goes through our compiler: fused under a cost model, put in order, cut into vectors, made into machine
code by LLVM. Every kernel is shown with the loop that it spends its time in, and timed beside others that do the
same, in turns, so that what slows the machine slows all. Then its passes are switched off, one at a time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from labs.contract import Interval, Label, LabError, Sentence, joined, say
from labs.models.timing import NOISE, refuse_impossible

from native.compilers.fused_kernels.flow import Flow
from native.compilers.fused_kernels.pictures import Kernels, Piece
from native.models.timing import Timing, timed, together

if TYPE_CHECKING:
    from native.compilers.fused_kernels.build import Build

MEASURES = True
SIZES = {"4 K": 1 << 12, "64 K": 1 << 16, "1 M": 1 << 20, "16 M": 1 << 24}
PATIENCE = 0.25  # seconds for all repetitions of one way, as far as one round allows
RIVALS = ("NumPy", "eager", "Inductor")
OFF = {
    "fusion": "each operation a kernel",
    "order": "no rows first, no tiles",
    "vectors": "one number at a time",
    "rewrites": "the graph as it was written",
    "around": "what is written stays in the caches",
    "ahead": "what is read is asked for when it is needed",
    "pages": "new memory comes in small pages",
}


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["chain", "squares", "gelu", "neuron", "columns", "softmax", "layer norm", "linear"],
        Label("Program", main=True),
    ] = "chain"
    size: Annotated[
        Literal["4 K", "64 K", "1 M", "16 M"], Label("Numbers", help="In each input; 1,024 in a row.")
    ] = "1 M"
    dtype: Annotated[Literal["f32", "bf16"], Label("Type")] = "f32"
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads")] = 1
    fusion: Annotated[
        bool, Label("Fusion", group="Passes", help="Operations that share numbers become one kernel.", main=True)
    ] = True
    order: Annotated[bool, Label("Order", group="Passes", help="Loops go through memory line by line.")] = True
    vectors: Annotated[bool, Label("Vectors", group="Passes", help="Many numbers in one instruction.")] = True
    rewrites: Annotated[bool, Label("Rewrites", group="Passes", help="Rules on the graph.")] = True
    around: Annotated[
        bool, Label("Around the caches", group="Passes", help="Large results are written straight to memory.")
    ] = True
    ahead: Annotated[
        bool, Label("Ahead", group="Passes", help="Large inputs are requested 2 KiB before they are needed.")
    ] = True
    pages: Annotated[
        bool, Label("Large pages", group="Passes", help="New memory comes 2 MiB at a time, not 4 KiB.")
    ] = True
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


def run(params: Params) -> Iterator[Kernels]:
    import torch

    torch.set_num_threads(params.threads)
    with tempfile.TemporaryDirectory() as folder:
        board = Board(params, Path(folder))
        yield board.picture("", board.about_kernels())
        yield board.picture("", board.limit())
        yield board.ours()
        yield from board.kernels()
        for name, make in board.others():
            yield board.measured(name, make)
        yield board.picture("ours", board.summary())


@dataclass
class Board:
    """All that was found out so far."""

    params: Params
    folder: Path
    """For what Inductor writes."""
    ways: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from native.compilers.fused_kernels import build, contest

        params = self.params
        self.contest = contest.PROGRAMS[params.program]
        self.text = contest.written(params.program, SIZES[params.size], params.dtype)
        self.switches = build.Switches(**{name: getattr(params, name) for name in OFF}, threads=params.threads)
        self.build: Build = build.build(self.text, self.switches)
        made = {name: self.build_without(name) for name in OFF if getattr(params, name)}
        self.idle = [name for name, other in made.items() if other.code.same(self.build.code)]
        self.without = {f"without {name}": other for name, other in made.items() if name not in self.idle}
        self.ways = {"ours": "our compiler", "NumPy": "an operation at a time", "eager": "PyTorch, as it is"}
        self.ways |= {"Inductor": "torch.compile"}
        self.ways |= {name: OFF[name.removeprefix("without ")] for name in self.without}
        self.flow = Flow(self.build)
        self.passes = {"ours": self.flow.passes(self.build)} | self.flow.rivals(self.contest)
        self.passes |= {
            name: [] if name == "without rewrites" else self.flow.passes(other)
            for name, other in self.without.items()
        }
        self.given, self.truth = self.numbers_of()
        count = len(self.ways)
        self.seconds = np.full((count, 3), np.nan, np.float32)
        self.ratio, self.compiling, self.error = (np.full(count, np.nan, np.float32) for _ in range(3))
        self.missing = [""] * count
        self.alone: list[float | None] = [None] * len(self.build.program.kernels)
        self.bandwidth = 0.0
        self.hot = [self.flow.rows(lines) for lines in self.build.hot()]

    def build_without(self, name: str) -> Build:
        from native.compilers.fused_kernels import build

        return build.build(self.text, replace(self.switches, **{name: False}))

    def numbers_of(self) -> tuple[list[Any], list[Any]]:
        """Inputs as tensors, and what PyTorch makes of them in float64."""
        import torch

        from native.models.compiler.compiled import tensors

        random = np.random.default_rng(self.params.seed)
        inputs = {
            each.arg: random.standard_normal(each.shape).astype(np.float32) for each in self.build.graph.inputs
        }
        given = tensors(self.build.program, inputs)
        with torch.no_grad():
            return given, [self.contest.torch(*(each.double() for each in given))]

    def about_kernels(self) -> Sentence:
        count = len(self.build.program.kernels)
        return say(
            "{} kernel{} from {} operations, after {:.2g} s; {:.3g} MB to move.",
            count,
            "s" * (count != 1),
            len(self.flow.numbers),
            self.build.seconds,
            self.build.bytes / 1e6,
        )

    def limit(self) -> Sentence:
        from native.compilers.fused_kernels.build import bandwidth

        found = bandwidth(self.switches.threads, int(self.build.footprint), self.params.repetitions)
        self.bandwidth = max(self.bandwidth, found)
        threads = say("{} threads", self.switches.threads) if self.switches.threads > 1 else "one thread"
        return say("With {} and nothing else to do, that many bytes move at {:.3g} GB/s.", threads, self.bandwidth)

    def ours(self) -> Kernels:
        self.check("ours", self.build.code(*self.given))
        taken = timed(self.work(self.build.code), self.params.repetitions, PATIENCE)
        self.note("ours", taken, 1.0, self.build.seconds)
        rate = self.build.footprint / taken.median / 1e9
        told = say("Ours: {} per call, {:.3g} GB/s of inputs and outputs.", time_of(taken.median), rate)
        return self.picture("ours", told)

    def kernels(self) -> Iterator[Kernels]:
        for number, work in enumerate(self.build.code.kernels(*self.given)):
            piece = self.build.program.kernels[number]
            self.alone[number] = taken = timed(work, self.params.repetitions, PATIENCE / 2).median
            rate = self.build.moved[number] / taken / 1e9
            yield self.picture("ours", say("{} alone: {}, {:.3g} GB/s.", piece.name, time_of(taken), rate))

    def others(self) -> Iterator[tuple[str, Callable[[], tuple[Callable[..., Any], float]]]]:
        """A way, and what gets it ready: a function, and the seconds that it took to compile."""
        yield "NumPy", lambda: (self.in_numpy(), float("nan"))
        yield "eager", lambda: (self.contest.torch, float("nan"))
        yield "Inductor", self.inductor
        for name, made in self.without.items():
            yield name, made.ready

    def in_numpy(self) -> Callable[..., Any]:
        if self.params.dtype == "bf16":
            raise LabError("NumPy has no bf16")
        arrays = [each.numpy() for each in self.given]
        return lambda *_: self.contest.numpy(*arrays)

    def inductor(self) -> tuple[Callable[..., Any], float]:
        from native.models.compiler import inductor

        made, seconds, name = inductor.compile(self.contest.torch, self.given, self.folder, self.switches.threads)
        self.ways["Inductor"] = f"torch.compile, with {name}"
        return made, seconds

    def measured(self, name: str, make: Callable[[], tuple[Callable[..., Any], float]]) -> Kernels:
        import torch

        try:
            function, seconds = make()
        except LabError as error:
            self.missing[self.at(name)] = str(error)
            return self.picture(name, say("{}: {}.", name, error))
        with torch.no_grad():
            self.check(name, function(*self.given))
            works = (self.work(self.build.code), self.work(function))
            ours, other = together(works, self.params.repetitions, PATIENCE, self.params.threads)
        ratio = other.median / ours.median
        if ours.median < self.seconds[0, 1]:  # what slowed it before is over
            self.note("ours", ours, 1.0, self.build.seconds)
        self.note(name, other, ratio, seconds)
        words = say("{:.2f} × ours", ratio) if name in self.without else say("ours is {:.2f} × as fast", ratio)
        return self.picture(name, say("{}: {} per call; {}.", name, time_of(other.median), words))

    def summary(self) -> Sentence:
        known = {name: ratio for name, ratio in zip(self.ways, self.ratio.tolist(), strict=True) if ratio > 0}
        others = [say("{:.3g} × as fast as {}", known[name], name) for name in RIVALS if name in known]
        lost = sorted(((known[name], name) for name in self.without if known.get(name, 0) > 1.1), reverse=True)
        slower = joined(", ", (say("{:.3g} × as long {}", by, name) for by, name in lost))
        ends = say("; it takes {}", slower) if lost else ""
        return say("Ours takes {}: {}{}.", time_of(self.seconds[0, 1]), joined(", ", others), ends)

    def work(self, function: Callable[..., Any]) -> Callable[[int], object]:
        given = self.given

        def rounds(count: int) -> object:
            for _ in range(count):
                function(*given)
            return None

        return rounds

    def check(self, name: str, found: Any) -> None:
        import torch

        result = torch.as_tensor(np.asarray(found) if not isinstance(found, torch.Tensor) else found).double()
        most = float(self.truth[0].abs().max()) or 1.0
        self.error[self.at(name)] = float((result.reshape(self.truth[0].shape) - self.truth[0]).abs().max()) / most

    def note(self, name: str, taken: Timing, ratio: float, seconds: float) -> None:
        place = self.at(name)
        self.seconds[place] = taken.low, taken.median, taken.high
        self.ratio[place], self.compiling[place] = ratio, seconds
        if name == "ours" or name in self.without:
            self.refuse(name, self.build.footprint, taken.median)

    def refuse(self, name: str, moved: float, seconds: float) -> None:
        """What would move bytes faster than memory does cannot be."""
        for _ in range(3):  # whatever slowed the memory may be over by then
            if moved / seconds / 1e9 <= NOISE * self.bandwidth:
                return
            self.limit()
        refuse_impossible(name, moved / seconds / 1e9 / self.bandwidth, "machine")

    def lanes(self, name: str) -> int:
        return 0 if name in RIVALS else self.without.get(name, self.build).lanes

    def at(self, name: str) -> int:
        return list(self.ways).index(name)

    def picture(self, stage: str, text: Sentence) -> Kernels:
        kernels = self.build.program.kernels
        pieces = zip(kernels, self.build.moved, self.alone, self.hot, strict=True)
        return Kernels(
            text=text,
            stage=stage,
            program=self.text.rstrip().split("\n"),
            operations=self.flow.operations(),
            given=self.flow.given(),
            made=self.flow.made(),
            pieces=[Piece(it.name, moved, alone, rows) for it, moved, alone, rows in pieces],
            ways=list(self.ways),
            says=list(self.ways.values()),
            passes=[self.passes[name] for name in self.ways],
            lanes=[self.lanes(name) for name in self.ways],
            idle=list(self.idle),
            missing=list(self.missing),
            seconds=self.seconds.copy(),
            ratio=self.ratio.copy(),
            compile_seconds=self.compiling.copy(),
            error=self.error.copy(),
            bytes=self.build.bytes,
            footprint=self.build.footprint,
            bandwidth=self.bandwidth or None,
            threads=self.switches.threads,
        )


def time_of(seconds: float) -> Sentence:
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return say("{:.3g} {}", seconds / unit, name)
    return say("{:.3g} ns", seconds * 1e9)
