"""What content/learning/03-quantization.mdx says, sentence by sentence, asked of the labs and their recordings.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test. What
hangs on a training is asserted with room to spare: another machine trains another network.
"""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from labs.contract import unpack
from labs.learning import number_line as line
from labs.learning import uniform_quantization as uniform
from labs.models.weights import weights

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/learning/03-quantization.mdx").read_text("utf-8")
SOURCES: tuple[Literal["network", "normal", "outlier", "negative"], ...] = (
    "network",
    "normal",
    "outlier",
    "negative",
)
BIT = 20 * math.log10(2)  # decibels


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss)\b[^>]*>", "", ARTICLE)
    plain = re.sub(r"\\of\{\w+\}\{([^{}]*)\}", r"\1", plain)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


def step(**params: Any) -> line.Step:
    *_, last = line.run(line.Params(**params))
    return last


@lru_cache(maxsize=64)
def picture(**params: Any) -> uniform.Picture:
    *_, last = uniform.run(uniform.Params(**params))
    return last


def decibels(**params: Any) -> float:
    return known(picture(**params).sqnr)


def known(value: float | None) -> float:
    assert value is not None
    return value


def rms(source: Literal["network", "normal", "outlier", "negative"]) -> float:
    return float(np.sqrt(np.mean(weights(source, 0).astype(np.float64) ** 2)))


def reach(source: Literal["network", "normal", "outlier", "negative"]) -> float:
    """Width of the symmetric range over the root mean square of the weights: R/σ."""
    return 2 * float(np.abs(weights(source, 0)).max()) / rms(source)


def share_near_zero(made: uniform.Picture) -> float:
    """Share of the errors in the inner half of what their histogram spans; one half where they lie evenly."""
    counts = made.error_histogram
    assert counts is not None
    centres = np.linspace(-1, 1, len(counts))
    return float(counts[np.abs(centres) < 0.5].sum() / counts.sum())


@lru_cache(maxsize=32)
def network(**params: Any) -> Any:
    """The result of the network's lab, run here."""
    pytest.importorskip("torch")
    from native.learning import post_training_quantization as ptq

    *_, last = ptq.run(ptq.Params(**params))
    return last


@lru_cache(maxsize=4)
def recorded(lab: str, kind: str) -> dict[str, Any]:
    """The last event of that kind in the recording that the page shows."""
    log = json.loads((ROOT / "content/recordings" / lab / "default.json").read_text("utf-8"))
    *_, event = (event for event in log["events"] if event["kind"] == kind)
    event = unpack(event)
    assert isinstance(event, dict)
    return event


def result() -> dict[str, Any]:
    return recorded("learning/post_training_quantization", "result")


# -- the opening


def test_eight_bits_cost_the_network_almost_nothing() -> None:
    says(
        "its answer is the one that float32 gave", "almost nothing is missing", "Three bits of every four are gone"
    )
    shown = result()
    assert abs(shown["correct_integer"] - shown["correct_float"]) <= 2
    assert shown["agreement"] >= 0.99 * shown["held_out_images"]
    assert network().agreement >= 0.98 * network().held_out_images


def test_255_codes_for_the_weights_and_256_for_the_rest() -> None:
    says("one of 255 whole numbers and every value between the layers to one of 256")
    says("from 0 to 255 with $z = 0$, the weights' from −127 to 127")
    assert len(network().weight_sqnr) == 4
    quantized = recorded("learning/post_training_quantization", "quantized")
    assert quantized["code_low"] == -127 and len(quantized["code_counts"]) == 255
    calibrated = recorded("learning/post_training_quantization", "calibrated")
    assert calibrated["activation_scales"] * 255 == pytest.approx(calibrated["activation_range"])


# -- five decisions and a way back


def test_the_range_is_stretched_to_hold_zero() -> None:
    says("Then drag the lower end above zero: the shaded range stops there.")
    assert (step(low=0.5).grid_low, step(low=1.0).grid_low) == (0, 0)
    assert abs(step(value=3.5).error) > step(value=3.5).scale / 2  # "watch the error stop being small"


def test_the_grid_of_the_first_figure() -> None:
    says("was to reach from −1 to 2.5 in fact reaches from −0.93 to 2.57", "slides by up to half a step")
    shown = step()
    assert (shown.low, shown.high, len(shown.levels)) == (-1, 2.5, 16)
    assert shown.levels[[0, -1]] == pytest.approx([-0.93, 2.57], abs=0.005)
    assert shown.scale == pytest.approx(3.5 / 15)
    assert step(value=0.0).restored == 0


def test_what_happens_without_the_clamp_and_at_a_tie() -> None:
    says("128, cut to eight signed bits, reads as −128", "A tie goes to the even neighbour")
    assert np.array([128]).astype(np.int8)[0] == -128
    assert list(np.round([0.5, 1.5, 2.5, -0.5])) == [0, 2, 2, 0]
    torch = pytest.importorskip("torch")
    assert torch.round(torch.tensor([0.5, 1.5, 2.5])).tolist() == [0, 2, 2]


def test_the_listing_does_what_the_figure_does() -> None:
    [code] = re.findall(r"```python[^\n]*\n(import numpy.*?)```", ARTICLE, re.DOTALL)
    listing: dict[str, Any] = {}
    exec(code, listing)
    for low, high, bits in [(-1.0, 2.5, 4), (0.5, 2.5, 8), (-3.0, -1.0, 3), (-0.6, 0.8, 8)]:
        for value in np.linspace(-4, 4, 41):
            shown = step(low=low, high=high, bits=bits, value=float(value))
            codes, s, z = listing["quantize"](np.array([value]), low, high, bits)
            assert (s, z, int(codes[0])) == (pytest.approx(shown.scale), shown.zero_point, shown.code)
            assert listing["restore"](codes, s, z)[0] == pytest.approx(shown.restored)
    says("127 - (-20) is too big for int8")
    assert (np.array([127], np.int8) - np.array([-20], np.int8))[0] != 147


def test_more_than_half_of_what_leaves_a_relu_is_zero() -> None:
    says("more than half of the values that leave a ReLU of our network are exactly zero")
    pytest.importorskip("torch")
    from native.learning.post_training_quantization import BATCH, Params
    from native.models import digits_cnn as cnn

    trained, digits = cnn.trained(0, Params().epochs, Params().learning_rate, BATCH)
    outputs = cnn.outputs(trained, digits.test_images)
    assert [name for name in cnn.LAYERS[:3] if (outputs[name] == 0).float().mean() <= 0.5] == []


def test_the_two_signs_mixed() -> None:
    says(
        "set asymmetric, eight bits, and *round(w/s) − z*",
        "nearly every weight moves by $2sz$, far more than any rounding",
    )
    wrong = picture(scheme="asymmetric", bits=8, minus_zero_point=True)
    shift = 2 * known(wrong.scale) * abs(known(wrong.zero_point))
    assert known(wrong.mean_error) == pytest.approx(shift, rel=0.05)
    assert shift > 5 * known(wrong.scale)
    says("At four bits the $z$ of that layer happens to be 0, and the mistake cannot be seen.")
    assert picture(scheme="asymmetric").zero_point == 0
    assert decibels(scheme="asymmetric", minus_zero_point=True) == decibels(scheme="asymmetric")


# -- rounding a whole matrix


def test_four_weights_in_five_become_zero_at_four_bits() -> None:
    says("the middle spike holds about four weights in five: they have all become zero")
    shown = picture()
    assert shown.code_counts is not None and shown.levels is not None
    at_zero = int(shown.code_counts[list(shown.levels).index(0)])
    assert at_zero == shown.code_counts.max()
    assert 0.75 < at_zero / weights("network", 0).size < 0.85


def test_the_errors_turn_even_with_more_bits() -> None:
    says("from a peak into a flat box", "climbs onto the dashed line of theory")
    assert share_near_zero(picture(bits=2)) > 0.9
    assert share_near_zero(picture(bits=8)) == pytest.approx(0.5, abs=0.03)
    assert decibels(bits=2) > known(picture(bits=2).sqnr_expected) + 5
    assert decibels(bits=8) == pytest.approx(known(picture(bits=8).sqnr_expected), abs=0.1)
    says("The figure as it first stands has $s/4$ =")
    assert known(picture().mean_error) == pytest.approx(known(picture().mean_error_expected), rel=0.1)


def test_an_even_error_has_these_means() -> None:
    says(r"\frac{s}{4}", r"\frac{s^2}{12}", r"$10\log_{10}4 = 6.02$ dB", "6.02\\,n + 10.79")
    even = (np.arange(10_000) + 0.5) / 10_000 - 0.5
    assert np.abs(even).mean() == pytest.approx(1 / 4)
    assert (even**2).mean() == pytest.approx(1 / 12)
    assert 10 * math.log10(4) == pytest.approx(6.02, abs=0.005)
    assert 10 * math.log10(12) == pytest.approx(10.79, abs=0.005)


@pytest.mark.parametrize("source", SOURCES)
def test_the_line_of_theory_is_right_at_eight_bits(source: Any) -> None:
    says("right to a fraction of a decibel for all four kinds of weights")
    theory = BIT * 8 + 10 * math.log10(12) - 20 * math.log10(reach(source))
    assert decibels(source=source, bits=8) == pytest.approx(theory, abs=0.25)


def test_the_trained_layer_has_a_wide_range() -> None:
    says("more than twice as wide as that of plain normal noise, and this costs it more than a bit")
    assert reach("network") > 2 * reach("normal")
    assert decibels(source="normal", bits=8) - decibels(bits=8) > BIT


def test_where_the_theory_stops() -> None:
    says("At three bits more than nine weights in ten become zero", "the ratio comes out better than predicted")
    three = picture(bits=3)
    assert three.code_counts is not None
    assert three.code_counts[3] > 0.9 * three.code_counts.sum() and known(three.zero_point) == 0
    assert known(three.sqnr) > known(three.sqnr_expected) + 1
    says("theory promises more noise than signal; the figure stays just above 0 dB")
    two = picture(bits=2)
    assert known(two.sqnr_expected) < 0 < known(two.sqnr) < 1
    says("keep only the central 95 %, and its promise climbs while the measured ratio collapses")
    whole, cut = picture(bits=8), picture(bits=8, clip=95.0)
    assert known(cut.sqnr_expected) > known(whole.sqnr_expected) + 10
    assert known(cut.sqnr) < known(whole.sqnr) - 15


def test_the_errors_of_the_essay_lie_an_eighth_below_expectation() -> None:
    says("0.0015906 (asymmetric) and 0.0017431 (symmetric)", "$s/4 = 0.00182$ and $0.00199$", "an eighth below it")
    for scale, error, quarter in (
        (0.007293541992411894, 0.0015906507615, 0.00182),
        (0.007972339555328967, 0.0017431897576898336, 0.00199),
    ):
        assert scale / 4 == pytest.approx(quarter, abs=0.000005)
        assert error / (scale / 4) == pytest.approx(7 / 8, abs=0.005)


# -- symmetric or asymmetric


def test_what_asymmetric_gains() -> None:
    says("asymmetric gains at least 6 dB, the bit that was wasted")
    for bits in range(2, 9):
        gain = decibels(source="negative", scheme="asymmetric", bits=bits) - decibels(source="negative", bits=bits)
        assert gain > 6
    says("For *normal* weights the two are within a fraction of a decibel at eight bits")
    one, other = decibels(source="normal", bits=8), decibels(source="normal", bits=8, scheme="asymmetric")
    assert one == pytest.approx(other, abs=0.5)


def test_what_zero_points_add_to_a_sum() -> None:
    says("A zero point in the activations costs only $z_x \\sum_i q_{w,i}$")
    rng = np.random.default_rng(0)
    x, w = rng.integers(0, 256, 100), rng.integers(-127, 128, 100)
    assert (x * (w - 3)).sum() == (x * w).sum() - 3 * x.sum()
    assert ((x - 3) * w).sum() == (x * w).sum() - 3 * w.sum()


def test_the_zero_point_that_is_zero_by_luck() -> None:
    says("−0.4999999999999858", "±1.0164733", "−0.5000000000000142, so that $z = -1$")

    def before_rounding(end: float) -> float:
        scale = (end - -end) / 255
        return -128 - -end / scale

    exact = float(np.float32(1.0164733))  # what the printed digits stand for
    assert (before_rounding(exact), round(before_rounding(exact))) == (-0.4999999999999858, 0)
    assert (before_rounding(1.0164733), round(before_rounding(1.0164733))) == (-0.5000000000000142, -1)


def test_one_group_in_eight_is_unlucky() -> None:
    says("Turn on *Full code range* at eight bits with a scale for each group", "about one group in eight")
    mistaken = picture(bits=8, granularity="group", full_range=True)
    right = picture(bits=8, granularity="group")
    assert mistaken.zero_points is not None and right.zero_points is not None
    assert np.mean(mistaken.zero_points == -1) == pytest.approx(1 / 8, abs=0.03)
    says("No harm is done while $z$ is carried along", "leave the code −128 unused")
    assert known(mistaken.sqnr) == pytest.approx(known(right.sqnr), abs=0.3)
    assert (mistaken.code_low, right.code_low) == (-128, -127) and not right.zero_points.any()


def test_the_maximum_without_its_bars() -> None:
    says("Ours reach further down, and the mistake clips a few of them")
    says("a small loss at eight bits and, oddly, a gain of some two decibels at five")
    matrix = weights("network", 0)
    assert -matrix.min() > matrix.max()
    assert 0 < known(picture(bits=8, max_without_abs=True).clipped) < 10
    gain = [decibels(bits=bits, max_without_abs=True) - decibels(bits=bits) for bits in (5, 8)]
    assert gain[0] == pytest.approx(2, abs=0.5) and -0.5 < gain[1] < 0
    says("the scale itself turns negative and next to nothing, and every weight lands on the same code")
    says("expects more than a hundred decibels")
    for bits in (4, 8):
        wrong = picture(source="negative", bits=bits, max_without_abs=True)
        assert -1e-6 < known(wrong.scale) < 0
        assert wrong.code_counts is not None and np.count_nonzero(wrong.code_counts) == 1
        assert known(wrong.sqnr_expected) > 100 and known(wrong.sqnr) < 0.01


# -- one scale or many


def test_a_scale_for_each_channel() -> None:
    says("the largest weights of two rows can differ by more than a factor of ten")
    largest = np.abs(weights("network", 0)).max(axis=1)
    assert largest.max() > 10 * largest.min()
    says("worth more than a whole bit (from four bits up)", "it brings about half as much")
    for bits in range(4, 9):
        gain = decibels(bits=bits, granularity="channel") - decibels(bits=bits)
        normal = [decibels(source="normal", bits=bits, granularity=choice) for choice in ("tensor", "channel")]
        assert gain > BIT
        assert (normal[1] - normal[0]) / gain == pytest.approx(0.5, abs=0.1)
    says("Groups within a row go further")
    for group in (16, 32, 64, 128, 256):
        assert decibels(granularity="group", group=group) > decibels(granularity="channel")


def test_the_fewer_the_bits_the_deeper_the_best_cut() -> None:
    says("With 99 % at four bits", "the ratio rises by about a bit")
    assert decibels(clip=99.0) - decibels() == pytest.approx(BIT, abs=1)
    says("At eight bits the same cut is a loss")
    assert decibels(bits=8, clip=99.0) < decibels(bits=8) - 6
    says("The fewer the bits, the deeper the best cut.")
    cuts = (100.0, 99.9, 99.8, 99.5, 99.0, 98.0, 97.0, 96.0, 95.0, 93.0, 90.0)
    best = [max(cuts, key=lambda cut: decibels(bits=bits, clip=cut)) for bits in range(2, 9)]
    assert best == sorted(best) and best[0] < 98 and best[-1] == 100


def test_one_outlier_costs_all_the_others() -> None:
    says("one weight of −1.5", "the other 65,535 lose more than a bit and a half")
    assert weights("outlier", 0).size == 65_536 and weights("outlier", 0).min() == -1.5
    lost = decibels(source="normal", bits=8) - decibels(source="outlier", bits=8)
    assert 1.5 * BIT < lost < 2 * BIT
    says("At eight bits, cutting it off does not win them back")
    for cut in (99.9, 99.5, 99.0, 95.0, 90.0):
        assert decibels(source="outlier", bits=8, clip=cut) < decibels(source="outlier", bits=8)
    says("confines the damage to one row and leaves every other row as it was")
    spoiled = picture(source="outlier", bits=8, granularity="channel")
    spared = picture(source="normal", bits=8, granularity="channel")
    assert spoiled.scales is not None and spared.scales is not None
    assert np.count_nonzero(spoiled.scales != spared.scales) == 1
    assert known(spoiled.sqnr) == pytest.approx(known(spared.sqnr), abs=1)


# -- a network on integers


def test_how_few_bits_the_weights_can_have() -> None:
    says(
        "at five hardly an answer changes; at four a few do, for worse and for better, which the score alone hides"
    )
    says("two with one scale for a layer ruin the network")
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


def test_the_sums_need_more_than_sixteen_bits() -> None:
    says("A product of two codes needs 16 bits", "too big for a signed 16-bit number and far below what 32 bits")
    assert 2**14 < 255 * 127 < 2**15
    for peaks in (result()["accumulator_peak"], network().accumulator_peak):
        assert peaks.min() > 2**15 and peaks.max() < 2**31 / 1000


def test_the_clamp_at_zero_is_the_relu() -> None:
    says("The clamp at code 0 *is* the ReLU.")
    torch = pytest.importorskip("torch")
    from native.models import integer_network as integer

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
    assert shown["weight_sqnr"][fc1] == same, "recorded after another training: scripts/export_digits_weights.py"
    assert shown["weight_sqnr"].argmin() == fc1
    says("its output is cleaner than its weights by several decibels")
    assert shown["output_sqnr"][fc1] > shown["weight_sqnr"][fc1] + 5
    assert weights("network", 0).shape == (64, 512)
    assert shown["bytes_float"].argmax() == fc1  # "the largest layer of the digit network"
    assert abs(shown["loss_integer"] - shown["loss_float"]) < 0.01


def test_the_range_of_the_activations() -> None:
    says("At eight bits this makes the output of every layer worse; at three, of every layer better.")
    assert (network(calibration="percentile").output_sqnr < network().output_sqnr).all()
    few = network(activation_bits=3).output_sqnr
    assert (network(activation_bits=3, calibration="percentile").output_sqnr > few).all()


# -- the right thing to compare with


def test_the_wrong_baseline_makes_rounding_look_good() -> None:
    says("eight bits look like an improvement")
    assert result()["correct_without_relu"] < result()["correct_integer"]
    says("The integers stay within a digit or two of float32, while the bar without ReLU jumps about")
    runs = [network(seed=seed) for seed in range(4)]
    assert max(abs(run.correct_integer - run.correct_float) for run in runs) <= 3
    without = [run.correct_without_relu for run in runs]
    assert max(without) - min(without) > 20
    assert all(run.correct_without_relu < run.correct_integer for run in runs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_quant_stub_returns_its_argument() -> None:
    says("until conversion the `forward` of")
    torch = pytest.importorskip("torch")
    from torch.ao.quantization import QuantStub

    x = torch.ones(2)
    assert QuantStub()(x) is x


def test_no_count_of_300_gives_the_accuracies_of_the_essay() -> None:
    says("of 300 images, no whole number gives either")
    printed = {f"{count / 300:.4f}" for count in range(301)}
    assert not printed & {"0.9907", "0.9908"}
    assert {f"{count / 10_000:.4f}" for count in (9907, 9908)} == {"0.9907", "0.9908"}


# -- exercises


def test_exercise_1() -> None:
    says("$s = 2.5/15 = 1/6$", "$z = -8$", "$1/12$", "$s = 5/14$", "seven codes for numbers that never occur")
    shown = step(low=0.5, high=2.5, scheme="asymmetric", bits=4)
    assert shown.scale == pytest.approx(1 / 6) and shown.zero_point == -8
    errors = [abs(step(low=0.5, high=2.5, value=float(value)).error) for value in np.linspace(0.5, 2.5, 97)]
    assert max(errors) == pytest.approx(1 / 12)
    symmetric = step(low=0.5, high=2.5, scheme="symmetric")
    assert symmetric.scale == pytest.approx(5 / 14) and (symmetric.levels < 0).sum() == 7


def test_exercise_2() -> None:
    says("five bits in groups of 64 are ahead by a few decibels")
    ahead = decibels(bits=5, granularity="group", group=64) - decibels(bits=4, granularity="group", group=16)
    assert 1 < ahead < 6


def test_exercise_3() -> None:
    says("All three cut the mean error to less than half", "At four bits the rounding noise is so much larger")
    for bits in (4, 8):
        before = picture(source="outlier", bits=bits)
        clipped = picture(source="outlier", bits=bits, clip=99.9)
        channel = picture(source="outlier", bits=bits, granularity="channel")
        mistake = picture(source="outlier", bits=bits, max_without_abs=True)
        for after in (clipped, channel, mistake):
            assert known(after.mean_error) < known(before.mean_error) / 2
        assert known(channel.sqnr) > known(before.sqnr)
        for after in (clipped, mistake):
            assert known(after.max_error) > 1
            assert (known(after.sqnr) > known(before.sqnr)) == (bits == 4)


def test_exercise_4() -> None:
    says("The weights, by far.", "in the last three layers the weights' ratio is close to 0 dB")
    images = network().held_out_images
    assert network(weight_bits=2).correct_integer < network(activation_bits=2).correct_integer - 0.2 * images
    assert network(weight_bits=2).weight_sqnr[1:].max() < 3
