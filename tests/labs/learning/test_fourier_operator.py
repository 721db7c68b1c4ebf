"""The layers are those of the paper; what is learned from obeys the equation; a verdict follows from the race."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from labs.models.fields import Equation, exact
from labs.models.fields.scale import USUAL
from native.learning.fourier_operator import Params, Verdict, course_of, curve, run
from native.learning.fourier_operator.network import Operator, Waves, leaps
from native.learning.fourier_operator.training import begun, pairs, train
from native.models.torch_threads import one_thread

SMALL = Params(steps=50, samples=16, width=4, modes=4, leaps=2, together=1, repetitions=3)


@pytest.mark.parametrize("points", [16, 31, 64])
def test_a_layer_multiplies_each_wave_by_its_matrix(points: int) -> None:
    layer = Waves(3, 5)
    field = torch.randn(2, 3, points)
    found = torch.fft.fft(layer(field))[..., : points // 2 + 1]
    given = torch.fft.fft(field)
    for wave in range(points // 2 + 1):
        matrix = torch.view_as_complex(layer.weight)[wave] if wave < 5 else torch.zeros(3, 3)
        right = given[..., wave] @ matrix.to(torch.complex64)
        if wave == 0:
            right = right.real + 0j  # what a real field can hold of its mean
        assert torch.allclose(found[..., wave], right, atol=1e-4), wave


def test_the_operator_turns_with_the_ring_and_asks_for_no_grid() -> None:
    torch.manual_seed(0)
    network = Operator(6, 5)
    at = np.arange(128) / 128
    field = (np.sin(2 * np.pi * at) + 0.3 * np.cos(6 * np.pi * at))[None]
    fine = leaps(network, field, USUAL, 2)
    assert leaps(network, np.roll(field, 8, 1), USUAL, 2) == pytest.approx(np.roll(fine, 8, 1), abs=1e-5)
    assert leaps(network, field[:, ::2], USUAL, 2) == pytest.approx(fine[:, ::2], abs=1e-3)


@pytest.mark.parametrize("equation", ["burgers", "heat"])
def test_what_is_learned_from_obeys_the_equation(equation: Equation) -> None:
    course = course_of(replace(SMALL, equation=equation, viscosity=0.02, resolution=128))
    known = pairs(course, np.random.default_rng(3))
    assert known.before.shape == known.after.shape == (2 * 16, 128) and known.viscosity.shape == (32,)
    for row in (0, 5, 20):
        right = exact.solution(equation, known.before[row].double().numpy(), 0.02, 0.5, 128)
        assert known.after[row].numpy() == pytest.approx(right, abs=2e-4)


def test_training_is_repeatable_and_learns() -> None:
    course = course_of(replace(SMALL, equation="heat"))
    known = pairs(course, np.random.default_rng(0))
    with one_thread():
        first, again = ([*train(begun(course), known, course)] for _ in range(2))
    assert first == again and len(first) == 50
    assert np.mean(first[-10:]) < 0.5 * np.mean(first[:5])


def test_a_run_trains_races_and_judges() -> None:
    events = [*run(SMALL)]
    kinds = [event.kind for event in events]
    assert kinds == sorted(kinds, key=["training", "raced", "verdict"].index)
    *_, last = events
    assert isinstance(last, Verdict) and [e.stage for e in events if isinstance(e, Verdict)] == [
        "weak",
        "fair",
        "counted",
    ]
    took = last.seconds[:, 1].astype(float)
    assert (last.seconds[:, 0] <= took).all() and (took > 0).all()
    assert last.ways[last.way[last.network]] == "network" and last.points[last.network] == SMALL.resolution
    assert last.speedup_weak == pytest.approx(took[last.weak] / took[last.network], rel=1e-5)
    assert last.slowdown_fair == pytest.approx(took[last.network] / took[last.fair], rel=1e-5)
    assert last.own_error == pytest.approx(last.error[last.network]) and last.fair_points == last.points[last.fair]
    rivals = [n for n, way in enumerate(last.way) if last.ways[way] in ("spectral", "differences")]
    as_exact = [n for n in rivals if last.error[n] <= last.error[last.network]]
    assert last.fair == min(as_exact, key=lambda n: took[n])
    once, gain = last.data_seconds + last.train_seconds, took[last.fair] - took[last.network]
    assert (last.pays_after is None) == (gain <= 0)
    assert last.slowdown_counted == pytest.approx(
        (once + 1000 * took[last.network]) / (1000 * took[last.fair]), rel=1e-5
    )
    if last.pays_after is not None:
        assert last.pays_after == pytest.approx(once / gain, rel=1e-3, abs=1)
    spectral = last.error[[n for n in rivals if last.ways[last.way[n]] == "spectral"]]
    assert spectral[-1] < 1e-4 < spectral[0]


@pytest.mark.parametrize(
    ("count", "ends", "means"), [(0, [], []), (2, [2], [0.5]), (3, [3], [1]), (7, [3, 6, 7], [1, 4, 6])]
)
def test_the_curve_of_a_training_has_a_point_for_each_piece(
    count: int, ends: list[int], means: list[float]
) -> None:
    assert curve(range(count), 3) == (ends, means)
