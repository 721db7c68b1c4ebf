"""Predicted bytes against those counted with a cache, address after address."""

from __future__ import annotations

import re

import fusing_programs as programs
import pytest
from extent import chosen, upto
from labs.compilers.fusing_compiler.count import count
from labs.compilers.fusing_compiler.painter import spent, tally
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.cost import Machine, costs
from labs.models.fusing.fuse import fuse
from labs.models.fusing.loops import Program
from labs.models.fusing.lower import lower
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read

CACHES = chosen((1 << 12, 1 << 14, 1 << 16, 1 << 20), (1 << 12, 1 << 16))


def moderate(source: str, part: int) -> str:
    """The same program on tensors that a test can go through an element at a time."""
    return re.sub(r"\b\d{3,}\b(?=[],])", lambda found: str(max(8, int(found[0]) // part)), source)


def near(program: Program, cache: int) -> None:
    counted = sum(count(program, cache).bytes())
    predicted = sum(each.bytes for each in costs(program, Machine(cache)))
    assert predicted == pytest.approx(counted, rel=0.1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_predicted_bytes_are_the_counted_ones(name: str) -> None:
    for part in chosen((8, 13), (13,)):
        graph = read(moderate(PROGRAMS[name], part))
        for cache in CACHES:
            near(lower(graph.outputs), cache)
            fused = fuse(graph.outputs, machine=Machine(cache)).program
            near(fused, cache)
            near(optimised(fused, Passes(tile=8, width=32, unroll=2))[0], cache)


def test_generated_programs_move_what_is_predicted() -> None:
    for seed in upto(8, 30):
        graph = read(programs.generate(seed))
        for cache in CACHES:
            near(lower(graph.outputs), cache)
            near(fuse(graph.outputs, machine=Machine(cache)).program, cache)


@pytest.mark.parametrize("name", PROGRAMS)
def test_arithmetic_before_fusion_is_that_of_the_loops(name: str) -> None:
    graph, machine = read(PROGRAMS[name]), Machine()
    kernels = costs(fuse(graph.outputs, "none", machine).program, machine)
    assert tally(graph, machine).operations == pytest.approx(spent(kernels).operations, rel=1e-12)


def test_arithmetic_by_hand() -> None:
    """A product is its multiply-adds, however its rows are cut in blocks; a number named twice is loaded once."""

    def spends(line: str, **inputs: str) -> float:
        head = ", ".join(f"{name}: {kind}" for name, kind in inputs.items())
        return spent(costs(lower(read(f"def f({head}):\n    return {line}\n").outputs), Machine())).operations

    for rows in (1, 5, 96, 97, 100, 500):
        assert spends("x @ w", x=f"f32[{rows}, 64]", w="f32[64, 32]") == rows * 32 * 64
        keys = {"q": f"f32[{rows}, 64]", "k": "f32[200, 64]"}
        assert spends("q @ k.T", **keys) == rows * 200 * 64
    assert spends("x * x", x="f32[64]") == 64 * (1 + 1 + 1)
    assert spends("x * y", x="f32[64]", y="f32[64]") == 64 * (2 + 1 + 1)
    assert spends("x.to(f32)", x="bf16[64]") == 64 * (1 + 1)


def test_by_hand() -> None:
    """A line holds 16 of f32. Each is loaded once if nothing pushes it out, and what is written is carried back."""

    def moved(line: str, cache: int) -> int:
        return sum(count(lower(read(f"def f(x: f32[64, 64]):\n    return {line}\n").outputs), cache).bytes())

    assert moved("x + 1", 1 << 12) == 64 * 64 * 4 * 3
    assert moved("x.sum(-1)", 1 << 12) == 64 * 64 * 4 + 2 * 64 * 4
    # down the columns every element is in a line of its own, and 64 of them and the result's are kept, or not
    assert moved("x.sum(0)", 66 * 64) == 64 * 64 * 4 + 2 * 64 * 4
    assert moved("x.sum(0)", 48 * 64) >= 64 * 64 * 64
