"""The kernel for tensor cores without a GPU: played by a processor against float64, and compiled for two GPUs."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import cuda_on_a_processor as processor
import numpy as np
import pytest
import torch
import wmma_on_a_processor as wmma
from cuda_on_a_processor import BACKWARD, FORWARD, SHUFFLED
from native.models import cuda_driver
from native.models.cuda_driver import build
from native.models.tensor_cores import FILE, shapes, used

NAMES = tuple(shapes())
# Around the sides of fragments, of slabs and of blocks; more than one block each way; more slabs than stages.
SIZES = (1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 64, 100, 127, 128, 129, 136, 255, 256, 257, 264)
ARCHES = ("sm_80", "sm_90", "sm_100")


def operands(n: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    a, b = ((torch.rand(n, n, generator=generator) * 2 - 1).bfloat16() for _ in range(2))
    return a, b


def check(name: str, n: int, seed: int = 0, order: int = FORWARD) -> float:
    if name == "tensor_cores" and n % 8:
        return 0.0  # for such matrices its twin is launched
    a, b = operands(n, seed)
    ran = wmma.run(name, a.view(torch.uint16).numpy(), b.view(torch.uint16).numpy(), order)
    assert ran.flaws == 0, (name, n)
    off = used(torch.from_numpy(ran.c).view(torch.bfloat16), a, b, most=n)
    assert off <= 1, (name, n)
    return off


@pytest.mark.parametrize("name", NAMES)
def test_the_product_of_any_size(name: str) -> None:
    for seed, n in enumerate(SIZES):
        check(name, n, seed)


def test_many_blocks_are_placed_once_each() -> None:
    """More rows of blocks than a group has, the last group not full."""
    check("tensor_cores", 1032)


@pytest.mark.parametrize("order", (BACKWARD, SHUFFLED))
@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_threads_does_not_matter(name: str, order: int) -> None:
    for n in (40, 136, 264):
        check(name, n, n, order)


def test_the_bound_is_nearly_used_and_a_missing_product_exceeds_it() -> None:
    """Exact sums, rounded once, use most of what rounding C may cost; without one slab they exceed it."""
    a, b = operands(512, 3)
    exact = a.double() @ b.double()
    assert 0.5 < used(exact.bfloat16(), a, b) <= 1
    assert used((exact - a[:, :16].double() @ b[:16].double()).bfloat16(), a, b) > 1
    assert np.isnan(used(torch.full_like(a, torch.nan), a, b))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("tensor_cores", "__pipeline_wait_prior(STAGES - 2)", "__pipeline_wait_prior(STAGES - 1)"),
        ("tensor_cores", "    __syncthreads(); /* all have this slab, and", "    /* all have this slab, and"),
        ("tensor_cores", "  __pipeline_wait_prior(0);\n  __syncthreads();\n", ""),
        ("tensor_cores", "      __syncwarp();\n      int row", "      int row"),
        ("tensor_cores", "      __syncwarp(); /* the next", "      /* the next"),
        ("tensor_cores", "i < n && j < n;\n    __pipe", "true;\n    __pipe"),
        ("tensor_cores_any", "i < n && j + e < n ?", "i < n ?"),
        ("tensor_cores_any", "column + e < n; e++", "true; e++"),
        ("tensor_cores", "x + SIDE * j], PITCH_B", "x + SIDE * j + 8], PITCH_B"),
    ],
    ids=[
        "no wait", "no barrier beside copies", "sums into slabs in use", "no wait for a sum", "a sum written over",
        "read beyond the rim", "the next row as this one", "write beyond the rim", "a fragment at half of 32 bytes",
    ],
)  # fmt: skip
def test_a_mistake_is_found(name: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (processor.KERNELS / FILE).read_text("utf-8")
    assert old in source
    (tmp_path / FILE).write_text(source.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(processor, "KERNELS", tmp_path)
    monkeypatch.setattr(wmma, "library", cache(wmma.library.__wrapped__))
    with pytest.raises(AssertionError):
        for order in (FORWARD, BACKWARD, SHUFFLED):
            check(name, 156 if name.endswith("any") else 160, 1, order)  # the last slab lies first


@pytest.mark.parametrize("arch", ARCHES)
def test_it_is_made_of_tensor_core_instructions(arch: str, tmp_path: Path) -> None:
    """16 products of fragments are 32 instructions of 16 x 8 x 16, whose operands come from registers."""
    import triton

    built = build(FILE, arch)
    assert built.resources.keys() == set(NAMES)
    for taken in built.resources.values():
        assert taken.spilled == 0 and taken.shared <= 48 * 1024 and taken.registers * 256 <= 65536
    (tmp_path / "cubin").write_bytes(built.cubin)
    program = Path(triton.__file__).parent / "backends/nvidia/bin/nvdisasm"
    text = subprocess.run([program, "-c", tmp_path / "cubin"], capture_output=True, text=True, check=True).stdout
    (body,) = re.findall(r"\.section\s+\.text\.tensor_cores,(.*?)(?=\.section\s|\Z)", text, re.DOTALL)
    assert len(re.findall(r"\bHMMA\.16816\.F32\.BF16", body)) == 32
    assert "LDGSTS" in body and "GMMA" not in body


def test_headers_that_are_missing_are_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cuda_driver, "find_spec", lambda name: None)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    with pytest.raises(ValueError, match="headers are missing"):
        cuda_driver.headers.__wrapped__()
    (tmp_path / "include").mkdir()
    (tmp_path / "include/mma.h").touch()
    assert cuda_driver.headers.__wrapped__() == tmp_path / "include"
