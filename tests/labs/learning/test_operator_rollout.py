"""A run shows the exact field, and its errors are those of the fields that it shows."""

from __future__ import annotations

import numpy as np
import pytest
from labs.learning.operator_rollout import WAYS, Moment, Params, run
from labs.learning.operator_rollout.start import EXAMPLES, read
from labs.models.fields import exact


def log(**changes: object) -> list[Moment]:
    return [*run(Params(**changes))]  # type: ignore[arg-type]


@pytest.mark.parametrize("equation", ["burgers", "heat"])
@pytest.mark.parametrize("asked", [16, 64, 1024])
def test_errors_are_those_of_the_fields(equation: str, asked: int) -> None:
    events = log(equation=equation, asked=asked, points=32)
    assert [round(event.time, 6) for event in events] == [round(0.1 * n, 6) for n in range(11)]
    last, size = events[-1], np.sqrt(np.mean(read(Params.start) ** 2))
    whole = exact.solution(equation, read(Params.start)[::2], 0.01, 1.0, 256)  # type: ignore[arg-type]
    assert last.exact == pytest.approx(whole[::2], abs=1e-6)
    for place, way in enumerate(WAYS):
        field = np.asarray(getattr(last, way), np.float64)
        common = min(len(field), 256)
        right = whole[:: 256 // common]
        found = field[:: len(field) // common]
        assert last.errors[place, -1] == pytest.approx(
            np.sqrt(np.mean((found - right) ** 2)) / size, rel=1e-2, abs=1e-6
        )
        assert last.remains == pytest.approx(np.sqrt(np.mean(whole**2)) / size, rel=1e-6)
        assert last.errors[place].tolist()[:-1] == events[-2].errors[place].tolist()


def test_at_the_start_nobody_is_off_and_nothing_is_computed() -> None:
    first = next(run(Params()))
    assert first.errors.max() < 1e-6 and not first.by_grid.any() and not first.multiplications.any()


def test_a_finer_grid_brings_the_solvers_to_the_field_and_leaves_the_network_where_it_was() -> None:
    coarse, fine = (log(points=points, asked=points)[-1].errors[:, -1] for points in (32, 128))
    assert fine[0] < coarse[0] / 100 and fine[1] < coarse[1] / 10
    assert 0.8 < fine[2] / coarse[2] < 1.25


def test_a_grid_with_fewer_waves_than_the_layers_is_felt() -> None:
    """On 1,024 points the answer is its own measure; on 64 it differs by little, on 16 by much."""
    sixteen, usual, all_of_it = (log(asked=asked)[-1].by_grid[-1] for asked in (16, 64, 1024))
    assert all_of_it == 0 and 0 < usual < 0.01 and sixteen > 3 * usual


def test_heights_are_those_of_the_waves() -> None:
    last = log(start=EXAMPLES["one_wave"], equation="heat")[0]
    assert last.heights_exact[1] == pytest.approx(0.9, abs=0.02)
    assert np.isnan(last.heights[0, 33:]).all() and not np.isnan(last.heights[0, :33]).any()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_lowest_viscosity_on_the_coarsest_grid_is_survived(example: str) -> None:
    last = log(viscosity=0.002, start=EXAMPLES[example], points=16, asked=16)[-1]
    assert np.isfinite(last.errors).all() and np.abs(last.exact).max() <= 1
