"""The digits and their network: against scikit-learn, and against torch's own modules."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from native.learning.post_training_quantization import cnn
from native.models.digits import Digits, read_digits, split


@pytest.fixture(scope="module")
def network(trained: tuple[cnn.Weights, Digits]) -> cnn.Weights:
    return trained[0]


@pytest.fixture(scope="module")
def digits(trained: tuple[cnn.Weights, Digits]) -> Digits:
    return trained[1]


def test_digits_are_those_of_scikit_learn() -> None:
    from sklearn.datasets import load_digits

    images, labels = read_digits()
    theirs = load_digits()
    np.testing.assert_array_equal(images, theirs.images)
    np.testing.assert_array_equal(labels, theirs.target)


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_no_image_is_both_trained_on_and_held_out(seed: int) -> None:
    digits = split(np.random.default_rng(seed))
    assert not set(digits.train_rows) & set(digits.test_rows)
    assert len(digits.train_rows) + len(digits.test_rows) == 1797
    _, labels = read_digits()
    for digit in range(10):  # stratified: a quarter of every digit
        held_out = int((digits.test_labels == digit).sum())
        assert abs(held_out / np.count_nonzero(labels == digit) - 0.25) < 0.005


def test_the_network_is_what_torch_modules_compute_in_float32(network: cnn.Weights, digits: Digits) -> None:
    """Summed in float64 or in float32, the scores agree and the digits are the same."""
    from torch import nn

    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10),
    )  # fmt: skip
    with torch.no_grad():
        for module, name in zip((model[0], model[2], model[6], model[8]), cnn.LAYERS, strict=True):
            module.weight.copy_(network[name][0])
            module.bias.copy_(network[name][1])
        ours, theirs = cnn.outputs(network, digits.test_images)["fc2"], model(digits.test_images.float())
        torch.testing.assert_close(ours.float(), theirs, rtol=1e-4, atol=1e-4)
        assert torch.equal(ours.argmax(1), theirs.argmax(1))
        # The wrong baseline: the same modules without the first two ReLUs.
        bare = model[:1].append(model[2]).extend(model[4:])
        ours, theirs = cnn.outputs(network, digits.test_images, False)["fc2"], bare(digits.test_images.float())
        assert torch.equal(ours.argmax(1), theirs.argmax(1))


def test_a_training_step_is_that_of_torchs_sgd() -> None:
    digits, ours = split(np.random.default_rng(0)), cnn.initial(np.random.default_rng(3))
    theirs = {name: tuple(t.clone().requires_grad_() for t in pair) for name, pair in ours.items()}
    parameters = [t for pair in theirs.values() for t in pair]
    optimizer = torch.optim.SGD(parameters, lr=0.05, momentum=cnn.MOMENTUM)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=-(-len(digits.train_labels) // 32))
    order = torch.from_numpy(np.random.default_rng(4).permutation(len(digits.train_labels)))
    for step, progress in enumerate(cnn.train(ours, digits, 1, 0.05, 32, np.random.default_rng(4))):
        rows = order[step * 32 :][:32]
        optimizer.zero_grad()
        scores = cnn.outputs(theirs, digits.train_images[rows])["fc2"]
        loss = torch.nn.functional.cross_entropy(scores, digits.train_labels[rows])
        loss.backward()
        optimizer.step()
        schedule.step()
        assert progress.loss == pytest.approx(loss.item(), rel=1e-9)
        if step == 9:
            break
    for name in cnn.LAYERS:
        torch.testing.assert_close(ours[name][0], theirs[name][0].detach(), rtol=1e-9, atol=1e-12)
