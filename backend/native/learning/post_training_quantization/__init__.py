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
from labs.contract import Interval, Label, LabError
from labs.models import quantize as q
from numpy.typing import NDArray

from native.learning.post_training_quantization import tell
from native.learning.post_training_quantization.events import Calibrated, Quantized, Result, Training

if TYPE_CHECKING:  # torch takes two seconds to import: only a run pays for it
    from native.learning.post_training_quantization.cnn import Progress
    from native.learning.post_training_quantization.leads import Leads

BATCH = 32
HELD_OUT = 450  # a quarter of every digit's images
PICTURES = 60  # of the training, besides one at the end of every epoch
PERCENTILE = 99.9
SAMPLES = 6


@dataclass(frozen=True)
class Params:
    weight_bits: Annotated[int, Interval(ge=2, le=8), Label("Bits per weight", group="Quantization")] = 8
    activation_bits: Annotated[int, Interval(ge=2, le=8), Label("Bits per activation", group="Quantization")] = 8
    granularity: Annotated[
        Literal["tensor", "channel"], Label("One weight scale for each", group="Quantization")
    ] = "tensor"
    calibration: Annotated[
        Literal["minmax", "percentile"],
        Label(
            "Activation range",
            group="Quantization",
            help="Up to the largest value seen, or to cover 99.9 % of them.",
        ),
    ] = "minmax"
    calibration_images: Annotated[
        int,
        Interval(ge=8, le=256),
        Label("Calibration images", group="Quantization", help="Taken from the training images."),
    ] = 64
    scored: Annotated[
        int,
        Interval(ge=20, le=HELD_OUT),
        Label("Images scored", group="Score", help="Of those held out; the fewer, the more is left to chance."),
    ] = HELD_OUT
    epochs: Annotated[int, Interval(ge=1, le=20), Label("Epochs", group="Training")] = 8
    learning_rate: Annotated[float, Interval(ge=0.001, le=0.2), Label("Learning rate", group="Training")] = 0.1
    seed: Annotated[
        int,
        Interval(ge=0, le=2**31 - 1),
        Label("Seed", group="Training", help="For the initial weights, the order and the split."),
    ] = 0


def run(params: Params) -> Iterator[Training | Calibrated | Quantized | Result]:
    from native.learning.post_training_quantization import cnn
    from native.learning.post_training_quantization import integer_network as integer
    from native.learning.post_training_quantization.leads import Leads
    from native.models.digits import DARKEST, split
    from native.models.torch_threads import one_thread

    with one_thread():
        # 1. Train in float32.
        rng = np.random.default_rng(params.seed)
        digits, weights = split(rng), cnn.initial(rng)
        leads = Leads(digits)
        first = leads.of(cnn.outputs(weights, digits.test_images)["fc2"])
        progress = cnn.train(weights, digits, params.epochs, params.learning_rate, BATCH, rng)
        shown: dict[str, Any] = {  # what every later picture repeats
            "train_images": len(digits.train_labels),
            "held_out_images": len(digits.test_labels),
            "epochs": params.epochs,
            "steps": params.epochs * -(-len(digits.train_labels) // BATCH),
            "leads": leads.codes(first),
            **leads.shown,
        }
        yield from follow(progress, leads, shown)
        weights = cnn.to_float32(weights)
        exact = cnn.outputs(weights, digits.test_images)
        before = leads.of(exact["fc2"])
        shown |= {"leads": leads.codes(before)}

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
                **moved(leads, before, leads.partly(weights, layers)),
            }
            yield show(name, layers, params, shown)

        # 4. Classify held-out images in integers, in float32, and in float32 with the ReLUs forgotten.
        chosen = np.sort(rng.permutation(len(digits.test_labels))[: params.scored])
        images, labels = digits.test_images, digits.test_labels[chosen]
        sums, values = integer.outputs(layers, images, params.activation_bits)
        bare = cnn.outputs(weights, images, relu_after_conv=False)["fc2"]
        right, got, wrong = (
            integer.judge(scores[chosen], labels) for scores in (exact["fc2"], values["fc2"], bare)
        )
        shown |= moved(leads, before, leads.of(values["fc2"]))
        order = integer.hardest(values["fc2"][chosen], right.hits, got.hits)[:SAMPLES]
        yield Result(
            text=tell.result((right, got, wrong)),
            scored=len(labels),
            correct_float=right.correct,
            correct_integer=got.correct,
            correct_without_relu=wrong.correct,
            counted=np.isin(leads.order, chosen).astype(np.uint8),
            leads_without_relu=leads.codes(leads.of(bare)),
            interval=np.array([each.interval for each in (right, got, wrong)], dtype=np.float32),
            loss_float=right.loss,
            loss_integer=got.loss,
            loss_without_relu=wrong.loss,
            agreement=int((right.digits == got.digits).sum()),
            output_sqnr=np.array(
                [q.sqnr(exact[n].numpy(), (values[n] - exact[n]).numpy()) for n in cnn.LAYERS], dtype=np.float32
            ),
            accumulator_peak=np.array([int(sums[n].abs().max()) for n in cnn.LAYERS], dtype=np.int32),
            sample_images=(images[chosen[order], 0] * DARKEST).numpy().astype(np.uint8),
            sample_places=leads.places(chosen[order]),
            sample_labels=labels[order].numpy().astype(np.int32),
            sample_float=right.digits[order],
            sample_integer=got.digits[order],
            **shown,
        )


def moved(leads: Leads, before: NDArray[np.float64], after: NDArray[np.float64]) -> dict[str, Any]:
    return {"leads_rounded": leads.codes(after), "shift": float(np.abs(after - before).max())}


def follow(progress: Iterable[Progress], leads: Leads, shown: dict[str, Any]) -> Iterator[Training]:
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
        if at.leads is not None:  # the end of an epoch
            shown |= {"leads": leads.codes(at.leads)}
            train.append(right / seen)
            held_out.append(float(np.mean(at.leads > 0)))
            right = seen = 0
        if at.step == 1 or at.step % every == 0 or at.leads is not None:
            shown |= {
                "epoch": at.epoch,
                "step": at.step,
                "train_accuracy": np.array(train, dtype=np.float32),
                "held_out_accuracy": np.array(held_out, dtype=np.float32),
            }
            yield Training(
                text=tell.training(at, shown["epochs"], shown["steps"], held_out),
                losses=np.array(losses, dtype=np.float32),
                **shown,
            )


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
