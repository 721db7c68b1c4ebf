"""Forecasts of airline passengers: the baselines by other means, the network step by step, and no look ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from labs.contract import LabError
from labs.models.air_passengers import passengers
from labs.models.recurrent import Weights, lstm
from native.learning.lstm_forecast import Params, Picture, folds_of, run
from native.learning.lstm_forecast import forecasters as simple
from numpy.testing import assert_allclose

SERIES = passengers()


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**({"networks": 2, "epochs": 3, "hidden": 4} | params))))


def test_the_series_is_the_one_of_the_book() -> None:
    assert len(SERIES) == 144 and (SERIES[0], SERIES[-1], SERIES.max(), SERIES.min()) == (112, 432, 622, 104)
    assert SERIES.sum() == 40_363 and SERIES.mean() == pytest.approx(280.2986, abs=1e-4)
    assert int(SERIES.argmax()) == 11 * 12 + 6, "July 1960"


def test_the_baselines_come_to_the_known_errors() -> None:
    """Persistence, the same month of last year and AR(12), in units of the whole series' variance."""
    last = pictures(epochs=1)[-1]
    assert [round(one.mse, 4) for one in last.baselines] == [0.1876, 0.1748, 0.0238]
    for one in last.baselines:
        assert one.mse == pytest.approx(one.off**2 / SERIES.var())


def test_the_linear_formula_is_the_one_of_least_squares() -> None:
    from scipy import linalg

    for fold in (*simple.last_two_years(144), *simple.rolling_origin(144), *simple.seen_before(144)):
        rows = [[1, *SERIES[at - 12 : at]] for at in range(12, fold.end)]
        inverse = linalg.pinv(np.array(rows))
        weights = inverse @ SERIES[12 : fold.end]
        expected = [weights @ [1, *SERIES[at - 12 : at]] for at in fold.tested]
        assert_allclose(simple.autoregression(SERIES, fold), expected, rtol=1e-6)
        assert_allclose(simple.persistence(SERIES, fold), [SERIES[at - 1] for at in fold.tested])
        assert_allclose(simple.seasonal(SERIES, fold), [SERIES[at - 12] for at in fold.tested])


def test_the_folds_are_apart() -> None:
    (last,) = folds_of(Params(), 144)
    assert (last.end, list(last.tested)) == (120, list(range(120, 144)))
    rolling = folds_of(Params(test="rolling origin"), 144)
    assert [fold.end for fold in rolling] == [84, 96, 108, 120, 132]
    assert [month for fold in rolling for month in fold.tested] == list(range(84, 144))
    for fold in (last, *rolling):
        assert fold.tested.start == fold.end, "nothing that is tested is learned from"
    (seen,) = folds_of(Params(no_split=True), 144)
    assert list(seen.tested) == list(range(12, 144)) and seen.end == 144


def test_the_network_is_the_lstm_of_the_equations() -> None:
    from native.learning.lstm_forecast.network import Training

    for scaling, seed in (("z-score", 0), ("min-max", 1), ("log, z-score", 2)):
        (fold,) = simple.last_two_years(144)
        training = Training(SERIES, fold, scaling, 5, 1.5, 0.01, seed)  # type: ignore[arg-type]
        for _ in range(3):
            training.step()
        named = {name: value.detach().numpy().astype(float) for name, value in training.network.named_parameters()}
        weights = Weights(
            named["lstm.weight_ih_l0"],
            named["lstm.weight_hh_l0"],
            named["lstm.bias_ih_l0"] + named["lstm.bias_hh_l0"],
        )
        found = []
        for months in training.scale.to(simple.windows(SERIES, fold.tested)[0]):
            h = c = np.zeros(5)
            for month in months:
                step = lstm(weights, np.array([month]), h, c)
                h, c = step.hidden, step.cell
            found.append(named["out.weight"][0] @ h + named["out.bias"][0])
        assert_allclose(training.forecasts(), training.scale.back(np.array(found)), rtol=1e-4)


def test_the_forget_bias_is_added_and_nothing_else_changes() -> None:
    from native.learning.lstm_forecast.network import Training

    (fold,) = simple.last_two_years(144)
    plain, biased = (Training(SERIES, fold, "z-score", 3, bias, 0.01, 7).network.lstm for bias in (0.0, 2.0))
    difference = (biased.bias_ih_l0 - plain.bias_ih_l0).detach().numpy()
    assert_allclose(difference, [0, 0, 0, 2, 2, 2, *[0] * 6], atol=1e-6)
    assert bool((biased.weight_hh_l0 == plain.weight_hh_l0).all())


@pytest.mark.parametrize("scaling", ["z-score", "min-max", "log, z-score"])
def test_no_training_sees_the_months_that_it_is_tested_on(scaling: Any) -> None:
    from native.learning.lstm_forecast.network import Training

    (fold,) = simple.last_two_years(144)
    changed = SERIES.copy()
    changed[fold.end :] *= 3
    ways = [Training(series, fold, scaling, 4, 0, 0.01, 0) for series in (SERIES, changed)]
    for way in ways:
        way.step()
    assert ways[0].scale == ways[1].scale
    for one, other in zip(*(way.network.parameters() for way in ways), strict=True):
        assert bool((one == other).all())


def test_pictures_follow_each_other() -> None:
    shown = pictures(epochs=30, networks=3)
    assert [shown[0].stage, shown[-1].stage] == ["begin", "end"]
    assert {one.stage for one in shown[1:-1]} == {"training"}
    assert [one.epoch for one in shown] == list(shown[-1].curve_epochs)
    for one in shown:
        assert one.forecasts.shape == (3, 24) and one.unseen.shape == one.learned.shape == (
            3,
            len(one.curve_epochs),
        )
        right = one.months[one.tested]
        assert_allclose(one.off, np.sqrt(((one.forecasts - right) ** 2).mean(axis=1)), rtol=1e-5)
        assert one.off_median == pytest.approx(np.median(one.off), rel=1e-6)
        assert one.mse_median == pytest.approx(np.median(one.off.astype(float) ** 2) / SERIES.var(), rel=1e-5)
    assert (shown[-1].learned[:, -1] < shown[0].learned[:, 0]).all(), "they learn"
    assert shown[-1].seconds > shown[1].seconds > 0


def test_the_same_seed_is_the_same_network_alone_or_among_others() -> None:
    both, alone = pictures(seed=3)[-1], pictures(seed=4, networks=1)[-1]
    assert_allclose(both.forecasts[1], alone.forecasts[0], rtol=1e-4)


def test_what_would_take_too_long_is_refused_with_advice() -> None:
    with pytest.raises(LabError, match="fewer epochs or networks"):
        next(run(Params(test="rolling origin", epochs=1000)))
