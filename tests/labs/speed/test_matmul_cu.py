"""The CUDA kernels without a GPU: each runs on this processor against float64, and is compiled for two GPUs."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import cuda_on_a_processor as processor
import numpy as np
import pytest
from cuda_on_a_processor import BACKWARD, FORWARD, SHUFFLED, at
from extent import chosen
from native.models.cuda_driver import Built, build
from native.models.cuda_products import bound, shapes

NAMES = tuple(shapes())
# Around the sides of tiles and of reads of 16 bytes; more than one block each way; more slabs than stages.
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 132, 255, 257, 260)
# The largest take most of the time, and are like others: one of them is enough.
TRIED = chosen(SIZES, [n for n in SIZES if n not in (255, 257)])
ARCHES = ("sm_80", "sm_90")


def operands(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
    return a, b, a.astype(np.float64) @ b


def check(name: str, n: int, seed: int, tile: int = 32, order: int = FORWARD) -> None:
    if name == "pipelined" and n % 4:
        return  # for such matrices its twin is launched
    a, b, exact = operands(n, seed)
    ran = processor.run(name, a, b, tile, order)
    assert ran.flaws == 0, (name, n)
    assert np.linalg.norm(ran.c - exact) <= bound("fp32", n) * np.linalg.norm(exact), (name, n)


@pytest.mark.parametrize("name", NAMES)
def test_every_kernel_gives_the_product_of_any_size(name: str) -> None:
    for seed, n in enumerate(TRIED):
        check(name, n, seed)


@pytest.mark.parametrize("tile", (8, 16))
def test_tiles_of_every_side_give_the_product(tile: int) -> None:
    for n in (1, 7, 8, 15, 16, 17, 70):
        check("shared", n, n, tile)


@pytest.mark.parametrize("order", (BACKWARD, SHUFFLED))
@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_threads_does_not_matter(name: str, order: int) -> None:
    for n in chosen((33, 68, 132, 264), (33, 68, 132)):
        check(name, n, n, order=order)


def test_many_blocks_are_placed_once_each() -> None:
    """More rows of blocks than a group has, the last group not full."""
    check("pipelined", 1028, 0)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("shared", "    __syncthreads(); /* nobody may overwrite what another still reads */\n", ""),
        (
            "registers",
            "      for (int j = 0; j < 8; j++)\n          sum[i][j] += left",
            "for (int j = 0; j < 8; j++)\n sum[i][j] = left",
        ),
        ("pipelined", "arrived<STAGES - 2>", "arrived<STAGES - 1>"),
        ("pipelined", "    __syncthreads(); /* all have this slab, and", "    /* all have this slab, and"),
        ("vectors", "if (i >= n || j >= n)\n    return;", ""),
        (
            "naive",
            "  if (i < n && j < n)\n    c[(size_t)i * n + j] = dot(n, a, b, i, j);\n}\n\nKERNEL coal",
            "    c[(size_t)i * n + j] = dot(n, a, b, i, j);\n}\n\nKERNEL coal",
        ),
    ],
    ids=["no barrier", "no sum", "no wait", "no barrier beside copies", "rim", "rim of one"],
)
def test_a_mistake_is_found(name: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What plays the GPU is strict enough: a kernel that lacks a barrier, a wait or a check of the rim fails."""
    source = (processor.KERNELS / "matmul.cu").read_text("utf-8")
    assert old in source
    (tmp_path / "matmul.cu").write_text(source.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(processor, "KERNELS", tmp_path)
    monkeypatch.setattr(processor, "library", cache(processor.library.__wrapped__))
    with pytest.raises(AssertionError):
        for order in (FORWARD, BACKWARD, SHUFFLED):
            check(name, 36 if name == "naive" else 132, 1, order=order)


def test_the_peak_counts_what_it_does() -> None:
    """x = x * 1 + 0.1234567 in 48 rounds: what each of 16 chains sums up to is what it did."""
    found = np.zeros(256, np.float32)
    processor.library(32).peak_of_a_block(48, processor.ctypes.c_float(1.0), at(found))
    threads = np.arange(256)
    np.testing.assert_allclose(found, 16 * (threads + 7.5 + 48 * 0.1234567), rtol=1e-5)


@pytest.fixture(scope="module", params=ARCHES)
def built(request: pytest.FixtureRequest) -> Built:
    return build("matmul.cu", request.param)


def test_registers_are_enough_and_blocks_fit(built: Built) -> None:
    assert built.resources.keys() == {*NAMES, "peak"}
    for name, taken in built.resources.items():
        threads = 256 if name == "peak" else np.prod(shapes()[name].threads)
        assert taken.spilled == 0, name
        blocks = 2 if name in ("registers", "vectors") else 1
        assert blocks * taken.registers * threads <= 65536, name
        assert blocks * taken.shared <= 100 * 1024, name
        assert taken.shared <= 48 * 1024, f"{name} would have to ask the driver for more"


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match="invalid value for --gpu-architecture"):
        build("matmul.cu", "sm_1")


def loop(built: Built, kernel: str, tmp_path: Path) -> list[str]:
    """The instructions of the kernel's longest loop, as the processor of the GPU gets them."""
    import triton

    (tmp_path / "cubin").write_bytes(built.cubin)
    program = Path(triton.__file__).parent / "backends/nvidia/bin/nvdisasm"
    text = subprocess.run([program, "-c", tmp_path / "cubin"], capture_output=True, text=True, check=True).stdout
    (body,) = re.findall(rf"\.section\s+\.text\.{kernel},(.*?)(?=\.section\s|\Z)", text, re.DOTALL)
    labels: dict[str, int] = {}
    code: list[str] = []
    longest: list[str] = []
    for line in body.splitlines():
        if found := re.match(r"\s*(\.L_x_\w+):", line):
            labels[found[1]] = len(code)
        elif found := re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]+)([^;]*);", line):
            code.append(found[1])
            back = re.search(r"\.L_x_\w+", found[2]) if found[1].startswith("BRA") else None
            if back and labels.get(back[0], len(code)) < len(code) - len(longest):
                longest = code[labels[back[0]] :]
    return longest


def test_the_machine_code_is_what_the_story_says(built: Built, tmp_path: Path) -> None:
    naive, shared, vectors, pipelined, peak = (
        loop(built, kernel, tmp_path) for kernel in ("naive", "shared", "vectors", "pipelined", "peak")
    )
    assert sum(each.startswith("LDG") for each in naive) == 2 * naive.count("FFMA")
    assert {"STS", "LDS", "LDS.128", "BAR.SYNC.DEFER_BLOCKING"} <= set(shared)
    assert any(each.startswith("LDG.E.128") for each in vectors)
    assert vectors.count("LDS.128") == 32 and vectors.count("FFMA") == 512  # 4 reads for 64 multiply-adds
    assert pipelined.count("LDS.128") == 48 and pipelined.count("FFMA") == 1024  # 6 reads for 128
    assert any(each.startswith("LDGSTS") and each.endswith("128") for each in pipelined)
    assert pipelined.count("FFMA") > 0.88 * len(pipelined)
    assert peak.count("FFMA") > 0.98 * len(peak)
    for kernel in (shared, vectors, pipelined):
        assert not any(
            each.startswith(("LDL", "STL")) for each in kernel
        )  # nothing goes to memory for want of room
