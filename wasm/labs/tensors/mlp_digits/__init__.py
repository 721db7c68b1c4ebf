"""A network that reads digits: two layers trained on our own tensors, from the first weights to the last mistake.

1,797 handwritten digits of 8 by 8 pixels (E. Alpaydin and C. Kaynak, CC BY 4.0). Some are held out. From the rest
the network learns, a few at a time: scores, loss, gradients from the tape, a step down. What it makes of the digits
that it never saw says what it learned; you can draw another one. Four mistakes that are often made in such a loop
are a switch each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Text, Uint8
from labs.models.arrays import floats, ints
from labs.tensors.mlp_digits import kept
from labs.tensors.mlp_digits.digits import KINDS, Choice
from labs.tensors.mlp_digits.drawings import EXAMPLES, read
from labs.tensors.mlp_digits.forward import forward, shaded
from labs.tensors.mlp_digits.network import Activation, First, Rule
from labs.tensors.mlp_digits.tell import tell
from labs.tensors.mlp_digits.training import Course, Moment, train

SHOWN = 4  # misread images of each kind: enough to see what they have in common


@dataclass(frozen=True)
class Params:
    hidden: Annotated[int, Interval(ge=2, le=64), Label("Hidden neurons", group="Network", main=True)] = 48
    activation: Annotated[Activation, Label("Activation", group="Network")] = "relu"
    first: Annotated[
        First,
        Label(
            "First weights",
            group="Network",
            help="He's rule, noise of variance 2 / inputs; a hundredth of it; ten times as much; all zero.",
        ),
    ] = "he"
    rule: Annotated[Rule, Label("Step", group="Training", help="Along the gradient; with momentum; Adam's.")] = (
        "momentum"
    )
    learning_rate: Annotated[
        float, Interval(ge=0.001, le=1), Label("Learning rate", group="Training", main=True)
    ] = 0.1
    batch: Annotated[
        Literal[8, 16, 32, 64, 128, 256, 2048],
        Label(
            "Batch", unit="images", group="Training", help="How many one step sees; 2,048 is more than there are."
        ),
    ] = 64
    epochs: Annotated[
        int, Interval(ge=1, le=30), Label("Epochs", group="Training", help="How often each image is used.")
    ] = 20
    held_out: Annotated[int, Interval(ge=10, le=50), Label("Held out", unit="%", group="Data")] = 25
    split: Annotated[
        Choice, Label("Which", group="Data", help="At random, as many of each digit; or the last ones of the file.")
    ] = "random"
    seed: Annotated[
        int,
        Interval(ge=0, le=2**31 - 1),
        Label("Seed", group="Data", help="For what is held out, the first weights and the order."),
    ] = 0
    drawing: Annotated[
        str,
        Text(80, examples=EXAMPLES),
        Label(
            "Your digit", help="Draw it above. Eight rows: a dot is paper, 1 to 9 and a to g are more and more ink."
        ),
    ] = EXAMPLES["three"]
    keep_gradients: Annotated[
        bool, Label("Gradients never set to zero", group="Mistakes", help="Each step adds to those before.")
    ] = False
    sorted_batches: Annotated[
        bool, Label("Sorted by digit", group="Mistakes", help="All zeros, then all ones, in every epoch.")
    ] = False
    raw_pixels: Annotated[
        bool, Label("Pixels from 0 to 16", group="Mistakes", help="Not divided by 16 before they go in.")
    ] = False
    leak: Annotated[
        bool, Label("Held-out digits leak", group="Mistakes", help="Every second one is also learned from.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The network after some steps. Curves have a point for each picture so far; NaN where there is no number."""

    kind: Literal["picture"] = "picture"
    stage: Literal["untrained", "learning", "trained"]
    step: int
    """A step looks at one batch."""
    steps: int
    """Of the whole training."""
    per_epoch: int
    """Steps."""
    train_images: int
    """That it learns from."""
    held_out_images: int
    at: Int32
    """[pictures so far] steps"""
    train_loss: Annotated[Float32, Axes(step="at")]
    """[pictures so far] mean cross-entropy over the images that it learns from, nats"""
    held_out_loss: Annotated[Float32, Axes(step="at")]
    """[pictures so far]"""
    batch_low: Annotated[Float32, Axes(step="at")]
    """[pictures so far] the smallest loss of a batch since the picture before"""
    batch_high: Annotated[Float32, Axes(step="at")]
    """[pictures so far] the largest"""
    train_accuracy: Annotated[Float32, Axes(step="at")]
    """[pictures so far] share read right"""
    held_out_accuracy: Annotated[Float32, Axes(step="at")]
    """[pictures so far]"""
    gradient_first: Annotated[Float32, Axes(step="at")]
    """[pictures so far] length of the gradient of the first matrix"""
    gradient_second: Annotated[Float32, Axes(step="at")]
    """[pictures so far] of the second"""
    correct: int
    """Held-out images read right."""
    leaked_images: int
    """Held-out images that it learns from all the same: a mistake."""
    leaked_correct: int
    """Of those, read right."""
    confusion: Annotated[Int32, Axes(truth=None, answer=None)]
    """[10, 10] held-out images by what they are (row) and what they are read as (column)"""
    missed_images: Annotated[Uint8, Axes(image=None, pixel=None)]
    """[misread, 64] held-out images that are misread, at most 4 of each kind, the surest first; 0 to 16"""
    missed_truth: Int32
    """[misread] what it is"""
    missed_answer: Int32
    """[misread] what it is read as"""
    missed_chance: Float32
    """[misread] how likely the network takes its answer to be"""
    weights: Annotated[Uint8, Axes(neuron=None, pixel=None)]
    """[hidden, 64] of the first matrix, a row for each neuron; 128 is zero, 1 and 255 the largest of all"""
    weight_reach: float
    """The largest weight of the first matrix, without its sign."""
    drawing: Uint8
    """[64] the reader's digit, 0 to 16"""
    drawing_hidden: Float32
    """[hidden] what each hidden neuron hands on for it"""
    votes: Annotated[Uint8, Axes(digit=None, neuron=None)]
    """[10, hidden] the same times the neuron's weight for each digit, which its score adds up; as `weights` are"""
    vote_reach: float
    """The largest vote, without its sign."""
    drawing_scores: Float32
    """[10] what the network gives each digit for it"""
    drawing_chances: Float32
    """[10] the same as probabilities"""
    drawing_answer: int
    parameters: int
    """Numbers that are learned."""
    multiplications: int
    """In the matrix products of one step, forward and backward."""
    operations: int
    """On the tape, in one step."""
    kept_bytes: int
    """That the tape keeps for the way back, besides images and parameters."""


def run(params: Params) -> Iterator[Picture]:
    drawing = read(params.drawing)
    course = course_of(params)
    yield from trained(course, drawing, anew=params.drawing == Params.drawing)


def course_of(params: Params) -> Course:
    return Course(
        hidden=params.hidden,
        activation=params.activation,
        first=params.first,
        rule=params.rule,
        rate=params.learning_rate,
        batch=params.batch,
        epochs=params.epochs,
        held_out=params.held_out / 100,
        split=params.split,
        seed=params.seed,
        raw_pixels=params.raw_pixels,
        sorted_batches=params.sorted_batches,
        keep_gradients=params.keep_gradients,
        leak=params.leak,
    )


_newest: dict[Course, list[tuple[Moment, Picture]]] = {}


def trained(course: Course, drawing: Uint8, anew: bool) -> Iterator[Picture]:
    """The newest whole training is kept, so that a drawing is read at once while it is drawn; so is that with the
    lab's own settings, unless it is asked for anew."""
    if course in _newest:
        for moment, base in _newest[course]:
            yield reading(base, moment, course, drawing)
        return
    made = []
    for moment in train(course) if anew or course != course_of(Params()) else kept.moments(course):
        made.append((moment, picture(moment, course, drawing)))
        yield made[-1][1]
    _newest.clear()
    _newest[course] = made


def reading(base: Picture, moment: Moment, course: Course, drawing: Uint8) -> Picture:
    """The same picture with another drawing: one pass through the network, and nothing else is computed anew."""
    passed = forward(moment, course, drawing)
    text = tell(moment, base.correct, base.leaked_correct, passed["drawing_chances"])
    return replace(base, text=text, drawing=drawing, **passed)


def picture(moment: Moment, course: Course, drawing: Uint8) -> Picture:
    truth, answers = moment.held_out.labels, moment.chances.argmax(1)
    right = answers == truth
    confusion = np.zeros((KINDS, KINDS), np.int32)
    np.add.at(confusion, (truth, answers), 1)
    missed = of_each_kind(np.flatnonzero(~right), moment)
    passed = forward(moment, course, drawing)
    weights, reach = shaded(moment.network.parameters[0].array.T)
    multiplications, operations, kept_bytes = moment.cost
    return Picture(
        text=tell(moment, int(right.sum()), int((right & moment.leaked).sum()), passed["drawing_chances"]),
        stage="untrained" if not moment.step else "learning" if moment.step < moment.steps else "trained",
        step=moment.step,
        steps=moment.steps,
        per_epoch=moment.per_epoch,
        train_images=len(moment.learned),
        held_out_images=len(moment.held_out),
        at=ints(look.step for look in moment.looks),
        train_loss=floats(look.train_loss for look in moment.looks),
        held_out_loss=floats(look.held_out_loss for look in moment.looks),
        batch_low=floats(look.batch_low for look in moment.looks),
        batch_high=floats(look.batch_high for look in moment.looks),
        train_accuracy=floats(look.train_right for look in moment.looks),
        held_out_accuracy=floats(look.held_out_right for look in moment.looks),
        gradient_first=floats(look.gradient_first for look in moment.looks),
        gradient_second=floats(look.gradient_second for look in moment.looks),
        correct=int(right.sum()),
        leaked_images=int(moment.leaked.sum()),
        leaked_correct=int((right & moment.leaked).sum()),
        confusion=confusion,
        missed_images=moment.held_out.images[missed],
        missed_truth=ints(truth[missed]),
        missed_answer=ints(answers[missed]),
        missed_chance=floats(moment.chances[missed, answers[missed]]),
        weights=weights,
        weight_reach=reach,
        drawing=drawing,
        **passed,
        parameters=sum(each.layout.size for each in moment.network.parameters),
        multiplications=multiplications,
        operations=operations,
        kept_bytes=kept_bytes,
    )


def of_each_kind(rows: NDArray[np.int64], moment: Moment) -> NDArray[np.int64]:
    """The surest SHOWN of each pair of truth and answer, the surest of all first."""
    chances = moment.chances[rows].max(1)
    rows = rows[np.argsort(-chances, kind="stable")]
    answers = moment.chances.argmax(1)
    seen: dict[tuple[int, int], int] = {}
    kept = []
    for row in rows.tolist():
        kind = int(moment.held_out.labels[row]), int(answers[row])
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= SHOWN:
            kept.append(row)
    return np.array(kept, np.int64)
