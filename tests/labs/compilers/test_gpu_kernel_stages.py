"""The GPU compiler: its kernels against PyTorch, its search against all tiles, and what NVRTC makes of the text."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest
import torch
from extent import chosen
from labs.contract import LabError
from labs.models.fusing.fuse import said
from native.compilers.gpu_kernel_stages import Params, block, run
from native.compilers.gpu_kernel_stages.compiled import Compiled
from native.compilers.gpu_kernel_stages.emit import emit
from native.compilers.gpu_kernel_stages.gpus import GPUS, Name
from native.compilers.gpu_kernel_stages.on_processor import BACKWARD, FORWARD, SHUFFLED, OnProcessor
from native.compilers.gpu_kernel_stages.pictures import Count
from native.compilers.gpu_kernel_stages.price import LAUNCH, at_least, floor, price
from native.compilers.gpu_kernel_stages.tell import graph, listing
from native.compilers.gpu_kernel_stages.tiles import Tile, space
from native.compilers.gpu_kernel_stages.toolchain import missing, stages
from native.models import cuda_driver

TOKENS, WIDTH = 64, 128


MARGIN = 1 << 15
"""Numbers before and after each buffer, which no kernel may read or write"""


def made(tokens: int = TOKENS, width: int = WIDTH, **named: Any) -> Compiled:
    return Compiled(Params(**named), tokens, width)


def values(it: Compiled, ready: OnProcessor | None = None, order: int = SHUFFLED) -> dict[str, float]:
    """How far the kernels' results are from PyTorch's in float64, or those of others.

    What a kernel reads outside of its buffers is no number, which its results then are not either.
    """
    given = block.inputs(it.source, 3)
    around = {each.name: np.full(each.size + 2 * MARGIN, np.nan, "f4") for each in it.program.buffers}
    memory = {name: each[MARGIN:-MARGIN] for name, each in around.items()}
    for name, each in given.items():
        memory[name][:] = each.numpy().ravel()
    ready = ready or OnProcessor(it.emitted)
    for name, _, _ in it.emitted.launches:
        ready.run(name, memory, order)
    assert all(np.isnan([each[:MARGIN], each[-MARGIN:]]).all() for each in around.values())
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


# 122 numbers have two heads of 61: no side divides them, and no four start at a multiple of 16 bytes.
@pytest.mark.parametrize(
    ("tokens", "width", "params"),
    chosen(
        [
            (777, 64, {}),
            (1000, 64, {"tile": "128"}),
            (77, 122, {"tile": "32"}),
            (130, 78, {"fusion": "none"}),
            (65, 120, {"everything": True}),
        ],
        [(77, 122, {"tile": "32"}), (65, 120, {"everything": True})],
    ),
    ids=str,
)
def test_no_side_need_divide(tokens: int, width: int, params: dict[str, Any]) -> None:
    it = made(tokens, width, **params)
    assert all(where.guarded(it.tiles[name]) for name, where in spaces(it))
    found = values(it)
    assert len(found) >= 6 and max(found.values()) < 2e-6, found


def test_only_what_hangs_over_is_guarded() -> None:
    for tokens in (256, 1024, 4096):
        assert "inside" not in Compiled(Params(), tokens).emitted.text
    it = Compiled(Params(), 1000)
    (qkv,) = (each for each in it.emitted.text.split("extern") if " k1_qkv(" in each)
    assert "const bool inside = top + r < 1000;" in qkv and "< 1536" not in qkv.replace("first = ", "")
    unguarded = it.emitted.text.replace("top + r < 1000", "true")
    assert unguarded.count("inside = true;") == len(it.tiles)


def test_a_missing_guard_is_found() -> None:
    it = made(77, tile="32")
    assert "if (row < 77) { // the last tile hangs over" in it.emitted.text
    with pytest.raises(AssertionError):
        values(it, OnProcessor(it.emitted, it.emitted.text.replace("row < 77", "true")))
    unguarded = OnProcessor(it.emitted, it.emitted.text.replace("first + d < 77", "true"))
    assert np.isnan(values(it, unguarded)["a"])


def test_a_missing_barrier_is_found() -> None:
    it = made(tile="32")
    head, _, rest = it.emitted.text.partition("k1_qkv(")
    text = head + "k1_qkv(" + rest.replace("__syncthreads();", "", 1)
    ready = OnProcessor(it.emitted, text)
    found = [values(it, ready, order)["qkv"] for order in (FORWARD, BACKWARD)]
    assert not max(found) < 1e-3 or np.isnan(found).any()


def test_the_same_seven_kernels_whatever_the_gpu() -> None:
    for gpu in get_args(Name):
        it = Compiled(Params(gpu=gpu), 1024)
        assert it.values == list(get_args(block.Value)) and len(it.program.kernels) == 7
    assert len(made(fusion="none").program.kernels) == len(it.grouped.plan.work) == 30


def test_each_search_finds_the_best_of_all() -> None:
    for gpu, tokens in ((gpu, tokens) for gpu in GPUS for tokens in (256, 333)):
        it = Compiled(Params(gpu=gpu), tokens)
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
    hanging = price(Compiled(Params(), 1000).program.kernels[1], Tile(64, 64, 16), gpu)
    assert hanging.operations == 2 * 1000 * 512 * 1536 and hanging.seconds == cost.seconds
    assert hanging.fetched == 4 * 512 * (24 * 1000 + 16 * 1536)
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
@pytest.mark.parametrize(
    ("arch", "tokens", "width"),
    chosen(
        [(arch, *size) for arch in (80, 90) for size in ((TOKENS, WIDTH), (77, 122))],
        [(80, 77, 122), (90, TOKENS, WIDTH)],
    ),
)
def test_nvidias_compiler_takes_every_kernel(arch: int, tokens: int, width: int) -> None:
    it = made(tokens, width, tile="32")
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
    list(measuring.measured(story, gpu))  # type: ignore[arg-type]
    assert len(shown) == 1 and not {"measured", "kernels"} & set(shown[-1])
    assert shown[-1]["impossible"] == ["k1_qkv", "k2_a", "k3_y", "k5_u", "k6_out", "the whole block"]


def test_a_kernel_is_written_with_the_tile_it_is_given() -> None:
    it = Compiled(Params(), 256)
    text = emit(it.program, {name: space_of.square(16) for name, space_of in spaces(it)}).text
    assert "float sum[1][1]" in text and text.count("__global__") == 7


def spaces(it: Compiled) -> list[tuple[str, Any]]:
    return [(each.name, found) for each in it.program.kernels if (found := space(each))]


def test_thousands_are_parted_everywhere_in_a_sentence() -> None:
    assert "would move 6,581 MiB as 30 kernels" in str(graph(30, 6_900_420_608))
    told = str(listing("SASS", "k1_qkv", 2630, [Count(name="FFMA", count=2048)]))
    assert told == "k1_qkv in SASS, which the GPU runs: 2,630 lines, with 2,048 FFMA."
    assert said(1048 << 20) == "1,048.0 MiB"
