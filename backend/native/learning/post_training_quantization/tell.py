"""What each picture shows, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from labs.contract import Sentence, joined, say

if TYPE_CHECKING:  # torch takes two seconds to import: only a run pays for it
    from native.learning.post_training_quantization.cnn import Progress
    from native.learning.post_training_quantization.integer_network import IntegerLayer, Verdict


def training(at: Progress, epochs: int, steps: int, held_out: Sequence[float]) -> Sentence:
    known = say("; {:.1%} of the held-out digits are read right", held_out[-1]) if held_out else ""
    told = "Epoch {} of {}, step {} of {}: the loss is {:.3f}{}."
    return say(told, at.epoch, epochs, at.step, steps, at.loss, known)


def calibrated(images: int, names: Iterable[str], top: Iterable[float]) -> Sentence:
    found = joined(", ", (say("{} {:.2f}", name, high) for name, high in zip(names, top, strict=True)))
    return say("On {} training images the activations reach {}.", images, found)


def rounded(name: str, layer: IntegerLayer, bits: int) -> Sentence:
    told = "{}: {:,} weights in {} bits, {:.1f} dB signal to noise; {:,} bytes become {:,}."
    return say(told, name, layer.weight.numel(), bits, layer.sqnr, layer.bytes_float, layer.bytes_integer)


def result(read: tuple[Verdict, Verdict, Verdict]) -> Sentence:
    """What was ``read`` in float32, in integers, and in float32 without the ReLUs."""
    right, got, wrong = read
    known = [say("{:.1%} and {:.1%}", *each.interval) for each in (right, got)]
    return say(
        "Of {} held-out digits, float32 reads {} right, the integers {}, and float32 without the ReLU after the "
        "convolutions {}; so the accuracy of float32 is between {}, and that of the integers between {}.",
        *(len(right.hits), right.correct, got.correct, wrong.correct, *known),
    )
