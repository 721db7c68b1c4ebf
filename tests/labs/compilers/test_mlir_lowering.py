"""What runs at each level, against float64; what loops do, against sums; PTX, against NVIDIA's assembler."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from extent import chosen
from labs.contract import LabError
from native.compilers.mlir_lowering import Params, bench, run, worker
from native.compilers.mlir_lowering.board import Board
from native.compilers.mlir_lowering.pictures import Lowered
from native.compilers.mlir_lowering.programs import PROGRAMS, inputs
from native.compilers.mlir_lowering.road import Choice, road
from roads import PICTURES, log, named, patience, ready, unrun

__all__ = ["patience", "ready", "unrun"]  # fixtures
lab = sys.modules[run.__module__]
lowering = sys.modules[Choice.__module__]  # whose function has the same name


SWITCHES: list[dict[str, Any]] = [
    {"target": "cpu", "n": 37},
    {
        "target": "cpu",
        "n": 20,
        "tile": "off",
        "vectors": "off",
        "fusion": "off",
        "scalars": False,
        "fuse_tensors": False,
    },
    {"target": "cpu", "n": 16, "tile": "128", "vectors": "16", "scalars": False},
]


# Every program once, and with every switch one of each kind: a product, a loop of many parts, neighbours.
SWITCHED = chosen(
    [(program, n) for program in PROGRAMS for n in range(len(SWITCHES))],
    [("matmul_relu", 1), ("attention", 0), ("layer_norm", 0), ("blur", 2), ("softmax", 2), ("distance", 1)],
)


@pytest.mark.parametrize(("program", "switches"), SWITCHED)
def test_every_level_computes_what_float64_says(program: Any, switches: int) -> None:
    *_, last = log(program=program, **SWITCHES[switches])
    assert {way.name: way.verdict for way in last.ways} == {way.name: "right" for way in last.ways}
    assert all(0 <= way.error < 1e-5 for way in last.ways)
    assert last.peak > 0 and all(0 < way.speed[0] <= way.speed[2] for way in last.ways)


WORKING = chosen(PROGRAMS, ["matmul_gelu", "distance", "blur", "attention"])


@PICTURES
@pytest.mark.parametrize("program", WORKING)
@pytest.mark.parametrize("n", [34])
def test_loops_do_the_work_that_the_result_takes(program: Any, n: int) -> None:
    """Before anything is fused; of the largest of a row the place is found, too: one comparison more."""
    events = log(until="parallel", program=program, n=n, target="gpu", fuse_tensors=False, tile="16")
    extra = n * n if program in ("softmax", "attention") else 0
    expected = PROGRAMS[program].work(n) + extra
    if program == "matmul_gelu":  # x/2 · (1 + erf(x/√2)): five on top of bias, written down by PyTorch's exporter
        assert abs(named(events, "generic").floats - expected) <= n * n
    else:
        assert named(events, "generic").floats == named(events, "parallel").floats == expected


def loops_of(event: Lowered) -> Iterator[tuple[str, int, int]]:
    return ((row.kind, row.depth, row.trips) for row in event.loops)


@PICTURES
def test_the_nest_of_a_product_is_fused_tiled_and_vectorised() -> None:
    events = log(until="llvm", target="cpu", n=64, tile="16")
    assert len([row for row in named(events, "loops").loops if row.depth == 0]) == 3
    assert list(loops_of(named(events, "loops fused"))) == [("loop", 0, 64), ("loop", 1, 64), ("loop", 2, 64)]
    assert list(loops_of(named(events, "vectors"))) == [
        ("tile", 0, 4),
        ("tile", 1, 4),
        ("loop", 2, 16),
        ("vector", 3, 2),
        ("loop", 4, 64),
    ]
    assert any(row.back for row in named(events, "llvm").loops)


@PICTURES
def test_what_a_product_loads_and_stores() -> None:
    n = 64
    events = log(until="tiles", target="cpu", n=n, vectors="off")
    plain, tiled = named(events, "loops"), named(events, "tiles")
    assert plain.reads == 3 * n**3 + 2 * n**2 and plain.writes == n**3 + 2 * n**2
    assert (tiled.reads, tiled.writes, tiled.floats) == (plain.reads, plain.writes, plain.floats)


@PICTURES
def test_what_fusion_leaves_in_memory() -> None:
    """Mistake 37: a fused loop that still stores what is in between; only scalar replacement ends that."""
    n = 64
    events = log(until="scalars", program="distance", n=n, fuse_tensors=False)
    apart, fused, scalars = (named(events, name) for name in ("loops", "loops fused", "scalars"))

    def held(event: Lowered) -> list[int]:
        return [each.bytes for each in event.buffers if each.role == "in between"]

    assert held(apart) == [4 * n * n]
    assert held(fused) == [4] and fused.writes > 2 * n * n, "the loop is one, and still stores every element"
    assert held(scalars) == [] and scalars.writes == n * n + n, "only the sum goes to memory"
    assert "and of 4 bytes of intermediate buffers none is left" in scalars.text
    assert "scalars" in {way.name for way in scalars.ways}
    (first,) = log(until="PyTorch", program="distance", n=n, fuse_tensors=False, scalars=False)
    assert "scalars" not in {way.name for way in first.ways}


@pytest.mark.parametrize("fuse_tensors", [False, True])
def test_loop_fusion_may_move_a_read_past_a_write(fuse_tensors: bool) -> None:
    """The row's largest is read when its buffer holds another value: MLIR's own mistake, at which we look here."""
    events = log(until="loops fused", program="softmax", n=64, fuse_tensors=fuse_tensors, fusion="maximal")
    assert next(way for way in named(events, "loops").ways if way.name == "loops").verdict == "right"
    fused = named(events, "loops fused")
    way = next(each for each in fused.ways if each.name == "loops fused")
    assert way.verdict == "wrong" and way.error > 0.01
    assert "what runs now is wrong" in fused.text


@pytest.mark.parametrize(
    ("program", "fusion", "fuse_tensors"),
    [("layer_norm", "by cost", False), ("softmax", "maximal", True)],
)
def test_fused_loops_are_wrong_only_where_values_share_a_buffer(
    program: Any, fusion: Any, fuse_tensors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason that the lab gives: with a buffer for each value the same pass over the same loops is right."""
    switches = {"program": program, "n": 20, "fusion": fusion, "fuse_tensors": fuse_tensors}
    plain = {"scalars": False, "tile": "off", "vectors": "off"}
    shared = log(until="scf", **switches, **plain)
    assert "is wrong" in named(shared, "loops fused").text and "share a buffer" in named(shared, "loops fused").text
    assert "still wrong" in named(shared, "scf").text
    own = lowering.BUFFERS.replace("one-shot-bufferize{", "one-shot-bufferize{copy-before-write=true ")
    monkeypatch.setattr(lowering, "BUFFERS", own)
    monkeypatch.setattr(lowering, "MEMREF", replace(lowering.MEMREF, passes=own))
    apart = log(until="loops fused", **switches, **plain)[-1].ways
    assert {way.verdict for way in apart if way.speed} == {"right"} and apart[-4].name == "loops fused"


def test_vectors_wider_than_their_tile_write_past_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Into the next tile, or into what lies behind the last, which is why they are refused."""
    monkeypatch.setattr(lab, "refuse", lambda params: None)
    last = log(program="blur", n=50, fuse_tensors=False, fusion="maximal", tile="8", vectors="16", until="vectors")[
        -1
    ]
    verdicts = {way.name: way.verdict for way in last.ways}
    assert verdicts["tiles"] == "right" and verdicts["vectors"] in ("wrong", "broke")


def test_what_breaks_down_is_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.Bench, "run", lambda *given: os.abort())
    events = log(n=16, target="cpu")
    assert {way.verdict for way in events[-1].ways[1:]} == {"broke"} and events[-1].stage == "LLVM IR"
    assert "crashes" in named(events, "linalg").text


@PICTURES
def test_where_mlir_breaks_down_what_was_there_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = worker.passed
    monkeypatch.setattr(
        worker, "passed", lambda module, passes: os.abort() if "tile" in passes[0] else passed(module, passes)
    )
    seen = []
    with pytest.raises(LabError, match=r"MLIR failed after the last step shown, with SIGABRT"):
        for event in run(Params(n=16, target="cpu")):
            seen.append(event.name)
    assert seen[-1] == "scalars"


ASSEMBLED = chosen(
    [*((program, 50, "32") for program in PROGRAMS), ("attention", 64, "16"), ("softmax", 33, "off")],
    [("matmul_gelu", 50, "32"), ("attention", 64, "16"), ("softmax", 33, "off")],
)


@pytest.mark.parametrize(("program", "n", "tile"), ASSEMBLED)
def test_ptx_is_taken_by_nvidias_assembler(program: Any, n: int, tile: Any, tmp_path: Path) -> None:
    import triton

    assembler = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "ptxas"
    params = Params(program=program, n=n, tile=tile, target="gpu")
    steps = list(worker.Worker(worker.Order(program, n, params.choice)))
    made = steps[-1]
    kernels = made.text.split(".version")[1:]
    for kernel in kernels:
        (tmp_path / "k.ptx").write_text(f".version{kernel}")
        subprocess.run([assembler, "-c", "-arch=sm_90", "k.ptx", "-o", "k.o"], check=True, cwd=tmp_path)
    board = Board(params)
    events = [board.given(), *map(board.picture, steps)]
    assert len(kernels) == sum(row.kind == "grid" for row in named(events, "kernels").loops)
    code = [line for line in made.text.split("\n") if line.startswith("\t") and line.endswith(";")]
    code = [line for line in code if not line.startswith("\t.")]
    assert sum(part.count for part in events[-1].mix) == len(code)
    assert events[-1].stage == "PTX" and [way.name for way in events[-1].ways] == ["PyTorch"]


@PICTURES
@pytest.mark.parametrize("target", ["schedule", "cpu", "gpu"])
def test_every_picture_is_whole_and_says_where_it_stands(target: Any) -> None:
    events = log(n=32, target=target)
    steps = [each.short for each in road(Params(target=target).choice)]
    ends = ["LLVM IR", "PTX"] if target == "gpu" else ["LLVM IR"]
    assert [event.name for event in events] == ["PyTorch", "import", *steps, *ends]
    for event in events:
        assert event.lines and all(row.line < len(event.lines) for row in event.loops)
        assert event.new == sum(line.change == "new" for line in event.lines) or event.left_out
        for row in event.loops:
            if row.line < 0:  # behind the lines that are shown
                assert event.left_out
                continue
            name = row.name.split(":")[0].split(" ")[0]
            line = event.lines[row.line].text
            assert row.kind in ("grid", "threads", "parallel", "reduction") or name in line or name == "start"


def test_a_pass_that_is_switched_off_is_not_on_the_road() -> None:
    everything = Choice("cpu", True, "by cost", True, 32, 8)
    nothing = Choice("cpu", False, "off", False, 0, 0)
    missing = {each.short for each in road(everything)} - {each.short for each in road(nothing)}
    assert missing == {"tensors fused", "loops fused", "scalars", "tiles", "vectors"}


def test_inputs_are_the_same_each_time() -> None:
    program = PROGRAMS["attention"]
    assert all(a.equal(b) for a, b in zip(inputs(program, 20), inputs(program, 20), strict=True))


@PICTURES
def test_a_reader_who_leaves_takes_the_worker_along() -> None:
    order = worker.Order("chain", 16, Choice("cpu", True, "off", False, 0, 0))
    at_work = worker.Worker(order)
    steps = iter(at_work)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(at_work.pid, 0)
