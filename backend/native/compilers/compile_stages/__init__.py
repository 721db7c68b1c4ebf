"""Compile stages: a PyTorch program all the way through torch.compile, from Python to assembly.

Dynamo follows the bytecode and writes down a graph; AOTAutograd adds the way back; Inductor turns the graphs into
loops, fuses these, and writes C++, of which a compiler makes assembly. Every stage here is one of a real
compilation, watched while it happens. Each operation of the program has a number, and every line of every stage
knows which operations it does. At the end stands what it was worth, and what happens when the shapes change.

Reading order: `programs` is what is compiled, `watch` listens while it is; `listings`, `guards` and `assembly`
turn what comes along into lines, `costs` measures, `calls` asks again with other shapes.
"""

from __future__ import annotations

import contextlib
import math
import os
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from labs.contract import Interval, Label, say

from native.models.stages.pictures import COMES_FROM, TITLES, Calls, Row, Stage, Worth, tell

if TYPE_CHECKING:
    from native.compilers.compile_stages.watch import Heard

MEASURES = True
POSTER = 8
DYNAMIC = {"when they change": None, "always": True, "never": False}


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal[
            "chain",
            "branch",
            "dimensions",
            "softmax",
            "layer_norm",
            "attention",
            "mlp",
            "halves",
            "talks",
            "in_place",
            "custom",
            "quantized",
            "conv_norm",
        ],
        Label("Program", main=True),
    ] = "chain"
    rows: Annotated[int, Interval(ge=2, le=2048), Label("Rows")] = 512
    columns: Annotated[int, Interval(ge=2, le=512), Label("Columns")] = 256
    other: Annotated[int, Interval(ge=2, le=2048), Label("Rows of the second call")] = 384
    gradients: Annotated[bool, Label("Gradients", help="The program is run forward and backward.", main=True)] = (
        False
    )
    dynamic: Annotated[
        Literal["when they change", "always", "never"],
        Label("Dynamic shapes", help="Whether a compilation may leave sizes open: the argument dynamic."),
    ] = "when they change"


def run(params: Params) -> Iterator[Stage | Worth | Calls]:
    from native.compilers.compile_stages import listings, programs

    program = programs.PROGRAMS[params.program]
    lines, first, file = programs.source(program)
    story = Story(lines)
    yield story.tell("source", listings.source(lines))
    yield story.tell("bytecode", listings.bytecode(program.function.__code__, first, file))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's, of what it does itself
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder  # what was compiled before is not what is to be seen
        yield from Compilation(params, story, first, file, Path(folder)).stages()


@dataclass
class Story:
    """What has been shown, for the stages that come from it."""

    lines: list[str]
    operations: list[Any] = field(default_factory=list)
    shown: dict[str, list[Row]] = field(default_factory=dict)
    compilations: list[str] = field(default_factory=list)

    def tell(
        self, stage: str, rows: list[Row], part: str = "", backward: bool = False, seconds: float = 0
    ) -> Stage:
        begins = ("backward",) if backward and stage == "passes" else COMES_FROM.get(stage, ())
        earlier = next((each for each in begins if each in self.shown), "")
        self.shown[stage] = rows
        return Stage(
            text=tell(stage, rows, part),
            source=self.lines,
            operations=list(self.operations),
            stage=stage,
            title=TITLES[stage],
            part=part,
            rows=rows,
            before=TITLES.get(earlier, ""),
            earlier=self.shown.get(earlier, []),
            seconds=seconds,
        )

    def part(self, compilation: str, backward: bool) -> str:
        """Which graph this is, in words."""
        if compilation not in self.compilations:
            self.compilations.append(compilation)
        frames = list(dict.fromkeys(each.partition("/")[0] for each in self.compilations))
        frame, _, again = compilation.partition("/")
        words = [f"graph {frames.index(frame) + 1}", "compiled again" * (again != "0"), "way back" * backward]
        return ", ".join(filter(None, words))


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """One of the programs prints."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


class Compilation:
    def __init__(self, params: Params, story: Story, first: int, file: str, folder: Path) -> None:
        import torch
        import torch._dynamo
        from torch._inductor.utils import clear_inductor_caches

        from native.compilers.compile_stages import programs
        from native.compilers.compile_stages.watch import Watch
        from native.models.stages import toolchain
        from native.models.stages.marks import Operations

        torch.manual_seed(0)
        torch.set_num_threads(1)
        torch._dynamo.reset()
        clear_inductor_caches()
        self.params, self.story = params, story
        self.program = programs.PROGRAMS[params.program]
        self.operations = Operations(file, first)
        story.operations = self.operations.seen
        self.tools = toolchain.find(folder)
        self.watch = Watch(self.operations, self.tools, folder)
        self.compiled: Any = torch.compile(
            self.program.function, backend=self.watch.backend, dynamic=DYNAMIC[params.dynamic]
        )

    def stages(self) -> Iterator[Stage | Worth | Calls]:
        inputs, seconds, graphs = self.inputs(self.params.rows), 0.0, 0
        for heard in self.watch.during(lambda: self.call(self.compiled, inputs)):
            seconds, graphs = heard.seconds, graphs + (heard.stage == "graph")
            yield self.stage(heard)
        worth = self.worth(inputs, seconds, graphs)
        others = self.inputs(self.params.other)
        for heard in self.watch.during(lambda: self.call(self.compiled, others)):
            yield self.stage(heard)
        yield worth
        yield self.calls()

    def stage(self, heard: Heard) -> Stage:
        part = self.story.part(heard.compilation, heard.backward)
        return self.story.tell(heard.stage, heard.rows, part, heard.backward, heard.seconds)

    def inputs(self, rows: int) -> list[Any]:
        given = self.program.inputs(rows, self.params.columns)
        return [each.requires_grad_(self.params.gradients and each.is_floating_point()) for each in given]

    def call(self, function: Any, inputs: list[Any]) -> Any:
        from native.compilers.compile_stages import costs

        with unheard():
            return costs.step(function, inputs, self.params.gradients)()

    def worth(self, inputs: list[Any], seconds: float, graphs: int) -> Worth:
        from native.compilers.compile_stages import costs

        functions = (self.program.function, self.compiled)
        with costs.Counted() as counted:
            right = self.call(self.program.function, inputs)
        found = self.call(self.compiled, inputs)
        most = max(float(each.abs().max()) for each in right) or 1.0
        apart = max(float((one - other).abs().max()) for one, other in zip(right, found, strict=True))
        with unheard():
            steps = [costs.step(each, inputs, self.params.gradients) for each in functions]
            eager, compiled = costs.times(steps)
        gained = eager.median - compiled.median
        return Worth(
            text=say(
                "A call takes {:.3g} ms uncompiled and {:.3g} ms compiled.",
                eager.median * 1e3,
                compiled.median * 1e3,
            ),
            source=self.story.lines,
            operations=list(self.operations.seen),
            eager_ms=eager.median * 1e3,
            compiled_ms=compiled.median * 1e3,
            speedup=eager.median / compiled.median,
            compile_seconds=seconds,
            pays_after=math.ceil(seconds / gained) if gained > 0 else None,
            eager_kernels=counted.kernels,
            kernels=self.watch.kernels,
            eager_bytes=counted.bytes,
            bytes=self.watch.bytes,
            graphs=graphs,
            difference=apart / most,
            compiler=self.tools.name,
        )

    def calls(self) -> Calls:
        import torch

        from native.compilers.compile_stages.calls import MOST, again

        first, second = self.params.rows, self.params.other
        more = [second + 2 * (n + 1) for n in range(MOST - 2)]
        sizes = [first, second, *(size if size != first else size + 1 for size in more)]
        found = again(
            lambda function, rows: self.call(function, self.inputs(rows)),
            self.program.function,
            sizes,
            DYNAMIC[self.params.dynamic],
        )
        compiled = sum(each.done == "compiled" for each in found)
        limit = torch._dynamo.config.recompile_limit
        given_up = sum(each.done == "Python" for each in found)
        after = say(", and after {} compilations {} calls are left to Python", limit, given_up) if given_up else ""
        verb = "is" if compiled == 1 else "are"
        return Calls(
            text=say(
                "Of {} calls, {}, {} {} newly compiled{}.",
                len(found),
                "each with a different number of rows"
                if first != second
                else "two of them with the same number of rows",
                compiled,
                verb,
                after,
            ),
            source=self.story.lines,
            operations=list(self.operations.seen),
            calls=found,
            compiled=compiled,
            limit=limit,
        )
