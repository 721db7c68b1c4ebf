"""One training: against PyTorch's own descent, the program as it was printed, and what is known of four points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError
from labs.learning.xor_training import ACROSS, PICTURES, Check, Params, Picture, Stopped, run
from labs.learning.xor_training import listing as xor_listing
from labs.models.labelled_points import EXAMPLES


def pictures(**params: Any) -> list[Picture]:
    found = list(run(Params(**params)))
    assert all(isinstance(event, Picture) for event in found)
    return found


def last(**params: Any) -> Picture:
    return pictures(**params)[-1]


def by_torch(hidden: int, seed: int, rate: float, epochs: int, loss: str, over: str) -> list[Any]:
    rng = np.random.RandomState(seed)
    parts = [torch.tensor(rng.randn(2, hidden)), torch.tensor(rng.randn(hidden, 1))]
    parts += [torch.zeros(1, hidden, dtype=torch.float64), torch.zeros(1, 1, dtype=torch.float64)]
    for part in parts:
        part.requires_grad = True
    descent = torch.optim.SGD(parts, lr=rate)
    x = torch.tensor([[0.0, 0], [0, 1], [1, 0], [1, 1]], dtype=torch.float64)
    y = torch.tensor([[0.0], [1], [1], [0]], dtype=torch.float64)
    criterion = torch.nn.BCELoss(reduction=over) if loss == "bce" else torch.nn.MSELoss(reduction=over)
    for _ in range(epochs):
        descent.zero_grad()
        criterion(torch.sigmoid(torch.sigmoid(x @ parts[0] + parts[2]) @ parts[1] + parts[3]), y).backward()
        descent.step()
    return [part.detach().numpy() for part in parts]


@pytest.mark.parametrize("loss", ["bce", "mse"])
@pytest.mark.parametrize("over", ["sum", "mean"])
@pytest.mark.parametrize("hidden", [1, 2, 5])
def test_it_descends_as_pytorch_does(loss: Any, over: Any, hidden: int) -> None:
    for seed in range(3):
        first, second = last(hidden=hidden, seed=seed, learning_rate=0.5, epochs=200, loss=loss, over=over).layers
        w1, w2, b1, b2 = by_torch(hidden, seed, 0.5, 200, loss, over)
        np.testing.assert_allclose(first.weights, w1, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(second.weights, w2, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(first.biases, b1[0], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(second.biases, b2[0], rtol=1e-5, atol=1e-5)


def test_it_is_the_printed_program_once_that_is_fixed() -> None:
    names: dict[str, Any] = {}
    exec(xor_listing.FIXED, names)
    first, second = last(bias_mean=True).layers
    for ours, theirs in ((first, ("W1", "b1")), (second, ("W2", "b2"))):
        np.testing.assert_allclose(ours.weights, names[theirs[0]], rtol=1e-5)
        np.testing.assert_allclose(ours.biases, names[theirs[1]][0], rtol=1e-5)
    assert last(bias_mean=True).curve_printed[-1] == pytest.approx(names["loss"], rel=1e-3)


def test_the_printed_program_does_not_begin() -> None:
    (event,) = run(Params(defined_late=True))
    assert isinstance(event, Stopped)
    assert event.listing.split("\n")[event.line - 1].strip() == "a1 = sigmoid(X @ W1 + b1)"
    assert event.trace.startswith("Traceback (most recent call last):\n")
    assert event.trace.endswith("NameError: name 'sigmoid' is not defined")
    assert xor_listing.stopped(xor_listing.FIXED) is None
    assert sorted(xor_listing.AS_LISTED) == sorted(xor_listing.FIXED), "the same lines in another order"


def test_whose_gradients_they_are() -> None:
    """At seed 0, before a step: the weights' are of one loss, the biases' of another, and a third is printed."""
    (picture,) = pictures(bias_mean=True, epochs=0)
    checks = {each.name: each for each in picture.checks}
    w, b = checks["W2[0, 0]"], checks["b2[0]"]
    assert (round(w.used, 4), round(w.bce_sum, 4), round(w.mse_mean, 4)) == (0.4545, 0.4545, 0.0501)
    assert (round(b.used, 4), round(b.bce_mean, 4), round(b.bce_sum, 4)) == (0.1644, 0.1644, 0.6577)
    assert picture.gap > 0.1 and "do not match its slopes" in picture.text
    (right,) = pictures(epochs=0)
    assert right.gap < 1e-9 and "every gradient matches its measured slope" in right.text


@pytest.mark.parametrize("loss", ["bce", "mse"])
@pytest.mark.parametrize("over", ["sum", "mean"])
def test_a_right_gradient_agrees_with_its_own_loss_alone(loss: Any, over: Any) -> None:
    def slopes(check: Check) -> dict[str, float]:
        return {name: getattr(check, name) for name in ("bce_sum", "bce_mean", "mse_sum", "mse_mean")}

    for picture in pictures(loss=loss, over=over, hidden=3, layers=2, activation="tanh", epochs=50):
        assert picture.gap < 1e-7
        for check in picture.checks:
            found = slopes(check)
            assert min(found, key=lambda name: abs(found[name] - check.used)) == f"{loss}_{over}"


def test_one_path_shows_where_there_are_two() -> None:
    assert last(one_path=True, epochs=100).gap < 1e-7, "a unit before the output has one consumer"
    assert last(one_path=True, layers=2, epochs=100).gap > 1e-4
    assert last(layers=2, epochs=100).gap < 1e-7


def test_every_picture_is_whole() -> None:
    found = pictures(seed=3)
    assert [picture.stage for picture in found] == ["begin", *["training"] * (PICTURES - 1), "end"]
    epochs = [picture.epoch for picture in found]
    assert epochs == sorted(set(epochs)) and (epochs[0], epochs[-1]) == (0, 5000)
    for picture in found:
        assert picture.curve_epochs[-1] == picture.epoch and len(picture.curve_loss) == len(picture.curve_printed)
        assert picture.surface.shape == (ACROSS**2,) and picture.units.shape == (2, 121)
        outputs = np.array([point.output for point in picture.points])
        labels = np.array([point.label for point in picture.points])
        assert picture.right == ((outputs > 0.5) == (labels > 0.5)).sum()
        entropy = -np.log(np.where(labels == 1, outputs, 1 - outputs)).sum()
        assert picture.curve_loss[-1] == pytest.approx(entropy, rel=1e-5)
        assert picture.curve_printed[-1] == pytest.approx(((outputs - labels) ** 2).mean(), rel=1e-5)
    assert found[-1].right == 4 and "all of the 4 points" in found[-1].text


def test_the_surface_is_the_network_everywhere() -> None:
    picture = last(seed=3)
    (w1, b1), (w2, b2) = ((layer.weights, layer.biases) for layer in picture.layers)
    window, middle = picture.window, (np.arange(ACROSS) + 0.5) / ACROSS
    assert (window.left, window.size) == (pytest.approx(-0.3), pytest.approx(1.6))
    for row, column in ((0, 0), (3, 20), (15, 15), (30, 1)):
        at = window.left + window.size * middle[column], window.bottom + window.size * middle[row]
        output = 1 / (1 + np.exp(-(1 / (1 + np.exp(-(at @ w1 + b1))) @ w2 + b2)))[0]
        root = (int(picture.surface[ACROSS * row + column]) - 127) / 127
        assert np.sign(root) * root**2 == pytest.approx(2 * output - 1, abs=0.01)


@pytest.mark.parametrize("name", ["AND", "OR"])
def test_what_one_line_can_part_one_unit_learns(name: str) -> None:
    assert last(points=EXAMPLES[name], hidden=1).right == 4


@pytest.mark.parametrize("name", ["XOR", "XNOR"])
def test_what_no_line_parts_one_unit_cannot_learn(name: str) -> None:
    for seed in range(5):
        assert last(points=EXAMPLES[name], hidden=1, seed=seed).right < 4


def test_the_readers_own_points_are_learned() -> None:
    for name in ("chequers", "ring"):
        picture = last(points=EXAMPLES[name], hidden=8, activation="tanh", learning_rate=0.05, seed=1)
        assert picture.right == len(picture.points)


def test_bad_input_is_answered_with_advice() -> None:
    with pytest.raises(LabError, match="Line 2: “one” is not a number"):
        pictures(points="0 0 0\n0 one 1")
    with pytest.raises(LabError, match="use a smaller learning rate"):
        pictures(
            points="9 9 1\n-9 9 0\n9 -9 0", hidden=16, layers=2, activation="relu", learning_rate=2.0, scale=5.0
        )


def test_equal_beginnings_stay_equal() -> None:
    """Without chance in the first weights, no unit ever differs from another."""
    picture = last(scale=0.0, hidden=4)
    assert (picture.layers[0].weights == picture.layers[0].weights[:, :1]).all() and picture.right < 4


def test_a_kink_is_called_a_kink() -> None:
    assert "kink" in pictures(activation="relu", epochs=0)[0].text
