"""What each tile needs, who may go first, and what comes out: against Python running the program itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.compilers.slicing_fusion import execute, parallel, regions
from labs.compilers.slicing_fusion.examples import EXAMPLES
from labs.compilers.slicing_fusion.grammar import read
from labs.compilers.slicing_fusion.judge import Judge, Limits
from labs.compilers.slicing_fusion.known import Known
from labs.compilers.slicing_fusion.slices import Plan, Way, boxes, plan
from labs.compilers.slicing_fusion.spaces import World, build

from . import brute
from .programs import programs, ways

Pairs = set[tuple[int, int]]
touches = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4), st.booleans())


def start(world: World, symbols: bool = False) -> brute.Cells:
    return {
        name: {
            place: brute.Symbol((name, place)) if symbols else number
            for place, number in zip(brute.places(array.shape), array.start.tolist(), strict=True)
        }
        for name, array in world.arrays.items()
    }


def numbers(world: World, memory: brute.Cells, name: str) -> list[float]:
    return [memory[name][place] for place in brute.places(world.arrays[name].shape)]


def order(world: World, found: Plan, alone: set[int]) -> list[tuple[int, int, int]]:
    first = [(-1, n, k) for n in sorted(alone) for k in range(len(world.spaces[n].at))]
    tiles = [
        (pair // len(world.spaces[n].at), n, pair % len(world.spaces[n].at))
        for n, each in found.slices.items()
        for pair in each.pairs.tolist()
    ]
    return first + sorted(tiles)


def needed(text: str, world: World, sizes: tuple[int, ...], fused: set[int]) -> dict[int, Pairs]:
    """By nest: (tile, instance), found backwards one element at a time."""
    _, steps = brute.execute(text, start(world), brute.straight(text), set())
    known, where = brute.numbers(text), 0
    by_nest: list[list[brute.Step]] = []
    rows = []
    for line in brute.lines(text):
        rows.append(brute.instances(line, known))
        by_nest.append(steps[where : where + len(rows[-1])])
        where += len(rows[-1])
    last = len(by_nest) - 1
    names = [loop[0] for loop in [*brute.lines(text)][last].loops][: len(sizes)]
    lows = {name: min(row[name] for row in rows[last]) for name in names}
    corners = [
        tuple((row[name] - lows[name]) // size for name, size in zip(names, sizes, strict=False))
        for row in rows[last]
    ]
    grid = [max(corner[dim] for corner in corners) + 1 for dim in range(len(names))]
    found: dict[int, Pairs] = {last: set()}
    asked: set[tuple[int, str, brute.Place]] = set()
    for number, corner in enumerate(corners):
        tile = int(np.ravel_multi_index(corner, grid))
        found[last].add((tile, number))
        asked |= {
            (tile, *each) for each in by_nest[last][number].reads if each[0] != by_nest[last][number].write[0]
        }
    for nest in sorted(fused, reverse=True):
        found[nest] = set()
        grown = True
        while grown:
            grown = False
            for number, step in enumerate(by_nest[nest]):
                for tile in range(int(np.prod(grid))):
                    if (tile, *step.write) in asked and (tile, number) not in found[nest]:
                        found[nest].add((tile, number))
                        asked |= {(tile, *each) for each in step.reads}
                        grown = True
    return found


@settings(max_examples=150, deadline=None)
@given(programs(), ways)
def test_slices_are_what_python_reads(text: str, sizes: tuple[int, int]) -> None:
    world = build(read(text))
    fused = set(range(len(world.spaces) - 1))
    found = plan(world, Way(sizes), fused)
    expected = needed(text, world, sizes, fused)
    for nest, each in found.slices.items():
        count = len(world.spaces[nest].at)
        assert {divmod(pair, count) for pair in each.pairs.tolist()} == expected[nest], world.spaces[nest].nest.text


@settings(max_examples=250, deadline=None)
@given(programs(), ways, st.booleans(), st.booleans())
def test_legal_means_the_same_for_all_inputs(text: str, sizes: tuple[int, int], keep: bool, merge: bool) -> None:
    """With symbols in place of numbers: no fault, and every result is made as it was; a fault, and one is not.

    Merged loops also run what nobody reads, so a fault of theirs need not be seen.
    """
    world = build(read(text))
    way = Way(sizes, keep, merge)
    judge = Judge(Known(world, 4), way, Limits())
    decision = judge.decide(force=True)
    found, buffers, alone = judge.plan(decision), decision.buffers(world, way), decision.alone(world)
    run = judge.run(decision, found)
    turns = order(world, found, alone)
    if keep:  # all tiles are one as far as buffers go, and begin behind what runs alone
        turns = [(-1 if tile < 0 else 0, nest, number) for tile, nest, number in turns]
    kept = {world.spaces[-1].nest.array, *world.program.kept}
    for symbols in (True, False):
        begin = start(world, symbols)
        before, _ = brute.execute(text, begin, brute.straight(text), set())
        after, _ = brute.execute(text, begin, turns, buffers)
        same = all(before[name] == after[name] for name in kept)
        if symbols:
            assert same == (not run.faults) or (merge and same)
        else:
            for name in kept:
                assert run.stores[name].numbers.tolist() == pytest.approx(numbers(world, after, name), abs=1e-9)
                told = execute.differ(judge.known.expected.stores[name].numbers, run.stores[name].numbers)
                assert not told.any() or run.faults


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_compute_what_python_computes(name: str) -> None:
    world = build(read(EXAMPLES[name]))
    memory, _ = brute.execute(EXAMPLES[name], start(world), brute.straight(EXAMPLES[name]), set())
    run = execute.straight(world)
    for array in world.arrays:
        assert run.stores[array].numbers.tolist() == pytest.approx(numbers(world, memory, array), rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(programs(), ways)
def test_a_formula_is_the_box_of_an_inner_tile(text: str, sizes: tuple[int, int]) -> None:
    """Never less than what is read; and just that, for a whole tile whose indices are not cut off."""
    world = build(read(text))
    fused = set(range(len(world.spaces) - 1))
    found = plan(world, Way(sizes), fused)
    last = world.spaces[-1]
    for name, formula in regions.regions(world, Way(sizes), fused).items():
        maker = next((n for n in fused if world.spaces[n].nest.array == name), None)
        if maker is None:
            continue
        drawn = boxes(found.slices[maker].needed, world.arrays[name].shape, found.tiles)
        for tile, box in enumerate(drawn):
            corner = np.unravel_index(tile, found.grid)
            begins = {
                f"{variable}0": int(last.at[:, dim].min()) + int(corner[dim]) * sizes[dim]
                for dim, variable in enumerate(last.nest.variables[: len(found.grid)])
            }
            for (low, high), bounds in zip(formula, box or (), strict=False):
                assert low.at(begins) <= bounds[0] and bounds[1] - 1 <= high.at(begins), (name, tile)


@pytest.mark.parametrize(
    ("makes", "reads", "slice"),
    [
        ("0..40", "for i in 0..16: B[i] = A[i+n]", "A[i0 + n … i0 + n + 3]"),
        ("0..40", "for i in 0..16: B[i] = A[n+15-i]", "A[−i0 + n + 12 … −i0 + n + 15]"),
        ("0..40", "for i in 0..16, k in n..n+3: B[i] += A[i+k-n]", "A[i0 … i0 + 5]"),
        ("0..40", "for i in 0..16, k in 0..n: B[i] += A[i+k]", "A[i0 … i0 + n + 2]"),
        ("0..n", "for i in 0..16, k in 0..n: B[i] += A[k]", "A[0 … n − 1]"),
        ("0..40", "for i in 0..16, k in 0..i+n: B[i] += A[k]", ""),
    ],
)
def test_a_slice_is_said_with_the_symbol_in_it(makes: str, reads: str, slice: str) -> None:
    """And whatever number the symbol is, each tile of four reads just that."""
    for n in (3, 5, 11):
        world = build(read(f"symbol n = {n}\nfor i in {makes}: A[i] = X[i]\n{reads}"))
        formula = regions.regions(world, Way((4,)), {0}).get("A")
        assert (regions.said("A", formula) if formula else "") == slice
        found = plan(world, Way((4,)), {0})
        for tile, box in enumerate(boxes(found.slices[0].needed, world.arrays["A"].shape, found.tiles)):
            for (low, high), bounds in zip(formula or (), box or (), strict=False):
                assert (low.at({"i0": 4 * tile, "n": n}), high.at({"i0": 4 * tile, "n": n}) + 1) == bounds


@settings(max_examples=100, deadline=None)
@given(st.lists(touches, min_size=1, max_size=12))
def test_carried_dependences_pair_by_pair(touched: list[tuple[int, int, int, bool]]) -> None:
    places = np.array([each[:2] for each in touched])
    elements, writes = np.array([each[2] for each in touched]), np.array([each[3] for each in touched])
    expected = [False, False]
    for one in touched:
        for other in touched:
            if one[2] == other[2] and (one[3] or other[3]):
                if one[0] != other[0]:
                    expected[0] = True
                elif one[1] != other[1]:
                    expected[1] = True
    assert parallel.carried(places, elements, writes) == expected


@pytest.mark.parametrize("radius", [1, 2])
@pytest.mark.parametrize("tile", [1, 2, 4, 8, 16, 64])
def test_stencils_in_closed_form(tile: int, radius: int) -> None:
    """A tile of t reads t + 2r of its producer, and of the one before that t + 4r."""
    n, reach = 64, "0"
    reach = " + ".join(f"{{0}}[i+{k}]" for k in range(2 * radius + 1))
    text = f"""
for i in 0..{n + 4 * radius}: A[i] = X[i]
for i in 0..{n + 2 * radius}: B[i] = {reach.format("A")}
for i in 0..{n}: C[i] = {reach.format("B")}
"""
    world = build(read(text))
    found = plan(world, Way((tile,)), {0, 1})
    tiles = n // tile
    assert found.tiles == tiles
    assert len(found.slices[1].pairs) == tiles * (tile + 2 * radius)
    assert len(found.slices[0].pairs) == tiles * (tile + 4 * radius)
    formulas = regions.regions(world, Way((tile,)), {0, 1})
    if tile < n:
        assert regions.said("A", formulas["A"]) == f"A[i0 … i0 + {tile - 1 + 4 * radius}]"
    kept = plan(world, Way((tile,), keep=True), {0, 1})
    assert [len(kept.slices[nest].pairs) for nest in (0, 1)] == [n + 4 * radius, n + 2 * radius]
