"""Overhead of a call: where the time of x + y goes before the first number is added, and after the last.

One line of Python on two tensors, timed whole and then in parts, in turns: the same line on two integers, a
question that is parsed and dispatched like the line, from Python and from C++, the line without autograd, with and
without ``out=``, and from C torch's own functions: through the dispatcher, without it, with a tensor for the
result, and the arithmetic alone. Each layer is the difference of two such times. What no layer explains is shown
as unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES

from native.pytorch.dispatch_overhead.sizes import COUNT, SIGNS, SIZES

MEASURES = True
MIDDLE = ("low", "middle", "high")  # as QUARTILES, but means of the middle half, which add up
LAYERS = (
    *("Python", "parsing", "dispatch", "autograd", "memory", "preparation", "arithmetic", "object"),
    "unexplained",
)


@dataclass(frozen=True)
class Params:
    op: Annotated[Literal["add", "mul", "neg"], Label("Operation")] = "add"
    n: Annotated[Literal[1, 16, 256, 4096, 65536], Label("Numbers in a tensor", main=True)] = 256
    grad: Annotated[
        bool, Label("x.requires_grad", main=True, help="The call then also records what backward will need.")
    ] = False
    repetitions: Annotated[int, Interval(ge=5, le=51), Label("Repetitions")] = 15


@dataclass(frozen=True, kw_only=True)
class Call(Event):
    """One more part of the call is known."""

    kind: Literal["call"] = "call"
    stage: str
    """The layer that was told apart just now; "the call" at first, then "sizes" and "many"."""
    line: str
    """What was called, as Python"""
    difference: str
    """What was timed for that layer, and what was subtracted from it; empty where nothing was"""
    layers: list[str]
    """In the order in which a call goes through them"""
    took: Annotated[Float32, Axes(layer=LAYERS, part=MIDDLE)]
    """[layers, 3] nanoseconds of one call; NaN where not yet told. A layer is a difference, and may be below 0"""
    call: Annotated[Float32, Axes(part=MIDDLE)]
    """[3] nanoseconds of the whole call"""
    n: int
    """Numbers in a tensor"""
    sizes: Int32
    """[sizes] numbers in a tensor"""
    by_size: Annotated[
        Float32, Axes(size=[str(size) for size in SIZES], what=("call", "arithmetic"), quartile=QUARTILES)
    ]
    """[sizes, 2, 3] nanoseconds; NaN where not yet measured"""
    crossover: float
    """Numbers from which the arithmetic takes more than half of the call, between two sizes by logarithms; 0 until
    it is known, and if that never happens"""
    count: int
    """Small tensors, each of n numbers"""
    many: Annotated[Float32, Axes(how=("apart", "at once"), quartile=QUARTILES)]
    """[2, 3] nanoseconds for all of them: one call each, or one call on one tensor; NaN until measured"""
    repetitions: int


def run(params: Params) -> Iterator[Call]:
    from native.models.torch_threads import one_thread
    from native.pytorch.dispatch_overhead.parts import across, layers, together_or_apart, whole

    line = SIGNS[params.op]
    with one_thread():
        event = Call(
            text=Sentence(""),
            stage="the call",
            line=line,
            difference="",
            layers=list(LAYERS),
            took=np.full((len(LAYERS), 3), np.nan, np.float32),
            call=whole(params),
            n=params.n,
            sizes=np.array(SIZES, np.int32),
            by_size=np.full((len(SIZES), 2, 3), np.nan, np.float32),
            crossover=0.0,
            count=COUNT,
            many=np.full((2, 3), np.nan, np.float32),
            repetitions=params.repetitions,
        )
        yield replace(event, text=say("{} takes {} with n = {:,}.", line, time_of(event.call[1]), params.n))

        call, took = layers(params)
        event = replace(event, call=call)
        # From the inside outwards: first what the call is for.
        for name in INWARDS:
            at = LAYERS.index(name)
            known = event.took.copy()
            known[at] = took[at]
            event = replace(event, stage=name, took=known, difference=difference(name, params.op))
            yield replace(event, text=told(name, float(took[at, 1]), float(call[1]), params))

        for at, pair in enumerate(across(params)):
            by_size = event.by_size.copy()
            by_size[at] = pair
            event = replace(event, stage="sizes", by_size=by_size, difference="")
            if at == len(SIZES) - 1:
                event = replace(event, crossover=crossing(by_size[:, :, 1]))
            yield replace(event, text=compared(event, at))

        event = replace(event, stage="many", many=together_or_apart(params))
        apart, once = (float(each) for each in event.many[:, 1])
        yield replace(
            event,
            text=say(
                "{} calls with n = {:,} take {}, and one with n = {:,} takes {}: a factor of {:.2g}.",
                COUNT,
                params.n,
                time_of(apart),
                COUNT * params.n,
                time_of(once),
                apart / once,
            ),
        )


INWARDS = (
    *("arithmetic", "preparation", "memory", "dispatch", "autograd", "parsing", "Python", "object"),
    "unexplained",
)
SAID = {
    "arithmetic": "The arithmetic, in our own C loop: {}, {:.1f} % of the call.",
    "preparation": "Comparing shapes, types and strides and choosing a loop: {}, {:.1f} % of the call.",
    "memory": "A new tensor for the result, instead of an existing one: {}, {:.1f} % of the call.",
    "dispatch": "Finding the kernel for these tensors: {}, {:.1f} % of the call.",
    "autograd": "Autograd checks whether to record the call, and does not: {}, {:.1f} % of the call.",
    "recorded": "Autograd records the call for the backward pass: {}, {:.1f} % of the call.",
    "parsing": "Parsing the arguments, which are Python objects: {}, {:.1f} % of the call.",
    "Python": "The interpreter, measured on integers: {}, {:.1f} % of the call.",
    "object": "Making a Python object for the result: {}, {:.1f} % of the call.",
    "unexplained": "No layer explains {}, {:.1f} % of the call.",
}


def difference(layer: str, op: str) -> str:
    """As a reader would write it: Python, or with ``::`` torch's C++."""
    two = op != "neg"
    arguments = "x, y" if two else "x"
    asked = "is_same_size" if two else "is_distributed"
    return {
        "preparation": f"at::cpu::{op}_out(z, {arguments}) − our loop",
        "memory": f"at::cpu::{op}({arguments}) − at::cpu::{op}_out(z, {arguments})",
        "dispatch": f"at::_ops::{op}_out::call({arguments}, z) − at::cpu::{op}_out(z, {arguments})",
        "autograd": f"{SIGNS[op]} − the same in inference mode",
        "parsing": f"x.{asked}({'y' if two else ''}) − at::_ops::{asked}::call({arguments})",
        "object": f"torch.{op}({arguments}, out=None) − torch.{op}({arguments}, out=z) − memory",
        "unexplained": f"{SIGNS[op]} − the layers",
    }.get(layer, "")


def told(name: str, took: float, call: float, params: Params) -> Sentence:
    words = SAID["recorded" if name == "autograd" and params.grad else name]
    return say(words, time_of(took), 100 * took / call)


def compared(event: Call, at: int) -> Sentence:
    call, arithmetic = (float(each) for each in event.by_size[at, :, 1])
    share = 100 * arithmetic / call
    if event.crossover > 0:
        about = int(float(f"{event.crossover:.2g}"))
        return say("With n = {:,}, {:.3g} % is arithmetic; at about {:,} it reaches half.", SIZES[at], share, about)
    return say("With n = {:,}, {:.3g} % of the call is arithmetic.", SIZES[at], share)


def crossing(by_size: Float32) -> float:
    """Where the arithmetic begins to take more than half of the call: [sizes, (call, arithmetic)] nanoseconds.

    0 if it never does, and the smallest size if it always does.
    """
    share = by_size[:, 1] / by_size[:, 0]
    more = np.flatnonzero(share > 0.5)
    if not len(more):
        return 0.0
    at = int(more[0])
    if at == 0:
        return float(SIZES[0])
    low, high = share[at - 1], share[at]
    part = (0.5 - low) / (high - low)
    return float(SIZES[at - 1] * (SIZES[at] / SIZES[at - 1]) ** part)


def time_of(nanoseconds: float) -> Sentence:
    for unit, of in (("ms", 1e6), ("µs", 1e3)):
        if abs(nanoseconds) >= of:
            return say("{:.3g} {}", nanoseconds / of, unit)
    return say("{:.3g} ns", nanoseconds)
