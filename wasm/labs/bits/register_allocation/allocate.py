"""The whole allocator, one moment after the other: rounds of liveness, graph and colours."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from labs.bits.register_allocation.colour import Colouring, Given, Metric, select, simplify
from labs.bits.register_allocation.flat import Block
from labs.bits.register_allocation.interference import Graph, build, coalesce
from labs.bits.register_allocation.liveness import Visit, liveness
from labs.bits.register_allocation.spill import assign, spill
from labs.contract import Sentence, counted, say
from labs.models.c.trouble import CError, Place

ROUNDS = 20
Stage = Literal["code", "liveness", "graph", "join", "take away", "give back", "spill", "done"]


@dataclass(frozen=True)
class Choices:
    registers: int = 4
    join_moves: bool = True
    optimistic: bool = True
    metric: Metric = "cost / degree"
    one_sweep: bool = False
    first_way: bool = False
    first_come: bool = False


@dataclass(frozen=True)
class Moment:
    stage: Stage
    text: Sentence
    blocks: list[Block]
    round: int
    visit: Visit | None = None
    graph: Graph = field(default_factory=Graph)
    colouring: Colouring = field(default_factory=Colouring)
    current: tuple[str, ...] = ()
    blocked: tuple[int, ...] = ()
    """Registers that neighbours of the current node hold."""
    spilled: tuple[tuple[str, ...], ...] = ()
    """Each group of names that lies in one place in memory, over all rounds."""


def allocate(blocks: list[Block], choices: Choices) -> Iterator[Moment]:
    """Every step from code over names to code over registers. Raises ``CError`` if spilling comes to no end."""
    slots: tuple[tuple[str, ...], ...] = ()
    size = say("{} lines in {}", lines_of(blocks), counted(len(blocks), "block"))
    text = say("Out of SSA form: {}, in which every phi has become moves.", size)
    yield Moment("code", text, blocks, 1)
    for number in range(1, ROUNDS + 1):
        moment = yield from one_round(blocks, choices, Moment("code", say(""), blocks, number, spilled=slots))
        made = moment.colouring
        if not made.spilled:
            names = {name: f"r{made.register[node]}" for node, all_ in moment.graph.joined.items() for name in all_}
            final = assign(blocks, names)
            used = len(set(made.register.values()))
            gone = lines_of(blocks) - lines_of(final)
            text = say(
                "Every name has a register: {} in use, {} gone", counted(used, "register"), counted(gone, "move")
            )
            yield replace(moment, stage="done", text=say("{}.", text), blocks=final, current=(), blocked=())
            return
        groups = [moment.graph.joined[node] for node in made.spilled]
        before = lines_of(blocks)
        blocks = spill(blocks, groups, len(slots))
        slots += tuple(map(tuple, groups))
        told = say("{} {} to memory", listed(made.spilled), "moves" if len(groups) == 1 else "move")
        text = say("{}: {} lines instead of {}, and the next round begins.", told, lines_of(blocks), before)
        yield Moment("spill", text, blocks, number + 1, spilled=slots)
    raise CError(f"after {ROUNDS} rounds names are still left over; take more registers", Place(1, 1))


def one_round(blocks: list[Block], choices: Choices, moment: Moment) -> Generator[Moment, None, Moment]:
    """Returns its last moment."""
    for visit in liveness(blocks, choices.one_sweep, choices.first_way):
        yield (moment := replace(moment, stage="liveness", text=tell_visit(visit), visit=visit))
    assert moment.visit
    graph = build(blocks, moment.visit.after)
    edges = sum(map(len, graph.next.values())) // 2
    most = max(graph.next, key=graph.degree, default="")
    text = say(
        "{} and {} that must not share a register; ", counted(len(graph.next), "name"), counted(edges, "pair")
    )
    last = (
        say("{} has the most neighbours, {}", most, graph.degree(most)) if most else "there is nothing to allocate"
    )
    text = say("{}{}.", text, last)
    yield (moment := replace(moment, stage="graph", text=text, graph=graph))
    if choices.join_moves:
        for one, other in coalesce(graph, choices.registers):
            text = say("{} joins {}: a move connects them, and joining them cannot cost a register.", other, one)
            yield (moment := replace(moment, stage="join", text=text, current=(one, other)))
    made = Colouring()
    moment = replace(moment, colouring=made)
    if choices.first_come:
        # What a spill made must come first even so, or there would be no end.
        short = [node for node in graph.next if graph.cost[node] == float("inf")]
        long = [node for node in graph.next if node not in short]
        made.stack += [*long[::-1], *short]
    else:
        for taken in simplify(graph, made, choices.registers, choices.metric, choices.optimistic):
            if taken.easy:
                why = say("{} has {} left", taken.node, counted(taken.degree, "neighbour"))
                text = say("{}, fewer than {}: a register will be free for it.", why, choices.registers)
            else:
                text = say("All names that are left have {} neighbours or more; {} ", choices.registers, taken.node)
                goes = "is taken away, and may still find a register." if choices.optimistic else "goes to memory."
                text = say("{}{}", text, goes)
            yield (moment := replace(moment, stage="take away", text=text, current=(taken.node,)))
    if made.spilled:
        return moment
    for given in select(graph, made, choices.registers):
        blocked, text = tuple(sorted(set(given.held.values()))), tell_given(given)
        moment = replace(moment, stage="give back", text=text, current=(given.node,), blocked=blocked)
        yield moment
    return moment


def tell_visit(visit: Visit) -> Sentence:
    alive = sorted(visit.before[visit.block])
    what = say("{} {} alive", listed(alive), "is" if len(alive) == 1 else "are") if alive else "nothing is alive"
    news = "" if visit.changed else ", as before"
    return say("Sweep {}: at the start of block {} {}{}.", visit.sweep, visit.block, what, news)


def tell_given(given: Given) -> Sentence:
    held = sorted(set(given.held.values()))
    theirs = (
        say("its neighbours hold {}", listed([f"r{n}" for n in held])) if held else "no neighbour has a register"
    )
    if given.register < 0:
        return say("{} comes back, and {}: no register is left, so it goes to memory.", given.node, theirs)
    return say("{} comes back, {}, and it gets r{}.", given.node, theirs, given.register)


def lines_of(blocks: list[Block]) -> int:
    return sum(len(block.lines) for block in blocks)


def listed(names: list[str]) -> str:
    shown = names if len(names) <= 8 else [*names[:7], f"{len(names) - 7} others"]
    return shown[0] if len(shown) == 1 else say("{} and {}", ", ".join(shown[:-1]), shown[-1])
