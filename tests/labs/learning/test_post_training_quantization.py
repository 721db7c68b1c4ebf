"""The digit network before and after rounding, as a lab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from extent import chosen
from labs.contract import LabError, pack, unpack
from labs.learning.uniform_quantization import Params as RoundingParams
from labs.learning.uniform_quantization import run as round_weights
from labs.models.proportion import wilson
from native.learning.post_training_quantization import (
    PICTURES,
    SAMPLES,
    Calibrated,
    Params,
    Quantized,
    Result,
    Training,
    cnn,
    run,
)
from native.models.digits import read_digits

DEFAULT = Params()
BOTH = {"weight_bits": 2, "activation_bits": 2, "granularity": "channel", "calibration": "percentile"}
MOVING = {"leads", "leads_rounded", "shift"}  # what is drawn of the same images again and again


@pytest.fixture(scope="module")
def events() -> list[Any]:
    return list(run(DEFAULT))


def test_pictures_come_in_order_and_are_whole(events: list[Any]) -> None:
    kinds = [event.kind for event in events]
    training = kinds.count("training")
    assert kinds == ["training"] * training + ["calibrated"] + ["quantized"] * 4 + ["result"]
    assert training >= PICTURES and len(events) <= 120
    for event in events:
        assert len(json.dumps(pack(event))) <= 64 * 1024
        assert event.text.endswith(".")
        assert event.kind != "training" or len(event.losses) == event.step
    for before in events[:-1]:  # the last picture repeats what all before it show
        common = {*pack(before)} & {*pack(events[-1])} - {"kind", "text", "epoch", "step", *MOVING}
        for name in common:
            ours, last = getattr(before, name), getattr(events[-1], name)
            if isinstance(ours, np.ndarray):
                np.testing.assert_array_equal(ours, last[: len(ours)])
            else:
                assert ours == last


def test_integers_read_as_well_as_float32_and_the_wrong_baseline_does_not(events: list[Any]) -> None:
    result: Result = events[-1]
    total = result.held_out_images
    assert total == 450 and result.train_images == 1347
    assert result.correct_float / total >= 0.95
    assert abs(result.correct_float - result.correct_integer) / total <= 0.015
    assert (result.correct_float - result.correct_without_relu) / total > 0.02
    assert result.loss_without_relu > 3 * result.loss_float
    assert result.correct_float == round(float(result.held_out_accuracy[-1]) * total)
    assert 3.9 < result.bytes_float.sum() / result.bytes_integer.sum() < 4
    assert np.all(result.output_sqnr > 30)
    assert np.all(result.accumulator_peak < 2**24)


def test_a_lead_above_none_is_an_answer_that_is_right(events: list[Any]) -> None:
    result: Result = events[-1]
    zero, scale = result.lead_zero, result.lead_scale
    ways = result.leads, result.leads_rounded, result.leads_without_relu
    assert [int((way > zero).sum()) for way in ways] == [
        result.correct_float,
        result.correct_integer,
        result.correct_without_relu,
    ]
    assert result.of_digit.sum() == len(result.leads) == result.held_out_images
    for event in events[1:]:
        if isinstance(event, Quantized | Result):
            apart = np.abs(event.leads.astype(int) - event.leads_rounded.astype(int)).max()
            assert scale * (apart - 1) < event.shift  # a code is one step off at most
        if event.kind != "training":
            np.testing.assert_array_equal(event.leads, result.leads)
    true = np.repeat(np.arange(10), result.of_digit)
    np.testing.assert_array_equal(true[result.sample_places], result.sample_labels)
    right = result.leads_rounded[result.sample_places] > zero
    np.testing.assert_array_equal(right, result.sample_integer == result.sample_labels)


def test_samples_are_the_hard_cases(events: list[Any]) -> None:
    result: Result = events[-1]
    assert result.sample_images.shape == (SAMPLES, 8, 8) and result.sample_images.max() <= 16
    answers = zip(result.sample_float, result.sample_integer, result.sample_labels, strict=True)
    sorts = [(before == true, after == true) for before, after, true in answers]
    order = [(True, False), (False, True), (False, False), (True, True)]  # spoiled, repaired, wrong in both, right
    assert sorts == sorted(sorts, key=order.index)
    images, labels = read_digits()
    for image, label in zip(result.sample_images, result.sample_labels, strict=True):
        assert label in labels[np.all(images == image, axis=(1, 2))]


def test_calibration_covers_what_it_saw(events: list[Any]) -> None:
    calibrated = next(event for event in events if isinstance(event, Calibrated))
    np.testing.assert_array_equal(calibrated.activation_range, calibrated.activation_max)
    assert not calibrated.activation_beyond.any()
    assert calibrated.activation_histograms.shape == (4, 64)
    pixels = {"image": 64, "conv1": 16 * 64, "conv2": 32 * 64, "fc1": 64}
    np.testing.assert_array_equal(
        calibrated.activation_histograms.sum(axis=1),
        [calibrated.calibration_images * pixels[name] for name in calibrated.activations],
    )


def test_the_shipped_weights_are_those_of_this_network(events: list[Any]) -> None:
    """The first fully connected layer is rounded alike here and in uniform_quantization."""
    layer = next(event for event in events if isinstance(event, Quantized) and event.layer == 2)
    *_, picture = round_weights(RoundingParams(source="network", bits=8))
    assert picture.sqnr == pytest.approx(float(layer.weight_sqnr[2]), rel=1e-5)


def test_two_runs_are_equal_and_leave_torch_as_it_was() -> None:
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    once, twice = ([pack(event) for event in run(Params(epochs=1))] for _ in range(2))
    assert once == twice
    assert torch.equal(torch.random.get_rng_state(), state) and torch.get_num_threads() == threads


def test_a_processor_with_other_instructions_gives_the_same_run(events: list[Any]) -> None:
    """torch, MKL and oneDNN are told to do without AVX: other kernels, another order of every sum."""
    code = """if True:
        import json
        from labs.contract import pack
        from native.learning.post_training_quantization import Params, run
        print(json.dumps([pack(event) for event in run(Params())]))
    """
    plain = {
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
    }
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | plain, capture_output=True, check=True)
    theirs = json.loads(done.stdout)
    ours = [pack(event) for event in events]
    assert [event["text"] for event in theirs] == [event["text"] for event in ours]
    for name, value in pack(events[-1]).items():
        if isinstance(value, dict):
            np.testing.assert_allclose(unpack(theirs[-1][name]), unpack(value), rtol=1e-6, atol=1e-9)
        else:
            assert theirs[-1][name] == (
                pytest.approx(value, rel=1e-6) if isinstance(value, float) else unpack(value)
            )


@pytest.mark.parametrize(
    "change",
    chosen(
        [
            {"weight_bits": 2},
            {"activation_bits": 2},
            BOTH,
            {"granularity": "channel"},
            {"calibration": "percentile"},
            {"scored": 20},
            {"calibration_images": 8},
            {"calibration_images": 256},
            {"learning_rate": 0.001},
            {"learning_rate": 0.2},
            {"seed": 2**31 - 1},
            {"epochs": 20},
        ],
        [BOTH, {"scored": 20}, {"calibration_images": 256}, {"learning_rate": 0.2}, {"epochs": 20}],
    ),
    ids=str,
)
def test_every_edge_runs(change: dict[str, Any]) -> None:
    *_, result = pictures = list(run(Params(**{"epochs": 1} | change)))
    assert {type(picture) for picture in pictures} == {Training, Calibrated, Quantized, Result}
    assert len(pictures) <= 120
    assert max(len(json.dumps(pack(picture))) for picture in pictures) <= 64 * 1024
    assert 0 <= result.correct_integer <= result.held_out_images


def test_fewer_images_leave_more_to_chance() -> None:
    few, every = ([*run(Params(epochs=1, scored=scored))][-1] for scored in (100, 450))
    assert (few.scored, every.scored) == (100, every.held_out_images)
    assert np.all(np.diff(few.interval, axis=1) > 1.5 * np.diff(every.interval, axis=1))
    for result in (few, every):
        counts = result.correct_float, result.correct_integer, result.correct_without_relu
        np.testing.assert_allclose(result.interval, [wilson(count, result.scored) for count in counts], rtol=1e-5)
    assert few.correct_float <= min(100, every.correct_float)
    scored = few.counted == 1
    assert scored.sum() == 100 and every.counted.all()
    assert few.correct_float == (few.leads[scored] > few.lead_zero).sum()


def test_a_percentile_clips_the_largest_activations() -> None:
    *_, whole = run(Params(epochs=1))
    *_, cut = run(Params(epochs=1, calibration="percentile"))
    assert np.all(cut.activation_range[1:] < whole.activation_range[1:])
    assert np.all(cut.activation_beyond < 0.0015)


def test_divergence_is_told_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def diverging(*_: Any) -> Any:
        yield cnn.Progress(epoch=1, step=1, loss=float("nan"), correct=0, size=32, leads=None)

    monkeypatch.setattr(cnn, "train", diverging)
    with pytest.raises(LabError, match="Lower the learning rate"):
        list(run(DEFAULT))


def test_importing_the_lab_does_not_import_torch() -> None:
    code = "import sys, native.learning.post_training_quantization; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
