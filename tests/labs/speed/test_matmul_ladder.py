"""Every way gives NumPy's product in float64, within what float32 allows; and each figure is one that can be."""

from __future__ import annotations

import ctypes
import gc
import os
import weakref
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from disturbed import undisturbed
from extent import chosen
from labs.contract import LabError
from labs.models.loop_order import BEFORE, NOW, UNTOUCHED, walk
from labs.models.timing import NOISE
from native.models import kernel, products
from native.models.matmul_kernel import FLAGS
from native.models.products import RUNGS, Choice, Operands, Rung
from native.speed import matmul_ladder
from native.speed.matmul_ladder import Params, Rungs, run

MEASURES = pytest.mark.alone

CORES = len(os.sched_getaffinity(0))
LOOPS = ("ijk", "transposed", "ikj", "tiled")  # compiled with the flags that a reader chooses
# Around every width of a vector, of a tile and of a block that is left over.
SIZES = (1, 2, 5, 13, 14, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 97, 130, 223, 224, 225, 319, 320, 321, 500)

# Plain loops know no blocks, and are slow.
SMALL = chosen(SIZES, [n for n in SIZES if n <= 130])


def operands(n: int, seed: int = 0, rows: int | None = None) -> tuple[Operands, np.ndarray]:
    random = np.random.default_rng(seed)
    a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
    return Operands(a, b, np.full_like(a, np.nan), rows or n), a.astype(np.float64) @ b


def error(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.abs(found - exact).max() / np.abs(exact).max())


@pytest.mark.parametrize(
    ("rung", "flags"),
    [(rung, flags) for rung in RUNGS for flags in (FLAGS if rung.name in LOOPS else ["-O3"])],
    ids=lambda each: getattr(each, "name", each),
)
def test_every_way_gives_the_product(rung: Rung, flags: str) -> None:
    for seed, n in enumerate(SIZES[:14] if rung.name == "Python" else SMALL if rung.name in LOOPS else SIZES):
        given, exact = operands(n, seed)
        rung.start(given, Choice(flags, 24, min(2, CORES)))(2)
        assert error(given.c, exact) < 1e-6 * n**0.5 + 1e-6, n


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.rows])
def test_some_rows_are_the_same_as_in_the_whole(rung: Rung) -> None:
    for n, rows in ((70, 1), (70, 69), (120, 56), (120, 57)):
        given, exact = operands(n, 3, rows)
        rung.start(given, Choice("-O3", 16, 1))(1)
        assert error(given.c[:rows], exact[:rows]) < 1e-5
        assert np.isnan(given.c[rows:]).all()  # it writes nothing else


@MEASURES  # teams of more members than cores keep every core busy
@pytest.mark.parametrize("team", range(1, 2 * CORES + 1))
def test_teams_of_every_size_agree(team: int) -> None:
    """More members than cores, more members than strips of rows."""
    threads = next(rung for rung in RUNGS if rung.team)
    for n in (1, 15, 100, 333):
        given, exact = operands(n, team)
        threads.start(given, Choice("-O3", 16, team))(3)
        assert error(given.c, exact) < 1e-5


def test_a_block_of_many_columns_is_cut() -> None:
    """More columns than one block of B has, more rows than one of A."""
    n, rows = 2100, 300
    given, _ = operands(n, 1, rows)
    packed = next(rung for rung in RUNGS if rung.name == "packed")
    packed.start(given, Choice("-O3", 16, 1))(1)
    exact = given.a[:rows].astype(np.float64) @ given.b
    assert error(given.c[:rows], exact) < 1e-5


def test_the_peak_counts_what_it_does() -> None:
    """Each chain begins with its number and adds a product in each round: what it sums up to is what it did."""
    work, flops = products.peak()
    library, at = kernel.load(products.PEAK), np.full(64, 0.5, np.float32)
    library.peak(ctypes.c_long(3), ctypes.c_void_p(at.ctypes.data))
    by_lanes = {lanes: flops // (2 * lanes) for lanes in (4, 8, 16)}
    lanes = int((at != 0.5).sum())
    assert at[0] == sum(range(by_lanes[lanes])) + 3 * 0.25 * by_lanes[lanes]
    assert work(5) == flops


@MEASURES
def test_a_run_measures_every_way_and_says_on_how_many_rows() -> None:
    *_, last = log = list(run(Params(n=96, repetitions=3)))
    assert [event.stage for event in log if not event.steps] == last.names == [rung.name for rung in RUNGS]
    assert (last.rows > 0).all() and (last.error < 1e-5).all()
    low, median, high = last.speed.T
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    ours = [place for place, rung in enumerate(RUNGS) if rung.ours]
    assert (median[ours] <= NOISE * last.peak * np.array(last.cores)[ours]).all()
    assert last.seconds == pytest.approx(2 * 96**3 / median / 1e9, rel=1e-3)
    known = [int((event.rows > 0).sum()) for event in log]
    assert known == sorted(known) and known[0] == 0


@MEASURES
def test_the_ladder_is_climbed() -> None:
    undisturbed(lambda: list(run(Params(n=512))), climbed)


def climbed(logs: list[list[Rungs]]) -> None:
    """What the article says, with room to spare for a busy machine."""
    best = np.max([log[-1].speed[:, 1] for log in logs], axis=0)
    speed = dict(zip(logs[0][-1].names, best.tolist(), strict=True))
    assert speed["Python"] < speed["ijk"] / 10
    assert speed["ijk"] < speed["ikj"] / 2
    assert speed["ikj"] < speed["packed"] / 2
    assert speed["registers"] < speed["packed"]


def test_too_many_threads_are_refused_by_name() -> None:
    with pytest.raises(LabError, match=f"at most {CORES} threads"):
        list(run(Params(n=16, threads=CORES + 1)))


def test_what_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matmul_ladder.Board, "limit", lambda self: setattr(self, "peak", 1e-6))
    with pytest.raises(LabError, match="which cannot be"):
        list(run(Params(n=16, repetitions=3)))


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.order])
def test_a_walk_does_each_multiplication_once(rung: Rung) -> None:
    assert rung.order
    n = matmul_ladder.SMALL
    count = np.zeros((n, n, n), int)
    for boxes in rung.order(n):
        for rows, columns, inner in boxes:
            count[rows, columns, inner] += 1
    assert (count == 1).all()
    *_, (step, steps, touched) = walk(rung.order, n, 5)
    assert step == steps and (touched != UNTOUCHED).all()
    shown = [state for _, _, state in walk(rung.order, n, 5)]
    for early, late in pairwise(shown):
        assert (late[early != UNTOUCHED] != UNTOUCHED).all()
        assert (late == NOW).any() and (late == BEFORE).any()


def test_operands_are_not_changed() -> None:
    given, _ = operands(40)
    before = replace(given, a=given.a.copy(), b=given.b.copy())
    for rung in RUNGS:
        rung.start(given, Choice("-O3", 16, 1))(1)
    assert (given.a == before.a).all() and (given.b == before.b).all()


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
def test_work_keeps_its_operands(rung: Rung) -> None:
    """Nobody else holds them. Freed memory of this size goes back to the system: touching it would end Python."""
    held = operands(700, rows=200)[0] if rung.name != "Python" else operands(20)[0]
    work, c = rung.start(held, Choice("-O3", 64, 1)), weakref.ref(held.c)
    del held
    gc.collect()
    assert c() is not None
    work(1)
