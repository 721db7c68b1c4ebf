"""All four loops add what NumPy adds, to the bit, and touch nothing else; what is said of lines is so."""

from __future__ import annotations

import numpy as np
import pytest
from disturbed import undisturbed
from hypothesis import given
from hypothesis import strategies as st
from native.tensors.simd_elementwise import LINE, SIZES, Params, Sums, arrays, crossing, run
from native.tensors.simd_elementwise.kernel import WAYS, adding, lanes

GUARD = np.float32(-7.5)


@pytest.mark.parametrize("way", WAYS)
@given(n=st.integers(0, 300), moved=st.integers(0, 15), seed=st.integers(0, 2**32 - 1), rounds=st.integers(1, 3))
def test_the_sum_is_numpys_and_nothing_else_is_written(
    way: str, n: int, moved: int, seed: int, rounds: int
) -> None:
    random = np.random.default_rng(seed)
    a, b = (random.normal(size=n + moved).astype(np.float32)[moved:] for _ in range(2))
    room = np.full(moved + n + 70, GUARD)
    adding(way, a, b, room[moved : moved + n])(rounds)
    assert np.array_equal(room[moved : moved + n], a + b)
    assert (room[:moved] == GUARD).all() and (room[moved + n :] == GUARD).all()


def test_arrays_of_different_lengths_are_refused() -> None:
    a = np.zeros(4, np.float32)
    with pytest.raises(ValueError, match="arrays of 4, 3 and 4 numbers"):
        adding(WAYS[0], a, a[:3], a)


@pytest.mark.parametrize("size", SIZES.values())
@pytest.mark.parametrize("moved", [0, 1, 15])
def test_arrays_begin_where_they_should_and_apart(size: int, moved: int) -> None:
    found = arrays(size // 4, moved)
    starts = [each.ctypes.data for each in found]
    assert all(start % LINE == 4 * moved for start in starts)
    assert all(each.nbytes == size for each in found)
    assert len({start % 4096 for start in starts}) == 3


@pytest.mark.parametrize("vector", [16, 32, 64])
@pytest.mark.parametrize("moved", range(0, 64, 4))
def test_vectors_across_lines_are_counted(vector: int, moved: int) -> None:
    begins = range(moved, moved + 100 * vector * LINE, vector)
    assert crossing(vector, moved) == pytest.approx(
        np.mean([begin // LINE != (begin + vector - 1) // LINE for begin in begins]), abs=1e-9
    )


@pytest.mark.alone
def test_a_run_measures_each_loop_on_each_size() -> None:
    undisturbed(lambda: list(run(Params(repetitions=3))), vectors_are_worth_much)


def vectors_are_worth_much(logs: list[list[Sums]]) -> None:
    first, *_, last = log = logs[0]
    assert [(event.size, event.stage) for event in log[1:]] == [(size, way) for size in SIZES for way in WAYS]
    assert np.isnan(first.speed).all() and first.vector == 4 * lanes()
    low, median, high = np.moveaxis(last.speed, -1, 0)
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    # With room to spare: vectors are worth much in the first cache, and little in memory.
    best = np.max([log[-1].speed[..., 1] for log in logs], axis=0)
    cache, *_, memory = best[:, 2, 0] / best[:, 0, 0]
    assert cache > 2 and memory < 0.7 * cache
