"""Every way gives NumPy's product in float64; each step changes one thing; the factors multiply to the whole."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from disturbed import undisturbed
from extent import chosen
from labs.contract import LabError
from native.models import products
from native.models.kernel import KERNELS, LIBRARY
from native.models.matmul_kernel import LOOPS
from native.models.products import Choice, Operands
from native.speed import speedup_factors
from native.speed.speedup_factors import EARLY, LATE, ORDERS, WAYS, Board, Factors, Params, path, run

MEASURES = pytest.mark.alone

CORES = len(os.sched_getaffinity(0))
TEAM = min(2, CORES)
SIZES = (1, 2, 5, 15, 16, 17, 31, 33, 50, 64, 97)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.rung.name)
def test_every_way_gives_the_product(way: speedup_factors.Way) -> None:
    for seed, n in enumerate(SIZES):
        random = np.random.default_rng(seed)
        a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
        given = Operands(a, b, np.full_like(a, np.nan), n)
        way.rung.start(given, Choice("-O3", 24, TEAM))(2)
        exact = a.astype(np.float64) @ b
        assert np.abs(given.c - exact).max() < 1e-5 * max(1.0, np.abs(exact).max()), n


@pytest.mark.parametrize("threads", range(1, CORES + 1))
def test_numpy_keeps_to_its_threads(threads: int) -> None:
    from threadpoolctl import threadpool_info

    a = np.ones((4, 4), np.float32)
    given = Operands(a, a, np.zeros_like(a), 4)
    before = threadpool_info()
    products.numpy(given, Choice("-O3", 24, 1), threads)(1)
    assert (given.c == 4).all() and threadpool_info() == before


def test_each_step_changes_one_thing() -> None:
    for order in ORDERS:
        ways = [WAYS[place].changed for place in path(order)]
        changes = [*order.split(", "), *LATE]
        assert ways[0] == frozenset() and ways[-1] == {*EARLY, *LATE}
        assert [later - earlier for earlier, later in pairwise(ways)] == [{change} for change in changes]
        assert all(earlier < later for earlier, later in pairwise(ways))


def test_without_vectors_there_are_none(tmp_path: Path) -> None:
    """What the compiler made of two loops in plain C: vectors of floats stand in its own language."""

    def vectors(flags: str, function: str) -> bool:
        library = LOOPS[flags]
        own = [flag for flag in library.flags if flag not in LIBRARY]
        command = [sys.executable, "-m", "ziglang", "cc", *own, "-S", "-emit-llvm", "-o", tmp_path / "made.ll"]
        subprocess.run([*command, KERNELS / library.file], check=True, capture_output=True)
        code = re.search(rf"^define [^\n]*@{function}\(.*?^}}", (tmp_path / "made.ll").read_text(), re.S | re.M)
        assert code
        return re.search(r"<\d+ x float>", code[0]) is not None

    assert [vectors(speedup_factors.ONE_NUMBER, name) for name in ("ijk", "ikj")] == [False, False]
    assert vectors(speedup_factors.VECTORS, "ikj")
    assert not vectors(speedup_factors.VECTORS, "ijk")  # they would add in another order


@MEASURES
@pytest.mark.parametrize("order", chosen(ORDERS, ORDERS[-1:]))  # each run measures all of them
def test_the_factors_multiply_to_the_whole(order: speedup_factors.Sequence) -> None:
    first, *_, last = log = list(run(Params(order=order, n=64, threads=TEAM, repetitions=3, added=True)))
    assert sorted(event.stage for event in log) == sorted([*last.names, "orders"])
    assert last.total == pytest.approx(np.prod(last.factor[:, 1], dtype=np.float64), rel=1e-5)
    assert first.promised is None and last.promised == pytest.approx(last.factor[:, 1].sum(), rel=1e-5)
    assert last.compared.prod(axis=1) == pytest.approx(last.compared[0].prod(), rel=1e-4)
    chosen = dict(zip(last.changes, last.factor[:, 1], strict=True))
    assert last.compared[last.orders.index(order)].tolist() == [chosen[change] for change in EARLY]
    assert last.library == pytest.approx(last.speed[-1, 1] / last.speed[0, 1])
    low, median, high = last.factor.T
    assert (low <= median).all() and (median <= high).all()
    assert (last.error < 1e-5).all() and (last.share > 0).all()
    assert last.share == pytest.approx(last.speed[:, 1] / (last.peak * np.array(last.cores)), rel=0.5)
    assert last.seconds == pytest.approx(2 * 64**3 / last.speed[:, 1] / 1e9, rel=1e-3)


@MEASURES
def test_a_factor_is_known_as_soon_as_both_its_ways_are() -> None:
    log = list(run(Params(n=32, threads=1, repetitions=3)))
    assert not any(event.promised for event in log)
    for done, event in enumerate(log[: len(event_path := log[0].path)]):
        assert event.stage == event.names[event_path[done]]
        assert (~np.isnan(event.factor[:, 1])).sum() == done
        assert (event.total is None) == (done < len(event_path) - 1)


@MEASURES
def test_vectors_gain_nothing_while_the_sum_is_a_chain() -> None:
    undisturbed(lambda: list(run(Params(n=512, threads=1))), gain_nothing)


def gain_nothing(logs: list[list[Factors]]) -> None:
    """What the article says, with room to spare for a busy machine."""
    middle = np.median([log[-1].compared for log in logs], axis=0)
    worth = {order: dict(zip(EARLY, row, strict=True)) for order, row in zip(ORDERS, middle, strict=True)}
    assert worth["C, loop order, vectors"]["vectors"] > 1.3 * worth["C, vectors, loop order"]["vectors"]
    assert worth["loop order, C, vectors"]["loop order"] < worth["C, loop order, vectors"]["loop order"]


def test_too_many_threads_are_refused_by_name() -> None:
    with pytest.raises(LabError, match=f"at most {CORES} threads"):
        list(run(Params(n=16, threads=CORES + 1)))


def test_what_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "limit", lambda self: setattr(self, "peak", 1e-6))
    with pytest.raises(LabError, match="which cannot be"):
        list(run(Params(n=16, threads=1, repetitions=3)))
