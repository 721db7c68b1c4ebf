"""What the article on backpropagation says of luck: which of a hundred networks learn XOR; why some do not."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest
from backpropagation_article import XOR, grid, log, says
from labs.models import dense


def stuck() -> np.ndarray:
    return np.flatnonzero(grid().right < 4)


@lru_cache(maxsize=4)
def trained(hidden: int = 2) -> tuple[dense.Floats, dense.Floats]:
    """What the hidden units and the output of a hundred networks answer to the four points."""
    nets = dense.draw(range(100), (2, hidden, 1), "sigmoid")
    dense.descend(nets, XOR.x, XOR.y, dense.Rule(), 0.1, 5000)
    _, inner, outer = dense.forward(nets, XOR.x).values
    return inner, outer


def test_the_failures_look_alike() -> None:
    says("$2 \\ln 2 = 1.386$", "Almost every failure ends within a fiftieth of that number")
    assert len(stuck()) == 30
    loss = grid().loss[stuck()]
    near = np.abs(loss - 2 * math.log(2)) < 2 * math.log(2) / 50
    assert near.sum() == 28
    says("give one half to all four points, $4 \\ln 2$, or two thirds to three of them")
    inner, outer = trained()
    others = {int(seed): outer[seed, :, 0] for seed in stuck()[~near]}
    assert any(np.allclose(answers, 0.5, atol=0.01) for answers in others.values())
    assert any((np.abs(answers - 2 / 3) < 0.01).sum() == 3 for answers in others.values())
    says(
        "one corner of each label gets the right answer with near certainty",
        "and the other two corners get one half",
    )
    says("both hidden units give the same answer at the two undecided corners, almost exactly")
    for seed in stuck()[near]:
        answers = outer[seed, :, 0]
        undecided = np.flatnonzero(np.abs(answers - 0.5) < 0.01)
        sure = np.flatnonzero(np.abs(answers - XOR.y[:, 0]) < 0.02)
        assert sorted([*undecided, *sure]) == [0, 1, 2, 3]
        assert sorted(XOR.y[undecided, 0]) == sorted(XOR.y[sure, 0]) == [0, 1]
        one, other = inner[seed, undecided]
        assert np.abs(one - other).max() < 0.002


def test_they_are_not_merely_slow() -> None:
    says("Give them twice the epochs, and hardly any other network learns XOR")
    assert grid(epochs=10000).solved - grid().solved == 1


def test_the_beginning_decides() -> None:
    says("Draw them ten times smaller", "they grow apart in time in only a few networks")
    assert grid(scale=0.1).solved < 10
    says("equal units get equal gradients and stay equal forever")
    alike = log(scale=0.0, hidden=4)[-1].layers[0].weights
    assert (alike == alike[:, :1]).all()
    says("Draw them five times larger", "nearly half of all hidden sigmoids are almost flat before the first step")
    hidden = dense.forward(dense.draw(range(100), (2, 2, 1), "sigmoid", 5.0), XOR.x).values[1]
    assert np.mean(hidden * (1 - hidden) < 0.05) == pytest.approx(0.46, abs=0.03)
    assert grid(scale=5.0).solved < grid().solved / 2


def test_width() -> None:
    says("a single unit draws a single line, and no line separates the two labels")
    assert grid(hidden=1).solved == 0
    assert [grid(hidden=hidden).solved for hidden in (3, 4, 8)] == [99, 100, 100]


def test_one_seed_more_or_less_is_chance() -> None:
    says("about as many seeds changed sides in one direction as in the other")
    ours, averaged = (grid(bias_mean=mistake).right == 4 for mistake in (False, True))
    assert ((ours & ~averaged).sum(), (averaged & ~ours).sum()) == (6, 5)
    says("with the next hundred seeds the count of the right program itself changes by more than that")
    assert abs(grid(seed=100).solved - grid().solved) > 1


def test_descending_what_is_printed() -> None:
    says(
        "the mean squared error, and in the same time",
        "Its slopes are at most an eighth as large",
    )
    assert grid(loss="mse", over="mean").solved == 23
    assert grid(loss="mse", over="mean", bias_mean=True).solved == 4
    says("At five times the learning rate it does as well as cross-entropy did")
    assert grid(loss="mse", over="mean", learning_rate=0.5).solved >= grid().solved


def test_the_exercises() -> None:
    says("Far fewer. A ReLU whose", "and most of them succeed")
    assert grid(activation="relu").solved == pytest.approx(100 / 6, abs=2)
    assert grid(activation="relu", hidden=8).solved == pytest.approx(90, abs=2)
    says("More epochs and a higher rate both lead further along the same path", "that path ends at $2 \\ln 2$")
    for params in ({"epochs": 20000}, {"learning_rate": 1.0}):
        last = log(**params)[-1]
        assert last.right < 4 and last.curve_loss[-1] == pytest.approx(2 * math.log(2), rel=0.01)
    assert log(hidden=4)[-1].right == 4
