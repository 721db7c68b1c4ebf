"""The kernel sums what NumPy sums; the roofs are those of this machine, and no program comes out above them."""

from __future__ import annotations

import numpy as np
import pytest
from disturbed import undisturbed
from native.models.roofline_kernel import polynomial, reading, stride
from native.speed.roofline import DEGREES, SIZES, WAYS, Params, Roof, array, run

MEASURES = pytest.mark.alone


@pytest.mark.parametrize("degree", [1, 2, 3, 7, *DEGREES])
def test_a_polynomial_is_numpys(degree: int) -> None:
    for seed, rounds in ((degree, 1), (degree + 100, 3)):
        random = np.random.default_rng(seed)
        x = random.uniform(-1, 1, 5 * stride()).astype(np.float32)
        coefficients = random.uniform(-1, 1, degree + 1).astype(np.float32)
        expected = np.polynomial.polynomial.polyval(x.astype(np.float64), coefficients.astype(np.float64)).sum()
        assert polynomial(x, coefficients)(rounds) == pytest.approx(expected, rel=1e-4, abs=1e-2)


def test_reading_sees_every_number() -> None:
    x = np.zeros(4 * stride(), np.float32)
    work = reading(x)
    for place in range(len(x)):
        x[place] = 1
        assert work(1) == place + 1


def test_a_part_of_a_round_is_refused() -> None:
    for wrong in (1, stride() - 1, stride() + 1):
        with pytest.raises(ValueError, match=f"multiple of {stride()}"):
            reading(np.zeros(wrong, np.float32))


@pytest.mark.parametrize("size", SIZES.values())
def test_an_array_begins_on_a_line_and_is_as_large_as_asked(size: int) -> None:
    x = array(size)
    assert x.ctypes.data % 64 == 0
    assert 0.9 * size < x.nbytes <= size


@MEASURES
def test_no_program_stands_above_the_roof() -> None:
    undisturbed(lambda: list(run(Params(size="4 MiB", n=256))), stands_below)


def stands_below(logs: list[list[Roof]]) -> None:
    first, ends = logs[0], [log[-1] for log in logs]
    last = ends[0]
    peak = max(end.peak or 0 for end in ends)
    assert [event.stage for event in first] == ["peak", *SIZES, *(f"degree {d}" for d in DEGREES), *WAYS]
    low, median, high = last.speed.T
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    assert last.peak and (median < 1.05 * peak).all()
    assert np.allclose(last.intensity[-3:], 256 / 6)
    # With room to spare: memory is read more slowly than what is at hand, work costs nothing until the
    # units are busy, and a packed product uses them.
    bandwidth = dict(zip(last.sizes, np.max([end.bandwidth for end in ends], axis=0).tolist(), strict=True))
    assert bandwidth["16 KiB"] > 1.5 * bandwidth["256 MiB"]
    speed = dict(zip(last.points, np.max([end.speed[:, 1] for end in ends], axis=0).tolist(), strict=True))
    assert speed["degree 64"] > 1.5 * speed["degree 1"]
    assert speed["packed"] > 2 * speed["ikj"]


@MEASURES
def test_the_intensity_of_a_polynomial_is_counted() -> None:
    """Degree d: d multiply-adds and the addition to the sum, for the four bytes of each number."""
    first, *_ = run(Params(n=64, repetitions=3))
    assert first.intensity[: len(DEGREES)].tolist() == [(2 * degree + 1) / 4 for degree in DEGREES]
