"""What the chapter on a GPU compiler says, asked of its recordings, its model and its kernels."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from article import CONTENT, Article, recorded
from native.compilers.gpu_kernel_stages import Params, block
from native.compilers.gpu_kernel_stages.compiled import Compiled
from native.compilers.gpu_kernel_stages.gpus import GPUS
from native.compilers.gpu_kernel_stages.price import BARRIER, WAIT, price, step
from native.compilers.gpu_kernel_stages.tiles import Tile

ARTICLE = Article("compilers/04-a-gpu-compiler.mdx")
says = ARTICLE.says
LAB = "compilers/gpu_kernel_stages"
PRODUCTS = ("qkv", "a", "y", "u", "out")


def last(name: str = "default") -> dict[str, Any]:
    return recorded(LAB, name)[-1]


def kernels(name: str = "default") -> dict[str, dict[str, Any]]:
    return {each["value"]: each for each in last(name)["kernels"]}


def stage(name: str, which: str) -> dict[str, Any]:
    return [each for each in recorded(LAB, name) if each["stage"] == which][-1]


def tile_of(leaf: dict[str, Any], branches: list[dict[str, Any]]) -> list[int]:
    """Rows, columns, depth: the sizes on the way from the root of the tree."""
    by_key, sizes = {each["key"]: each for each in branches}, list[int]()
    at: dict[str, Any] | None = leaf
    while at:
        sizes.insert(0, at["size"])
        at = by_key.get(at["parent"])
    return sizes[-3:]


def test_one_kernel_for_everything() -> None:
    says("On an H100 our compiler's seven kernels take …", "The same loops in one kernel take …")
    fused, one, apart = (last(name) for name in ("h100", "everything_h100", "none_h100"))
    assert "H100" in fused["on"] and one["together"] and one["measured"] > 50 * fused["measured"]
    says("Not one multiplication was added")
    assert [each["operations"] for each in one["kernels"]] == [each["operations"] for each in fused["kernels"]]
    says("It keeps one multiprocessor busy", "The other 131 have nothing to do")
    assert all(each["blocks"] == 1 for each in one["kernels"]) and GPUS["H100"].multiprocessors == 132
    says("The model sees it coming: it predicts …", "Even 30 kernels take only …")
    assert one["predicted"] > 50 * fused["predicted"]
    assert len(apart["kernels"]) == 30 and fused["measured"] < apart["measured"] < one["measured"] / 20


def test_thirty_operations_and_seven_kernels() -> None:
    says("The block is eight lines", "That is 30 operations on whole tensors", "Seven kernels are left")
    program = block.text(1024).rstrip().split("\n")
    assert sum(block.named(line) is not None for line in program) == 7
    assert len(program) - program.index(next(each for each in program if each.startswith("def block"))) == 10
    graph = recorded(LAB)[0]
    assert len(graph["ops"]) == len(graph["kernels"]) == 30 and len(last()["kernels"]) == 7
    assert graph["moved"] == pytest.approx(last("none_h100")["moved"], rel=0.15)
    assert last()["moved"] < graph["moved"] / 5
    says("That is why the norm stays apart from the product before it")
    decided = [each for each in recorded(LAB) if each["stage"] == "fusion" and each["refused"]]
    assert any("no whole row" in json.dumps(each["text"]) for each in decided)
    says("A permute is no work at all", "writes its result in the order that the next product reads")
    assert "permute" in {op["op"] for op in last()["ops"] if op["kernel"] == 2}


def test_tiles_fetch() -> None:
    says("With 16 × 16 that is eight times as much as with 128 × 128")
    it = Compiled(Params(), 1024)
    kernel = it.program.kernels[1]
    m, n, k = 1024, 1536, 512
    for r, c in ((16, 16), (64, 64), (128, 32)):
        assert price(kernel, Tile(r, c, 16), it.gpu).fetched == pytest.approx(4 * m * n * k * (1 / r + 1 / c))
    says("384 · 128 · 512 · 4 bytes are 96 MiB", "Each factor once would be 5 MiB")
    cost = price(kernel, Tile(64, 64, 16), it.gpu)
    assert (cost.fetched, cost.bytes) == (96 << 20, 11 << 20)
    assert 4 * (m * k + k * n) == 5 << 20


def test_the_model() -> None:
    says("An H100 has 132 multiprocessors, with 128 lanes each", "840 for each slab, an assumption of ours")
    assert (GPUS["H100"].multiprocessors, GPUS["H100"].lanes, WAIT + BARRIER) == (132, 128, 840)
    says("which takes one cycle for each number that every thread of a warp loads")
    assert step(2, 2, GPUS["H100"]) == 8 * (2 + 2)
    says("the search keeps 128 × 128 × 32", "That makes 96 blocks, and 36 multiprocessors get none")
    qkv = kernels()["qkv"]
    assert qkv["tile"] == [128, 128, 32] and qkv["blocks"] == 96 == 132 - 36


def test_prediction_and_clock() -> None:
    says("the 16 tiles that looked best", "The one that the model chose takes … times as long as the fastest")
    tiles = stage("h100", "tiles")
    assert sum(each["measured"] is not None for each in tiles["branches"]) == 16
    assert 1 <= last("h100")["behind"] < 1.25
    says(
        "For the whole block the model predicts …, and the clock says …",
        "The predicted times themselves are less good",
    )
    whole = last("h100")
    assert 1.1 < whole["measured"] / whole["predicted"] < 2
    says("Its time is nearer where tiles are small: with 32 × 32 in every product it predicts …")
    small = last("tile_32_h100")
    assert small["measured"] / small["predicted"] < 0.8 * whole["measured"] / whole["predicted"]
    says("A branch would be cut if its multiply-adds alone took longer than the best tile so far; here none is.")
    assert not any(each["state"] == "cut" for each in tiles["branches"])
    says("only wrong by the same factor for all, and it is not quite: the fastest of the 16 has 64 × 64 × 32")
    tried = [each for each in tiles["branches"] if each["measured"] is not None and each["seconds"] is not None]
    off = [each["measured"] / each["seconds"] for each in tried]
    assert 1.3 < max(off) / min(off) < 2
    fastest = min(tried, key=lambda each: each["measured"])
    assert tile_of(fastest, tiles["branches"]) == [64, 64, 32]
    says("keeps all multiprocessors busy. The model had put it well behind.", "The clock will disagree.")
    assert 1024 * 1536 / (64 * 64) > 132 and fastest["seconds"] > 1.15 * min(each["seconds"] for each in tried)


def test_machine_code() -> None:
    says("A thread holds 8 × 8 sums, so there are 2,048 `FFMA`", "It takes 128 `LDS.128`")
    counted = Counter({each["name"]: each["count"] for each in stage("default", "SASS")["counts"]})
    assert counted["FFMA"] == 2048 == 8 * 8 * 32 and counted["LDS.128"] == 128
    assert stage("default", "fits")["kernels"][1]["registers"] > 16


def test_the_gate() -> None:
    says("The gate lets it pass: launching from Python alone takes longer than the bound", "faster than PyTorch")
    hasty = last("no_wait_h100")
    assert hasty["impossible"] == [] and hasty["floor"] < hasty["measured"] < last("h100")["measured"] / 2
    assert hasty["ways"][0]["name"] == "PyTorch fp32" and hasty["ways"][0]["ratio"] < 1
    says("Times that do not depend on the work are not times of the work")
    seconds = [each["measured"] for each in hasty["kernels"]]
    assert max(seconds) < 2 * min(seconds)
    assert kernels("h100")["a"]["measured"] > 20 * kernels("h100")["m"]["measured"]
    assert last("h100")["floor"] == pytest.approx(sum(each["floor"] for each in last("h100")["kernels"]))
    assert last("h100")["floor"] < last("h100")["measured"]
    says("2 · 2,048³ operations in 8.2 µs are 2,095 TFLOP/s", "wrong by a factor of at least 31")
    rate = 2 * 2048**3 / 8.2e-6
    assert rate == pytest.approx(2095e12, rel=1e-3) and 31 < rate / GPUS["H100"].flops < 32
    says("That is about what our block reaches with 1,024 tokens.")
    assert last("h100")["floor"] * 67 / last("h100")["measured"] == pytest.approx(20, abs=3)


def test_the_gate_refuses() -> None:
    says("With 4,096 tokens the same mistake is caught", "but now the products alone need …")
    refused = last("no_wait_4096_h100")
    says("The lab refuses the times of four kernels and of the whole block, and shows none of the others either")
    *names, whole = refused["impossible"]
    assert len(names) == 4 and whole == "the whole block" and refused["floor"] == last("tokens_4096_h100")["floor"]
    assert refused["measured"] is None and {each["measured"] for each in refused["kernels"]} == {None}
    says("Launching takes about as long")
    (asked,) = re.findall(r"At (\d+) µs, the whole block", refused["text"])
    assert 1e-6 * int(asked) < 1.3 * last("no_wait_h100")["measured"] < refused["floor"] / 3


def test_a_tile_that_hangs_over() -> None:
    says(
        "Eight tiles of 128 rows make 1,024",
        "hangs over by 24 rows",
        "Its score becomes −3 · 10³⁸, and its weight 0.",
    )
    assert 8 * 128 - 24 == 1000 and kernels("tokens_1000")["qkv"]["tile"][0] == 128
    guarded, plain = (Compiled(Params(), tokens).emitted.text for tokens in (1000, 1024))
    says("Only sides that do not divide are guarded, so for 1,024 tokens the text has no guard")
    assert "hangs over" in guarded and "hangs over" not in plain
    assert re.search(r"if \(!\(first .* < 1000\)\) score\[i\]\[j\] = -3e38f;", guarded)
    says("The same number of tiles multiply, zeros included, and the model predicts … for both")
    shorter, whole = last("tokens_1000_h100"), last("h100")
    assert shorter["predicted"] == whole["predicted"] == last("tokens_1000")["predicted"]
    says("Fewer tokens are not faster", "The H100 takes … for 1,000 tokens and … for 1,024")
    assert shorter["measured"] > whole["measured"]
    says("Most kernels take about the same time", "in tiles of 64 × 64, takes … with guards and … without")
    less, more = kernels("tokens_1000_h100"), kernels("h100")
    ratios = {name: less[name]["measured"] / more[name]["measured"] for name in less}
    assert sum(0.9 < each < 1.1 for each in ratios.values()) == 5
    assert 1.15 < ratios["out"] < 1.35 and less["out"]["tile"][:2] == [64, 64]


def test_beside_pytorch() -> None:
    ways = {each["name"]: each["ratio"] for each in last("h100")["ways"]}
    assert 1 < ways["PyTorch fp32"] < ways["PyTorch tf32"] < ways["PyTorch bf16"]
    says(
        "With 4,096 tokens ours take only … times as long as PyTorch in float32",
        "because then all multiprocessors have work",
    )
    long = last("tokens_4096_h100")
    assert long["ways"][0]["ratio"] < ways["PyTorch fp32"]
    assert sum(each["blocks"] < 128 for each in long["kernels"]) < sum(
        each["blocks"] < 128 for each in last()["kernels"]
    )


def test_links_lead_to_the_steps_they_mean() -> None:
    assert "everything={false} tokens={1000} step={23}>guards" in ARTICLE.text
    assert recorded(LAB, "tokens_1000")[22]["stage"] == "CUDA"
    assert "tokens={4096} no_wait={true} step={29}" in ARTICLE.text
    assert recorded(LAB, "no_wait_4096_h100")[28]["stage"] == "measured"
    stages = [each["stage"] for each in recorded(LAB)]
    links = re.findall(
        r'<Set figure="gpu_kernel_stages" everything=\{false\} step=\{(\d+)\}>(.*?)</Set>', ARTICLE.text
    )
    assert {name: stages[int(step) - 1] for step, name in links} == {
        "30 operations": "graph", "kernel of attention": "fusion", "tree": "search", "next picture": "fits",
    }  # fmt: skip
    assert (
        recorded(LAB, "h100")[28]["stage"] == "tiles" and recorded(LAB, "no_wait_h100")[28]["stage"] == "measured"
    )
    assert "A GPU compiler" not in json.loads((CONTENT / "compilers/series.json").read_text())["planned"]
