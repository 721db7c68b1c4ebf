"""A network in integers, against torch in float64, against torch's int8 kernels, and as a lab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from labs.contract import LabError, pack, unpack
from labs.learning.uniform_quantization import Params as RoundingParams
from labs.learning.uniform_quantization import run as round_weights
from native.learning.post_training_quantization import (
    BATCH,
    PICTURES,
    SAMPLES,
    Calibrated,
    Params,
    Quantized,
    Result,
    Training,
    run,
)

torch = pytest.importorskip("torch")

from native.models import digits_cnn as cnn  # noqa: E402, torch must be there first
from native.models import integer_network as integer  # noqa: E402

DEFAULT = Params()


@pytest.fixture(scope="module")
def events() -> list[Any]:
    return list(run(DEFAULT))


@pytest.fixture(scope="module")
def trained() -> tuple[cnn.Weights, cnn.Digits]:
    return cnn.trained(DEFAULT.seed, DEFAULT.epochs, DEFAULT.learning_rate, BATCH)


@pytest.fixture(scope="module")
def network(trained: tuple[cnn.Weights, cnn.Digits]) -> cnn.Weights:
    return trained[0]


@pytest.fixture(scope="module")
def digits(trained: tuple[cnn.Weights, cnn.Digits]) -> cnn.Digits:
    return trained[1]


def in_integers(
    trained: tuple[cnn.Weights, cnn.Digits],
    weight_bits: int = 8,
    activation_bits: int = 8,
    granularity: Any = "tensor",
) -> list[integer.IntegerLayer]:
    network, digits = trained
    ranges = integer.calibrate(network, digits.train_images[:64], activation_bits, 100)
    return [
        integer.quantize_layer(*network[name], weight_bits, granularity, float(scale))
        for name, scale in zip(cnn.LAYERS, ranges.scales, strict=True)
    ]


# -- the data --------------------------------------------------------------------------------------------------


def test_digits_are_those_of_scikit_learn() -> None:
    from sklearn.datasets import load_digits

    images, labels = cnn.read_digits()
    theirs = load_digits()
    np.testing.assert_array_equal(images, theirs.images)
    np.testing.assert_array_equal(labels, theirs.target)


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_no_image_is_both_trained_on_and_held_out(seed: int) -> None:
    digits = cnn.split(np.random.default_rng(seed))
    assert not set(digits.train_rows) & set(digits.test_rows)
    assert len(digits.train_rows) + len(digits.test_rows) == 1797
    _, labels = cnn.read_digits()
    for digit in range(10):  # stratified: a quarter of every digit
        held_out = int((digits.test_labels == digit).sum())
        assert abs(held_out / np.count_nonzero(labels == digit) - 0.25) < 0.005


# -- the network against torch's own modules ---------------------------------------------------------------------


def test_the_network_is_what_torch_modules_compute_in_float32(network: cnn.Weights, digits: cnn.Digits) -> None:
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
    digits, ours = cnn.split(np.random.default_rng(0)), cnn.initial(np.random.default_rng(3))
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


# -- the integers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weight_bits", "activation_bits"), [(8, 8), (4, 6), (2, 2)])
@pytest.mark.parametrize("granularity", ["tensor", "channel"])
def test_integer_sums_are_exact(
    trained: tuple[cnn.Weights, cnn.Digits], weight_bits: int, activation_bits: int, granularity: str
) -> None:
    """Against torch's float64 convolutions on the same whole numbers, which are exact below 2**53."""
    layers = in_integers(trained, weight_bits, activation_bits, granularity)
    images = trained[1].test_images[:100]
    sums, values = integer.outputs(layers, images, activation_bits)
    top = 2**activation_bits - 1
    x = torch.round(images / layers[0].input_scale).clamp(0, top)
    for name, layer, following in zip(cnn.LAYERS, layers, (*layers[1:], None), strict=True):
        weight, bias = layer.weight.double(), layer.bias.double()
        if name == "fc1":
            x = torch.nn.functional.max_pool2d(x, 2).flatten(1)
        if weight.ndim == 4:
            exact = torch.nn.functional.conv2d(x, weight, bias, padding=1)
            factor = layer.scale.reshape(-1, 1, 1)
        else:
            exact = torch.nn.functional.linear(x, weight, bias)
            factor = layer.scale
        assert sums[name].dtype == torch.int32 and exact.abs().max() < 2**31
        assert torch.equal(sums[name].double(), exact)
        if following is not None:
            # What the sums stand for, through the ReLU, on the grid of the next layer.
            x = torch.round(torch.relu(exact) * (factor / following.input_scale)).clamp(0, top)
            assert torch.equal(values[name], x * following.input_scale)
    assert torch.equal(values["fc2"], exact * layers[-1].scale)


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch's quantized tensors are deprecated, but still an oracle
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("granularity", ["tensor", "channel"])
def test_torchs_int8_kernels_give_the_same_codes(trained: tuple[cnn.Weights, cnn.Digits], granularity: str) -> None:
    network, images = trained[0], trained[1].test_images
    layers = in_integers(trained, granularity=granularity)
    _, values = integer.outputs(layers, images, 8)
    codes = integer.to_codes(images, layers[0].input_scale, 8)
    for name, layer, following in zip(cnn.LAYERS[:3], layers[:3], layers[1:], strict=True):
        floats, bias = network[name][0].float(), network[name][1].float()
        if granularity == "tensor":
            weight = torch.quantize_per_tensor(floats, layer.weight_scale.item(), 0, torch.qint8)
        else:
            zeros = torch.zeros(len(layer.weight_scale), dtype=torch.int64)
            weight = torch.quantize_per_channel(floats, layer.weight_scale, zeros, 0, torch.qint8)
        assert torch.equal(weight.int_repr().to(torch.int32), layer.weight)
        x = torch._make_per_tensor_quantized_tensor(codes.to(torch.uint8), layer.input_scale, 0)
        if name == "fc1":
            x = torch.nn.functional.max_pool2d(x, 2).flatten(1)
            packed = torch.ops.quantized.linear_prepack(weight, bias)
            theirs = torch.ops.quantized.linear_relu(x, packed, following.input_scale, 0)
        else:
            packed = torch.ops.quantized.conv2d_prepack(weight, bias, [1, 1], [1, 1], [1, 1], 1)
            theirs = torch.ops.quantized.conv2d_relu(x, packed, following.input_scale, 0)
        codes = torch.round(values[name] / following.input_scale).to(torch.int32)
        # They add the bias as a float and scale in float32, so a value near a tie may fall to the other side.
        off = (theirs.int_repr().to(torch.int32) - codes).abs()
        assert off.max() <= 1 and (off > 0).double().mean() < 2e-3


def test_sums_cannot_overflow() -> None:
    widest = max(int(np.prod(shape[1:])) for shape in cnn.SHAPES.values())
    assert widest * 255 * 127 < 2**24


@pytest.mark.parametrize("bits", range(2, 9))
def test_sizes_count_every_byte(trained: tuple[cnn.Weights, cnn.Digits], bits: int) -> None:
    for name, layer in zip(cnn.LAYERS, in_integers(trained, weight_bits=bits, granularity="channel"), strict=True):
        weight, bias = trained[0][name][0].float(), trained[0][name][1].float()
        assert layer.bytes_float == weight.nbytes + bias.nbytes
        packed = np.packbits(np.zeros(weight.numel() * bits, dtype=np.uint8)).nbytes
        assert layer.bytes_integer == packed + layer.bias.nbytes + 4 * len(layer.weight_scale) + 4


# -- the lab -----------------------------------------------------------------------------------------------------


def test_pictures_come_in_order_and_are_whole(events: list[Any]) -> None:
    kinds = [event.kind for event in events]
    training = kinds.count("training")
    assert kinds == ["training"] * training + ["calibrated"] + ["quantized"] * 4 + ["result"]
    assert training >= PICTURES and len(events) <= 120
    for event in events:
        assert len(json.dumps(pack(event))) <= 64 * 1024
        assert event.text.endswith(".")
        assert len(event.losses) == event.step
    for before in events[:-1]:  # the last picture repeats what all before it show
        common = {*pack(before)} & {*pack(events[-1])} - {"kind", "text", "epoch", "step"}
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


def test_samples_are_the_hard_cases(events: list[Any]) -> None:
    result: Result = events[-1]
    assert result.sample_images.shape == (SAMPLES, 8, 8) and result.sample_images.max() <= 16
    wrong = np.count_nonzero(result.sample_integer != result.sample_labels)
    assert wrong == min(SAMPLES, result.held_out_images - result.correct_integer)
    assert np.all(result.sample_integer[:wrong] != result.sample_labels[:wrong])
    images, labels = cnn.read_digits()
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
    [
        {"weight_bits": 2},
        {"activation_bits": 2},
        {"weight_bits": 2, "activation_bits": 2, "granularity": "channel", "calibration": "percentile"},
        {"granularity": "channel"},
        {"calibration": "percentile"},
        {"calibration_images": 8},
        {"calibration_images": 256},
        {"learning_rate": 0.001},
        {"learning_rate": 0.2},
        {"seed": 2**31 - 1},
        {"epochs": 20},
    ],
    ids=str,
)
def test_every_edge_runs(change: dict[str, Any]) -> None:
    *_, result = pictures = list(run(Params(**{"epochs": 1} | change)))
    assert {type(picture) for picture in pictures} == {Training, Calibrated, Quantized, Result}
    assert len(pictures) <= 120
    assert max(len(json.dumps(pack(picture))) for picture in pictures) <= 64 * 1024
    assert 0 <= result.correct_integer <= result.held_out_images


def test_a_percentile_clips_the_largest_activations() -> None:
    *_, whole = run(Params(epochs=1))
    *_, cut = run(Params(epochs=1, calibration="percentile"))
    assert np.all(cut.activation_range[1:] < whole.activation_range[1:])
    assert np.all(cut.activation_beyond < 0.0015)


def test_divergence_is_told_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def diverging(*_: Any) -> Any:
        yield cnn.Progress(epoch=1, step=1, loss=float("nan"), correct=0, size=32, held_out_correct=None)

    monkeypatch.setattr(cnn, "train", diverging)
    with pytest.raises(LabError, match="Lower the learning rate"):
        list(run(DEFAULT))


def test_importing_the_lab_does_not_import_torch() -> None:
    code = "import sys, native.learning.post_training_quantization; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
