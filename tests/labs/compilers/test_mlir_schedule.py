"""The road by a schedule: its parts leave a right program, the tile stays in registers, mistakes are refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from extent import chosen
from labs.contract import LabError
from llvmlite.binding import parse_assembly
from native.compilers.mlir_lowering import PRODUCTS, Params, bench, schedule, worker
from native.compilers.mlir_lowering.hot import hottest
from native.compilers.mlir_lowering.nest import nest
from native.compilers.mlir_lowering.road import road
from roads import PICTURES, log, named, patience, ready, unrun

__all__ = ["patience", "ready", "unrun"]  # fixtures


# Tiles that stick out on both sides, that are larger than all of it, and that need more registers than there are;
# tiles over k of which the last is shorter, tiles of matrices that are not packed, and threads that share them.
SCHEDULES: list[dict[str, Any]] = [
    {"n": 37, "registers": "14 × 32"},
    {"n": 50, "registers": "6 × 16", "order": "rows outside", "keep": False, "fuse_tensors": False},
    {"n": 16, "registers": "28 × 32"},
    {"n": 33, "registers": "8 × 32", "keep": False},
    {"n": 64, "registers": "8 × 32", "fuse_tensors": False},
    {"n": 100, "registers": "14 × 32", "depth": "64", "threads": 2},
    {"n": 37, "registers": "14 × 32", "pack": False},
    {"n": 96, "registers": "6 × 16", "pack": False, "threads": 3, "order": "rows outside"},
    {"n": 70, "registers": "8 × 32", "pack": False, "fuse_tensors": False, "keep": False},
    {"n": 50, "registers": "6 × 16", "threads": 2, "order": "rows outside", "fuse_tensors": False},
    {"n": 70, "registers": "8 × 32", "depth": "64", "order": "rows outside", "fuse_tensors": False},
]
SCHEDULED = chosen(
    [(program, n) for program in PRODUCTS for n in range(len(SCHEDULES))],
    [("matmul_relu", 5), ("matmul_gelu", 1), ("matmul_relu", 7)],
)


@pytest.mark.parametrize(("program", "switches"), SCHEDULED)
def test_every_part_of_the_schedule_leaves_a_right_program(program: Any, switches: int) -> None:
    events = log(program=program, **SCHEDULES[switches])
    assert {way.verdict for way in events[-1].ways} == {"right"}
    names = [event.name for event in events]
    assert ("registers" in names) == SCHEDULES[switches].get("keep", True)
    assert ("packed" in names) == SCHEDULES[switches].get("pack", True)
    assert ("omp" in names) == (SCHEDULES[switches].get("threads", 1) > 1)
    if names[-2] == "llvm":
        assert [each.name for each in events[-1].rivals] == ["this", "our packed kernel", "PyTorch"]
        assert events[-1].rivals[0].times == [1, 1, 1]


@PICTURES
def test_the_tile_stays_in_registers_and_goes_to_memory_once() -> None:
    n, rows, columns = 64, 14, 32
    events = log(until="buffers", n=n, registers="14 × 32")
    vectors, registers, buffers = (named(events, name) for name in ("vectors", "registers", "buffers"))
    inner = {event.name: event.loops[-1] for event in (vectors, registers)}
    assert len(inner["vectors"].reads) == 3 and len(inner["vectors"].writes) == 1
    assert len(inner["registers"].reads) == 2 and inner["registers"].writes == []
    assert f"-> (vector<{rows}x{columns}xf32>) {{" in "".join(line.text for line in registers.lines)
    strips = [[-(-n // rows), n, rows], [-(-n // columns), n, columns], [-(-n // columns), columns]]
    assert [each.shape for each in buffers.buffers if each.role == "in between"] == strips
    assert [each.kept for each in buffers.buffers] == [True] * 7
    assert not any(each.kept for each in registers.buffers)
    assert [(each.kept, each.vectors, each.depth) for each in vectors.tiles] == [(False, True, n)]
    assert [(each.kept, each.rows, each.columns) for each in registers.tiles] == [(True, rows, columns)]
    assert any("hoist_loop_invariant_subsets" in line for line in registers.schedule)


def test_a_tile_that_fits_leaves_three_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {}
    for lanes in (16, 8, 4):
        monkeypatch.setattr(schedule, "lanes", lambda lanes=lanes: lanes)
        found[lanes] = schedule.fitting()
    assert [(each.rows, each.columns) for each in found.values()] == [(14, 32), (6, 16), (6, 8)]


def test_a_program_without_a_schedule_goes_by_loops_and_says_so() -> None:
    (first,) = log(until="PyTorch", program="softmax", n=16)
    assert "so this goes by loops" in first.text
    assert "loops" in {way.name for way in first.ways}


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"target": "cpu", "tile": "8", "vectors": "16"}, "write into the next one"),
        ({"target": "cpu", "n": 600}, "choose 512 or less"),
        ({"target": "gpu", "tile": "64"}, "64 × 64 are more"),
        ({"depth": "64", "pack": False}, "switch packing on"),
        ({"depth": "256"}, "holds the whole sum, which has 256"),
        ({"pack": False, "threads": 2, "n": 100, "registers": "8 × 32"}, "strips of 32 columns"),
    ],
)
def test_what_cannot_be_right_is_refused_before_anything_runs(params: Any, words: str) -> None:
    with pytest.raises(LabError, match=words):
        log(**params)


@PICTURES
def test_threads_share_what_waits_for_nobody() -> None:
    params = Params(n=64, registers="14 × 32", threads=2)
    names = [each.short for each in road(params.choice)]
    texts = [made.text for made in worker.Worker(worker.Order(params.program, 64, params.choice))]
    tiles, loops, team = (texts[1 + names.index(name)] for name in ("tiles", "scf", "omp"))
    assert "scf.forall (" in tiles and loops.count("scf.parallel") == team.count("omp.wsloop") == 3
    assert team.count("omp.parallel num_threads") == 3 and "scf.parallel" not in team
    shared = [
        (each.extent, [inner.extent for inner in each.inside]) for each in nest(team) if each.kind == "parallel"
    ]
    assert shared == [(5, [16]), (2, [64]), (2, [5])], "strips of A, strips of B, and columns of tiles"
    assert "__kmpc_fork_call" in texts[-1]


@PICTURES
def test_a_tile_over_k_is_outside_and_the_result_goes_to_memory_between() -> None:
    events = log(until="buffers", n=70, registers="8 × 32", depth="64")
    (held,) = named(events, "registers").tiles
    assert (held.depth, held.times, held.behind) == (64, 2, False)
    product = next(row for row in named(events, "registers").loops if row.trips == 2 and row.step == 64)
    assert product.depth == 0
    between = [each.shape for each in named(events, "buffers").buffers if each.role == "in between"]
    assert [9, 3, 8, 32] in between, "sums that wait for the next steps of k"


@PICTURES
@pytest.mark.parametrize("switches", [{}, {"threads": 2}, {"keep": False}])
def test_the_innermost_loop_is_as_llvm_reads_it(switches: dict[str, Any]) -> None:
    """By LLVM's own parser, which knows instructions and not lines."""
    params = Params(n=64, registers="14 × 32", **switches)
    *_, llvm, text = (made.text for made in worker.Worker(worker.Order(params.program, 64, params.choice)))
    (found,), (above,) = hottest(text, 16), hottest(llvm, 16)
    blocks = [block for function in parse_assembly(text).functions for block in function.blocks]
    codes = [Counter(each.opcode for each in block.instructions) for block in blocks]
    calls = [sum("fmuladd" in str(each) for each in block.instructions) for block in blocks]
    code = codes[calls.index(max(calls))]
    assert (found.loads, found.stores) == (code["load"], code["store"])
    assert found.products == max(calls) == code["call"] == 14
    parts = (found.loads, found.stores, found.copies, found.products, found.others)
    assert sum(parts) == code.total()
    assert (found.rows, found.columns) == ((14, 32) if params.keep else (0, 0))
    assert (above.rows, above.loads, above.products) == (found.rows, found.loads, found.products)


@pytest.mark.alone
def test_the_road_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a wide margin: the recordings hold what it reaches on an idle machine."""
    monkeypatch.setattr(bench, "PATIENCE", 0.05)
    monkeypatch.setattr(bench, "REPETITIONS", 5)
    events = log(n=256)
    this, packed, _ = events[-1].rivals
    linalg = next(way for way in events[-1].ways if way.name == "linalg")
    assert packed.times[1] < 3 and this.speed[1] > 3 * linalg.speed[1]
