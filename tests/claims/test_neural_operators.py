"""What content/learning/05-neural-operators.mdx says, asked of the labs and of their recordings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import article
import numpy as np
import pytest
from article import Article
from labs.learning import operator_rollout
from labs.learning.operator_rollout import network
from labs.learning.operator_rollout.start import EXAMPLES
from native.learning.fourier_operator import Params
from native.learning.fourier_operator.network import LAYERS, Operator

says = Article("learning/05-neural-operators.mdx").says
NAMES = ("default", "long")


def verdict(name: str = "default") -> dict[str, Any]:
    return article.recorded("learning/fourier_operator", name)[-1]


@lru_cache
def last(**params: Any) -> operator_rollout.Moment:
    return [*operator_rollout.run(operator_rollout.Params(**params))][-1]


@pytest.mark.parametrize("name", NAMES)
def test_the_baseline_decides(name: str) -> None:
    says(
        "… times as fast. Compared with another it takes … times as long",
        "and the other solver is the more accurate one",
    )
    found = verdict(name)
    assert found["speedup_weak"] > 2 and found["slowdown_fair"] > 1.5 and found["pays_after"] is None
    assert found["error"][found["fair"]] <= found["own_error"]
    says("As long as one solution is slower than the solver's, no number of solutions pays the training back.")


def test_the_steps_that_the_words_lead_to() -> None:
    stages = [event.get("stage") for event in article.recorded("learning/fourier_operator")]
    assert stages[17:] == ["weak", "fair", "counted"]
    says("the weak baseline", "the fair one", "or count the training, too")


def test_what_is_learned() -> None:
    says("three layers of twelve waves with sixteen channels, $3 \\cdot 12 \\cdot 16^2$ complex numbers")
    assert (LAYERS, Params.modes, Params.width) == (3, 12, 16)
    weights = {name: value.numel() for name, value in Operator(16, 12).named_parameters()}
    assert sum(weights.values()) == verdict()["parameters"]
    says("The matrices of step 2 hold nearly all learned numbers.")
    waves = sum(value for name, value in weights.items() if name.startswith("waves"))
    assert waves == 2 * 3 * 12 * 16**2 and waves / sum(weights.values()) > 0.9


def test_the_network_in_the_browser() -> None:
    says("trained beforehand for viscosities from 0.005 to 0.05, with leaps of a tenth of a unit of time")
    assert (network.LOW, network.HIGH, network.LEAP) == (0.005, 0.05, 0.1)
    says("misses by more with almost every leap")
    errors = last().errors
    assert (np.diff(errors[2]) > 0).mean() >= 0.8
    says("are too small to see in the field")
    assert errors[:2].max() < 0.01


def test_solvers_on_sixteen_points() -> None:
    says("all three are about equally wrong", "Then finite differences need 5,440 multiplications")
    found = last(points=16)
    assert found.multiplications[1] == 5440
    assert found.errors[:, -1].max() < 1.5 * found.errors[:, -1].min()


def test_outside_of_what_it_learned() -> None:
    says("0.1, twice the largest that it learned with. The solvers become better")
    assert network.HIGH * 2 == 0.1
    usual, outside = last(), last(viscosity=0.1)
    assert (outside.errors[:2, -1] < usual.errors[:2, -1]).all()
    says("which looks no worse than before", "the answer is more error than field")
    assert outside.remains < outside.errors[2, -1] < usual.errors[2, -1]
    says("The field is steep there, which is hard for all three ways")
    says("as a share of what is left, the error is largest there")
    steep, easy = last(viscosity=0.002), last(viscosity=0.02)
    assert (steep.errors[:, -1] > usual.errors[:, -1]).all()
    assert steep.errors[2, -1] > max(easy.errors[2, -1], outside.errors[2, -1])
    shares = [each.errors[2, -1] / each.remains for each in (steep, easy, outside)]
    assert max(shares) == shares[2]


def test_teeth() -> None:
    says("Diffusion wipes them out; the network turns them into a field about as large as the start")
    assert operator_rollout.Params.viscosity == 0.01
    found = last(start=EXAMPLES["teeth"])
    assert found.remains < 1e-9 and 0.5 < found.errors[2, -1] < 2


def test_what_the_grid_does_to_the_answer() -> None:
    says("On 64 points the two differ by less than a millionth of the start")
    says("On 32 the difference is about a thousandth, and on 16 about a hundredth.")
    assert last().by_grid[-1] < 1e-6
    assert 3e-4 < last(asked=32).by_grid[-1] < 3e-3
    assert 5e-3 < last(asked=16).by_grid[-1] < 2e-2


def test_a_finer_grid_adds_no_knowledge() -> None:
    says("From 32 points to 1,024 the network's error stays the same to two digits")
    assert len({f"{last(asked=asked).errors[2, -1]:.1e}" for asked in (32, 64, 256, 1024)}) == 1
    says("while each solver gains with each doubling")
    errors = np.array([last(points=points).errors[:2, -1] for points in (16, 32, 64, 128)])
    assert (errors[1:] < errors[:-1] / 2).all()
    says("its dots lie on a horizontal line")
    found = verdict()
    own = found["error"][(found["way"] == 0) & (found["points"] >= 32)]
    assert own.max() < 1.05 * own.min()


def test_papers_with_a_weak_baseline() -> None:
    says("Of 76 such papers, 60 had used a weak baseline. That is 79 %.")
    assert round(100 * 60 / 76) == 79


def test_training_longer() -> None:
    says("After ten times the steps")
    short, long = verdict(), verdict("long")
    assert long["steps"] == 10 * short["steps"] and long["own_error"] < short["own_error"] / 2


def test_points_of_a_solver_lie_far_apart() -> None:
    says("from the coarsest grid to the finest, each solver’s own points lie far apart, in time and in error")
    found = verdict()
    for way in (1, 2):
        chosen = found["way"] == way
        time, error = found["seconds"][chosen, 1], found["error"][chosen]
        assert min(time.max() / time.min(), error.max() / error.min()) > 5
