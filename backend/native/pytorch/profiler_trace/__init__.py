"""A profiler's trace: training steps as torch.profiler saw them, each span's self time, and what profiling costs.

A training program runs under torch.profiler with the schedule that the reader sets. The lab shows the spans that
were recorded, sums the time that each name has of its own, and measures what the profiler itself adds to a step.
Three of the four programs do one thing slowly, for the reader to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, Uint8
from labs.models.timing import QUARTILES

from native.pytorch.profiler_trace.pictures import WAYS, Difference, Row, Sort, Step

MEASURES = True
POSTER = 3
ROWS = 10


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["healthy", "A", "B", "C"],
        Label("Program", main=True, help="A, B and C each do one thing slowly. Find out what."),
    ] = "healthy"
    wait: Annotated[int, Interval(ge=0, le=6), Label("wait", help="Steps without the profiler.")] = 1
    warmup: Annotated[
        int, Interval(ge=0, le=3), Label("warmup", help="Steps that are recorded and thrown away.")
    ] = 1
    active: Annotated[int, Interval(ge=1, le=20), Label("active", help="Steps that are recorded.")] = 2
    steps: Annotated[int, Interval(ge=2, le=24), Label("Steps", help="Every fourth step validates.")] = 6
    record_shapes: Annotated[bool, Label("record_shapes", help="Types and shapes of inputs.")] = False
    with_stack: Annotated[bool, Label("with_stack", main=True, help="Python functions, too.")] = False
    compare: Annotated[
        bool, Label("Compare with the healthy program", help="This gives away what A, B and C do.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class Trace(Event):
    """A recording, as far as it is known."""

    kind: Literal["trace"] = "trace"
    stage: Literal["schedule", "trace", "self", "cost", "compared"]
    steps: list[Step]
    names: list[str]
    """Of spans"""
    sorts: list[Sort]
    """[names] a span that the program or the optimizer names, an operator, a node of the graph, or a function"""
    name: Int32
    """[spans] which of the names"""
    start: Int32
    """[spans] nanoseconds from the first beginning on; sorted by threads, then by time"""
    took: Int32
    """[spans] nanoseconds from beginning to end"""
    own: Int32
    """[spans] nanoseconds of these that are in no inner span"""
    depth: Uint8
    """[spans] how many spans it lies in"""
    thread: Uint8
    """[spans] which thread, from 0"""
    shapes: list[str]
    """Types and shapes of an operator's tensors; the first is empty"""
    shape: Int32
    """[spans] which of the shapes; all 0 where none were recorded"""
    end: int
    """Nanoseconds at which the last span ends"""
    left_out: int
    """The shortest spans, which are not in the arrays"""
    lit: int
    """The name to look at; -1 for none"""
    rows: list[Row]
    """Of the names with the most time of their own"""
    cost: Annotated[Float32, Axes(way=WAYS, quartile=QUARTILES)]
    """[4, 3] milliseconds of a step without the profiler, with it, with shapes, with stacks; NaN until measured"""
    spans: Annotated[Int32, Axes(way=WAYS)]
    """[4] spans of such a step"""
    differences: list[Difference]
    """From the healthy program, the largest first"""


def run(params: Params) -> Iterator[Trace]:
    if params.wait + params.warmup >= params.steps:
        raise LabError(
            f"Nothing is recorded: the program ends after {params.steps} steps, before the schedule is active; "
            "lower wait or warmup, or take more steps."
        )
    from native.models.torch_threads import one_thread

    with one_thread():
        yield from walk(params)


def walk(params: Params) -> Iterator[Trace]:
    from native.pytorch.profiler_trace import record, tell
    from native.pytorch.profiler_trace.spans import bounded, rows, sort, spans

    steps, profiler = record.traced(params)
    none, flags = np.zeros(0, np.int32), np.zeros(0, np.uint8)
    event = Trace(
        text=Sentence(""),
        stage="schedule",
        steps=steps,
        names=[],
        sorts=[],
        name=none,
        start=none,
        took=none,
        own=none,
        depth=flags,
        thread=flags,
        shapes=[""],
        shape=none,
        end=0,
        left_out=0,
        lit=-1,
        rows=[],
        cost=np.full((len(WAYS), 3), np.nan, np.float32),
        spans=np.zeros(len(WAYS), np.int32),
        differences=[],
    )
    yield replace(event, text=tell.scheduled(steps))

    every = spans(profiler.events())
    shown = bounded(every)
    event = replace(
        event,
        stage="trace",
        names=shown.names,
        sorts=[sort(each) for each in shown.names],
        name=shown.name,
        start=shown.start,
        took=shown.took,
        own=shown.own,
        depth=shown.depth,
        thread=shown.thread,
        shapes=shown.shapes,
        shape=shown.shape,
        end=tell.end_of(every.start, every.took),
        left_out=shown.left_out,
    )
    yield replace(event, text=tell.traced(len(every.took), shown.left_out, event.end))

    table = rows(every)
    event = replace(event, stage="self", rows=table[:ROWS], lit=table[0].at)
    yield replace(event, text=tell.own(table))

    cost, many = record.cost(params.program)
    event = replace(event, stage="cost", cost=cost, spans=many, lit=-1)
    yield replace(event, text=tell.costs(cost, many))

    if params.compare:
        found = record.differences(params.program)
        named = found[0].name if found else ""
        lit = shown.names.index(named) if named in shown.names else -1
        event = replace(event, stage="compared", differences=found, lit=lit)
        yield replace(event, text=tell.compared(found))
