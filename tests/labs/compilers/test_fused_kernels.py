"""The lab compares what computes the same, and says of each kernel what it is: with the real Inductor, once."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import torch
from labs.contract import ImpossibleError, LabError
from native.compilers import fused_kernels
from native.compilers.fused_kernels import OFF, Board, Params, build, listing, run
from native.compilers.fused_kernels.contest import PROGRAMS, Name, written
from native.compilers.fused_kernels.flow import Flow
from native.models.compiler import inductor


def quick(monkeypatch: pytest.MonkeyPatch, **params: Any) -> list[Any]:
    """Without Inductor, which takes its time."""

    def refuse(*_: Any) -> None:
        raise LabError("not today")

    monkeypatch.setattr(inductor, "compile", refuse)
    monkeypatch.setattr(fused_kernels, "PATIENCE", 0.005)
    monkeypatch.setattr(fused_kernels, "refuse_impossible", lambda *_: None)
    return list(run(Params(size="4 K", repetitions=3, **params)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_way_computes_the_same(name: Name, monkeypatch: pytest.MonkeyPatch) -> None:
    last = quick(monkeypatch, program=name)[-1]
    told = dict(zip(last.ways, last.error.tolist(), strict=True))
    assert math.isnan(told.pop("Inductor"))
    # NumPy has no error function, and takes the curve with the hyperbolic tangent.
    assert told.pop("NumPy") < (1e-3 if name in ("gelu", "linear") else 1e-5)
    assert {*told} == {"ours", "eager"} | {f"without {each}" for each in OFF if each not in last.idle}
    assert max(told.values()) < 1e-5
    missing = dict(zip(last.ways, last.missing, strict=True))
    assert missing.pop("Inductor") == "not today"
    assert set(missing.values()) == {""}


@pytest.mark.parametrize("name", ["chain", "softmax", "linear"])
def test_bf16(name: Name, monkeypatch: pytest.MonkeyPatch) -> None:
    last = quick(monkeypatch, program=name, dtype="bf16", vectors=False)[-1]
    told = dict(zip(last.ways, zip(last.error.tolist(), last.missing, strict=True), strict=True))
    assert told.pop("NumPy")[1] == "NumPy has no bf16" and told.pop("Inductor")[1]
    assert "without vectors" not in told and np.nanmax([error for error, _ in told.values()]) < 2e-2


def test_a_run_tells_one_thing_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    log = quick(monkeypatch, program="softmax", fusion=False)
    measured = [int(np.isfinite(event.seconds[:, 1]).sum()) for event in log]
    assert measured[:3] == [0, 0, 1] and measured == sorted(measured)
    last = log[-1]
    assert len(last.pieces) > 1 and all(piece.seconds for piece in last.pieces)
    assert last.bytes == pytest.approx(sum(piece.bytes for piece in last.pieces)) and last.bytes >= last.footprint
    assert "without fusion" not in last.ways and last.ratio[0] == 1
    known = dict(zip(last.ways, last.ratio.tolist(), strict=True))
    assert f"{known['eager']:.3g} × as fast as eager" in last.text and "Inductor" not in last.text
    assert f"{known['without vectors']:.3g} × as long without vectors" in last.text


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("fusion", [True, False])
def test_what_crosses_is_what_the_kernels_are_given(name: Name, fusion: bool) -> None:
    """Each pass takes what others made and leaves what others need: as many arrays as its kernel has."""
    text = written(name, 1 << 12, "f32")
    flow = Flow(build.build(text, build.Switches()))
    built = build.build(text, build.Switches(fusion=fusion))
    made, passes = flow.made(), flow.passes(built)
    assert sorted(n for own in passes for n in own) == [*range(len(made))]
    assert passes == flow.each() or fusion
    for own, kernel in zip(passes, built.program.kernels, strict=True):
        takes = {each for n in own for each in made[n].takes} - {*own}
        users = {n for n, each in enumerate(made) if n not in own and {*each.takes} & {*own}}
        leaves = {n for n in own if made[n].result or any(n in made[user].takes for user in users)}
        given = [each for each in kernel.buffers if each.role != "local"]
        assert len(takes) + len(leaves) == len(given)
        large = sum(made[n].bytes if n >= 0 else flow.given()[-1 - n].bytes for n in takes | leaves)
        assert large == sum(4 * each.size for each in given)


def test_only_what_the_caches_do_not_hold_is_asked_for_ahead() -> None:
    """And never by more than its switch says."""

    def asked(size: int, **switches: bool) -> int:
        return build.build(written("chain", size, "f32"), build.Switches(**switches)).code.module.text.count(
            "@llvm.prefetch"
        )

    assert asked(1 << 24) > asked(1 << 20) == asked(1 << 24, ahead=False) == 0


def test_machine_code_knows_its_operation(tmp_path: Path) -> None:
    found = build.build(written("chain", 1 << 12, "f32"), build.Switches())
    board = Board(Params(size="4 K"), tmp_path)
    (rows,) = board.hot
    known = {operation for row in rows for operation in row.operations}
    operations = board.flow.operations()
    assert {operations[n].name for n in known} >= {"sigmoid", "mul"}
    assert all(row.line in (0, 2, 3, 4) for row in rows)
    (hot,) = found.hot()
    assert any("mm" in line.text for line in hot) and hot[0].text.endswith(":")


def test_the_innermost_loop_is_found() -> None:
    texts = ["f", ".L1:", "a %zmm0", ".L2:", "b %zmm1", "c %zmm1", "jne .L2", "jb .L1", ".L3:", "d", "jne .L3"]
    lines = [listing.Line(text, -1) for text in texts]
    assert [line.text for line in listing.hottest(lines)] == texts[3:7]
    assert listing.hottest(lines[:1]) == lines[:1]


def test_what_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    board = Board(Params(size="4 K"), tmp_path)
    monkeypatch.setattr(build, "bandwidth", lambda *_: 10.0)
    board.limit()
    board.refuse("ours", 10e9, 1.0)
    with pytest.raises(ImpossibleError, match="ours came out at 200% of what this machine can do"):
        board.refuse("ours", 20e9, 1.0)


def test_names_are_those_of_the_programs() -> None:
    assert list(get_args(Name)) == list(PROGRAMS)


def test_inductor_computes_the_same(tmp_path: Path) -> None:
    x, y = torch.randn(2, 4096, generator=torch.Generator().manual_seed(3))
    made, seconds, name = inductor.compile(PROGRAMS["chain"].torch, [x, y], tmp_path, 1)
    torch.testing.assert_close(made(x, y), PROGRAMS["chain"].torch(x, y))
    assert seconds > 0 and name.startswith(("g++", "zig"))


def test_what_a_process_needs_once_is_not_what_a_program_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as C of ours that nobody has compiled yet, which takes seconds."""
    ready = build.ready
    monkeypatch.setattr(build, "ready", lambda: (time.sleep(2), ready()))
    assert build.build(written("chain", 4096, "f32"), build.Switches()).seconds < 2
