"""The kernel for warpgroups without a GPU: played by a processor against float64, and compiled for Hopper."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import cuda_on_a_processor as processor
import numpy as np
import pytest
import torch
import triton
import wgmma_on_a_processor as wgmma
from cuda_on_a_processor import BACKWARD, FORWARD, SHUFFLED
from native.models.cuda_driver import HOPPER, build
from native.models.tensor_cores import STAGES, WARPGROUP, WARPGROUPS, ladder, shared, used

# Around lines of 64, tiles of 128 and of 256; more slabs than stages; more tiles than blocks, and fewer.
SIZES = ((8, 1), (56, 1), (64, 2), (72, 1), (136, 1), (264, 4), (328, 1))


def check(n: int, blocks: int, order: int = FORWARD, prompt: bool = False) -> None:
    generator = torch.Generator().manual_seed(n)
    a, b = ((torch.rand(n, n, generator=generator) * 2 - 1).bfloat16() for _ in range(2))
    ran = wgmma.run(a.view(torch.uint16).numpy(), b.view(torch.uint16).numpy(), blocks, order, prompt)
    assert ran.flaws == 0, n
    assert used(torch.from_numpy(ran.c).view(torch.bfloat16), a, b, most=n) <= 1, n


def test_the_product_of_any_size() -> None:
    for n, blocks in SIZES:
        check(n, blocks)


@pytest.mark.parametrize("prompt", (False, True))
@pytest.mark.parametrize("order", (BACKWARD, SHUFFLED))
def test_the_order_of_threads_and_of_copies_does_not_matter(order: int, prompt: bool) -> None:
    check(264, 5, order, prompt)


ROOM = "        if (t % 32 == 0)\n          arrive(shared.empty[stage]);\n"
DONE = "        wait_for_products(sum);\n"
B = "tile(&slab.b[0][k], {}, {})"
LINES, EIGHT_ROWS = "sizeof(slab.b[0])", "8 * sizeof(slab.b[0][0])"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("wait_for(shared.full[stage], phase);", ""),
        ("wait_for(shared.full[stage], phase);", "wait_for(shared.full[stage], 0);"),
        (DONE + ROOM, ROOM + DONE),
        (B.format(LINES, EIGHT_ROWS), B.format(EIGHT_ROWS, LINES)),
        ("down < n && across < n", "down < n"),
    ],
    ids=[
        "no wait for bytes", "a phase that never changes", "room before the products", "strides exchanged",
        "the next row as this one",
    ],
)  # fmt: skip
def test_a_mistake_is_found(old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (processor.KERNELS / WARPGROUPS).read_text("utf-8")
    assert old in source
    (tmp_path / WARPGROUPS).write_text(source.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(processor, "KERNELS", tmp_path)
    monkeypatch.setattr(wgmma, "library", cache(wgmma.library.__wrapped__))
    with pytest.raises(AssertionError):
        for prompt in (False, True):
            check(264, 1, prompt=prompt)


def test_it_is_made_of_products_out_of_shared_memory(tmp_path: Path) -> None:
    """Four products a slab that run one behind the other, five boxes, and of all threads nobody loads a number."""
    built = build(WARPGROUPS, HOPPER)
    (taken,) = built.resources.values()
    assert taken.spilled == 0 and taken.registers * np.prod(WARPGROUP.threads) <= 65536
    assert taken.shared + shared(STAGES) <= 227 * 1024
    (tmp_path / "cubin").write_bytes(built.cubin)
    program = Path(triton.__file__).parent / "backends/nvidia/bin/nvdisasm"
    text = subprocess.run([program, "-c", tmp_path / "cubin"], capture_output=True, text=True, check=True).stdout
    code = re.findall(r"\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.x]+)", text)
    found = {each: code.count(each) for each in {*code}}
    assert found["HGMMA.64x256x16.F32.BF16"] == 4 and found["WARPGROUP.DEPBAR.LE"] == 1
    assert any(each.startswith("UTMALDG.2D") for each in found)
    assert not any(each.startswith(("LDG", "LDS", "STS", "LDL", "STL", "HMMA")) for each in found)


def test_it_stands_between_our_other_kernel_and_triton() -> None:
    names = [way.name for way in ladder(16)]
    at = names.index("WGMMA bf16")
    assert names[at - 1 : at + 2] == ["WMMA bf16", "WGMMA bf16", "Triton bf16"] and len({*names}) == len(names)
    assert {way.name for way in ladder() if way.only} == {"WGMMA bf16"}
