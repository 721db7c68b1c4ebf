"""The formulas against closed forms, and the solvers against the formulas and SciPy's integrator."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from labs.models.fields import Equation, differences, exact, spectral
from labs.models.fields.scale import scaled
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Floats = NDArray[np.float64]
VISCOSITY = st.floats(0.002, 0.1)
TIME = st.floats(0.05, 1)


def pole(x: Floats, time: float, viscosity: float, far: float, drift: float) -> Floats:
    """A known solution of Burgers' equation: -2ν φ_x / φ with φ = far + e^(-4π² ν t) cos 2πx, carried by a wind."""
    at = 2 * np.pi * (x - drift * time)
    fall = np.exp(-4 * np.pi**2 * viscosity * time)
    return np.asarray(drift + 4 * np.pi * viscosity * fall * np.sin(at) / (far + fall * np.cos(at)))


def smooth(seed: int, points: int = 256) -> Floats:
    random = np.random.default_rng(seed)
    at = 2 * np.pi * np.arange(points) / points
    field = sum(random.normal() * np.sin(k * at + random.uniform(0, 6)) / k for k in range(1, 5))
    return np.asarray(field / np.abs(field).max() + random.uniform(-0.3, 0.3))


def off(found: Floats, right: Floats) -> float:
    return float(np.linalg.norm(found - right) / np.linalg.norm(right))


@given(VISCOSITY, TIME, st.floats(1.05, 5), st.floats(-1, 1))
def test_the_formula_is_the_closed_form(viscosity: float, time: float, far: float, drift: float) -> None:
    x = np.arange(1024) / 1024
    found = exact.solution("burgers", pole(x, 0, viscosity, far, drift), viscosity, time, 64)
    assert np.abs(found - pole(x[::16], time, viscosity, far, drift)).max() < 1e-7


@given(VISCOSITY, TIME, st.integers(0, 2**32 - 1))
def test_heat_damps_waves_as_torch_says(viscosity: float, time: float, seed: int) -> None:
    start = smooth(seed)
    wave = 2 * torch.pi * torch.arange(129, dtype=torch.float64)
    right = torch.fft.irfft(torch.fft.rfft(torch.from_numpy(start)) * torch.exp(-viscosity * time * wave**2), 256)
    for found in (
        exact.solution("heat", start, viscosity, time, 256),
        spectral.solve("heat", start, viscosity, time, spectral.steps("heat", 256, 1.3, time)),
    ):
        assert np.abs(found - right.numpy()).max() < 1e-12


def test_nothing_has_changed_at_time_zero_and_grids_must_fit() -> None:
    start = smooth(0)
    assert (exact.solution("burgers", start, 0.01, 0, 64) == start[::4]).all()
    with pytest.raises(ValueError, match="60 points do not divide 256 samples"):
        exact.solution("burgers", start, 0.01, 1, 60)
    with pytest.raises(ValueError, match="float64 does not hold"):
        exact.solution("burgers", start, 1e-6, 1, 64)


@given(st.floats(0.01, 0.1), st.integers(0, 2**32 - 1))
def test_the_spectral_solver_comes_to_the_formula(viscosity: float, seed: int) -> None:
    start = smooth(seed)
    count = spectral.steps("burgers", 256, 1.3, 0.5)
    assert (
        off(spectral.solve("burgers", start, viscosity, 0.5, count), exact.burgers(start, viscosity, 0.5, 256))
        < 2e-6
    )


@pytest.mark.parametrize("solver", [spectral, differences])
def test_half_the_step_is_a_sixteenth_of_the_error(solver: object) -> None:
    start, solve = smooth(3, 32), solver.solve  # type: ignore[attr-defined]
    fine = solve("burgers", start, 0.01, 0.5, 512)
    coarse, half = (off(solve("burgers", start, 0.01, 0.5, count), fine) for count in (32, 64))
    assert 11 < coarse / half < 22


@pytest.mark.parametrize("equation", ["burgers", "heat"])
def test_differences_follow_the_equations_of_their_points(equation: Equation) -> None:
    """SciPy integrates the same sums over neighbours, written with rolls."""
    start, viscosity = smooth(4, 48), 0.02

    def slope(_: float, u: Floats) -> Floats:
        bend = 48**2 * (np.roll(u, -1) - 2 * u + np.roll(u, 1))
        flow = 48 * (np.roll(u * u, -1) - np.roll(u * u, 1)) / 4
        return np.asarray(viscosity * bend - (flow if equation == "burgers" else 0))

    right = solve_ivp(slope, (0, 0.4), start, rtol=1e-9, atol=1e-10).y[:, -1]
    count = differences.steps(equation, 48, viscosity, 1.3, 0.4)
    assert off(differences.solve(equation, start, viscosity, 0.4, count), right) < 1e-3
    assert off(differences.solve(equation, start, viscosity, 0.4, 8 * count), right) < 1e-6


def test_differences_are_of_second_order() -> None:
    start = smooth(5)
    errors = []
    for points in (64, 128):
        count = differences.steps("burgers", points, 0.02, 1.3, 0.5)
        found = differences.solve("burgers", start[:: 256 // points], 0.02, 0.5, count)
        errors.append(off(found, exact.burgers(start, 0.02, 0.5, points)))
    assert 3.5 < errors[0] / errors[1] < 4.5


@given(
    st.sampled_from([16, 64, 256]), st.floats(0.002, 0.1), st.sampled_from(["burgers", "heat"]), st.integers(0, 99)
)
def test_steps_are_stable_and_keep_the_sum(points: int, viscosity: float, equation: Equation, seed: int) -> None:
    start = smooth(seed)[:: 256 // points]
    if points == 256:
        viscosity = min(viscosity, 0.01)  # the others take thousands of steps
    for solve, count in (
        (spectral.solve, spectral.steps(equation, points, 2, 0.2)),
        (differences.solve, differences.steps(equation, points, viscosity, 2, 0.2)),
    ):
        found = solve(equation, start, viscosity, 0.2, count)
        assert np.abs(found).max() < 2
        assert found.mean() == pytest.approx(start.mean(), abs=1e-9)


def test_many_fields_are_solved_as_each_alone_and_in_their_precision() -> None:
    fields = np.array([smooth(seed, 64) for seed in range(3)])
    for solve in (spectral.solve, differences.solve):
        together = solve("burgers", fields, 0.01, 0.2, 40)
        for field, found in zip(fields, together, strict=True):
            assert found == pytest.approx(solve("burgers", field, 0.01, 0.2, 40), abs=1e-12)
        single = solve("burgers", fields.astype(np.float32), 0.01, 0.2, 40)
        assert single.dtype == np.float32 and single == pytest.approx(together, abs=1e-4)


def test_the_usual_viscosity_is_told_as_zero() -> None:
    assert scaled(0.016) == 0 and scaled(np.array([0.032])) == pytest.approx([np.log(2)])
