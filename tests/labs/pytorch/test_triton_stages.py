"""Triton's stages: against Triton's own compiler, PTX played by hand, and NumPy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.contract import LabError
from native.pytorch.triton_stages import Params, run
from native.pytorch.triton_stages.counts import PATTERNS, counts, rows
from native.pytorch.triton_stages.layouts import held, owners
from native.pytorch.triton_stages.pictures import Fits, Layout, Stage, Values
from native.pytorch.triton_stages.source import Name, Order, source
from native.pytorch.triton_stages.trace import Line, Trace
from native.pytorch.triton_stages.worker import compiled

ORDERS = [
    Order("add", 1024, 4, 3, 80),
    Order("softmax", 512, 2, 3, 90),
    Order("matmul", 64, 4, 3, 80),
    Order("matmul", 64, 4, 4, 90),
    Order("matmul", 64, 4, 2, 100),
]


@cache
def stages(order: Order) -> dict[str, dict[str, Any]]:
    return {each["stage"]: each for each in compiled(order)}


@cache
def lines(order: Order) -> dict[str, list[Line]]:
    trace = Trace(source(order.kernel))
    return {name: trace.lines(name, each["text"]) for name, each in stages(order).items()}


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_layouts_of_kernels_cover_every_element(order: Order) -> None:
    found = held(lines(order)["ttgir"])
    assert {each.role for each in found} == ({"loads", "sums", "stores"} if order.kernel == "matmul" else {"loads"})
    for each in found:
        who = owners(each.attribute, each.shape)
        assert who.warp.min() >= 0 and who.warp.max() < order.warps and who.lane.max() < 32
        assert who.each * 32 * order.warps == who.copies * len(who.warp)
        assert np.bincount(who.warp * 32 + who.lane).max() <= who.each
        wanted = {"loads": "tl.load", "sums": "sums = ", "stores": "tl.store"}[each.role]
        assert wanted in source(order.kernel).lines[each.line - 1]


WANTED = {
    r"tt\.load|async_copy|cp\.async|ld\.global|LDG": "tl.load",
    r"tt\.store|st\.global|STG": "tl.store",
    r"tt\.dot|warp_group_dot|tc_gen5_mma|mma|MMA": "tl.dot",
    r"tt\.reduce|shfl|SHFL": r"tl\.max|tl\.sum",
}


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_instructions_come_from_the_line_that_asks_for_them(order: Order) -> None:
    text, checked = source(order.kernel).lines, 0
    for name, found in lines(order).items():
        assert sum(each.line > 0 for each in found) > len(found) * 0.6, name
        for each in counts(name, found):
            wanted = next((line for pattern, line in WANTED.items() if re.match(f".*({pattern})", each.name)), None)
            if not wanted or (order.arch == 100 and "SHFL" in each.name.upper()):
                continue
            mine = [line for line in found if re.search(rf"(?<!\w){re.escape(each.name)}(?!\w)", line.text)]
            told = [line for line in mine if line.line]
            assert len(told) > 0.8 * len(mine), (name, each)
            right = [line for line in told if re.search(wanted, text[line.line - 1])]
            # Where ptxas moves instructions, it writes some down with the line that they were moved to.
            assert len(right) == len(told) or (name == "sass" and 2 * len(right) >= len(told)), (name, each)
            checked += 1
    assert checked >= 8


@pytest.mark.parametrize("order", ORDERS[1:], ids=str)
def test_stages_are_those_of_triton_s_compiler(order: Order, tmp_path: Path, monkeypatch: Any) -> None:
    import triton
    from native.pytorch.triton_stages import kernels
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    given = ASTSource(getattr(kernels, order.kernel), order.signature, order.constants, order.aligned)
    options = {"num_warps": order.warps, "num_stages": order.stages}
    made = triton.compile(given, target=GPUTarget("cuda", order.arch, 32), options=options)
    ours = stages(order)
    assert made.asm["ptx"] == ours["ptx"]["text"] and made.asm["ttgir"] == ours["ttgir"]["text"]
    assert made.metadata.shared == ours["sass"]["shared"]
    found = {each.name: each.count for each in counts("ptx", lines(order)["ptx"])}
    for name in ("mma.sync", "wgmma.mma_async", "tcgen05.mma", "ldmatrix", "shfl.sync", "bar.sync"):
        plain = re.sub(r"//.*", "", made.asm["ptx"])
        assert found.get(name, 0) == len(re.findall(rf"\b{re.escape(name)}\b", plain)), name
    matrix = {80: "mma.sync", 90: "wgmma.mma_async", 100: "tcgen05.mma"}[order.arch]
    assert (matrix in found) == (order.kernel == "matmul")


def test_folding_loses_no_line() -> None:
    for order in ORDERS:
        for name, found in lines(order).items():
            shown = rows(name, found, source(order.kernel).focus)
            assert sum(each.more or 1 for each in shown) == len(found) and len(shown) <= 74
            assert any(each.line == source(order.kernel).focus for each in shown)
    assert set(PATTERNS) == set(lines(ORDERS[0]))


def played(ptx: list[Line], threads: int, given: dict[str, int]) -> tuple[list[Any], list[int]]:
    """The addresses of every load, for all threads of the first program; whole-number PTX alone."""
    at: dict[str, Any] = {"%tid.x": np.arange(threads), "%ctaid.x": np.zeros(threads, int)} | given
    loads, widths = [], []

    def value(name: str) -> Any:
        return at[name] if name in at else int(name, 0)

    for each in ptx:
        if found := re.search(r"ld\.global\.(?:v(\d)\.)?b32 .*\[ (%\w+) \+ 0 \]", each.text):
            loads.append(at[found[2]])
            widths.append(int(found[1] or 1))
        elif found := re.match(r"ld\.param\.\w+ (%\w+), \[(\w+)\]", each.text):
            at[found[1]] = given[found[2]]
        elif found := re.match(r"(\w+)\.?([\w.]*) (%\w+), (.*);", each.text):
            name, kind, to, rest = found.groups()
            got = [value(part) for part in rest.split(", ") if part in at or re.fullmatch(r"-?(0x)?\d+", part)]
            match name:
                case "mov":
                    at[to] = got[0]
                case "shl":
                    at[to] = got[0] << got[1]
                case "and":
                    at[to] = got[0] & got[1]
                case "or":
                    at[to] = got[0] | got[1]
                case "mul":
                    at[to] = got[0] * got[1]
                case "mad":
                    at[to] = got[0] * got[1] + got[2]
                case "add" if "f32" not in kind:
                    at[to] = got[0] + got[1]
    return loads, widths


@pytest.mark.parametrize(("block", "warps"), [(1024, 4), (512, 1), (256, 4), (128, 2)])
def test_ptx_loads_what_the_layout_says(block: int, warps: int) -> None:
    order = Order("add", block, warps, 3, 80)
    found = lines(order) if order in ORDERS else dict(upto(order, "ptx"))
    given = {f"add_param_{n}": 1 << (30 + n) for n in range(6)}
    loads, widths = played(found["ptx"], 32 * warps, given)
    first = [(each - (1 << 30)) // 4 for each in loads[: len(loads) // 2]]
    who = owners(held(found["ttgir"])[0].attribute, (block,))
    register = 0
    for addresses, width in zip(first, widths, strict=False):
        for step in range(width):
            mine = {
                element: divmod(thread, 32)
                for thread, element in enumerate(np.broadcast_to(addresses, 32 * warps) + step)
            }
            for element, (warp, lane) in mine.items():
                if who.copies == 1:
                    got = (who.warp[element], who.lane[element], who.register[element])
                    assert got == (warp, lane, register)
            register += 1
    assert register == who.each


def upto(order: Order, last: str) -> Any:
    trace = Trace(source(order.kernel))
    for each in compiled(order):
        yield each["stage"], trace.lines(each["stage"], each["text"])
        if each["stage"] == last:
            return


def test_a_changed_block_size_is_answered_at_once(tmp_path: Path, monkeypatch: Any) -> None:
    """In seconds of the processor, since other tests run beside this one; and nothing is left behind."""
    list(run(Params("add", "256")))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = sum(os.times()[:4])
    log = list(run(Params("matmul", "32")))
    assert sum(os.times()[:4]) - before < 2
    assert not list(tmp_path.iterdir())
    assert [each.stage for each in log if isinstance(each, Stage)] == [
        "source", "ttir", "ttgir", "llir", "ptx", "sass",
    ]  # fmt: skip
    assert all(isinstance(each, Layout) for each in log[3:-5])
    fits, values = log[-2:]
    assert isinstance(fits, Fits) and isinstance(values, Values)
    assert fits.blocks == min(each.blocks for each in fits.limits) and 0 < fits.running <= fits.most


@pytest.mark.parametrize(("kernel", "block"), [("add", 16), ("softmax", 1024), ("matmul", 128)])
def test_the_interpreter_computes_what_numpy_does(kernel: Name, block: int) -> None:
    order = json.dumps(asdict(Order(kernel, block, 4, 1, 80)))
    command = [sys.executable, "-m", "native.pytorch.triton_stages.values", order]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert found["untouched"] and found["elements"] > block
    bound = {"add": 2**-24, "softmax": 2**-20, "matmul": 2**-11}[kernel]
    assert 0 < found["off"] <= bound * found["largest"]
    assert np.abs(np.subtract(found["got"], found["exact"])).max() <= found["off"]


def test_what_has_no_room_is_refused() -> None:
    with pytest.raises(LabError, match="128 or less"):
        list(run(Params("matmul", "256")))
    with pytest.raises(LabError, match="more warps"):
        list(run(Params("matmul", "128", "2")))


def test_without_triton_the_lab_says_so(monkeypatch: Any) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    log = run(Params())
    assert next(log).stage == "source"
    with pytest.raises(LabError, match="not installed here"):
        next(log)
