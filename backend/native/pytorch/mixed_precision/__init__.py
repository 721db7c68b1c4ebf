"""Mixed precision: which numbers a format loses while a network trains, and which of them loss scaling saves.

A small network learns digits under torch.autocast. After each step the lab counts weights, activations and
gradients by their exponent, and compares the gradients with those of float64 for the same weights and images. The
loss is scaled by nothing, by a fixed power of two, or by torch's GradScaler. Float16 on a processor is slow, and no
time is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Float32, Interval, Label

from native.pytorch.mixed_precision.pictures import Format, Operation, Precision, Scaling, Tally

POSTER = 21
BY_PROCESSOR = True  # its instructions decide in which order products of 16 bits are added


@dataclass(frozen=True)
class Params:
    precision: Annotated[Precision, Label("Autocast to", main=True)] = "float16"
    scaling: Annotated[
        Scaling,
        Label("Loss scaling", help="Dynamic: torch's GradScaler adjusts the scale after each step.", main=True),
    ] = "none"
    exponent: Annotated[
        int, Interval(ge=0, le=40), Label("Scale 2^", help="Static: always. Dynamic: at the start.")
    ] = 16
    growth: Annotated[
        int,
        Interval(ge=1, le=50),
        Label("Growth interval", unit="steps", help="GradScaler's default is 2,000."),
    ] = 4
    share: Annotated[
        int,
        Interval(ge=0, le=20),
        Label("Loss divided by 2^", help="As if the batch were that much larger."),
    ] = 14
    master: Annotated[
        bool, Label("Weights stay float32", help="Otherwise they are kept in the format between steps.")
    ] = True
    steps: Annotated[int, Interval(ge=1, le=80), Label("Steps")] = 40
    seed: Annotated[int, Interval(ge=0, le=9999), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Traced(Event):
    """The first forward pass, operation by operation."""

    kind: Literal["traced"] = "traced"
    operations: list[Operation]
    lowered: int
    """Operations whose result has the format, casts left out"""
    kept: int
    """Operations whose result is float32"""
    casts: int


@dataclass(frozen=True, kw_only=True)
class Trained(Event):
    """The numbers of one training step."""

    kind: Literal["trained"] = "trained"
    stage: Literal["updated", "skipped", "broken"]
    """Broken: some weights are NaN"""
    step: int
    format: Format
    weights: Tally
    """As the forward pass takes them"""
    activations: Tally
    """Of all layers, before ReLU"""
    gradients: Tally
    """Of all weights and biases, as backward leaves them: times the scale"""
    expected: list[int]
    """Gradients that float64 gives, times the scale, by binade as in a tally"""
    loss: Float32
    """[steps so far] before it is divided and scaled"""
    reference: Float32
    """[steps so far] the same in float32, without a scale"""
    scale: Float32
    """[steps so far] the exponent of the scale that each step was computed with"""
    now: int
    """The exponent of the scale after this step"""
    tracker: int
    """Steps without an infinity in a row, as GradScaler counts them"""
    skipped: int
    """Steps so far"""
    swallowed: int
    """Weights that did not change because the format has no number between the old one and the new one"""
    broken: int
    """Weights that are NaN after this step"""
    parameters: int
    steps: int
    """Steps of the whole run"""


def run(params: Params) -> Iterator[Traced | Trained]:
    from native.models.torch_threads import one_thread
    from native.pytorch.mixed_precision.trace import traced
    from native.pytorch.mixed_precision.training import Training

    with one_thread():
        training = Training(params)
        yield Traced(**traced(training))
        for _ in range(params.steps):
            yield Trained(**training.step())
