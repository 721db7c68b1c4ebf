"""Products come from float64, bounds from counting roundings one by one, and the best S from trying all of them."""

from __future__ import annotations

import random
from itertools import pairwise
from math import isqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from labs.contract import LabError
from native.compilers.decompose_k import Params, run
from native.compilers.decompose_k.cut import DEEP, UNIT, WAYS, bound, counts, group_of, longest, most, roundings
from native.compilers.decompose_k.inductor_pick import picked, tried
from native.compilers.decompose_k.lanes import Lanes, fastest, lanes
from native.compilers.decompose_k.model import Model
from native.compilers.decompose_k.on_cpu import Processor
from native.compilers.decompose_k.story import first, truth
from native.compilers.decompose_k.tell import best, busy

RANDOM = random.Random(7)


def some(seed: int) -> tuple[Params, int, int]:
    params = Params(
        m=RANDOM.choice((16, 32, 64)),
        n=RANDOM.choice((16, 32, 64)),
        operands=RANDOM.choice(("signed", "positive")),
        dtype=RANDOM.choice(("fp32", "bf16")),
        relu=RANDOM.random() < 0.5,
        threads=RANDOM.choice((1, 2, 3)),
        seed=seed,
    )
    slabs = RANDOM.randint(1, 70)
    return params, slabs * DEEP, RANDOM.randint(1, slabs)


@pytest.mark.parametrize("seed", range(30))
def test_every_cut_gives_the_product(seed: int) -> None:
    params, k, splits = some(seed)
    here = Processor(params, k)
    exact, scale = truth(here, params.relu)
    for way in WAYS[:3]:
        work, result = here.start(way, splits)
        work(1)
        first = result().copy()
        assert (np.abs(first - exact) <= bound(way, k, splits, params.dtype == "bf16") * UNIT * scale).all()
        work(20)
        if way != "on arrival":
            np.testing.assert_array_equal(result(), first)


def test_batched_products_are_what_they_are_called() -> None:
    for dtype, rounded, most_off in (("fp32", False, 1e-5), ("bf16", False, 2.0**-8), ("bf16", True, 2.0**-5)):
        here = Processor(Params(dtype=dtype, round_partials=rounded, operands="positive"), 2048)
        exact, _ = truth(here, False)
        _, result = here.start("batched", 64)
        assert np.abs(result() / exact - 1).max() < most_off, dtype


def count(way: str, k: int, splits: int) -> int:
    """Additions on the longest way from a product to C, by following the kernel: each sum knows its depth."""
    edges = [k // DEEP * s // splits * DEEP for s in range(splits + 1)]
    depths = [high - low for low, high in pairwise(edges)]
    if way == "on arrival":
        depths = sorted(depths, reverse=True)  # the worst order

    def summed(parts: list[int]) -> int:
        total = parts[0]
        for part in parts[1:]:
            total = max(total, part) + 1
        return total

    group = group_of(way, splits) or splits
    return summed([summed(depths[at : at + group]) for at in range(0, splits, group)])


@pytest.mark.parametrize("way", WAYS[:3])
def test_the_bound_counts_every_rounding(way: str) -> None:
    for _ in range(50):
        slabs = RANDOM.randint(1, 300)
        splits = RANDOM.randint(1, slabs)
        k = slabs * DEEP
        found, said = count(way, k, splits), roundings(way, k, splits)
        assert found <= said <= found + DEEP, (k, splits)
        if slabs % splits == 0:
            assert found == said
        assert bound(way, k, splits, False) == pytest.approx(said, rel=0.02)


def test_the_bound_is_least_near_the_root() -> None:
    for k in (4096, 16384, 65536):
        powers = [1 << n for n in range(9)]
        assert min(powers, key=lambda s: roundings("in order", k, s)) == 1 << (k.bit_length() - 1) // 2
        assert roundings("two levels", k, 256) < roundings("in order", k, 256)


@pytest.mark.parametrize("splits", range(1, 260, 7))
def test_slices_cover_k(splits: int) -> None:
    k = 257 * DEEP
    edges = [k // DEEP * s // splits * DEEP for s in range(splits + 1)]
    assert edges[0] == 0 and edges[-1] == k and max(np.diff(edges)) == longest(k, splits)
    group = group_of("two levels", splits)
    assert group == isqrt(splits - 1) + 1 and group_of("on arrival", splits) == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_model_has_a_closed_form(seed: int) -> None:
    generator = np.random.default_rng(seed)
    call, slab, meet, add = generator.uniform(0.1, 3, 4) * (1e-6, 1e-6, 1e-6, 1e-7)
    workers, k = int(generator.integers(1, 140)), int(generator.integers(64, 1024)) * DEEP
    model = Model(call, slab, meet, add, workers)
    for splits in (1, 2, 3, workers, workers + 1):
        if splits > most(k):
            continue
        busiest = max(np.bincount(np.arange(splits) % workers))
        expected = call + busiest * np.ceil(k / DEEP / splits) * slab + (splits > 1) * (meet + splits * add)
        assert model.took("in order", k, splits) == pytest.approx(expected)
    best = model.best("in order", k)
    ideal = min(workers, np.sqrt(k / DEEP * slab / add), most(k))
    assert model.took("in order", k, best) <= model.took("in order", k, max(1, int(ideal)))


@pytest.mark.parametrize(
    ("pays", "where"), [("0011", 512), ("1111", 128), ("1101", 1024), ("1110", 0), ("0000", 0)]
)
def test_a_cut_pays_from_where_it_always_does(pays: str, where: int) -> None:
    assert first([128, 256, 512, 1024], np.array([each == "1" for each in pays])) == where


def test_lanes_are_told_by_one_clock() -> None:
    told = lanes([3, 1, 3], [[1000, 3000, 4000], [2000, 5000, 6000], [4500, 5500, 9000]])
    assert told.begin.tolist() == [0, 1, 3.5] and told.end.tolist() == [3, 5, 8] and told.total == 8
    assert told.busy(2) == pytest.approx((3 + 4 + 4.5) / 16)
    twice = Lanes(*(np.array(each) for each in ([0, 0], [0, 1], [2, 2], [3, 4])))
    assert twice.busy(1) == 1  # lanes that share a multiprocessor keep it busy once
    assert fastest([told, twice]) is twice


def test_threads_share_the_lanes() -> None:
    found = Processor(Params(threads=2), 32768).trace("in order", 12)
    assert set(found.worker.tolist()) <= {0, 1}
    assert (found.begin <= found.product).all() and (found.product <= found.end).all()
    assert (found.end - found.product).argmax() == found.end.argmax()  # who comes last adds up


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("extern_kernels.mm(arg0_1, arg1_1, out=buf0)", "mm"),
        ("extern_kernels.bmm_dtype(reinterpret_tensor(arg0_1, (64, 32, 256)", "decompose_k, 64 splits"),
        ("# decompose_k_mm_32_split_7", "decompose_k, 32 splits"),
        ("triton_tem_fused_mm_0.run(", "a Triton template"),
        ("", "something else"),
    ],
)
def test_what_inductor_picked_is_read_from_its_code(code: str, what: str) -> None:
    assert picked(code) == what


def test_what_inductor_timed_is_kept_by_its_splits() -> None:
    timings = {"mm": 0.03, "triton_mm_4": 0.02, "decompose_k_mm_64_split_5": 0.05, "decompose_k_mm_2_split_0": 0.6}
    assert [(each.splits, round(each.seconds * 1e6)) for each in tried(timings)] == [(0, 20), (64, 50), (2, 600)]


def test_a_run_tells_all() -> None:
    events = list(run(Params(k=1024, m=16, n=16, splits=3, repetitions=3, threads=1)))
    last = events[-1]
    stages = [each.stage for each in events]
    assert last.counts == counts(1024, 3, 1) and stages.count("measured") == len(last.counts) - 1
    assert list(dict.fromkeys(stages)) == [
        "alone", "model", "measured", "every", "depths", "libraries", "best",
    ]  # fmt: skip
    assert last.best[1] == np.argmin(last.every) + 1 and len(last.every) == most(1024) == len(last.predicted)
    assert last.splits == 3 and len(last.worker) == 3
    divides = np.array([1024 % each == 0 for each in last.counts])
    assert (np.isnan(last.took[3, :, 1]) == ~divides).all() and not np.isnan(last.took[:3]).any()
    assert (last.error[:3] <= last.bound).all()
    assert (last.different[:2] == 1).all()
    assert last.depths == [128, 256, 512, 1024] and (last.best_at >= 1).all()
    assert [each.name for each in last.libraries] == ["eager"]


def test_what_cannot_be_cut_is_said() -> None:
    with pytest.raises(LabError, match="choose at most 32 splits, or a longer K"):
        list(run(Params(k=1024, splits=33)))


def test_without_a_gpu_that_is_said() -> None:
    with pytest.raises(LabError, match="NVIDIA GPU"):
        list(run(Params(device="cuda")))


def test_one_core_and_all_of_its_time_are_words() -> None:
    told = [str(each.text) for each in run(Params(splits=1, k=1024, threads=1, repetitions=3))]
    assert not any("e+" in each or "1 cores" in each for each in told), told
    assert any(each.endswith(" % of 1 core busy.") for each in told)


@pytest.mark.parametrize(("share", "percent"), [(1, "100"), (0.996, "100"), (0.5, "50"), (0.0625, "6.2")])
def test_a_share_is_written_out(share: float, percent: str) -> None:
    event: Any = SimpleNamespace(busy=share)
    assert str(busy(event)) == percent


def test_one_lane_is_not_said_to_be_as_fast_as_itself() -> None:
    event: Any = SimpleNamespace(every=[1.0, 2.0], best=[1, 1], libraries=[SimpleNamespace(median=3.0)])
    assert str(best(event)) == "The best S is 1: one lane alone is 3 × as fast as PyTorch."
