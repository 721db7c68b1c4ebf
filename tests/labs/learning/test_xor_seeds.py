"""A hundred trainings: the reference's counts, each network against its own training, Wilson's interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from labs.learning import xor_training
from labs.learning.xor_seeds import PICTURES, SIZES, Params, Picture, rate, run


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


@pytest.mark.parametrize(
    ("params", "solved"),
    [
        ({"bias_mean": True}, 69),
        ({}, 70),
        ({"loss": "mse", "over": "mean", "bias_mean": True}, 4),
        ({"loss": "mse", "over": "mean"}, 23),
    ],
    ids=["as listed", "consistent sums", "mean squared error, biases averaged once more", "mean squared error"],
)
def test_the_counts_of_the_reference(params: Any, solved: int) -> None:
    final = pictures(**params)[-1]
    assert final.solved == solved
    found = {each.hidden: each.solved for each in final.rates}
    assert found[2] == solved and found[1] == 0, "one unit draws one line"
    if params.get("loss") != "mse":
        assert found[4] == found[8] == 100


def test_pictures_follow_each_other() -> None:
    found = pictures(networks=7, epochs=300)
    assert [each.stage for each in found] == ["begin", *["training"] * PICTURES, *["sizes"] * (len(SIZES) - 1)]
    assert [len(each.rates) for each in found] == [0] * (PICTURES + 1) + [2, 3, 4, 5]
    assert [each.hidden for each in found[-1].rates] == list(SIZES)
    for picture in found:
        assert picture.surfaces.shape == (7, 81) and picture.right.shape == picture.loss.shape == (7,)
        assert picture.learned == (picture.right == 4).sum()
        assert picture.hidden == 2 or picture.stage == "sizes"
    for picture in found[PICTURES + 1 :]:
        assert {each.hidden: each.solved for each in picture.rates}[picture.hidden] == picture.learned
        assert str(picture.text).count(f" {picture.learned} of 7 ") == 1, "the sentence is about this picture"
        assert picture.solved == found[PICTURES].solved
    odd = pictures(networks=7, epochs=10, hidden=5)[-1]
    assert [each.hidden for each in odd.rates] == sorted([*SIZES, 5])


def test_each_network_is_the_training_of_its_seed() -> None:
    params: Any = {"hidden": 3, "epochs": 700, "learning_rate": 0.3, "loss": "mse", "activation": "tanh"}
    final = pictures(seed=40, networks=6, **params)[PICTURES]
    for at in range(6):
        *_, alone = xor_training.run(xor_training.Params(seed=40 + at, **params))
        assert isinstance(alone, xor_training.Picture)
        assert final.right[at] == alone.right
        assert final.loss[at] == pytest.approx(alone.curve_loss[-1], rel=1e-5)


def test_the_interval_is_wilsons() -> None:
    from scipy import stats

    for solved, networks in ((0, 100), (4, 100), (69, 100), (100, 100), (1, 2)):
        found = rate(2, solved, networks)
        theirs = stats.binomtest(solved, networks).proportion_ci(method="wilson")
        assert (found.low, found.high) == (
            pytest.approx(theirs.low, abs=1e-6),
            pytest.approx(theirs.high, abs=1e-6),
        )


def test_other_seeds_are_other_networks() -> None:
    first, other = (pictures(seed=seed, networks=5, epochs=1)[0].surfaces for seed in (0, 5))
    again = pictures(seed=0, networks=10, epochs=1)[0].surfaces
    np.testing.assert_array_equal(again, np.concatenate([first, other]))
