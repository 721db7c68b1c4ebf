"""What the article on a two-layer network says of a step, its cost, where to begin, and mistakes."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
import torch
from extent import chosen, upto
from labs.models.tensor.tensor import tensor
from labs.tensors.mlp_digits.network import Network, cross_entropy, drawn
from labs.tensors.mlp_digits.training import Course, parts, train
from two_layer_network_article import last, moments, pictures, recorded, says, wrong

pytestmark = pytest.mark.xdist_group("two-layer network")  # trainings are shared within a worker


def test_the_shapes_of_a_step() -> None:
    says("w1 is [64, 48], b1 is [48]", "48 hidden neurons")
    network = moments()[0].network
    assert [each.shape for each in network.parameters] == [(64, 48), (48,), (48, 10), (10,)]
    assert network.hidden(tensor(np.zeros((5, 64)))).shape == (5, 48)


def test_the_formulas_of_the_way_back() -> None:
    says(r"\frac{\partial L}{\partial W_2}", r"p_k - [k = \text{truth}]")
    rng = np.random.default_rng(0)
    h, w, b = (torch.tensor(rng.normal(size=shape), requires_grad=True) for shape in ((7, 48), (48, 10), (10,)))
    labels = torch.from_numpy(rng.integers(0, 10, 7))
    scores = h @ w + b
    torch.nn.functional.cross_entropy(scores, labels, reduction="sum").backward()
    slope = scores.detach().softmax(1)
    slope[torch.arange(7), labels] -= 1
    assert h.grad is not None and w.grad is not None and b.grad is not None
    torch.testing.assert_close(w.grad, h.detach().T @ slope)
    torch.testing.assert_close(h.grad, slope @ w.detach().T)
    torch.testing.assert_close(b.grad, slope.sum(0))


def test_what_a_step_costs() -> None:
    says(
        "a little more than half of them in the backward pass",
        "In the backward pass, the second layer takes twice its share",
    )
    forth, back = 64 * 48 + 48 * 10, 64 * 48 + 2 * 48 * 10
    assert recorded()["multiplications"] == 64 * (forth + back)
    assert forth < back < 1.2 * forth
    says("numbers of eight bytes", "more than twenty times the weights")
    assert recorded("whole_batch")["kept_bytes"] > 20 * 8 * recorded()["parameters"]
    says("most of them $h$", "$h$ for the product with $W_2$, and a small one for the loss")
    hidden, logarithms = 64 * 48, 64 * 10
    assert recorded()["kept_bytes"] == 8 * (hidden + logarithms)


@pytest.mark.alone
def test_a_step_is_mostly_python() -> None:
    says("Most of the time of a step does not go into multiplying")
    rng = np.random.default_rng(0)
    x, w1, h, w2, slope = (rng.random(shape) for shape in ((64, 64), (64, 48), (64, 48), (48, 10), (64, 10)))

    def products() -> None:
        for _ in range(22):
            for a, b in ((x, w1), (h, w2), (h.T, slope), (slope, w2.T), (x.T, h)):
                a @ b

    def seconds(work: Any) -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    multiplying = min(seconds(products) for _ in range(5))
    an_epoch = min(seconds(lambda: list(train(Course(epochs=1)))) for _ in range(3))
    assert multiplying < an_epoch / 3


def test_where_exponentials_end() -> None:
    says("In float32 $e^{89}$ is too big already, in float64 $e^{710}$", "infinity over infinity is not a number")
    with np.errstate(all="ignore"):
        assert np.isfinite(np.exp(np.float32(88))) and np.isinf(np.exp(np.float32(89)))
        assert np.isfinite(np.exp(np.float64(709))) and np.isinf(np.exp(np.float64(710)))
        assert np.isnan(np.float64(np.inf) / np.float64(np.inf))
    says("in the very first batch there are scores whose $e^s$ is too large for float32")
    says("the loss is merely above 100, and the training recovers")
    for seed in range(3):
        first = next(train(Course(first="huge", seed=seed)))
        scores = first.network.scores(tensor(Course().pixels(first.learned.images[:64]))).array
        assert scores.max() > 89
    huge = pictures(first="huge")
    assert huge[0].train_loss[0] > 100 and huge[-1].correct > 0.8 * huge[-1].held_out_images


def test_guessing() -> None:
    says(r"a loss of $\ln 10 \approx 2.303$", "which is worse: it guesses at random, and it bets on its guesses")
    assert math.log(10) == pytest.approx(2.303, abs=5e-4)
    assert recorded()["held_out_loss"][0] > math.log(10)
    assert moments()[0].chances.max(1).mean() > 0.2


def test_he_hands_on_what_was_given() -> None:
    says("a layer passes on numbers as large as it was given")
    rng = np.random.default_rng(0)
    given = rng.normal(size=(2000, 64))
    sums = given @ rng.normal(0, math.sqrt(2 / 64), (64, 4000))
    assert (np.maximum(sums, 0) ** 2).mean() == pytest.approx((given**2).mean(), rel=0.03)


def test_first_weights() -> None:
    he, tiny, zeros = (pictures(first=first) for first in ("he", "tiny", "zeros"))
    says("the loss starts at $\\ln 10$ almost exactly", "both gradients are more than a hundred times shorter")
    assert tiny[0].train_loss[0] == pytest.approx(math.log(10), abs=1e-4)
    for seed in range(3):
        assert (slopes(Course(seed=seed)) > 100 * slopes(Course(seed=seed, first="tiny"))).all()
    says("The network loses some steps at the start, then it learns.")
    assert tiny[5].correct < he[5].correct and tiny[-1].correct > 0.95 * he[-1].correct
    says("still makes several times as many mistakes on held-out digits")
    for seed in upto(1, 3):
        assert wrong(first="huge", seed=seed) > 2.5 * wrong(seed=seed)
    says(
        "Look at the third chart: there is nothing in it.",
        "what it learns nevertheless, is [an exercise](#all-zero)",
    )
    assert not np.nan_to_num(zeros[-1].gradient_first).any() and not np.nan_to_num(zeros[-1].gradient_second).any()
    changed = [bool(each.array.any()) for each in moments(first="zeros")[-1].network.parameters]
    assert changed == [False, False, False, True]
    says("No error is reported.")
    assert zeros[-1].correct == pytest.approx(zeros[-1].held_out_images / 10, rel=0.1)


def slopes(course: Course) -> np.ndarray:
    """How long the gradients of both matrices are before the first step, over all that is learned from."""
    begin = next(train(course))
    network = Network([each.require_grad() for each in begin.network.parameters], course.activation)
    cross_entropy(network.scores(tensor(course.pixels(begin.learned.images))), begin.learned.labels).backward()
    found = [each.grad for each in network.parameters]
    return np.array([np.linalg.norm(each.array) for each in (found[0], found[2]) if each is not None])


def test_batches() -> None:
    says("twenty epochs are twenty steps", "a batch four times as large halves the noise")
    whole = recorded("whole_batch")
    assert whole["steps"] == 20 and whole["correct"] < last().correct
    losses = {n: batch_losses(n) for n in (16, 64)}
    assert losses[16] / losses[64] == pytest.approx(2, rel=0.15)
    says("at this learning rate it does harm; a tenth of the rate cures that")
    for seed in chosen((0, 2), (0,)):
        assert (
            last(batch=8, seed=seed).held_out_loss[-1]
            > 1.5 * last(batch=8, learning_rate=0.01, seed=seed).held_out_loss[-1]
        )
    says("the loss on the training images ends many times as high")
    assert last(rule="plain").train_loss[-1] > 5 * last().train_loss[-1]
    says(
        "noise cancels over about ten steps, and a direction on which all steps agree adds up to ten times as much"
    )
    assert sum(0.9**n for n in range(200)) == pytest.approx(10)


def batch_losses(n: int) -> float:
    """How far the loss of a batch lies from that of all, of a network after a few steps."""
    moment = moments()[6]
    surprise = -np.log(moment.chances[np.arange(len(moment.held_out)), moment.held_out.labels])
    rng = np.random.default_rng(1)
    return float(np.std([rng.choice(surprise, n).mean() for _ in range(4000)]))


def test_mistakes() -> None:
    says("each of them leaves the network reading about one digit in ten, no better than a guess.")
    for mistake in ("keep_gradients", "sorted_batches", "raw_pixels"):
        found = last(**{mistake: True})
        assert found.correct == pytest.approx(found.held_out_images / 10, rel=0.1), mistake
    says("the network reads most digits, which is worse")
    small = last(keep_gradients=True, rule="plain", learning_rate=0.003)
    assert small.correct > 0.9 * small.held_out_images
    says("the gradients at the beginning are dozens of times as long")
    for seed in range(3):
        ratio = slopes(Course(seed=seed, raw_pixels=True)) / slopes(Course(seed=seed))
        assert (ratio > 24).all()
    says(
        "After a handful of such steps hardly any hidden neuron is above zero for any image, and in the end none is"
    )
    raw = moments(raw_pixels=True)
    fired = {each.step: (each.network.hidden(tensor(each.learned.images * 1.0)).array > 0).mean() for each in raw}
    assert min(share for step, share in fired.items() if step <= 5) < 0.02 and fired[440] == 0
    says("At a tenth of the rate it learns as well as before.")
    for seed in upto(1, 3):
        assert wrong(raw_pixels=True, learning_rate=0.01, seed=seed) <= wrong(seed=seed) + 8


def test_gradients_never_set_to_zero_are_momentum_of_one() -> None:
    says("momentum with a factor of 1, a ball without friction")
    course = Course(keep_gradients=True, rule="plain", rate=0.001, epochs=1)
    *_, ours = train(course)
    rng = np.random.default_rng(course.seed)
    learned, _, _ = parts(course, rng)
    weights = drawn(course.hidden, course.activation, course.first, rng).parameters
    w1, b1, w2, b2 = parameters = [torch.tensor(each.array.copy(), requires_grad=True) for each in weights]
    optimizer = torch.optim.SGD(parameters, course.rate, momentum=1)
    for rows in np.split(rng.permutation(len(learned)), range(course.batch, len(learned), course.batch)):
        optimizer.zero_grad()
        scores = torch.relu(torch.from_numpy(course.pixels(learned.images[rows])) @ w1 + b1) @ w2 + b2
        torch.nn.functional.cross_entropy(scores, torch.from_numpy(learned.labels[rows])).backward()
        optimizer.step()
    for mine, theirs in zip(ours.network.parameters, parameters, strict=True):
        np.testing.assert_allclose(mine.array, theirs.detach().numpy(), atol=1e-6)
