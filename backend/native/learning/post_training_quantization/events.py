"""The pictures of a run. Each shows all that the ones before it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Int32, Uint8


@dataclass(frozen=True, kw_only=True)
class Curve(Event):
    """The training so far. Accuracies are shares from 0 to 1."""

    epoch: int
    epochs: int
    step: int
    steps: int
    train_images: int
    held_out_images: int
    of_digit: Int32
    """[10] held-out images of each digit; ``leads`` lists them in this order"""
    leads: Uint8
    """[held out] float32 at the end of an epoch: the true digit's score less the best other one's, in codes"""
    lead_scale: float
    """Width of one step of these codes"""
    lead_zero: int
    """The code of two equal scores: above it, the image is read right"""
    train_accuracy: Float32
    """[epochs finished] over the batches of the epoch, each before its own step"""
    held_out_accuracy: Float32
    """[epochs finished] on the held-out images"""


@dataclass(frozen=True, kw_only=True)
class Training(Curve):
    """The network learns."""

    kind: Literal["training"] = "training"
    losses: Float32
    """[step] cross-entropy of each batch"""


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
    leads_rounded: Uint8
    """[held out] ``leads`` with the weights of the layers so far rounded; in the result, in integers throughout"""
    shift: float
    """The most by which that has moved a lead"""


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
    counted: Uint8
    """[held out] 1 for the images that were scored, in the order of ``leads``"""
    leads_without_relu: Uint8
    """[held out] ``leads`` of the third network"""
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
    """[6, 8, 8] held-out images, 0 to 16, the hardest first: spoiled by rounding, cured, wrong in both, close"""
    sample_places: Int32
    """[6] where they are in ``leads``"""
    sample_labels: Int32
    """[6] the true digit"""
    sample_float: Int32
    """[6] the digit that float32 reads"""
    sample_integer: Int32
    """[6] the digit that the integers read"""
