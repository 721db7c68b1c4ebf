"""Register allocation: which of many values share which of a few registers, and which must wait in memory.

The function comes out of SSA form as three-address code with moves. Liveness, found by going backwards, says which
names must not share; that is a graph, and registers are its colours (Chaitin; optimistic as Briggs). Names that get
none go to memory, and everything begins again. At the end the code is run with names and with registers.

Reading order: `flat` turns SSA form into code with moves, `liveness` finds who is needed where, `interference`
who must not share a register, and joins what a move connects; `colour` hands out registers, `spill` rewrites the
code for those that got none, `execute` runs the code before and after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from labs.bits.register_allocation.allocate import Choices, Moment, Stage, allocate
from labs.bits.register_allocation.examples import EXAMPLES
from labs.bits.register_allocation.execute import Outcome, execute
from labs.bits.register_allocation.flat import Block, flatten
from labs.bits.register_allocation.liveness import Visit, liveness, through
from labs.contract import Axes, Event, Int32, Interval, Label, LabError, Sentence, Text, Uint8, say
from labs.models.c.lower import compile_c
from labs.models.c.ssa import convert
from labs.models.c.trouble import CError

NAMES = 60
SET, READ, BEHIND = 1, 2, 4

POSTER = 44


@dataclass(frozen=True)
class Params:
    source: Annotated[
        str,
        Text(1500, language="c", examples=EXAMPLES),
        Label("Function", help="One function of whole numbers, without arrays, pointers and calls."),
    ] = EXAMPLES["a loop of five"]
    registers: Annotated[int, Interval(ge=2, le=8), Label("Registers", main=True)] = 4
    arguments: Annotated[str, Text(40), Label("Called with", help="Whole numbers with spaces between.")] = "3 5 10"
    join_moves: Annotated[
        bool,
        Label("Coalesce moves", help="Join two names that a move connects, where that cannot cost a register."),
    ] = True
    metric: Annotated[
        Literal["cost / degree", "cost", "degree"],
        Label(
            "Take away first",
            help="If all names have too many neighbours: which one may have to go to memory.",
            main=True,
        ),
    ] = "cost / degree"
    optimistic: Annotated[
        bool, Label("Hope", help="A name with too many neighbours may still find a register (Briggs).")
    ] = True
    first_come: Annotated[
        bool,
        Label("First come, first served", group="Mistakes", help="Hands out registers in the order of the code."),
    ] = False
    one_sweep: Annotated[
        bool,
        Label(
            "One sweep of liveness",
            group="Mistakes",
            help="Misses what a loop carries from one iteration to the next.",
        ),
    ] = False
    first_way: Annotated[
        bool, Label("One path of a branch", group="Mistakes", help="Misses what the other path needs.")
    ] = False


@dataclass(frozen=True)
class Node:
    name: str
    joined: list[str]
    """The names that it stands for, its own among them."""
    cost: float | None
    """Reads and writes, ten times as many for every loop around; None if it must not be spilled."""
    degree: int
    state: Literal["here", "away", "hoping", "given", "spilled"]
    """``hoping`` is away without a promise."""
    register: int


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """Everything that is known at one moment."""

    kind: Literal["picture"] = "picture"
    stage: Stage
    round: int
    registers: int
    lines: list[str]
    places: Int32
    """[lines] line of the source, 0 if none"""
    block_of: Int32
    """[lines]"""
    leads: list[list[int]]
    """Of each block, the blocks that may follow."""
    block: int
    """The block that liveness looks at, else -1."""
    names: list[str]
    columns: list[str]
    """The names whose lives are shown, at the end the registers."""
    marks: Annotated[Uint8, Axes(line=None, column="columns")]
    """[lines, columns] 1: set here, 2: read here, 4: alive behind this line, as far as is known; sums of these"""
    nodes: list[Node]
    edges: Int32
    """[edges, 2] places in ``names``"""
    moves: Int32
    """[moves, 2] places in ``names`` that a move connects, and that are not one yet"""
    stack: list[str]
    """Taken away, the last one last."""
    current: list[str]
    blocked: list[int]
    """Registers that its neighbours hold."""
    in_memory: list[str]
    expected: int | None = None
    """What the code returns that knows no registers; None if it goes wrong."""
    result: int | None = None
    """What it returns with registers."""
    executed: int | None = None
    """Lines, with registers."""
    executed_before: int | None = None
    memory: int | None = None
    """Loads and stores among them."""


def run(params: Params) -> Iterator[Picture]:
    try:
        yield from pictures(params)
    except CError as trouble:
        raise LabError(f"L{str(trouble.place)[1:]}: {trouble.message}.") from None


def pictures(params: Params) -> Iterator[Picture]:
    unit = compile_c(params.source)
    if len(unit.routines) != 1:
        raise LabError("Write one function and nothing else.")
    (routine,) = unit.routines.values()
    arguments = numbers(params.arguments, len(routine.parameters), routine.name)
    blocks = flatten(convert(routine))
    if len({each.result for block in blocks for each in block.lines}) > NAMES:
        raise LabError(f"This function has more than {NAMES} values; make it shorter.")
    before = execute(blocks, arguments)
    choices = {key: getattr(params, key) for key in Choices.__dataclass_fields__}
    for moment in allocate(blocks, Choices(**choices)):
        picture = draw(moment, params)
        if moment.stage == "done":
            picture = finish(picture, before, execute(moment.blocks, arguments))
        yield picture


def numbers(text: str, wanted: int, name: str) -> list[int]:
    found = text.split()
    if len(found) < wanted or not all(re.fullmatch(r"-?\d{1,18}", each) for each in found):
        raise LabError(f"{name} takes {wanted} whole numbers; write them with spaces between.")
    return [int(each) for each in found]


def draw(moment: Moment, params: Params) -> Picture:
    blocks, graph, made = moment.blocks, moment.graph, moment.colouring
    done = moment.stage == "done"
    lines = [line for block in blocks for line in block.lines]
    names = list(dict.fromkeys(name for line in lines for name in (*line.uses, line.result) if name))
    if done:
        names = list(dict.fromkeys(name for all_ in graph.joined.values() for name in all_))
    columns = names
    if done:
        *_, visit = liveness(blocks)
        moment = replace(moment, visit=visit)
        columns = [f"r{n}" for n in range(params.registers)]
    place = {name: n for n, name in enumerate(names)}
    moves = {(graph.of(a), graph.of(b)) for a, b in graph.moves}
    left = {*made.left(graph)} if moment.stage == "take away" else {*graph.next}
    return Picture(
        text=moment.text,
        stage=moment.stage,
        round=moment.round,
        registers=params.registers,
        lines=[str(line) for line in lines],
        places=np.array([line.place for line in lines], np.int32),
        block_of=np.array([n for n, block in enumerate(blocks) for _ in block.lines], np.int32),
        leads=[list(block.successors) for block in blocks],
        block=moment.visit.block if moment.visit and moment.stage == "liveness" else -1,
        names=names,
        columns=columns,
        marks=marks(blocks, columns, moment.visit),
        nodes=[node(each, moment, left) for each in graph.next],
        edges=pairs(
            [(place[a], place[b]) for a in graph.next for b in sorted(graph.next[a]) if place[a] < place[b]]
        ),
        moves=pairs(sorted((place[a], place[b]) for a, b in moves if a != b)),
        stack=list(made.stack),
        current=list(moment.current),
        blocked=list(moment.blocked),
        in_memory=[", ".join(group) for group in moment.spilled],
    )


def pairs(found: list[tuple[int, int]]) -> Int32:
    return np.array(found, np.int32).reshape(-1, 2)


def node(name: str, moment: Moment, left: set[str]) -> Node:
    graph, made = moment.graph, moment.colouring
    state: Literal["here", "away", "hoping", "given", "spilled"] = "here"
    if name in made.register:
        state = "given"
    elif name in made.spilled:
        state = "spilled"
    elif name in made.stack:
        state = "hoping" if name in made.candidates else "away"
    cost = graph.cost[name]
    return Node(
        name=name,
        joined=list(graph.joined[name]),
        cost=None if cost == float("inf") else cost,
        degree=len(graph.next[name] & left),
        state=state,
        register=made.register.get(name, -1),
    )


def marks(blocks: list[Block], columns: list[str], visit: Visit | None) -> Uint8:
    place = {name: n for n, name in enumerate(columns)}
    rows: list[list[int]] = []
    for number, block in enumerate(blocks):
        behind = through(block, visit.after[number] if visit else frozenset())
        for line, alive in zip(block.lines, behind, strict=True):
            row = [0] * len(columns)
            for name in line.uses:
                row[place[name]] |= READ
            if line.result:
                row[place[line.result]] |= SET
            for name in alive if visit else ():
                row[place[name]] |= BEHIND
            rows.append(row)
    return np.array(rows, np.uint8).reshape(len(rows), len(columns))


def finish(picture: Picture, before: Outcome, now: Outcome) -> Picture:
    def said(outcome: Outcome) -> Sentence:
        return say("returns {}", outcome.result) if not outcome.trouble else say("stops ({})", outcome.trouble)

    right = (before.result, before.trouble) == (now.result, now.trouble)
    verdict = (
        say("it {}, as it should", said(now))
        if right
        else say("it {}, where the source {}", said(now), said(before))
    )
    cost = say("{} lines executed, {} of them touching memory", now.executed, now.memory)
    return replace(
        picture,
        text=say("{}; {}: {}.", picture.text[:-1], verdict, cost),
        expected=before.result,
        result=now.result,
        executed=now.executed,
        executed_before=before.executed,
        memory=now.memory,
    )
