"""What the article on backpropagation says of gradients: how they are found, whose they are, how to check them."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from backpropagation_article import ARTICLE, ROOT, XOR, log, says, seeds
from labs.learning.xor_training import listing as xor_listing
from labs.models import dense


def test_the_beginning() -> None:
    says("Each network has two inputs, two hidden neurons (or *units*) and one output.", "the same 5,000 steps")
    defaults = seeds.Params()
    assert (defaults.networks, defaults.epochs, 2 + defaults.hidden + 1) == (100, 5000, 5)
    says("Nearly all the others are stuck for good, and not one of them has computed a wrong gradient")
    for seed in (0, 1, 3, 30, 65):
        assert max(picture.gap for picture in log(seed=seed)) < 1e-9
    says("From then on every bias gets a wrong gradient, a quarter of the right one")
    for ours, averaged in zip(log(epochs=0)[0].checks, log(epochs=0, bias_mean=True)[0].checks, strict=True):
        assert averaged.used == pytest.approx(ours.used / (4 if ours.name.startswith("b") else 1))
    says("the one with seed 0", "then start from seed 3 or seed 4")
    assert [log(seed=seed)[-1].right for seed in (0, 3, 4)] == [2, 4, 4]


def test_nine_numbers() -> None:
    says("four weights into its two hidden units, two weights out of them, three biases", "eighteen runs")
    assert sum(layer.weights.size + layer.biases.size for layer in log()[-1].layers) == 9
    nets = dense.draw([0], (2, 2, 1), "sigmoid")
    ran = []
    whole = dense.forward
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense, "forward", lambda nets, x: ran.append(len(nets.weights[0])) or whole(nets, x))
        dense.measured(nets, XOR.x, XOR.y)
    assert ran == [18]


def test_the_neuron_by_hand() -> None:
    from labs.models.tensor import elementwise
    from labs.models.tensor.tensor import tensor

    x, w, b = (tensor(value, requires_grad=True) for value in (2.0, -1.0, 1.0))
    z = w * x + b
    a = elementwise.sigmoid(z)
    loss = -elementwise.log(a)
    loss.backward()
    assert (z.item(), round(a.item(), 4), round(loss.item(), 4)) == (-1, 0.2689, 1.3133)
    says("z &= w\\,x + b = -1", "1/(1 + e^{-z}) = 0.2689", "-\\ln a = 1.3133")
    says("| $\\sigma(z)$ | $a(1 - a)$ | 0.1966 |", "| $-\\ln a$ | $-1/a$ | −3.7183 |")
    assert (round(a.item() * (1 - a.item()), 4), round(-1 / a.item(), 4)) == (0.1966, -3.7183)
    slopes = [round(each.grad.item(), 4) for each in (w, b, x)]
    assert slopes == [-1.4621, -0.7311, 0.7311]
    says("-0.7311 \\cdot x = -1.4621", "-0.7311 \\cdot 1 = -0.7311", "-0.7311 \\cdot w = 0.7311")
    says("-3.7183 \\cdot 0.1966 = -0.7311", "moves the weight to $-1 + 0.14621$")


def test_cross_entropy_behind_a_sigmoid() -> None:
    says("always gives this, $\\partial L/\\partial z = a - y$", "however sure the neuron is of something false")
    for z in (-20.0, -1.0, 0.0, 3.0, 20.0):
        for y in (0.0, 1.0):
            step = 1e-5
            ends = [np.logaddexp(0, at) - y * at for at in (z - step, z + step)]
            assert (ends[1] - ends[0]) / (2 * step) == pytest.approx(1 / (1 + math.exp(-z)) - y, abs=1e-8)


class Counted(np.ndarray):
    """An array that counts the products of numbers in its matrix products."""

    products = 0

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(each) if isinstance(each, Counted) else each for each in inputs]
        options = {key: value for key, value in options.items() if key != "out"}
        found = getattr(function, method)(*plain, **options)
        if function is np.matmul:
            Counted.products += math.prod(np.shape(found)) * np.shape(plain[0])[-1]
        return np.asarray(found).view(Counted)


def test_what_the_way_back_costs() -> None:
    says(
        "multiplies $m \\cdot n$ numbers for each point",
        "to pass the message on to its inputs: twice the forward pass",
    )
    says("The first layer skips the second half")
    points, sizes = 7, (3, 5, 4, 2)
    nets = dense.draw([0], (*sizes, 1), "tanh")
    counted = dense.Networks(
        [w.view(Counted) for w in nets.weights], [b.view(Counted) for b in nets.biases], "tanh"
    )
    x = np.ones((points, 3)).view(Counted)
    Counted.products = 0
    passed = dense.forward(counted, x)
    there = Counted.products
    layers = [points * m * n for m, n in zip(sizes, (*sizes[1:], 1), strict=True)]
    assert there == sum(layers)
    Counted.products = 0
    dense.backward(counted, passed, np.zeros((points, 1)).view(Counted), dense.Rule())
    biases = points * sum((*sizes[1:], 1))  # the weights of an input of 1
    assert Counted.products == 2 * there - layers[0] + biases


def test_messages_from_two_readers_are_added() -> None:
    from labs.models.tensor.tensor import tensor

    says("Let two operations read $h$: $L = hu + hv$", "**they are added**")
    h = tensor(0.5, requires_grad=True)
    (h * 3.0 + h * 4.0).backward()
    assert h.grad.item() == 7


def test_one_path_instead_of_all() -> None:
    says("Turn on *One path instead of all*: nothing changes")
    for picture, mistaken in zip(log(), log(one_path=True), strict=True):
        assert picture.text == mistaken.text and (picture.surface == mistaken.surface).all()
    says(
        "shows gradients of the first layer that are not the slopes of any loss",
        "all four points end up on the right side",
    )
    found = log(one_path=True, layers=2, hidden=4)
    first = found[0].checks[0]
    slopes = (first.bce_sum, first.bce_mean, first.mse_sum, first.mse_mean)
    assert first.name.startswith("W1") and all(abs(first.used - slope) > 1e-4 for slope in slopes)
    assert found[-1].right == 4


def test_ten_lines_are_the_lab() -> None:
    says("The whole network in six lines", "agree with them to nine digits")
    code = re.search(r"```python\n(a1 = .*?)```", ARTICLE.text, re.S)
    assert code
    names: dict[str, Any] = {"X": XOR.x, "y": XOR.y, "sigmoid": dense.sigmoid}
    nets = dense.draw([0], (2, 2, 1), "sigmoid")
    for layer in (0, 1):
        names |= {f"W{layer + 1}": nets.weights[layer][0], f"b{layer + 1}": nets.biases[layer][0]}
    exec(code[1], names)
    weights, biases = dense.backward(nets, dense.forward(nets, XOR.x), XOR.y, dense.Rule())
    for layer in (0, 1):
        np.testing.assert_allclose(names[f"dW{layer + 1}"], weights[layer][0], rtol=1e-9)
        np.testing.assert_allclose(names[f"db{layer + 1}"], biases[layer][0, 0], rtol=1e-9)


def test_the_program_does_not_begin() -> None:
    says("We took one such program exactly as printed, and it does not even start")
    says("A `def` is a statement", "The trace names the line, and the fix is to move the function up")
    trace = xor_listing.stopped(xor_listing.AS_LISTED)
    assert trace and f"line {trace.line}" in trace.text
    assert xor_listing.stopped(xor_listing.FIXED) is None


def test_three_losses() -> None:
    listed = log(bias_mean=True)
    says("Its loss falls, and the numbers that it prints get smaller")
    assert (np.diff(listed[-1].curve_printed) < 0).all() and (np.diff(listed[-1].curve_loss) < 0).all()
    checks = {check.name: check for check in listed[0].checks}
    says("far less than the program uses", "Three losses in a program of fifteen lines")
    weight, bias = checks["W2[0, 0]"], checks["b2[0]"]
    assert weight.used / weight.mse_mean == pytest.approx(9, abs=0.1)
    assert weight.used == pytest.approx(weight.bce_sum) and bias.used == pytest.approx(bias.bce_mean)
    lines = [line for line in (xor_listing.DATA + xor_listing.LOOP).split("\n") if line and "import" not in line]
    assert len(lines) == pytest.approx(15, abs=1)
    recorded = json.loads((ROOT / "content/recordings/learning/xor_training/listed.json").read_text("utf-8"))
    assert [check["name"] for check in recorded["events"][1]["checks"]][2:] == ["W2[0, 0]", "b2[0]"]
    says("Turn the mistake off, and all equals signs stand in one column")
    for check in log(epochs=0)[0].checks:
        assert check.used == pytest.approx(check.bce_sum, rel=1e-6)


def test_no_function_has_these_slopes() -> None:
    """A gradient's own derivative is symmetric; that of what the printed program follows is not."""
    says("The program then follows the gradient of nothing")
    drawn = dense.draw([0], (2, 2, 1), "sigmoid")
    parts = [part.astype(float) for part in drawn.weights + drawn.biases]
    nets = dense.Networks(parts[:2], parts[2:], "sigmoid")

    def asymmetry(rule: dense.Rule) -> float:
        rows = []
        for part in parts:
            for i in np.ndindex(part.shape):
                here, found = part[i], []
                for nudge in (1e-5, -1e-5):
                    part[i] = here + nudge
                    weights, biases = dense.backward(nets, dense.forward(nets, XOR.x), XOR.y, rule)
                    found.append(dense.flat(weights + biases)[0])
                part[i] = here
                rows.append((found[0] - found[1]) / 2e-5)
        second = np.array(rows)
        return float(np.abs(second - second.T).max())

    assert asymmetry(dense.Rule()) < 1e-8
    assert asymmetry(dense.Rule(bias_mean=True)) > 0.1


def test_how_far_to_nudge(monkeypatch: pytest.MonkeyPatch) -> None:
    says(
        "the error of the slope then shrinks with $\\varepsilon^2$ instead of $\\varepsilon$",
        "choose $\\varepsilon$ around $10^{-5}$",
    )
    says("a smaller one subtracts two losses that agree in nearly all of their digits")
    nets = dense.draw([0], (2, 2, 1), "sigmoid")
    weights, biases = dense.backward(nets, dense.forward(nets, XOR.x), XOR.y, dense.Rule())
    errors = {}
    for power in (-1, -2, -5, -8, -12):
        monkeypatch.setattr(dense, "NUDGE", 10.0**power)
        errors[power] = np.abs(dense.measured(nets, XOR.x, XOR.y)[0] - dense.flat(weights + biases)[0]).max()
    assert errors[-1] / errors[-2] == pytest.approx(100, rel=0.1)
    assert errors[-5] < errors[-8] / 10 < errors[-12] / 100 and errors[-5] < errors[-2] / 1000


def test_the_kink() -> None:
    says(
        "at $z = 0$ a ReLU has no slope, and a nudge across it finds the mean of the slopes on both sides",
        "the sentence says so",
    )
    assert "kink" in log(activation="relu")[0].text
    nets = dense.draw([0], (2, 2, 1), "relu")
    origin, label = np.zeros((1, 2)), np.ones((1, 1))
    slope = dense.measured(nets, origin, label)[0][6:8]  # of the hidden biases
    told = (dense.forward(nets, origin).values[-1] - label)[0, 0] * nets.weights[1][0, :, 0]
    np.testing.assert_allclose(slope, told / 2, rtol=1e-4)


def test_wrong_gradients_learn() -> None:
    says("two programs learn from wrong gradients: one path instead of all, and averaged biases.")
    assert log(one_path=True, layers=2, hidden=4)[-1].right == 4
    assert log(bias_mean=True, seed=3)[-1].right == 4
