"""Which solver is the fair baseline, what the weak one computes, and on which grids fields are compared."""

from __future__ import annotations

import numpy as np
import pytest
from labs.models.fields import exact
from labs.models.timing import Timing
from native.learning.fourier_operator import weak
from native.learning.fourier_operator.race import SCORED, Field, Finish, Way, fair, shared
from native.learning.fourier_operator.training import starts


def finish(way: Way, points: int, error: float, seconds: float) -> Finish:
    return Finish(way, points, error, Timing(seconds, seconds, seconds, seconds, 1))


ALL = [
    finish("network", 64, 0.02, 1),
    finish("upwind", 256, 0.001, 0.001),
    finish("differences", 32, 0.03, 0.1),
    finish("differences", 64, 0.01, 0.4),
    finish("spectral", 24, 0.015, 0.3),
    finish("spectral", 64, 1e-6, 0.9),
]


@pytest.mark.parametrize(("error", "place"), [(0.02, 4), (0.05, 2), (0.012, 3), (1e-4, 5), (1e-9, 5)])
def test_the_fair_one_is_the_fastest_solver_that_is_as_exact(error: float, place: int) -> None:
    assert fair(ALL, error) is ALL[place]


def test_time_is_shared_by_the_fields_that_are_solved_at_once() -> None:
    assert shared(Timing(1, 2, 3, 4, 9), 2) == Timing(0.5, 1, 1.5, 2, 9)


def test_the_weak_baseline_is_of_first_order_and_overshoots_nothing() -> None:
    (start,) = starts(np.random.default_rng(2), 1, 512)
    errors = []
    for points in (128, 256):
        count = weak.steps("burgers", points, 0.02, 1.3, 0.5)
        found = weak.solve("burgers", start[:: 512 // points], 0.02, 0.5, count)
        assert start.min() - 1e-9 <= found.min() and found.max() <= start.max() + 1e-9
        right = exact.burgers(start, 0.02, 0.5, points)
        errors.append(np.linalg.norm(found - right) / np.linalg.norm(right))
    assert 1.6 < errors[0] / errors[1] < 2.4


@pytest.mark.parametrize("points", [16, 24, 48, 64, 96, 128, 256, 1024])
def test_on_every_grid_the_exact_field_has_no_error(points: int) -> None:
    field = Field("heat", 0.01, 4)
    grid = field.at(points)
    assert grid.dtype == np.float32 and grid.shape == (4, points)
    assert field.error(exact.heat(grid.astype(np.float64), 0.01, 1.0)) < 1e-6
    assert field.error(1.1 * exact.heat(grid.astype(np.float64), 0.01, 1.0)) == pytest.approx(0.1, rel=1e-4)
    assert len(field.right[0]) == SCORED
