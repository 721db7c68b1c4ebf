"""SSA form: what it must be, and that programs mean the same in it."""

import random

import pytest
from labs.models.c import listing, ssa
from labs.models.c.code import Temporary, Unit
from labs.models.c.functions import EXAMPLES
from labs.models.c.graph import Block
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine

from . import out_of_ssa
from .programs import unit

GENERATED = [compile_c(unit(range(first, first + 10)), most=1 << 20) for first in range(300, 340, 10)]
LOOP_FIRST = "int f(int n) { do n = n - 3; while (n > 0); return n; }"
UNITS = [compile_c(LOOP_FIRST), *map(compile_c, EXAMPLES.values()), *GENERATED]
FORMS = [ssa.convert(routine) for each in UNITS for routine in each.routines.values()]


@pytest.mark.parametrize("program", GENERATED, ids=range(len(GENERATED)))
def test_generated_programs_print_the_same_in_ssa_form(program: Unit) -> None:
    one, other = Machine(program), Machine(out_of_ssa.program(program))
    assert one.run(10_000_000) == other.run(10_000_000) == 0
    assert one.output == other.output


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_mean_the_same_in_ssa_form(name: str) -> None:
    source = EXAMPLES[name]
    called = list(compile_c(source).routines.values())[-1]
    for a, b in [(0, 0), (1, 3), (12, 8), (16, 15)]:
        given = ", ".join(map(str, (a, b)[: len(called.parameters)]))
        whole = compile_c(f'{source}\nint main(void) {{ printf("%g", (double){called.name}({given})); return 0; }}')
        one, other = Machine(whole), Machine(out_of_ssa.program(whole))
        assert one.run() == other.run() == 0
        assert one.output == other.output


def test_nothing_leads_back_to_the_entry() -> None:
    assert not any(form.blocks[0].predecessors for form in FORMS)
    (form,) = (ssa.convert(routine) for routine in compile_c(LOOP_FIRST).routines.values())
    assert sum(map(len, form.phis)) == 1


def reached(blocks: list[Block], without: Block) -> set[int]:
    """Blocks that the entry leads to when one of them is closed."""
    found: set[int] = set()
    work = [blocks[0]]
    while work:
        block = work.pop()
        if block is not without and block.number not in found:
            found.add(block.number)
            work += block.successors
    return found


def test_a_block_is_dominated_by_what_closes_every_way_to_it() -> None:
    for form in FORMS:
        for closed in form.blocks:
            cut_off = {block.number for block in form.blocks} - reached(form.blocks, closed)
            assert cut_off == {block.number for block in form.blocks if closed in above(block)}


def above(block: Block | None) -> list[Block]:
    found = []
    while block:
        found.append(block)
        block = block.dominator
    return found


def test_every_value_has_one_definition_that_dominates_its_uses() -> None:
    for form in FORMS:
        places: dict[int, tuple[Block, int]] = {t.number: (form.blocks[0], -2) for t in form.arguments.values()}
        for block in form.blocks:
            for phi in form.phis[block.number]:
                assert phi.result.number not in places
                places[phi.result.number] = (block, -1)
            for n, (_, each) in enumerate(form.bodies[block.number]):
                if each.result:
                    assert each.result.number not in places
                    places[each.result.number] = (block, n)
        for block in form.blocks:
            for phi in form.phis[block.number]:
                assert sorted(phi.sources) == sorted({each.number for each in block.predecessors})
                for number, value in phi.sources.items():
                    if isinstance(value, Temporary):
                        assert places[value.number][0] in above(form.blocks[number])
            for n, (_, each) in enumerate(form.bodies[block.number]):
                for value in each.operands:
                    if isinstance(value, Temporary):
                        where, at = places[value.number]
                        assert where in above(block)
                        assert where is not block or at < n


def test_nothing_is_left_that_only_moves_a_promoted_variable() -> None:
    for form in FORMS:
        keys = {slot.key for slot in form.promoted}
        left = [each for body in form.bodies for _, each in body]
        assert not [o for each in left for o in each.operands if getattr(o, "local", False) and o.of in keys]  # type: ignore[union-attr]


def test_a_variable_whose_address_is_taken_stays_in_memory() -> None:
    source = "int f(int a) { int b = a, *p = &b; *p += 1; struct { int x; } s = {1}; return b + s.x; }"
    (form,) = [ssa.convert(routine) for routine in compile_c(source).routines.values()]
    assert sorted(slot.key for slot in form.promoted) == ["a", "p"]


def test_phis_stand_where_ways_meet_and_only_for_what_is_read_again() -> None:
    source = "int f(int n) { int s = 0, t = 0; for (int i = 0; i < n; i++) { s += i; t = s; } return s; }"
    found = listing.values(compile_c(source))
    phis = [each.text for each in found.lines if "φ" in each.text]
    assert phis == ["s_2 = φ(B0: 0, B2: s_1)", "i_2 = φ(B0: 0, B2: i_1)"]


def test_lines_name_the_code_they_come_from() -> None:
    for program in UNITS:
        code, found = listing.lines(program), listing.values(program)
        routines = {part.number: part.routine for part in found.parts}
        for line in found.lines:
            if line.code >= 0:
                assert code[line.code].routine == routines[line.block]
                assert code[line.code].op not in ("load", "label") or "*" in line.text


def test_a_deep_program_does_not_exhaust_the_stack() -> None:
    chance = random.Random(1)
    body = "\n".join(f"if (a > {chance.randint(0, 99)}) a -= {n};" for n in range(200))
    (form,) = [ssa.convert(r) for r in compile_c(f"int f(int a) {{ {body} return a; }}", 1 << 20).routines.values()]
    assert len(form.blocks) > 400
