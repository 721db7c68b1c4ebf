"""The allocator against definitions, against brute force, and against the C machine that knows no registers."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.bits.register_allocation.allocate import Choices, Moment, allocate
from labs.bits.register_allocation.colour import Colouring, select, simplify
from labs.bits.register_allocation.examples import EXAMPLES
from labs.bits.register_allocation.execute import execute
from labs.bits.register_allocation.flat import Block, flatten
from labs.bits.register_allocation.interference import Graph, build
from labs.bits.register_allocation.liveness import Visit, liveness, through
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.ssa import convert

from .functions import Writer

INPUTS = ([3, 5, 10], [0, 0, 0], [4294967295, 7, 1])


def flat(source: str) -> list[Block]:
    (routine,) = compile_c(source).routines.values()
    return flatten(convert(routine))


def theirs(source: str, arguments: list[int]) -> int:
    """What the C machine prints: it keeps every variable in memory."""
    call = f"f({', '.join(f'{each}u' for each in arguments)})"
    machine = Machine(compile_c(f'{source}int main(void) {{ printf("%u", {call}); return 0; }}', most=1 << 20))
    machine.run(1_000_000)
    return int(bytes(machine.output))


def last(blocks: list[Block], choices: Choices) -> Moment:
    *_, moment = allocate(blocks, choices)
    return moment


@pytest.mark.parametrize("seed", range(16))
def test_registers_do_what_the_source_says(seed: int) -> None:
    """Through SSA form and out of it, for every number of registers, in every way of choosing."""
    source = Writer(seed).function()
    blocks = flat(source)
    expected = [theirs(source, each) for each in INPUTS]
    assert [execute(blocks, each).result for each in INPUTS] == expected, source
    metrics = ("cost / degree", "cost", "degree")
    for registers, join, optimistic in ((2, True, True), (3, False, True), (4, True, False), (8, True, True)):
        choices = Choices(registers, join, optimistic, metrics[seed % 3])  # type: ignore[arg-type]
        made = last(blocks, choices)
        assert made.stage == "done"
        assert [execute(made.blocks, each).result for each in INPUTS] == expected, (source, choices)
        used = {name for block in made.blocks for line in block.lines for name in (*line.uses, line.result) if name}
        assert used <= {f"r{n}" for n in range(registers)}


@pytest.mark.parametrize("seed", range(12))
def test_a_name_is_alive_where_a_path_leads_to_its_reading(seed: int) -> None:
    blocks = flat(Writer(seed).function())
    visit = fixpoint(blocks)
    names = {line.result for block in blocks for line in block.lines if line.result}
    for number, block in enumerate(blocks):
        for place, alive in enumerate(through(block, visit.after[number])):
            assert alive == {name for name in names if reaches(blocks, number, place + 1, name)}


def fixpoint(blocks: list[Block]) -> Visit:
    *_, visit = liveness(blocks)
    return visit


def reaches(blocks: list[Block], number: int, place: int, name: str) -> bool:
    work, seen = [(number, place)], set()
    while work:
        number, place = work.pop()
        for line in blocks[number].lines[place:]:
            if name in line.uses:
                return True
            if name == line.result:
                break
        else:
            ways = {(way, 0) for way in blocks[number].successors} - seen
            seen |= ways
            work += ways
    return False


@pytest.mark.parametrize("seed", range(10))
def test_neighbours_never_share(seed: int) -> None:
    """Against the definition, in the last round: no two names that are alive behind one line hold one register,
    unless they are copies of one value."""
    blocks = flat(Writer(seed).function())
    for moment in allocate(blocks, Choices(4)):
        for node, register in moment.colouring.register.items():
            assert 0 <= register < 4
            assert all(moment.colouring.register.get(each) != register for each in moment.graph.next[node])


graphs = st.integers(2, 6).flatmap(
    lambda n: st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))).map(lambda edges: (n, edges))
)


@given(graphs)
@settings(max_examples=100)
def test_no_fewer_than_the_chromatic_number(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    n, edges = drawn
    graph = Graph({str(i): set() for i in range(n)}, cost={str(i): 1.0 for i in range(n)})
    for a, b in edges:
        if a != b:
            graph.next[str(a)].add(str(b))
            graph.next[str(b)].add(str(a))
    least = chromatic(graph)
    enough = next(k for k in range(1, n + 1) if not coloured(graph, k).spilled)
    assert least <= enough
    most = max(map(len, graph.next.values()))
    assert enough <= most + 1
    for k in range(1, n + 1):
        hoping, giving_up = coloured(graph, k), coloured(graph, k, optimistic=False)
        assert len(hoping.spilled) <= len(giving_up.spilled)


def coloured(graph: Graph, k: int, optimistic: bool = True) -> Colouring:
    made = Colouring()
    list(simplify(graph, made, k, "cost / degree", optimistic))
    list(select(graph, made, k))
    assert all(made.register[a] != made.register.get(b) for a in made.register for b in graph.next[a])
    return made


def chromatic(graph: Graph) -> int:
    nodes = list(graph.next)
    for k in range(1, len(nodes) + 1):
        for colours in product(range(k), repeat=len(nodes)):
            held = dict(zip(nodes, colours, strict=True))
            if all(held[a] != held[b] for a in nodes for b in graph.next[a]):
                return k
    raise AssertionError


def test_hope_colours_the_square_that_giving_up_spills() -> None:
    """Briggs's example: four nodes in a ring have two neighbours each, and two registers are enough."""
    ring = {"a": {"b", "d"}, "b": {"a", "c"}, "c": {"b", "d"}, "d": {"a", "c"}}
    graph = Graph(ring, cost=dict.fromkeys(ring, 1.0))
    assert coloured(graph, 2).spilled == []
    assert len(coloured(graph, 2, optimistic=False).spilled) > 0


def test_each_mistake_makes_a_wrong_result_or_a_worse_one() -> None:
    loop, branch = flat(EXAMPLES["a loop of five"]), flat(EXAMPLES["a branch"])
    right = execute(loop, [3, 5, 10]).result
    assert execute(last(loop, Choices(4, one_sweep=True)).blocks, [3, 5, 10]).result != right
    arguments = [1, 2, 3]
    wrong = execute(last(branch, Choices(3, first_way=True)).blocks, arguments)
    assert wrong.result != execute(branch, arguments).result
    made, served = last(loop, Choices(4)), last(loop, Choices(4, first_come=True))
    assert execute(served.blocks, [3, 5, 10]).result == right
    assert execute(served.blocks, [3, 5, 10]).memory > execute(made.blocks, [3, 5, 10]).memory


def test_joining_moves_takes_them_out_of_the_code() -> None:
    blocks = flat(EXAMPLES["a loop of five"])
    apart, joined = (execute(last(blocks, Choices(8, join)).blocks, [3, 5, 10]) for join in (False, True))
    assert apart.result == joined.result == 1722
    assert joined.moves < apart.moves


def test_a_cost_counts_the_loops_around() -> None:
    blocks = flat(EXAMPLES["gcd"])
    cost = build(blocks, fixpoint(blocks).after).cost
    assert max(cost.values()) >= 20 and min(cost.values()) < 10
