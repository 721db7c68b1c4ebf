"""What the chapter on Decompose-K says, asked of its lab, its recordings, and of PyTorch's own source."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
import torch
from article import Article, recorded
from native.compilers.decompose_k import Params
from native.compilers.decompose_k.cut import WAYS, group_of, roundings
from native.compilers.decompose_k.model import Model
from native.compilers.decompose_k.on_cpu import Processor
from native.compilers.decompose_k.story import truth
from torch._inductor import config, utils
from torch._inductor.kernel import mm
from torch._inductor.runtime import benchmarking

ARTICLE = Article("compilers/05-decompose-k.mdx")
says = ARTICLE.says
GPU = ("h100", "h100_in_order", "h100_relu", "h100_bf16", "h100_64", "h100_rounded", "h100_16")


def last(name: str = "h100") -> dict[str, Any]:
    return recorded("compilers/decompose_k", name)[-1]


def at(found: dict[str, Any], what: str, way: str, splits: int) -> float:
    value = found[what][WAYS.index(way), found["counts"].index(splits)]
    return float(value[1] if np.ndim(value) else value)


def test_the_same_product_is_faster_and_more_exact() -> None:
    says("The kernel is the same, the GPU is the same, and all multiplications are the same", "It is better")
    found = last()
    assert (found["m"], found["n"], found["k"], found["workers"]) == (32, 32, 32768, 132)
    assert at(found, "took", "two levels", 1) > 40 * at(found, "took", "two levels", 128)
    assert at(found, "error", "two levels", 1) > 10 * at(found, "error", "two levels", 128)
    says("You can watch both on two cores, too")
    here = last("default")
    assert here["workers"] == 2 and at(here, "error", "in order", 1) > 4 * at(here, "error", "in order", 128)


def test_tiles_of_half_the_side_read_twice_as_much() -> None:
    says("numbers, so tiles of half the side read twice as many", "131 of them have nothing to do")
    a, b = np.ones((8, 5)), np.ones((5, 8))

    def reads(side: int) -> int:
        tiles = [(i, j) for i in range(0, 8, side) for j in range(0, 8, side)]
        return sum(a[i : i + side].size + b[:, j : j + side].size for i, j in tiles)

    assert reads(2) == 2 * reads(4) == 5 * (64 // 2 + 64 // 2)


def test_the_program_of_the_article_is_right() -> None:
    says("return torch.bmm(a, b).sum(0)", "The views cost nothing")
    (code,) = [each.split("```")[0] for each in ARTICLE.text.split("```python\n")[1:2]]
    space: dict[str, Any] = {"torch": torch}
    exec(code, space)
    a, b = torch.randn(7, 96, dtype=torch.float64), torch.randn(96, 5, dtype=torch.float64)
    for splits in (1, 2, 8, 96):
        torch.testing.assert_close(space["decompose_k"](a, b, splits), a @ b)
    assert a.view(7, 8, 12).transpose(0, 1).data_ptr() == a.data_ptr()


def test_lanes_on_two_cores() -> None:
    says("two lanes on two cores: they take …, and one lane …. With three the time goes up again")
    for found in (last("default"), last("positive")):
        one, two, three = (at(found, "took", "in order", splits) for splits in (1, 2, 3))
        assert two < 0.75 * one and two < three


def test_waves() -> None:
    says("On two cores even numbers win and odd numbers lose, less and less as slices get shorter")
    model = Model(0, 1, 0, 0, 2)
    took = {splits: model.took("in order", 960 * 32, splits) for splits in range(1, 13)}
    assert took[2] == took[4] == took[6] < took[7] < took[5] < took[3] < took[1]
    says("16 lanes keep only one multiprocessor in eight busy", "From 132 to 133 lanes the time jumps")
    for name in GPU[:4]:
        found = last(name)
        assert found["every"][132] > 1.15 * found["every"][131], name
        (sixteen,) = [each for each in recorded("compilers/decompose_k", name) if each.get("splits") == 16]
        assert len(set(sixteen["worker"].tolist())) == 16 and 1 / 10 < sixteen["busy"] * 132 / 12 < 1.4


def test_two_levels() -> None:
    says("That makes about $2\\sqrt S$ additions, one after the other, in place of S")
    assert group_of("two levels", 128) == 12
    assert roundings("two levels", 1 << 15, 128) - (1 << 15) // 128 == 11 + 10
    found = last()
    assert at(found, "took", "two levels", 128) < 0.9 * at(found, "took", "in order", 128)


def test_the_order_of_arrival() -> None:
    says("With two lanes that is harmless", "Ten runs with 128 lanes *on arrival* gave")
    for name in (*GPU[:3], "h100_64"):
        different = last(name)["different"]
        counts = last(name)["counts"]
        assert (different[:2] == 1).all() and different[2, counts.index(2)] == 1
        assert different[2, counts.index(128)] == 10


def test_the_model() -> None:
    says("so", "S^* \\approx \\min", "Then every S from 1 to 256 is timed")
    found = last("h100_in_order")
    assert found["reduction"] == "in order" and len(found["every"]) == 256
    slab, add = found["slab"], found["add"]
    root = np.sqrt(found["k"] / 32 * slab / add)
    assert abs(min(132, root) - found["best"][0]) < 10
    says("The curve is flat there, so the miss costs little")
    assert found["every"][found["best"][0] - 1] < 1.1 * found["every"].min()
    near = np.abs(found["predicted"] / found["every"] - 1)[:132]
    assert near.max() < 0.2 and np.median(near) < 0.05
    says("A short sum does not give back what meeting at a counter costs", "the first power of two")
    assert found["crossing"] == [256, 256]


def test_shorter_sums_smaller_errors() -> None:
    says("For S lanes it is $K/S + S - 1$", "least for $S = \\sqrt K$, here 181", "the error keeps falling")
    assert round(32768**0.5) == 181
    found = last()
    two = found["error"][1]
    assert at(found, "error", "two levels", 256) == two.min() or two.min() > 0.9 * at(
        found, "error", "two levels", 256
    )
    says("The dashed bound lies far above the dots")
    assert (found["bound"] > 100 * found["error"][:3]).all()


def test_only_positive_numbers() -> None:
    says("partial sums grow with every step, and their roundings with them")
    positive = {}
    for kind in ("signed", "positive"):
        here = Processor(Params(operands=kind), 32768)
        exact, scale = truth(here, False)
        for splits in (1, 128):
            work, result = here.start("in order", splits)
            work(1)
            positive[kind, splits] = (np.abs(result() - exact) / scale).max() * 2**24
    assert positive["positive", 1] > 5 * positive["signed", 1]
    assert positive["positive", 1] > 5 * positive["positive", 128]
    found = last("positive")
    assert found["error"][0, 0] == pytest.approx(positive["positive", 1], rel=0.01)


def test_partial_sums_in_bfloat16() -> None:
    says("so each partial sum is rounded to eight bits before it is added", "which is the last rounding of C")
    assert torch.bmm(*(torch.ones(1, 2, 2, dtype=torch.bfloat16),) * 2).dtype == torch.bfloat16
    found = last("h100_rounded")
    assert at(found, "error", "batched", 128) > 1.2 * at(found, "error", "two levels", 128)
    assert np.ptp(found["error"][:3]) == 0  # whatever S is
    says("On a GPU `bmm` has `out_dtype=torch.float32` for this")
    assert "out_dtype" in str(torch.ops.aten.bmm.dtype._schema)


def test_what_libraries_do() -> None:
    says("starts two kernels on the H100, and the second is called `splitKreduce_kernel`")
    eager, compiled = last()["libraries"]
    assert len(eager["kernels"]) == 2 and "splitKreduce_kernel" in eager["kernels"][1]
    says(
        "if K is at least 32 times M and 32 times N, lists up to ten divisors of K",
        "first those whose slices are a power of two long, and leaves at least 128 steps to a slice",
    )
    assert config.triton.decompose_k_threshold == 32 and config.triton.num_decompose_k_splits == 10
    splits = utils.get_k_splits.__wrapped__(32, 32, 32768)
    assert splits == [2, 4, 8, 16, 32, 64, 128, 256]
    lengths = [12288 // split for split in utils.get_k_splits.__wrapped__(32, 32, 12288)]
    assert lengths[:6] == [4096, 2048, 1024, 512, 256, 128] and 6144 in lengths[6:]  # 6,144 is cut in two
    assert "out_dtype=torch.float32" in inspect.getsource(mm.decomposeK)
    says("every cut as slower, and left K whole")
    tried = last()["tried"]
    assert tried[0]["splits"] == 0 and sorted(each["splits"] for each in tried)[1:] == splits
    assert compiled["picked"] == "mm" and compiled["kernels"] == eager["kernels"]


def test_two_stopwatches() -> None:
    says("takes …, less than the plain one", "By default Inductor clears the cache and times one call from Python")
    found = last()
    eager = found["libraries"][0]["median"]
    assert at(found, "took", "batched", 128) < 0.8 * eager
    assert found["splits"] == 128 and found["launched"][0, 1] < found["launched"][1, 1]
    source = inspect.getsource(benchmarking.InductorBenchmarker.benchmark_gpu)
    assert "buffer.zero_()" in source and "start_event.record()" in source


def test_who_is_faster() -> None:
    says("whose last lane takes the maximum with zero in passing", "It does not always win")
    relu, square = last("h100_relu"), last("h100_64")
    assert at(relu, "took", "two levels", 128) < 0.8 * relu["libraries"][0]["median"]
    assert len(relu["libraries"][0]["kernels"]) == 3
    assert at(square, "took", "two levels", 128) > 1.1 * square["libraries"][0]["median"]


def test_dynamo_compiles_eight_times() -> None:
    says("compiled with `dynamic=False`? Dynamo compiles it eight times, and then runs further shapes uncompiled")
    assert torch._dynamo.config.recompile_limit == 8
