"""Training on our own tensors, beside PyTorch from the same weights with the same batches, and scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
import torch
from extent import upto
from labs.contract import LabError
from labs.models.tensor.tensor import tensor
from labs.tensors import mlp_digits
from labs.tensors.mlp_digits import SHOWN, Params, Picture, course_of, kept, run
from labs.tensors.mlp_digits.digits import digits
from labs.tensors.mlp_digits.drawings import EXAMPLES, read
from labs.tensors.mlp_digits.network import cost, cross_entropy, drawn
from labs.tensors.mlp_digits.training import Course, Moment, parts, train
from native.models import torch_threads
from sklearn.metrics import confusion_matrix, log_loss
from torch.nn import functional as F  # noqa: N812, torch's own convention

ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh, "sigmoid": torch.sigmoid}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with torch_threads.one_thread():
        yield


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def last(**params: Any) -> Picture:
    return pictures(**params)[-1]


class Twin:
    """The same training in PyTorch; after every step its weights are rounded to float32 as ours are."""

    def __init__(self, course: Course) -> None:
        self.course = course
        rng = np.random.default_rng(course.seed)
        self.learned, self.held_out, _ = parts(course, rng)
        ours = drawn(course.hidden, course.activation, course.first, rng)
        self.parameters = [torch.tensor(each.array.copy(), requires_grad=True) for each in ours.parameters]
        rule, rate = course.rule, course.rate
        self.optimizer: torch.optim.Optimizer = (
            torch.optim.Adam(self.parameters, rate)
            if rule == "adam"
            else torch.optim.SGD(self.parameters, rate, momentum=0.9 if rule == "momentum" else 0)
        )
        self.rng = rng

    def hidden(self, pixels: np.ndarray) -> torch.Tensor:
        w1, b1, _, _ = self.parameters
        return ACTIVATIONS[self.course.activation](torch.from_numpy(pixels) @ w1 + b1)

    def scores(self, pixels: np.ndarray) -> torch.Tensor:
        _, _, w2, b2 = self.parameters
        return self.hidden(pixels) @ w2 + b2

    def batches(self) -> Iterator[np.ndarray]:
        n = len(self.learned)
        for _ in range(self.course.epochs):
            order = self.rng.permutation(n)
            if self.course.sorted_batches:
                order = np.argsort(self.learned.labels, kind="stable")
            yield from np.split(order, range(self.course.batch, n, self.course.batch))

    def train(self) -> Iterator[None]:
        for rows in self.batches():
            if not self.course.keep_gradients:
                self.optimizer.zero_grad()
            pixels = self.course.pixels(self.learned.images[rows])
            F.cross_entropy(self.scores(pixels), torch.from_numpy(self.learned.labels[rows])).backward()
            self.optimizer.step()
            with torch.no_grad():
                for each in self.parameters:
                    each.copy_(each.float().double())
            yield


COURSES = [
    Course(),
    Course(seed=7, hidden=5, activation="tanh", batch=64),
    Course(seed=8, activation="sigmoid", rule="adam", rate=0.01, batch=16, epochs=3),
    Course(seed=9, rule="plain", rate=0.3, first="tiny", hidden=64, epochs=4),
    Course(seed=10, first="huge", split="last", held_out=0.4, epochs=4),
    Course(seed=11, batch=2048, epochs=12, leak=True),
    Course(seed=12, keep_gradients=True, rate=0.01, epochs=4),
    Course(seed=13, sorted_batches=True, epochs=3),
    Course(seed=14, raw_pixels=True, rate=0.003, batch=128, epochs=5),
    Course(seed=15, first="zeros", epochs=2),
]


@pytest.mark.parametrize("course", COURSES, ids=lambda course: str(course.seed))
def test_every_moment_is_that_of_pytorch(course: Course) -> None:
    twin = Twin(course)
    training, done = twin.train(), 0
    for moment in train(course):
        while done < moment.step:
            next(training)
            done += 1
        compare(moment, twin)
    assert done == moment.step == moment.steps
    assert next(training, "over") == "over"


def compare(moment: Moment, twin: Twin) -> None:
    for mine, theirs in zip(moment.network.parameters, twin.parameters, strict=True):
        np.testing.assert_allclose(mine.array, theirs.detach().numpy(), rtol=1e-6, atol=1e-9)
    look, course = moment.looks[-1], twin.course
    for images, loss, right in (
        (twin.learned, look.train_loss, look.train_right),
        (twin.held_out, look.held_out_loss, look.held_out_right),
    ):
        scores = twin.scores(course.pixels(images.images)).detach()
        labels = torch.from_numpy(images.labels)
        assert loss == pytest.approx(float(F.cross_entropy(scores, labels)), rel=1e-6)
        assert right == pytest.approx(float((scores.argmax(1) == labels).double().mean()))
    if moment.step:
        for name, parameter in (("gradient_first", 0), ("gradient_second", 2)):
            slope = twin.parameters[parameter].grad
            assert slope is not None
            assert getattr(look, name) == pytest.approx(float(slope.norm()), rel=1e-6, abs=1e-12)


def test_a_picture_counts_as_scikit_learn_does() -> None:
    for params in (
        {"epochs": 2},
        {"epochs": 4, "hidden": 4, "seed": 3},
        {"epochs": 2, "first": "zeros", "held_out": 10},
        {"epochs": 3, "split": "last", "leak": True},
    ):
        course = course_of(Params(**params))
        for moment, shown in zip(train(course), pictures(**params), strict=True):
            truth, answers = moment.held_out.labels, moment.chances.argmax(1)
            np.testing.assert_array_equal(shown.confusion, confusion_matrix(truth, answers, labels=range(10)))
            assert shown.correct == np.trace(shown.confusion) == (truth == answers).sum()
            assert shown.held_out_loss[-1] == pytest.approx(log_loss(truth, moment.chances), rel=1e-5)
            assert shown.held_out_accuracy[-1] == pytest.approx(shown.correct / shown.held_out_images)
            assert shown.leaked_images == moment.leaked.sum()
            assert shown.leaked_correct == (truth == answers)[moment.leaked].sum()


def test_what_is_misread_is_shown() -> None:
    for shown in pictures(hidden=6):
        off = shown.confusion.copy()
        np.fill_diagonal(off, 0)
        seen = np.zeros_like(off)
        np.add.at(seen, (shown.missed_truth, shown.missed_answer), 1)
        np.testing.assert_array_equal(seen, np.minimum(off, SHOWN))
        assert (np.diff(shown.missed_chance) <= 0).all(), "the surest come first"
    images, labels = digits().images, digits().labels
    truth_of = {bytes(image): label for image, label in zip(images, labels, strict=True)}
    for image, truth in zip(shown.missed_images, shown.missed_truth, strict=True):
        assert truth_of[bytes(image)] == truth


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("raw_pixels", [False, True])
def test_a_drawing_gets_the_scores_of_pytorch(name: str, raw_pixels: bool) -> None:
    params = Params(drawing=EXAMPLES[name], raw_pixels=raw_pixels, epochs=2, learning_rate=0.01)
    *_, shown = run(params)
    twin = Twin(course_of(params))
    for _ in twin.train():
        pass
    scores = twin.scores(course_of(params).pixels(read(EXAMPLES[name])[None])).detach()[0]
    np.testing.assert_allclose(shown.drawing_scores, scores, rtol=1e-6)
    np.testing.assert_allclose(shown.drawing_chances, scores.softmax(0), rtol=1e-5, atol=1e-30)
    assert shown.drawing_answer == int(scores.argmax())
    hidden = twin.hidden(course_of(params).pixels(read(EXAMPLES[name])[None])).detach()[0]
    np.testing.assert_allclose(shown.drawing_hidden, hidden, rtol=1e-6, atol=1e-30)
    votes = twin.parameters[2].detach().T * hidden
    np.testing.assert_allclose(votes.sum(1) + twin.parameters[3].detach(), scores, rtol=1e-9)
    assert shown.vote_reach == pytest.approx(float(votes.abs().max()))
    np.testing.assert_allclose((shown.votes - 128.0) / 127 * shown.vote_reach, votes, atol=shown.vote_reach / 253)
    assert shown.drawing.tolist() == read(EXAMPLES[name]).tolist()


def test_a_drawing_changes_nothing_but_its_reading() -> None:
    mlp_digits._newest.clear()
    for one, other in zip(pictures(), pictures(drawing=EXAMPLES["six"]), strict=True):
        assert one.drawing.tolist() != other.drawing.tolist()
        for name in ("step", "correct", "kept_bytes"):
            assert getattr(one, name) == getattr(other, name)
        np.testing.assert_array_equal(one.held_out_loss, other.held_out_loss)
        np.testing.assert_array_equal(one.weights, other.weights)


def test_the_training_that_is_kept_is_the_one_that_a_run_comes_to() -> None:
    """What a drawing shows with the lab's own settings nobody has trained for; it is the same, but for the order
    in which a machine's BLAS adds."""
    course = course_of(Params())
    for kept_one, trained in zip(kept.moments(course), train(course), strict=True):
        for one, other in zip(kept_one.looks, trained.looks, strict=True):
            np.testing.assert_allclose(astuple(one), astuple(other), rtol=1e-9)
        assert (kept_one.step, kept_one.steps, kept_one.per_epoch) == (
            trained.step,
            trained.steps,
            trained.per_epoch,
        )
        np.testing.assert_allclose(kept_one.cost, trained.cost, rtol=1e-9)
        for mine, theirs in zip(kept_one.network.parameters, trained.network.parameters, strict=True):
            np.testing.assert_allclose(mine.array, theirs.array, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(kept_one.chances, trained.chances, rtol=1e-12)


def test_a_drawing_never_waits_for_a_training(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_training(_: Course) -> Iterator[Moment]:
        raise AssertionError("it trains")

    monkeypatch.setattr(mlp_digits, "train", no_training)
    mlp_digits._newest.clear()
    assert len(pictures(drawing="........ " * 8)) == 41
    mlp_digits._newest.clear()
    with pytest.raises(AssertionError, match="it trains"):
        pictures()  # who asks for the lab's own run sees a training


def test_only_a_whole_training_is_kept() -> None:
    mlp_digits._newest.clear()
    for shown in run(Params(epochs=1)):
        if shown.step:
            break
    assert not mlp_digits._newest
    whole = pictures(epochs=1)
    assert [shown.step for shown in pictures(epochs=1)] == [shown.step for shown in whole]
    pictures(epochs=1, seed=5)
    assert [course.seed for course in mlp_digits._newest] == [5]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has 8 rows with a space between them, and this one has 0"),
        ("........ " * 7, "this one has 7"),
        ("........ " * 7 + "...", r"Row 8 of the drawing, \.\.\., has 3 pixels instead of 8"),
        ("........ " * 7 + ".......x", "'x' in row 8 of the drawing is no ink"),
        ("........ " * 7 + ".......h", "'h' in row 8"),
    ],
)
def test_what_is_no_drawing_is_refused_with_advice(text: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        pictures(drawing=text)


def test_a_drawing_may_be_written_in_several_ways() -> None:
    plain = EXAMPLES["four"]
    for other in (plain.replace(".", "0"), plain.upper(), plain.replace(" ", "\n"), plain.replace(" ", "")):
        assert read(other).tolist() == read(plain).tolist()
    assert read(".123456789abcdefg" + "." * 47).tolist()[:17] == [*range(17)]


@pytest.mark.parametrize(("hidden", "batch"), [(32, 32), (5, 7), (64, 1)])
def test_what_a_step_costs_is_what_pytorch_counts(hidden: int, batch: int) -> None:
    from torch.utils.flop_counter import FlopCounterMode

    rng = np.random.default_rng(0)
    network, pixels = drawn(hidden, "relu", "he", rng), rng.random((batch, 64))
    labels = rng.integers(0, 10, batch)
    multiplications, operations, kept = cost(network, tensor(pixels), labels)
    w1, b1, w2, b2 = (torch.tensor(each.array.copy(), requires_grad=True) for each in network.parameters)
    with FlopCounterMode(display=False) as counter:
        hidden_layer = torch.relu(torch.from_numpy(pixels) @ w1 + b1)
        F.cross_entropy(hidden_layer @ w2 + b2, torch.from_numpy(labels)).backward()
    assert 2 * multiplications == counter.get_total_flops()
    assert kept >= 8 * batch * hidden  # at least what the hidden layer puts out
    assert operations == len(set(tape(cross_entropy(network.scores(tensor(pixels)), labels).origin)))


def tape(operation: Any) -> list[Any]:
    """Every operation that computed something, by walking in depth."""
    if operation is None or not operation.edges:
        return []
    return [operation, *(each for edge in operation.edges for each in tape(edge))]


def test_the_stages_follow_each_other() -> None:
    shown = pictures(epochs=2, batch=2048)
    assert [each.stage for each in shown] == ["untrained", "learning", "trained"]
    assert [each.step for each in shown] == [0, 1, 2] == shown[-1].at.tolist()
    for each in shown:
        assert len(each.at) == len(each.train_loss) == len(each.batch_low) == len(each.gradient_second)
        assert (each.weights != 128).any() and each.weights.shape == (48, 64)
        assert each.parameters == 64 * 48 + 48 + 48 * 10 + 10
    np.testing.assert_allclose(shown[-1].batch_low, shown[-1].batch_high)


def test_what_it_reaches() -> None:
    """The issue's number: with the defaults at least 95 of 100 held-out digits, whatever the seed."""
    rights = [last(seed=seed).held_out_accuracy[-1] for seed in upto(3, 8)]
    assert min(rights) >= 0.95
    assert np.mean(rights) >= 0.97
