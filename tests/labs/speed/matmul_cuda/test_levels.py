"""What the levels of memory are said to give is what the machine code asks for, and what a running kernel reads."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import triton
import wmma_on_a_processor as wmma
from labs.models.warps import WAYS
from native.models.cuda_driver import HOPPER, build
from native.models.cuda_products import shapes
from native.models.tensor_cores import FILE, WARPGROUP, WARPGROUPS, ladder
from native.speed.matmul_cuda.levels import NONE, level, tables


def count(file: str, kernel: str, tmp_path: Path, arch: str = "sm_90") -> dict[str, int]:
    """Instructions of a kernel, its loop over slabs unrolled."""
    (tmp_path / "cubin").write_bytes(build(file, arch).cubin)
    program = Path(triton.__file__).parent / "backends/nvidia/bin/nvdisasm"
    text = subprocess.run([program, "-c", tmp_path / "cubin"], capture_output=True, text=True, check=True).stdout
    (body,) = re.findall(rf"\.section\s+\.text\.{kernel},(.*?)(?=\.section\s|\Z)", text, re.DOTALL)
    found = re.findall(r"\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.x]+)", body)
    return {each: found.count(each) for each in {*found}}


@pytest.mark.parametrize("way", ("shared", "registers", "vectors", "pipelined"))
def test_loads_are_those_of_the_machine_code(way: str, tmp_path: Path) -> None:
    code, of = count("matmul.cu", way, tmp_path), level(way, 4096, 32)
    assert of is not None
    loaded = 16 * code.get("LDS.128", 0) + 8 * code.get("LDS.64", 0) + 4 * code.get("LDS", 0)
    assert loaded / code["FFMA"] == pytest.approx(of.bytes[1], rel=0.05)  # and some before the loop


def test_a_thread_without_a_tile_loads_both_numbers() -> None:
    for way in ("naive", "coalesced"):
        of = level(way, 4096, 32)
        assert of is not None and of.bytes[1:] == (8, 8)  # two of four bytes, as test_matmul_cu counts them


def test_fragments_are_those_of_the_machine_code(tmp_path: Path) -> None:
    code, of = count(FILE, "tensor_cores", tmp_path), level("WMMA bf16", 4096, 32)
    assert of is not None
    products = 16 * 8 * 16 * code["HMMA.16816.F32.BF16"]
    assert 32 * 4 * code["LD.E"] / products == pytest.approx(of.bytes[1])
    assert of.bytes[2] == 32 * 4 * (4 + 2) / (16 * 8 * 16)  # four registers of A and two of B a lane


def test_a_warpgroup_takes_operands_where_they_lie(tmp_path: Path) -> None:
    code, of = count(WARPGROUPS, "warpgroups", tmp_path, HOPPER), level("WGMMA bf16", 4096, 32)
    assert of is not None
    assert of.bytes[1] == 0 and not any(each.startswith(("LDS", "LD.")) for each in code)
    high, wide, deep = 64, 256, 16
    assert code[f"HGMMA.{high}x{wide}x{deep}.F32.BF16"]
    assert of.bytes[2] == 2 * deep * (high + wide) / (high * wide * deep)
    assert of.block[:2] == (WARPGROUP.rows, WARPGROUP.columns)
    assert len(of.down) * len(of.across) * 256 == WARPGROUP.rows * WARPGROUP.columns


def test_a_running_block_reads_what_is_said() -> None:
    n, slabs = 264, 3
    ran = wmma.run("tensor_cores", *np.zeros((2, n, n), np.uint16), trace=0)
    of = level("WMMA bf16", n, 32)
    assert of is not None
    rows, columns, depth = of.block
    reads = ran.reads[ran.reads["step"] < 3 * slabs]  # of each slab a thread reads three times
    assert reads["bytes"].sum() / (rows * columns * depth * slabs) == pytest.approx(of.bytes[0])


def test_tiles_are_shared_out_without_a_rest() -> None:
    for way in WAYS:
        of, shape = level(way, 4096, 16), shapes(16)[way]
        assert of is not None and of.block[:2] == (shape.rows, shape.columns)
        assert len(of.down) * len(of.across) * np.prod(shape.threads) == shape.rows * shape.columns
        assert max(of.down) < shape.rows and max(of.across) < shape.columns


def test_of_other_ways_nothing_is_said() -> None:
    names = [way.name for way in ladder()]
    blocks, holders, down, across, cost = tables(names, 4096, 32, {})
    ours = [name in (*WAYS, "WMMA bf16", "WGMMA bf16") for name in names]
    assert [bool(each) for each in holders] == ours
    assert (blocks.any(1) == ours).all() and (np.isfinite(cost).all(1) == ours).all()
    assert ((down != NONE).any(1) == ours).all() and ((across != NONE).any(1) == ours).all()
    each = cost[ours]
    assert (np.diff(each[:, 0]) <= 0).all() and (np.diff(each[:, 1]) <= 0).all()


def test_of_a_program_in_triton_the_tile_is_said() -> None:
    names = ["Triton tf32", "Triton bf16", "cuBLAS bf16"]
    blocks, holders, _, _, cost = tables(
        names, 4096, 32, {"Triton tf32": (128, 256, 32), "Triton bf16": (128, 256, 64)}
    )
    assert blocks.tolist() == [[128, 256, 32], [128, 256, 64], [0, 0, 0]] and holders == ["", "", ""]
    slab_bytes = 4 * (128 * 32 + 32 * 256)
    assert cost[0, 0] == pytest.approx(slab_bytes / (128 * 256 * 32)) == 2 * cost[1, 0]
    assert np.isnan(cost[:2, 1:]).all() and np.isnan(cost[2]).all()
