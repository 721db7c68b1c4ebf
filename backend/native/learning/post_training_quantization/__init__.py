"""Post-training quantization: a network trained in float32, then run in whole numbers.

A small convolutional network learns scikit-learn's handwritten digits. A few training images then show how large
its activations become, its weights are rounded to integers, and the held-out images are classified twice: in
float32, and with integer products summed in int32. A third number stands beside them, the float32 accuracy that
comes out when the ReLU after the convolutions is forgotten: compared with that, quantization seems to help.

Float weights are float32; their sums are taken in float64, so that every processor gives the same numbers. Summing
in float32 reads the same digits, which a test checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Uint8
from labs.models import quantize as q

from native.learning.post_training_quantization import tell

if TYPE_CHECKING:  # torch takes two seconds to import: only a run pays for it
    from native.learning.post_training_quantization.cnn import Progress

BATCH = 32
HELD_OUT = 450  # a quarter of every digit's images
PICTURES = 60  # of the training, besides one at the end of every epoch
PERCENTILE = 99.9
SAMPLES = 12


@dataclass(frozen=True)
class Params:
    weight_bits: Annotated[int, Interval(ge=2, le=8), Label("Bits per weight", group="Quantization")] = 8
    activation_bits: Annotated[int, Interval(ge=2, le=8), Label("Bits per activation", group="Quantization")] = 8
    granularity: Annotated[
        Literal["tensor", "channel"], Label("One weight scale for each", group="Quantization")
    ] = "tensor"
    calibration: Annotated[
        Literal["minmax", "percentile"],
        Label("Activation range", group="Quantization", help="Up to the largest value seen, or to 99.9 % of them."),
    ] = "minmax"
    calibration_images: Annotated[
        int,
        Interval(ge=8, le=256),
        Label("Calibration images", group="Quantization", help="Taken from the training images."),
    ] = 64
    scored: Annotated[
        int,
        Interval(ge=20, le=HELD_OUT),
        Label("Images scored", group="Score", help="Of those held out: the fewer, the more is left to chance."),
    ] = HELD_OUT
    epochs: Annotated[int, Interval(ge=1, le=20), Label("Epochs", group="Training")] = 8
    learning_rate: Annotated[float, Interval(ge=0.001, le=0.2), Label("Learning rate", group="Training")] = 0.1
    seed: Annotated[
        int,
        Interval(ge=0, le=2**31 - 1),
        Label("Seed", group="Training", help="For the first weights, the order and the split."),
    ] = 0


@dataclass(frozen=True, kw_only=True)
class Curve(Event):
    """The training so far. Accuracies are shares from 0 to 1."""

    epoch: int
    epochs: int
    step: int
    steps: int
    train_images: int
    held_out_images: int
    losses: Float32
    """[step] cross-entropy of each batch"""
    train_accuracy: Float32
    """[epochs finished] over the batches of the epoch, each before its own step"""
    held_out_accuracy: Float32
    """[epochs finished] on the held-out images"""


@dataclass(frozen=True, kw_only=True)
class Training(Curve):
    """The network learns."""

    kind: Literal["training"] = "training"


@dataclass(frozen=True, kw_only=True)
class Ranges(Curve):
    """What calibration found of the four activations that enter a layer. None of them is ever negative."""

    activations: tuple[str, ...]
    """[4] names, in the order of the layers that they enter"""
    calibration_images: int
    activation_max: Float32
    """[4] the largest value seen"""
    activation_range: Float32
    """[4] the value that the highest code stands for"""
    activation_scales: Float32
    """[4] width of one step"""
    activation_beyond: Float32
    """[4] share of the values seen that lie above the range"""
    activation_histograms: Int32
    """[4, 64] values seen, in equal bins from 0 to activation_max"""


@dataclass(frozen=True, kw_only=True)
class Calibrated(Ranges):
    """The activations have their scales."""

    kind: Literal["calibrated"] = "calibrated"


@dataclass(frozen=True, kw_only=True)
class Layers(Ranges):
    """The layers quantized so far; arrays of [layers so far] are in the order of ``layers``."""

    layers: tuple[Literal["conv1", "conv2", "fc1", "fc2"], ...]
    """[4] all four names"""
    weight_sqnr: Float32
    """[layers so far] signal-to-quantization-noise ratio of the weights, dB"""
    bytes_float: Int32
    """[layers so far] weights and bias in float32"""
    bytes_integer: Int32
    """[layers so far] packed codes, int32 bias, float32 scales"""


@dataclass(frozen=True, kw_only=True)
class Quantized(Layers):
    """One more layer has integer weights."""

    kind: Literal["quantized"] = "quantized"
    layer: int
    """Its place in ``layers``."""
    weight_scales: Float32
    """[1] or [outputs of the layer]"""
    code_low: int
    code_counts: Int32
    """[codes] weights with each code, from code_low up"""


@dataclass(frozen=True, kw_only=True)
class Result(Layers):
    """Held-out images, classified in float32 and in integers."""

    kind: Literal["result"] = "result"
    scored: int
    """Images that were classified."""
    correct_float: int
    """of those scored"""
    correct_integer: int
    correct_without_relu: int
    """float32, the ReLU after both convolutions left out: a baseline that is no baseline"""
    interval: Annotated[Float32, Axes(way=("float", "integer", "without_relu"), end=("low", "high"))]
    """[3, 2] shares between which each network's accuracy on all digits lies, with 95 % confidence"""
    loss_float: float
    """mean cross-entropy"""
    loss_integer: float
    loss_without_relu: float
    agreement: int
    """images to which float32 and integers give the same digit, right or wrong"""
    output_sqnr: Float32
    """[4] of what each layer puts out, integer against float32, dB"""
    accumulator_peak: Int32
    """[4] the largest sum in magnitude; int32 holds 2,147,483,647"""
    sample_images: Uint8
    """[12, 8, 8] held-out images, 0 to 16, the hardest first: spoiled by rounding, wrong in both, cured, close"""
    sample_labels: Int32
    """[12] the true digit"""
    sample_float: Int32
    """[12] the digit that float32 reads"""
    sample_integer: Int32
    """[12] the digit that the integers read"""


def run(params: Params) -> Iterator[Training | Calibrated | Quantized | Result]:
    from native.learning.post_training_quantization import cnn
    from native.learning.post_training_quantization import integer_network as integer
    from native.models.digits import DARKEST, split
    from native.models.torch_threads import one_thread

    with one_thread():
        # 1. Train in float32.
        rng = np.random.default_rng(params.seed)
        digits, weights = split(rng), cnn.initial(rng)
        progress = cnn.train(weights, digits, params.epochs, params.learning_rate, BATCH, rng)
        shown: dict[str, Any] = {  # what every later picture repeats
            "train_images": len(digits.train_labels),
            "held_out_images": len(digits.test_labels),
            "epochs": params.epochs,
            "steps": params.epochs * -(-len(digits.train_labels) // BATCH),
        }
        yield from follow(progress, shown)
        weights = cnn.to_float32(weights)

        # 2. Watch the activations on some training images, and give each a scale.
        rows = rng.permutation(len(digits.train_labels))[: params.calibration_images]
        keep = 100.0 if params.calibration == "minmax" else PERCENTILE
        ranges = integer.calibrate(weights, digits.train_images[rows], params.activation_bits, keep)
        shown |= {
            "activations": integer.ACTIVATIONS,
            "calibration_images": len(rows),
            "activation_max": ranges.largest,
            "activation_range": ranges.top,
            "activation_scales": ranges.scales,
            "activation_beyond": ranges.beyond,
            "activation_histograms": ranges.histograms,
        }
        yield Calibrated(text=tell.calibrated(len(rows), integer.ACTIVATIONS, ranges.top), **shown)

        # 3. Round the weights, layer by layer.
        layers: list[integer.IntegerLayer] = []
        for name, scale in zip(cnn.LAYERS, ranges.scales, strict=True):
            layers.append(
                integer.quantize_layer(*weights[name], params.weight_bits, params.granularity, float(scale))
            )
            shown |= {
                "layers": cnn.LAYERS,
                "weight_sqnr": np.array([layer.sqnr for layer in layers], dtype=np.float32),
                "bytes_float": np.array([layer.bytes_float for layer in layers], dtype=np.int32),
                "bytes_integer": np.array([layer.bytes_integer for layer in layers], dtype=np.int32),
            }
            yield show(name, layers, params, shown)

        # 4. Classify held-out images in integers, in float32, and in float32 with the ReLUs forgotten.
        chosen = np.sort(rng.permutation(len(digits.test_labels))[: params.scored])
        images, labels = digits.test_images[chosen], digits.test_labels[chosen]
        sums, values = integer.outputs(layers, images, params.activation_bits)
        exact = cnn.outputs(weights, images)
        right, wrong = (
            integer.judge(scores, labels)
            for scores in (exact["fc2"], cnn.outputs(weights, images, relu_after_conv=False)["fc2"])
        )
        got = integer.judge(values["fc2"], labels)
        order = integer.hardest(values["fc2"], right.hits, got.hits)[:SAMPLES]
        yield Result(
            text=tell.result((right, got, wrong)),
            scored=len(labels),
            correct_float=right.correct,
            correct_integer=got.correct,
            correct_without_relu=wrong.correct,
            interval=np.array([each.interval for each in (right, got, wrong)], dtype=np.float32),
            loss_float=right.loss,
            loss_integer=got.loss,
            loss_without_relu=wrong.loss,
            agreement=int((right.digits == got.digits).sum()),
            output_sqnr=np.array(
                [q.sqnr(exact[n].numpy(), (values[n] - exact[n]).numpy()) for n in cnn.LAYERS], dtype=np.float32
            ),
            accumulator_peak=np.array([int(sums[n].abs().max()) for n in cnn.LAYERS], dtype=np.int32),
            sample_images=(images[order, 0] * DARKEST).numpy().astype(np.uint8),
            sample_labels=labels[order].numpy().astype(np.int32),
            sample_float=right.digits[order],
            sample_integer=got.digits[order],
            **shown,
        )


def follow(progress: Iterable[Progress], shown: dict[str, Any]) -> Iterator[Training]:
    """Pictures of the training, spread evenly over its steps."""
    every = -(-shown["steps"] // PICTURES)
    losses: list[float] = []
    train: list[float] = []
    held_out: list[float] = []
    right = seen = 0
    for at in progress:
        if not np.isfinite(at.loss):
            raise LabError("Training diverged: the loss is no longer a number. Lower the learning rate.")
        losses.append(at.loss)
        right, seen = right + at.correct, seen + at.size
        if at.held_out_correct is not None:  # the end of an epoch
            train.append(right / seen)
            held_out.append(at.held_out_correct / shown["held_out_images"])
            right = seen = 0
        if at.step == 1 or at.step % every == 0 or at.held_out_correct is not None:
            shown |= {
                "epoch": at.epoch,
                "step": at.step,
                "losses": np.array(losses, dtype=np.float32),
                "train_accuracy": np.array(train, dtype=np.float32),
                "held_out_accuracy": np.array(held_out, dtype=np.float32),
            }
            yield Training(text=tell.training(at, shown["epochs"], shown["steps"], held_out), **shown)


def show(name: str, layers: list[Any], params: Params, shown: dict[str, Any]) -> Quantized:
    layer = layers[-1]
    low, high = q.code_range(params.weight_bits, "symmetric")
    codes = layer.weight.numpy().ravel()
    return Quantized(
        text=tell.rounded(name, layer, params.weight_bits),
        layer=len(layers) - 1,
        weight_scales=layer.weight_scale.numpy().astype(np.float32),
        code_low=low,
        code_counts=np.bincount(codes - low, minlength=high - low + 1).astype(np.int32),
        **shown,
    )
