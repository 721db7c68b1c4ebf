"""A fusing compiler: a few lines of tensor code on their way to loops, and why every step is taken.

The program is read, never executed: its lines become a graph of operations on whole tensors. Rules make the graph
smaller, each with its reason, and switches turn them off. A cost model then decides which operations become one
kernel, by the bytes and the arithmetic that it predicts for both ways. What is left are loops, which are put
into the order of memory and written down as C and as CUDA.

Reading order: `programs` are there to begin with, `backward` adds a graph's gradients to it, `joining` goes
through fusion decision by decision, `count` counts what a kernel moves; `emit_c` and `emit_cuda` of `models/fusing`
write the loops down. `show` and `tell` put a step into words, `painter` makes `pictures` of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from labs.compilers.fusing_compiler import joining, painter, tell
from labs.compilers.fusing_compiler.backward import with_backward
from labs.compilers.fusing_compiler.count import count
from labs.compilers.fusing_compiler.last_axis import by_last_axis
from labs.compilers.fusing_compiler.painter import Painter, tally
from labs.compilers.fusing_compiler.pictures import Code, Joint, Kernel, Picture, Rule, Stage, Work
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.contract import Interval, Label, LabError, Sentence, Text, joined, say
from labs.models.fusing.cost import Machine, costs
from labs.models.fusing.emit_c import Line, emit_c
from labs.models.fusing.emit_cuda import emit_cuda
from labs.models.fusing.fuse import Decision, Fusion, fuse
from labs.models.fusing.loops import Program
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.plan import Plan
from labs.models.fusing.read import Graph, read
from labs.models.fusing.rewrite import GROUPS, Rewriter
from labs.models.programs.trouble import as_advice

REWRITES = "Rewrites"
LOOPS = "Loops"
MOST = 100
"""Operations, of both directions: for each pair all that was joined before is lowered again, which takes up to half
a second for so many, and several times that in a browser."""
COUNTABLE = 2 << 20  # bytes moved: a browser takes about a second for them
STEPS = 1 << 24  # and operations: what is read again and again moves nothing, and takes its time
MACHINE = "Machine"

POSTER = 13


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        Text(3000, language="python", examples=PROGRAMS, listed=True),
        Label(
            "Program", help="A function of tensors: each parameter has a type and a shape, such as f32[1024, 64]."
        ),
    ] = PROGRAMS["layer-norm"]
    backward: Annotated[
        bool, Label("Backward", help="Compile the gradients of all inputs, too, together with the program.")
    ] = False
    fusion: Annotated[
        Literal["cost", "greedy", "none"],
        Label("Fusion", help="By predicted cost; or whatever can be joined; or nothing."),
    ] = "cost"
    cache: Annotated[
        Literal[32, 256, 1024, 4096],
        Label("Cache", unit="KiB", help="The cache that a core has to itself.", group=MACHINE),
    ] = 1024
    threads: Annotated[int, Interval(ge=1, le=64), Label("Threads", group=MACHINE)] = 2
    count: Annotated[
        bool,
        Label(
            "Count bytes", help="Follow the loops, address by address, through a simulated cache.", group=MACHINE
        ),
    ] = False
    rows_first: Annotated[
        bool,
        Label("Rows first", help="Sums of columns are added up row by row, in the order of memory.", group=LOOPS),
    ] = True
    tile: Annotated[
        Literal[0, 8, 16, 32, 64],
        Label(
            "Tiles",
            help="Their side, where one tensor is read along rows and another across them; 0 is none.",
            group=LOOPS,
        ),
    ] = 32
    width: Annotated[
        Literal[0, 16, 32, 64],
        Label("Vectors", unit="bytes", help="The width of a vector instruction; 0 is none.", group=LOOPS),
    ] = 64
    unroll: Annotated[
        Literal[1, 2, 4],
        Label(
            "Vectors at a time", help="In sums, whose additions would otherwise wait for one another.", group=LOOPS
        ),
    ] = 1
    dead_code: Annotated[bool, Label("Dead code", help=GROUPS["dead code"], group=REWRITES)] = True
    common: Annotated[bool, Label("Common", help=GROUPS["common"], group=REWRITES)] = True
    constants: Annotated[bool, Label("Constants", help=GROUPS["constants"], group=REWRITES)] = True
    identities: Annotated[bool, Label("Identities", help=GROUPS["identities"], group=REWRITES)] = True
    casts: Annotated[bool, Label("Casts", help=GROUPS["casts"], group=REWRITES)] = True
    transposes: Annotated[bool, Label("Transposes", help=GROUPS["transposes"], group=REWRITES)] = True
    broadcasts: Annotated[bool, Label("Broadcasts", help=GROUPS["broadcasts"], group=REWRITES)] = True
    patterns: Annotated[bool, Label("Patterns", help=GROUPS["patterns"], group=REWRITES)] = True
    fast_math: Annotated[bool, Label("Fast math", help=GROUPS["fast math"], group=REWRITES)] = False
    last_axis: Annotated[
        bool,
        Label(
            "Sum along the last axis",
            help="Whatever axis the program names; look at columns.",
            group="Mistakes",
        ),
    ] = False


def run(params: Params) -> Iterator[Picture]:
    with as_advice():
        graph = read(params.program)
    yield from Compilation(params, graph).run()


class Compilation:
    def __init__(self, params: Params, graph: Graph) -> None:
        self.params, self.graph = params, graph
        on = {group: getattr(params, group.replace(" ", "_")) for group in GROUPS}
        self.groups = tuple(group for group in GROUPS if on[group])
        self.machine = Machine(cache=params.cache << 10, threads=params.threads)
        self.numbers = Rewriter(graph, ()).numbers
        self.painter = Painter(graph, self.numbers)
        self.work = tally(graph, self.machine)

    def run(self) -> Iterator[Picture]:
        yield self.picture("graph", tell.graph(self.graph, self.work))
        yield from self.rewrites()
        if self.params.backward:  # of what is left: a formula that has a name has a derivative of its own
            yield self.backward()
            yield from self.rewrites()
        if (operations := tell.operations(self.graph)) > MOST:
            raise LabError(
                f"This is {operations} operations, and {MOST} may be fused here: make its loops shorter."
            )
        plan = Plan(self.graph.outputs)
        fusion = fuse(self.graph.outputs, self.params.fusion, self.machine, passes=self.ordering())
        yield from self.fusion(plan, fusion)
        yield from self.loops(plan, fusion)

    def picture(self, stage: Stage, text: Sentence, line: int = 0) -> Picture:
        rows = self.painter.paint(self.graph, self.numbers)
        before, self.work = self.work, tally(self.graph, self.machine)
        return Picture(
            text=text,
            stage=stage,
            line=line,
            rows=rows,
            work=self.work,
            before=before,
            changes=[],
            kernels=[],
            written=[],
        )

    def backward(self) -> Picture:
        forward, self.graph = self.graph, with_backward(self.graph)
        self.numbers = Rewriter(self.graph, (), self.numbers).numbers
        return self.picture("backward", tell.backward(forward, self.graph))

    def rewrites(self) -> Iterator[Picture]:
        for step in Rewriter(self.graph, self.groups, self.numbers).run():
            old = list(self.painter.numbers)
            self.graph, self.numbers = step.graph, step.numbers
            picture = self.picture("rewrite", say(""), step.before[0].line)
            before = after = ""
            if step.after is not None:
                before, after = self.painter.changed(old, step.before[0], step.after)
            else:
                before = joined(", ", (self.painter.name(node) for node in step.before if node.op != "const"))
            rule = Rule(step.name, step.why, step.group, before, after)
            yield replace(picture, text=tell.rewrite(rule.name, rule.why, before, after), rule=rule)

    def fusion(self, plan: Plan, fusion: Fusion) -> Iterator[Picture]:
        total = painter.spent(costs(fusion.program, self.machine))
        saved = Work(0, 0)
        for each in fusion.decisions:
            if each.joined and each.after:
                saved = painter.plus(saved, gain(each))
        before = self.work = painter.plus(total, saved)
        for decision, groups in joining.states(fusion, plan):
            order, kernels = joining.arranged(groups, plan)
            rows = self.painter.paint(self.graph, self.numbers, kernels, order)
            after = painter.minus(before, gain(decision)) if decision.joined else before
            joint = self.joint(decision, plan)
            yield Picture(
                text=tell.joint(joint.first, joint.second, joint.joined, joint.reason),
                stage="fusion",
                line=plan.nodes[decision.second[-1]].line,
                rows=rows,
                work=after,
                before=before,
                joint=joint,
                changes=[],
                kernels=[],
                written=[],
            )
            before = after

    def joint(self, decision: Decision, plan: Plan) -> Joint:
        def said(numbers: tuple[int, ...]) -> str:
            return " → ".join(plan.nodes[number].op for number in numbers)

        after = decision.after
        return Joint(
            first=said(decision.first),
            second=said(decision.second),
            joined=decision.joined,
            why=decision.why,
            reason=decision.reason,
            apart=painter.spent([decision.before]),
            together=painter.spent([after]) if after else None,
        )

    def loops(self, plan: Plan, fusion: Fusion) -> Iterator[Picture]:
        """The kernels, after each pass over them that changed something, and as two other languages."""
        order, kernels = joining.arranged([frozenset(each) for each in fusion.groups], plan)
        picture = Picture(
            text=say(""),
            stage="loops",
            line=0,
            rows=self.painter.paint(self.graph, self.numbers, kernels, order),
            work=self.work,
            before=self.work,
            changes=[],
            kernels=[],
            written=[],
        )
        lines: list[list[Code]] = []
        told: list[str] = []
        fused, missed = by_last_axis(fusion.program) if self.params.last_axis else (fusion.program, [])
        program = fused
        for stage, passes in self.passes():
            program, changes = optimised(fused, passes)
            now = list(dict.fromkeys(f"{each.kernel}: {each.what}, as {each.why}" for each in changes))
            if stage == "loops" or now != told:
                more, told = [each for each in now if each not in told], now
                lines = painter.code(program, plan.nodes, self.numbers, lines)
                picture = self.costed(replace(picture, stage=stage, changes=more), program, lines)
                yield replace(picture, text=tell.loops(stage, len(lines), picture.work, more))
                if missed and stage == "loops":
                    yield replace(picture, text=say("{}.", joined("; ", map(tell.past, missed))))
        picture = replace(picture, changes=[], before=picture.work)
        files: list[tuple[Stage, list[Line]]] = [("C", emit_c(program)), ("CUDA", emit_cuda(fused))]
        for language, emitted in files:
            written = painter.listing(emitted, plan.nodes, self.numbers)
            text = say("The same loops as {}: {}.", language, tell.count(len(written), "line"))
            yield replace(picture, text=text, stage=language, written=written)
        if self.params.count:
            yield self.counted(picture, program)

    def costed(self, picture: Picture, program: Program, lines: list[list[Code]]) -> Picture:
        """With what is predicted for each kernel."""
        found = costs(program, self.machine)
        works = [painter.spent([each]) for each in found]
        before, self.work = self.work, painter.spent(found)
        kernels = [
            Kernel(kernel.name, work, code)
            for kernel, work, code in zip(program.kernels, works, lines, strict=True)
        ]
        return replace(picture, before=before, work=self.work, kernels=kernels)

    def counted(self, picture: Picture, program: Program) -> Picture:
        """The bytes of each kernel, by going through it."""
        predicted = picture.work
        small = predicted.bytes <= COUNTABLE and predicted.operations <= STEPS
        kernels, work = picture.kernels, predicted
        if small:
            found = count(program, self.machine.cache).bytes()
            work = Work(sum(found), predicted.operations)
            kernels = [
                replace(each, work=Work(moved, each.work.operations))
                for each, moved in zip(kernels, found, strict=True)
            ]
        text = tell.counted(predicted, work, small)
        return replace(picture, text=text, stage="counted", before=predicted, work=work, kernels=kernels)

    def ordering(self) -> Passes:
        """What the cost model has to know of the passes to come."""
        return Passes(self.params.rows_first, self.params.tile, self.params.width, self.params.unroll)

    def passes(self) -> Iterator[tuple[Stage, Passes]]:
        passes = self.ordering()
        yield "loops", replace(passes, rows_first=False, tile=0, width=0)
        yield "rows first", replace(passes, tile=0, width=0)
        yield "tiles", replace(passes, width=0)
        yield "vectors", passes


def gain(decision: Decision) -> Work:
    assert decision.after
    return painter.minus(painter.spent([decision.before]), painter.spent([decision.after]))
