"""What the article says of a network on integers, and of what to compare it with."""

from __future__ import annotations

import numpy as np
import pytest
from labs.learning.uniform_quantization.matrices import weights
from labs.models.proportion import wilson
from quantization_article import decibels, last, network, result, says


def test_eight_bits_cost_the_network_almost_nothing() -> None:
    says("it gives the same answer as float32", "almost nothing is lost", "Three bits of every four are gone")
    shown = result()
    assert abs(shown["correct_integer"] - shown["correct_float"]) <= 2
    assert shown["agreement"] >= 0.99 * shown["held_out_images"]
    assert network().agreement >= 0.98 * network().held_out_images


def test_255_codes_for_the_weights_and_256_for_the_rest() -> None:
    says("one of 255 whole numbers and every value between the layers to one of 256")
    says("from 0 to 255 with $z = 0$, the weights' from −127 to 127")
    assert len(network().weight_sqnr) == 4
    quantized = last("learning/post_training_quantization", "quantized")
    assert quantized["code_low"] == -127 and len(quantized["code_counts"]) == 255
    calibrated = last("learning/post_training_quantization", "calibrated")
    assert calibrated["activation_scales"] * 255 == pytest.approx(calibrated["activation_range"])


def test_more_than_half_of_what_leaves_a_relu_is_zero() -> None:
    says("more than half of the values that leave a ReLU of our network are exactly zero")
    from native.learning.post_training_quantization import BATCH, Params, cnn

    trained, digits = cnn.trained(0, Params().epochs, Params().learning_rate, BATCH)
    outputs = cnn.outputs(trained, digits.test_images)
    assert [name for name in cnn.LAYERS[:3] if (outputs[name] == 0).float().mean() <= 0.5] == []


def test_how_few_bits_the_weights_can_have() -> None:
    says(
        "at five hardly an answer changes; at four a few do, for worse and for better, which the score alone hides"
    )
    says("Two bits with one scale per layer ruin the network")
    images = network().held_out_images
    assert network(weight_bits=5).agreement >= 0.99 * images
    four = network(weight_bits=4)
    assert 0.95 * images < four.agreement < network(weight_bits=5).agreement
    spoiled, mended = (
        (one == four.sample_labels) & (other != four.sample_labels)
        for one, other in ((four.sample_float, four.sample_integer), (four.sample_integer, four.sample_float))
    )
    assert spoiled.any() and mended.any()
    assert abs(four.correct_integer - four.correct_float) < images - four.agreement
    assert network(weight_bits=2).correct_integer < images / 2
    says("A scale for each channel brings most digits back.")
    mended = network(weight_bits=2, granularity="channel").correct_integer
    assert mended > max(images / 2, network(weight_bits=2).correct_integer + 0.2 * images)


def test_only_answers_within_the_band_change() -> None:
    says("A dot right of the line is read correctly", "so no dot from outside the band can cross it")
    for bits in (8, 4):
        got = network(weight_bits=bits)
        before, after = (got.lead_scale * (each - float(got.lead_zero)) for each in (got.leads, got.leads_rounded))
        changed = (before > 0) != (after > 0)
        assert np.all(np.abs(before[changed]) <= got.shift + got.lead_scale)  # leads are kept in steps of that
        assert changed.any() == (bits == 4)


def test_the_sums_need_more_than_sixteen_bits() -> None:
    says("A product of two codes needs 16 bits", "too big for a signed 16-bit number and far below what 32 bits")
    assert 2**14 < 255 * 127 < 2**15
    for peaks in (result()["accumulator_peak"], network().accumulator_peak):
        assert peaks.min() > 2**15 and peaks.max() < 2**31 / 1000


def test_the_clamp_at_zero_is_the_relu() -> None:
    says("The clamp at code 0 *is* the ReLU.")
    import torch
    from native.learning.post_training_quantization import integer_network as integer

    layer = integer.quantize_layer(torch.eye(2), torch.zeros(2), 8, "tensor", 0.01)
    sums = torch.tensor([[-5000, 5000]], dtype=torch.int32)
    codes = integer.requantize(sums, layer, 0.01, 8)
    assert codes.tolist() == [[0, round(5000 / 127)]]


def test_the_size() -> None:
    says("from four bytes to one, a factor of exactly 4", "a little more than a quarter", "512 products")
    shown = result()
    weights_of = np.array([16 * 9, 32 * 16 * 9, 64 * 512, 10 * 64])
    biases = np.array([16, 32, 64, 10])
    assert list(shown["bytes_float"]) == list(4 * (weights_of + biases))
    assert list(shown["bytes_integer"]) == list(weights_of + 4 * biases + 4 * 2)  # scales: of weights and of input
    assert 0.25 < shown["bytes_integer"].sum() / shown["bytes_float"].sum() < 0.26


def test_the_second_figure_holds_the_first_fully_connected_layer() -> None:
    says("`fc1`, the matrix that you have been rounding, has the noisiest weights")
    shown = result()
    fc1 = shown["layers"].index("fc1")
    same = pytest.approx(decibels(bits=8), abs=0.01)
    assert shown["weight_sqnr"][fc1] == same, "last after another training: scripts/export_digits_weights.py"
    assert shown["weight_sqnr"].argmin() == fc1
    says("its output is cleaner than its weights by several decibels")
    assert shown["output_sqnr"][fc1] > shown["weight_sqnr"][fc1] + 5
    assert weights("network", 0).shape == (64, 512)
    assert shown["bytes_float"].argmax() == fc1  # "the largest layer of the digit network"
    assert abs(shown["loss_integer"] - shown["loss_float"]) < 0.01


def test_a_sum_alone_makes_nothing_cleaner() -> None:
    says("its output is just as noisy as its weights", "its weights fit them")
    exact = weights("network", 0).astype(float)
    step = np.abs(exact).max() / 127
    error = step * np.round(exact / step) - exact
    random = np.random.default_rng(0).normal(size=(512, 4000))
    ratios = [
        10 * np.log10((a**2).sum() / (b**2).sum()) for a, b in ((exact, error), (exact @ random, error @ random))
    ]
    assert ratios[1] == pytest.approx(ratios[0], abs=0.3)


def test_the_range_of_the_activations() -> None:
    says("At eight bits this makes the output of every layer worse, at three bits better.")
    assert (network(calibration="percentile").output_sqnr < network().output_sqnr).all()
    few = network(activation_bits=3).output_sqnr
    assert (network(activation_bits=3, calibration="percentile").output_sqnr > few).all()


def test_the_wrong_baseline_makes_rounding_look_good() -> None:
    says("eight bits look like an improvement")
    assert result()["correct_without_relu"] < result()["correct_integer"]
    says("the bar without ReLU jumps up and down")
    runs = [network(seed=seed) for seed in range(4)]
    assert max(abs(run.correct_integer - run.correct_float) for run in runs) <= 3
    without = [run.correct_without_relu for run in runs]
    assert max(without) - min(without) > 20
    assert all(run.correct_without_relu < run.correct_integer for run in runs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_quant_stub_returns_its_argument() -> None:
    says("until conversion the `forward` of")
    import torch
    from torch.ao.quantization import QuantStub

    x = torch.ones(2)
    assert QuantStub()(x) is x


def test_a_score_is_known_within_a_range_that_four_times_as_many_images_halve() -> None:
    says("Halving the range takes four times as many images")
    (low, high), (lower, higher) = wilson(970, 1000), wilson(3880, 4000)
    assert (high - low) / (higher - lower) == pytest.approx(2, abs=0.05)
    says("and the brackets move apart")
    few, every = (np.diff(network(scored=scored).interval, axis=1) for scored in (100, 450))
    assert np.all(few > every)


def test_no_few_images_give_both_accuracies_of_the_essay() -> None:
    says("No number of images below 5,027 has one whole count that rounds to 0.9907")
    says("and another that rounds to 0.9908")

    def printed(images: int) -> set[str]:
        return {f"{count / images:.4f}" for count in range(int(0.98 * images), images + 1)}

    both = {"0.9907", "0.9908"}
    assert not [images for images in range(1, 5027) if both <= printed(images)]
    assert both <= printed(5027) and both <= printed(10_000)
