"""What the article on the LSTM says, asked of its labs and their recordings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from article import Article, recorded
from labs.learning import lstm_gates, vanishing_gradient

says = Article("learning/02-lstm.mdx").says


def flown(**params: Any) -> vanishing_gradient.Picture:
    *_, picture = vanishing_gradient.run(vanishing_gradient.Params(**params))
    return picture


def read(**params: Any) -> lstm_gates.Picture:
    *_, picture = lstm_gates.run(lstm_gates.Params(**params))
    return picture


def forecast(name: str = "default") -> dict[str, Any]:
    return recorded("learning/lstm_forecast", name)[-1]


def off(picture: dict[str, Any], name: str) -> float:
    return next(one["off"] for one in picture["baselines"] if one["name"] == name)


def test_a_new_lstm_forgets_faster_than_the_plain_cell() -> None:
    says(
        "A network reads twelve inputs",
        "In a plain recurrent cell … of that gradient arrives",
        "arrives: much less",
    )
    assert flown().steps == 12
    assert flown().lstm_left[0] < flown().plain_left[0] / 20
    says("The new LSTM stays close to it, and the plain cell, with a radius of 0.9, does better")
    assert 0.5 < flown().lstm_left[0] / flown().expected[0] < 2


def test_half_of_a_half() -> None:
    says("0.5^{12} = 0.000244", "$\\sigma(3) = 0.953$")
    assert round(0.5**12, 6) == 0.000244 and round(flown(forget_bias=3).gate, 3) == 0.953
    assert flown(forget_bias=3).lstm_left[0] > 0.3 > 0.02 > flown(forget_bias=3).plain_left[0]


def test_the_same_cell_explodes_with_faint_inputs() -> None:
    says(
        "At a radius of 1.5 with faint inputs the gradient arrives many times longer than it left",
        "it does not grow nearly as much",
    )
    faint, usual = flown(radius=1.5, inputs=0.05), flown(radius=1.5)
    assert faint.plain_left[0] > 10 and usual.plain_left[0] < faint.plain_left[0] / 10


def test_clipping_keeps_every_share() -> None:
    says("every share of the sum is shortened by the same factor", "Set *Clip at*, and the last picture compares")
    clipped = flown(radius=1.5, inputs=0.05, clip=1)
    assert clipped.stage == "clip" and clipped.plain_clip * clipped.plain_total == pytest.approx(1)


def test_the_counter() -> None:
    says("Here is an LSTM with four units", "Follow the memory of the third unit", "Nobody asked for a counter")
    assert read().hidden.shape[1] == 4 and read().busiest == 2, "the figure opens on that unit"
    says("It goes down with every opening parenthesis and up with every closing one")
    says("its forget gate keeps most of what is there")
    for one in lstm_gates.run(lstm_gates.Params()):
        if one.stage == "cell":
            moved = one.values[3, 2] - one.before[2]
            assert moved < 0 if one.symbols[one.at] == "(" else moved > 0
            assert one.values[0, 2] > 0.8
    says("the count is lost at every step", "its count comes out too high")
    assert read(forget="closed").off > 1
    too_many = read(forget="open")
    assert (too_many.answers - too_many.targets)[2:].min() > 0


def test_the_copy() -> None:
    says("Four come back without a mistake", "`cabcb` is returned as `cabbc`")
    assert read(sequence="cabb....").off == 0
    assert "".join(read(sequence="cabcb.....").said) == "cabbc"
    says("for `cab` the cell answers `ccc`")
    assert "".join(read(sequence="cab...", drop_h=True).said) == "ccc"


def test_no_network_beats_the_formula() -> None:
    says("After 200 epochs the networks are off by …", "the median of five seeds")
    picture = forecast()
    assert picture["epoch"] == 200 and len(picture["off"]) == 5
    assert picture["off_median"] > off(picture, "last month") > 2 * off(picture, "AR(12)")
    says("and … of the five beat the formula", "Each network has more than four thousand weights")
    assert 4 * 32 * (32 + 1) + 2 * 4 * 32 + 32 + 1 > 4000
    says("Training one of them takes … on one core.")
    assert picture["seconds"] < 4
    says("In the tested months the error stops falling early, and then it rises")
    unseen = np.median(picture["unseen"], axis=0)
    assert unseen.argmin() < len(unseen) - 1 and unseen[-1] > 1.05 * unseen.min()
    learned = np.median(picture["learned"], axis=0)
    assert learned[-1] < learned[len(learned) // 2] < learned[0]
    says("Traffic keeps growing, so the last two summers are higher than anything the network has seen")
    months = picture["months"].reshape(12, 12)
    assert months[10:].max(axis=1).min() > months[:10].max()
    assert off(forecast("min_max"), "AR(12)") < forecast("min_max")["off"].min(), "the formula keeps its lead"


def test_the_number_that_proves_nothing() -> None:
    says("all 132 windows are learned", "The gap between the two is nearly gone")
    seen, apart = forecast("no_split"), forecast()
    assert len(seen["tested"]) == 132
    gap = seen["off_median"] - off(seen, "AR(12)")
    assert abs(gap) < 0.2 * (apart["off_median"] - off(apart, "AR(12)"))
    says("“as many as last month” comes to …", "is hardly better than having no network")
    persistence = next(one["mse"] for one in seen["baselines"] if one["name"] == "last month")
    assert 0.0713 < persistence < 1.25 * 0.0713


def test_the_rolling_origin() -> None:
    says("Five origins with five seeds are twenty-five trainings", "Over those sixty months")
    rolling = forecast("rolling")
    assert len(rolling["tested"]) == 60
    says("over five, the networks beat it, and the formula still beats them")
    assert off(rolling, "AR(12)") < rolling["off"].min() and rolling["off"].max() < off(rolling, "last month")


def test_the_exercises() -> None:
    says("$0.1^{1/10} = 0.794$", "$0.731^{12} = 0.023$", "Of the order of a hundredth")
    assert round(0.1**0.1, 3) == 0.794 and round(flown(forget_bias=1).expected[0], 3) == 0.023
    assert 0.002 < flown(forget_bias=1).lstm_left[0] < 0.02
    says("σ(4) = 0.982, and 0.982⁵⁰ is about 0.4")
    assert round(1 / (1 + np.exp(-4)), 3) == 0.982 and round(0.982**50, 1) == 0.4
