"""Exponents from bit fields, gradients from a backward pass in NumPy, and the scale from GradScaler's rules."""

from __future__ import annotations

import random
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
from native.models.torch_threads import one_thread
from native.pytorch.mixed_precision import Params, Traced, Trained, run
from native.pytorch.mixed_precision.network import BATCH, RATE, Batches, Network, flat
from native.pytorch.mixed_precision.pictures import FORMATS, HIGH, LOW
from native.pytorch.mixed_precision.tally import binades, tally
from native.pytorch.mixed_precision.training import Training
from numpy.typing import NDArray
from torch import nn

Array = NDArray[Any]
NUMPY: dict[str, tuple[Any, Any, int, int]] = {
    "float16": (np.float16, np.uint16, 10, 15),
    "bfloat16": (ml_dtypes.bfloat16, np.uint16, 7, 127),
    "float32": (np.float32, np.uint32, 23, 127),
}
"""dtype, its bits, digits of the fraction, bias of the exponent"""


def by_bits(values: Array, name: str) -> tuple[list[int], dict[str, int]]:
    """The exponents of numbers in a format and what else they are, from the fields of their bits."""
    dtype, bits, digits, bias = NUMPY[name]
    with np.errstate(over="ignore"):
        codes = values.astype(dtype).view(bits).astype(np.int64)
    fraction = codes & ((1 << digits) - 1)
    field = (codes >> digits) & (2 * bias + 1)
    bins = [0] * (HIGH - LOW)
    for f, e in zip(fraction.tolist(), field.tolist(), strict=True):
        if e == 2 * bias + 1 or (e == 0 and f == 0):
            continue
        exponent = e - bias if e else f.bit_length() - bias - digits
        bins[min(max(exponent, LOW), HIGH - 1) - LOW] += 1
    top = field == 2 * bias + 1
    found = {
        "zero": (field == 0) & (fraction == 0),
        "subnormal": (field == 0) & (fraction != 0),
        "infinite": top & (fraction == 0),
        "nan": top & (fraction != 0),
    }
    return bins, {key: int(each.sum()) for key, each in found.items()}


@pytest.mark.parametrize("name", NUMPY)
def test_a_tally_is_what_the_bits_say(name: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        with np.errstate(over="ignore"):
            drawn = np.ldexp(rng.normal(size=400), rng.integers(-160, 140, 400)).astype(np.float32)
        drawn[:4] = [0, np.inf, -np.inf, np.nan]
        values = torch.from_numpy(drawn).to(getattr(torch, name))
        bins, kinds = by_bits(drawn, name)
        found = tally(values, torch.from_numpy(drawn).double(), FORMATS[name])
        assert found.bins == bins and found.count == 400
        assert (found.subnormal, found.infinite, found.nan) == (
            kinds["subnormal"],
            kinds["infinite"],
            kinds["nan"],
        )
        assert found.lost == kinds["zero"] - int((drawn == 0).sum())


def test_formats_are_those_of_torch() -> None:
    for name, of in FORMATS.items():
        info = torch.finfo(getattr(torch, name))
        assert 2.0**of.normal == info.tiny
        assert 2.0**of.smallest == info.tiny * info.eps
        assert 2.0 ** (of.end - 1) < info.max < 2.0**of.end


def backward(weights: list[Array], images: Array, labels: Array, divisor: float) -> tuple[list[Array], float]:
    """Gradients of all weights and biases, and the loss, by hand."""
    taken, x = list[Array](), images
    for n in range(0, len(weights), 2):
        taken.append(x)
        scores = x @ weights[n].T + weights[n + 1]
        x = np.maximum(scores, 0)
    odds = np.exp(scores - scores.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.log(odds[rows, labels]).mean()
    odds[rows, labels] -= 1
    g = odds / len(labels) / divisor
    found = list[Array]()
    for n in reversed(range(0, len(weights), 2)):
        found[:0] = [g.T @ taken[n // 2], g.sum(0)]
        g = (g @ weights[n]) * (taken[n // 2] > 0)
    return found, float(loss)


def drawn(many: int, **fixed: Any) -> list[Params]:
    draw = random.Random(14)
    return [
        Params(
            **{
                "precision": draw.choice(["float32", "bfloat16", "float16", "float16"]),
                "scaling": draw.choice(["none", "static", "dynamic"]),
                "exponent": draw.randint(0, 40),
                "growth": draw.randint(1, 8),
                "share": draw.randint(0, 20),
                "master": draw.random() < 0.6,
                "steps": 8,
                "seed": draw.randint(0, 9999),
            }
            | fixed
        )
        for _ in range(many)
    ]


def exponents(values: Array) -> list[int]:
    found = np.floor(np.log2(np.abs(values[values != 0])))
    return np.bincount((np.clip(found, LOW, HIGH - 1) - LOW).astype(int), minlength=HIGH - LOW).tolist()


def test_gradients_are_counted_against_those_by_hand() -> None:
    with one_thread():
        for params in drawn(6, scaling="none"):
            training, batches = Training(params), Batches(params.seed)
            for _ in range(3):
                weights = [each.detach().double().numpy().copy() for each in training.weights]
                images, labels = (each.numpy() for each in batches.next())
                right, loss = backward(weights, images, labels, 2.0**params.share)
                all_right = np.concatenate([each.ravel() for each in right])
                event = Trained(**training.step())
                ours = flat([each.grad for each in training.weights if each.grad is not None]).numpy()
                gap = sum(abs(a - b) for a, b in zip(event.expected, exponents(all_right), strict=True))
                assert gap <= 4  # an exact power of two may fall on either side
                assert abs(event.gradients.lost - int(((ours == 0) & (np.abs(all_right) > 1e-30)).sum())) <= 4
                assert event.gradients.bins == by_bits(ours, "float32")[0]
                assert event.loss[-1] == pytest.approx(loss, rel=0.03)
                master = np.concatenate([each.ravel() for each in weights])
                assert event.weights.bins == by_bits(master, params.precision)[0]
                close = np.abs(all_right) > 64 * 2.0 ** FORMATS[params.precision].normal
                if close.any() and params.precision != "bfloat16":
                    wrong = np.linalg.norm(ours[close] - all_right[close]) / np.linalg.norm(all_right[close])
                    assert wrong < 0.02


def test_the_scale_follows_the_rules_of_gradscaler() -> None:
    for params in drawn(8, scaling="dynamic"):
        scale, tracker, skipped = params.exponent, 0, 0
        for event in run(params):
            if isinstance(event, Traced):
                continue
            assert event.scale[-1] == scale
            if event.gradients.infinite + event.gradients.nan:
                scale, tracker, skipped = scale - 1, 0, skipped + 1
            else:
                tracker += 1
                if tracker == params.growth:
                    scale, tracker = scale + 1, 0
            assert (event.now, event.tracker, event.skipped) == (scale, tracker, skipped)
            assert (event.stage == "skipped") == (skipped > 0 and tracker == 0 and event.scale[-1] > scale)


def plain(params: Params) -> list[tuple[float, float, int]]:
    """The loop as the documentation of torch.amp writes it: loss, scale and growth tracker after each step."""
    layers = Network(params.seed).layers
    relus = [each for layer in layers for each in (layer, nn.ReLU())][:-1]
    model, batches = nn.Sequential(*relus), Batches(params.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    enabled = params.scaling == "dynamic"
    scaler = torch.amp.GradScaler(
        "cpu", init_scale=2.0**params.exponent, growth_interval=params.growth, enabled=enabled
    )
    found = []
    for _ in range(params.steps):
        images, labels = batches.next()
        optimizer.zero_grad()
        on = params.precision != "float32"
        with torch.autocast("cpu", getattr(torch, params.precision), enabled=on):
            loss = nn.functional.cross_entropy(model(images.float()), labels)
        scaler.scale(loss / 2.0**params.share).backward()
        scaler.step(optimizer)
        scaler.update()
        state = scaler.state_dict()
        found.append((loss.item(), state.get("scale", 1.0), state.get("_growth_tracker", 0)))
    return found


def test_the_run_is_that_of_the_documented_loop() -> None:
    with one_thread():
        for params in [Params(steps=20), Params(scaling="dynamic", exponent=36, steps=12), *drawn(5, master=True)]:
            if params.scaling == "static":
                continue
            events = [each for each in run(params) if isinstance(each, Trained)]
            for event, (loss, scale, tracker) in zip(events, plain(params), strict=True):
                np.testing.assert_equal(event.loss[-1], np.float32(loss))
                assert (2.0**event.now, event.tracker) == (scale, tracker)
        twin = plain(Params(precision="float32", steps=20))
        assert [each[0] for each in twin] == pytest.approx(list(run(Params(steps=20)))[-1].reference, rel=1e-6)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", NUMPY)
def test_which_operations_are_lowered(name: Any) -> None:
    first = next(iter(run(Params(precision=name))))
    assert isinstance(first, Traced)
    dtype = getattr(torch, name)
    with torch.autocast("cpu", dtype, enabled=name != "float32"):
        x = nn.functional.linear(torch.rand(3, 4), torch.rand(2, 4))
        loss = nn.functional.cross_entropy(x, torch.tensor([0, 1, 0]))
    assert x.dtype == dtype and loss.dtype == torch.float32
    # Four layers, three ReLU; of the loss a logarithm of softmax and a mean. Cast: images, weights, biases, scores.
    expected = (7, 2, 10) if name != "float32" else (0, 9, 0)
    assert (first.lowered, first.kept, first.casts) == expected
    assert [each.gives for each in first.operations if each.name == "addmm"] == [name] * 4


def test_weights_in_the_format_swallow_updates() -> None:
    for params in drawn(4, master=False, scaling="none"):
        training = Training(params)
        for _ in range(3):
            old = flat(training.weights).numpy().copy()
            event = Trained(**training.step())
            new = flat(training.weights).numpy()
            dtype = NUMPY[params.precision][0]
            assert np.array_equal(new, new.astype(dtype).astype(np.float32))
            assert event.swallowed <= int((new == old).sum())
    assert all(each.swallowed == 0 for each in run(Params(steps=5)) if isinstance(each, Trained))
    last = list(run(Params(precision="bfloat16", master=False, steps=12)))[-1]
    assert isinstance(last, Trained) and last.swallowed > 800


def test_an_infinity_nobody_looks_for() -> None:
    events = [each for each in run(Params(scaling="static", exponent=36, steps=4)) if isinstance(each, Trained)]
    assert [each.stage for each in events] == ["broken"] * 4
    assert np.isfinite(events[0].loss[0]) and np.isnan(events[-1].loss[1:]).all()
    assert BATCH == 128 and binades(torch.tensor([0.0, torch.nan, torch.inf])) == [0] * (HIGH - LOW)
