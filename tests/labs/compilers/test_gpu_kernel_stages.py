"""The GPU compiler: its kernels against PyTorch, its search against all tiles, and what NVRTC makes of the text."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest
import torch
from labs.contract import LabError
from native.compilers.gpu_kernel_stages import Params, block, run
from native.compilers.gpu_kernel_stages.compiled import Compiled
from native.compilers.gpu_kernel_stages.emit import emit
from native.compilers.gpu_kernel_stages.gpus import GPUS, Name
from native.compilers.gpu_kernel_stages.on_processor import BACKWARD, FORWARD, SHUFFLED, OnProcessor
from native.compilers.gpu_kernel_stages.price import LAUNCH, at_least, floor, price
from native.compilers.gpu_kernel_stages.tiles import Tile, space
from native.compilers.gpu_kernel_stages.toolchain import missing, stages
from native.models import cuda_driver

TOKENS, WIDTH = 64, 128


def made(**named: Any) -> Compiled:
    return Compiled(Params(**named), TOKENS, WIDTH)


def values(it: Compiled, text: str = "", order: int = SHUFFLED) -> dict[str, float]:
    """How far the kernels' results are from PyTorch's in float64, or those of another text."""
    given = block.inputs(it.source, 3)
    memory = {
        each.name: given[each.name].numpy().ravel() if each.role == "input" else np.full(each.size, np.nan, "f4")
        for each in it.program.buffers
    }
    ready = OnProcessor(it.emitted, text)
    for name, _, _ in it.emitted.launches:
        ready.run(name, memory, order)
    return block.apart(given, it.makers, memory)


@pytest.mark.parametrize(
    "params",
    [{"tile": "16"}, {"tile": "64", "everything": True}, {"tile": "32", "fusion": "none"}],
    ids=str,
)
def test_every_value_is_pytorch_s(params: dict[str, Any]) -> None:
    found = values(made(**params))
    assert set(found) == set(get_args(block.Value)) - ({"a"} if "fusion" in params else set())
    assert max(found.values()) < 2e-6, found


def test_a_missing_barrier_is_found() -> None:
    it = made(tile="32")
    head, _, rest = it.emitted.text.partition("k1_qkv(")
    text = head + "k1_qkv(" + rest.replace("__syncthreads();", "", 1)
    found = [values(it, text, order)["qkv"] for order in (FORWARD, BACKWARD)]
    assert not max(found) < 1e-3 or np.isnan(found).any()


def test_the_same_seven_kernels_whatever_the_gpu() -> None:
    for gpu in get_args(Name):
        it = Compiled(Params(gpu=gpu), 1024)
        assert it.values == list(get_args(block.Value)) and len(it.program.kernels) == 7
    assert len(made(fusion="none").program.kernels) == len(it.grouped.plan.work) == 30


def test_each_search_finds_the_best_of_all() -> None:
    for gpu in GPUS:
        it = Compiled(Params(gpu=gpu), 256)
        for name, search in it.searches.items():
            every = {tile: price(search.kernel, tile, GPUS[gpu]).seconds for tile in search.where.tiles()}
            assert every[it.tiles[name]] == min(every.values())
            for tile, seconds in every.items():
                assert (
                    floor(search.kernel, GPUS[gpu]) + LAUNCH <= at_least(search.where, tile, GPUS[gpu]) * 1.000001
                )
                assert at_least(search.where, tile, GPUS[gpu]) <= seconds * 1.000001


def test_a_price_by_hand() -> None:
    """1024 × 1536 sums of 512 products in tiles of 64 × 64: 384 blocks, three for each of 128 multiprocessors."""
    it = Compiled(Params(), 1024)
    kernel, gpu = it.program.kernels[1], GPUS["H100"]
    cost = price(kernel, Tile(64, 64, 16), gpu)
    assert cost.bytes == 4 * (1024 * 512 + 512 * 1536 + 1024 * 1536)
    assert cost.operations == 2 * 1024 * 512 * 1536 and cost.fetched == 384 * 4 * (64 + 64) * 512
    assert floor(kernel, gpu) == pytest.approx(cost.operations / 67e12)
    alone = price(kernel, Tile(64, 64, 16), gpu, alone=True)
    assert alone.seconds > 100 * cost.seconds


def test_random_tiles_cover_their_kernels() -> None:
    it = Compiled(Params(), 256)
    chance = random.Random(0)
    for _ in range(40):
        where = space(it.program.kernels[chance.choice([1, 2, 3, 5, 6])])
        assert where
        tile = chance.choice(where.tiles())
        each = where.width if where.values else tile.columns
        assert where.blocks(tile) * tile.rows * each == where.batch * where.rows * where.width
        assert 4 * where.shared(tile) <= 48 << 10


@pytest.mark.skipif(bool(missing()), reason="NVRTC is not here")
@pytest.mark.parametrize("arch", [80, 90])
def test_nvidias_compiler_takes_every_kernel(arch: int) -> None:
    it = made(tile="32")
    built = stages(it.emitted.text, arch)
    assert list(built.ptx) and set(built.sass) == set(built.resources) == {
        name for name, _, _ in it.emitted.launches
    }
    for at, name in ((1, "k1_qkv"), (6, "k6_out")):
        where, tile = space(it.program.kernels[at]), it.tiles[name]
        assert where and built.resources[name].shared == 4 * where.shared(tile)
        multiplied = sum("FFMA" in each.text for each in built.sass[name])
        assert multiplied >= tile.each[0] * tile.each[1] * tile.depth
        nodes = {
            it.emitted.lines[each.line - 1].node for each in built.sass[name] if "FFMA" in each.text and each.line
        }
        assert where.products[0].node in nodes


@pytest.mark.parametrize("text", ["float x = ;"])
def test_nvrtc_says_what_is_wrong(text: str) -> None:
    if not missing():
        with pytest.raises(ValueError, match="NVRTC does not compile"):
            cuda_driver.compiled(text, "kernels.cu", "sm_80")


def test_without_a_gpu_it_says_so() -> None:
    if not torch.cuda.is_available():
        with pytest.raises(LabError, match="no NVIDIA GPU"):
            next(iter(run(Params(device="cuda"))))


def test_what_is_faster_than_the_hardware_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from native.compilers.gpu_kernel_stages import measuring

    it = Compiled(Params(no_wait=True), 256)
    shown: list[dict[str, Any]] = []
    kernels = [SimpleNamespace(name=each.name, floor=floor(each, it.gpu)) for each in it.program.kernels]
    story = SimpleNamespace(
        params=Params(no_wait=True, device="cuda"),
        made=it,
        ready=kernels,
        picture=SimpleNamespace(floor=sum(each.floor for each in kernels), ways=[]),
        total=1e-4,
        show=lambda stage, text, **changed: shown.append(changed) or changed,
    )
    gpu = SimpleNamespace(works=lambda: [(each.name, None) for each in kernels], all=lambda: None)
    monkeypatch.setattr(measuring.on_gpu, "without_waiting", lambda work: 1e-6)
    monkeypatch.setattr(measuring, "replace", lambda it, **changed: it)
    list(measuring.measured(story, gpu))  # type: ignore[arg-type]
    assert shown[-1]["measured"] is None
    assert shown[-1]["impossible"] == ["k1_qkv", "k2_a", "k3_y", "k5_u", "k6_out", "the whole block"]


def test_a_kernel_is_written_with_the_tile_it_is_given() -> None:
    it = Compiled(Params(), 256)
    text = emit(it.program, {name: space_of.square(16) for name, space_of in spaces(it)}).text
    assert "float sum[1][1]" in text and text.count("__global__") == 7


def spaces(it: Compiled) -> list[tuple[str, Any]]:
    return [(each.name, found) for each in it.program.kernels if (found := space(each))]
