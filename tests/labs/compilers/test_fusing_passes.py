"""Each pass over the loops keeps what they compute, at lengths that no tile and no vector goes into."""

from __future__ import annotations

import fusing_programs as programs
import pytest
from extent import chosen, upto
from fusing_agreement import agrees
from labs.compilers.fusing_compiler.count import count
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.fuse import fuse
from labs.models.fusing.loops import Loop, statements
from labs.models.fusing.lower import lower
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import Graph, read

SETTINGS = {
    "none": Passes(rows_first=False, tile=0, width=0),
    "rows first": Passes(tile=0, width=0, columns=3),
    "tiles": Passes(rows_first=False, tile=2, width=0),
    "vectors": Passes(rows_first=False, tile=0, width=16),
    "several sums": Passes(tile=0, width=16, unroll=3, columns=4),
    "all": Passes(tile=3, width=32, unroll=2, columns=3),
    "usual": Passes(),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_results_stay(name: str) -> None:
    sources = [*map(programs.small, PROGRAMS.values()), *map(programs.generate, upto(10, 50))]
    for seed, source in enumerate(sources):
        graph = read(source)
        for groups in (lower(graph.outputs), fuse(graph.outputs).program):
            agrees(graph, optimised(groups, SETTINGS[name])[0], seed)


@pytest.mark.parametrize("length", chosen([1, 2, 3, 7, 16, 17, 31, 64, 67, 97, 131], [1, 3, 16, 31, 67]))
def test_lengths(length: int) -> None:
    for body in (
        "x.sum(0), x.amax(0) + y, (x * x).sum()",
        "softmax(x, 0), softmax(x, 1)",
        "x + x.exp().sum(0)",
        "x.T * 2 + z",
        "layer_norm(x) * y",
        "gelu(x @ z) * 2",
    ):
        text = f"def f(x: f32[{length}, 37], y: f32[37], z: f32[37, {length}]):\n    return {body}\n"
        graph = read(text)
        for setting in SETTINGS.values():
            agrees(graph, optimised(fuse(graph.outputs).program, setting)[0])


def crossed(passes: Passes, line: str, cache: int) -> int:
    graph: Graph = read(f"def f(x: f32[128, 128], y: f32[128, 128]):\n    return {line}\n")
    return sum(count(optimised(lower(graph.outputs), passes)[0], cache).bytes())


def test_tiles_use_lines_up() -> None:
    least = 128 * 128 * 4 * 4
    assert crossed(SETTINGS["none"], "x + y.T", 6 << 10) > 3 * least
    assert crossed(Passes(tile=16), "x + y.T", 6 << 10) < 1.1 * least


def test_sums_of_columns_go_by_rows() -> None:
    least = 128 * 128 * 4
    assert crossed(SETTINGS["none"], "x.sum(0)", 6 << 10) > 3 * least
    assert crossed(Passes(), "x.sum(0)", 6 << 10) < 1.1 * least


def test_softmaxes_of_columns_go_by_rows() -> None:
    """Down each column three times, for a block of columns that the cache holds."""
    graph = read("def f(x: f32[128, 128]):\n    return softmax(x, 0)\n")
    program = fuse(graph.outputs, "greedy").program
    assert len(program.kernels) == 1
    bytes_ = [sum(count(optimised(program, each)[0], 12 << 10).bytes()) for each in (SETTINGS["none"], Passes())]
    assert bytes_[1] < bytes_[0] / 6


def test_what_was_done_is_said() -> None:
    graph = read("def f(x: f32[64, 100]):\n    return x.sum(0)\n")
    program, changes = optimised(lower(graph.outputs), Passes())
    assert [each.name for each in changes] == ["rows first", *["vectors"] * 3]
    loops = [each for each in statements(program.kernels[0].body) if isinstance(each, Loop)]
    assert [each.kind for each in loops] == ["parallel", "vector", "serial", "vector", "vector"]
