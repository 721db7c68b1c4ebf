"""The clock of one line: where the time of a line such as y = relu(x @ w + b) goes, layer by layer.

The line is one of our own, since Python executes it. It is timed whole, with tensors that want gradients, and
then in parts, in turns: the same bytecode on integers, as many calls that only parse and dispatch, the line
without gradients, and its arithmetic alone, which LLVM compiles. Each layer is the difference of two such times,
so that the layers add up to the call. The same run measures the processor's peak, and asks PyTorch which kernels
its dispatcher finds for the line.

Reading order: `asked` asks PyTorch, `arithmetic` compiles what is left without it, `works` is what is timed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, ImpossibleError, Interval, Label, say
from labs.models.one_line.call import Call
from labs.models.one_line.line import read
from labs.models.timing import QUARTILES
from numpy.typing import NDArray

MEASURES = True
LAYERS = ("Python", "parsing and dispatch", "the tape", "the rest of PyTorch", "arithmetic")
PATIENCE = 0.05  # seconds for all repetitions of a part
Timeable = Literal[
    "y = relu(x @ w + b)",
    "y = x @ w + b",
    "y = relu(-(x @ w)) * b",
    "y = 2 - x.T * 3",
    "y = w.T @ x.T",
    "y = relu(x @ w) @ w.T",
]
"""The examples of ``descent/one_line``: what a reader writes is executed nowhere but in the reader's browser."""


@dataclass(frozen=True)
class Params:
    line: Annotated[Timeable, Label("Line", main=True)] = "y = relu(x @ w + b)"
    grad: Annotated[
        bool, Label("Gradients", main=True, help="x, w and b require gradients, so the tape records.")
    ] = True
    repetitions: Annotated[int, Interval(ge=5, le=51), Label("Repetitions")] = 21


@dataclass(frozen=True, kw_only=True)
class Timed(Event):
    """One call of the line, in layers."""

    kind: Literal["timed"] = "timed"
    line: str
    """Without spaces around it"""
    torch: str
    """Version of the PyTorch that was timed and asked"""
    calls: list[Call]
    """What PyTorch's dispatcher does with the operators of the line, in the order in which they are called"""
    layers: list[str]
    """In the order in which a call goes through them"""
    took: Annotated[Float32, Axes(layer=LAYERS, quartile=QUARTILES)]
    """[layers, 3] nanoseconds; a layer is a difference, and may be below 0"""
    turns: Annotated[Float32, Axes(layer=LAYERS, turn=None)]
    """[layers, repetitions] nanoseconds of each, in the order in which they were taken"""
    call: Annotated[Float32, Axes(quartile=QUARTILES)]
    """[3] nanoseconds of the whole call"""
    share: float
    """Of the whole call, what the arithmetic takes, from 0 to 1"""
    flops: int
    """Operations on numbers in one call"""
    peak: float
    """Operations that one core can do in a nanosecond, measured in the same run"""
    reached: float
    """Of that peak, what the whole call comes to, from 0 to 1"""
    arithmetic_reached: float
    """Of that peak, what the arithmetic alone comes to, from 0 to 1"""
    repetitions: int


def run(params: Params) -> Iterator[Timed]:
    import torch

    from native.descent.line_clock import works
    from native.descent.line_clock.arithmetic import Arithmetic
    from native.descent.line_clock.asked import asked
    from native.models.peak_kernel import peak
    from native.models.timing import clocked, enough
    from native.models.torch_threads import one_thread

    line = read(params.line)
    calls, arithmetic = asked(line), Arithmetic(line)
    roof, operations = peak("fp32", 1)
    parts = [
        works.nothing,
        works.on_integers(line),
        works.dispatching(len(calls)),
        works.on_tensors(line, grad=False),
        works.on_tensors(line, params.grad),
        works.alone(arithmetic, line)[0],
        roof,
    ]
    with one_thread():
        rounds = [enough(work, PATIENCE / params.repetitions) for work in parts]
        taken = np.array(
            [
                [clocked(work, count) / count * 1e9 for work, count in zip(parts, rounds, strict=True)]
                for _ in range(params.repetitions)
            ]
        )
    top = taken[:, -1]
    turns = differences(taken.T)[:-1].astype(np.float32)
    took = layered(quarters(taken.T), taken)
    took, whole = took[:-1], took[-1]
    best = operations / float(np.min(top))
    if (reached := arithmetic.flops / float(np.min(taken[:, -2])) / best) > 1:
        raise ImpossibleError(f"The arithmetic came to {reached:.2f} of the peak, which cannot be: measure again.")
    share = float(took[-1, 1] / whole[1])
    if share > 1:
        raise ImpossibleError("The arithmetic took longer than the call that it is part of: measure again.")
    yield Timed(
        text=say(
            "Of {:.3g} microseconds, {:.2g} nanoseconds are arithmetic: {:.2g} % of the call.",
            float(whole[1]) / 1000,
            float(took[-1, 1]),
            100 * share,
        ),
        line=line.source,
        torch=torch.__version__.split("+")[0],
        calls=calls,
        layers=list(LAYERS),
        took=took,
        turns=turns,
        call=whole,
        share=share,
        flops=arithmetic.flops,
        peak=best,
        reached=arithmetic.flops / float(whole[1]) / best,
        arithmetic_reached=arithmetic.flops / float(took[-1, 1]) / best,
        repetitions=params.repetitions,
    )


def layered(quartiles: Float32, taken: NDArray[np.float64]) -> Float32:
    """[layers and the call, 3] nanoseconds. The middle of each is a difference of medians, so that they add up; how
    far they spread is that of the differences, repetition by repetition."""
    middle = differences(quartiles[:, 1].astype(np.float64))
    spread = quarters(differences(taken.T))
    low, high = np.minimum(spread[:, 0], middle), np.maximum(spread[:, 2], middle)
    return np.stack([low, middle, high], axis=1).astype(np.float32)


def differences(times: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each layer takes, and last the whole call."""
    loop, integers, dispatched, free, call, work, _ = times
    call, python, dispatch, tape = call - loop, integers - loop, dispatched - integers, call - free
    return np.array([python, dispatch, tape, call - python - dispatch - tape - work, work, call])


def quarters(each: NDArray[np.float64]) -> Float32:
    """[…, 3]: low, median, high along the repetitions, which are last."""
    return np.moveaxis(np.percentile(each, (25, 50, 75), axis=-1), 0, -1).astype(np.float32)
