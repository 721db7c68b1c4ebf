"""Memory format: one small network in NCHW and channels_last, and each copy that nobody wrote down.

The same numbers may lie in memory channel by channel or pixel by pixel. Every call reads one order and leaves one.
Where a call gets the other order, somebody copies. A TorchDispatchMode sees the copies among the operators, the
profiler those inside of an operator, and equal addresses show what is a view. What oneDNN reorders inside of a
convolution only the clock shows: the same convolution is timed in both formats, in turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES

from native.pytorch.memory_format.op import Op

MEASURES = True
Format = Literal["contiguous", "channels_last"]


@dataclass(frozen=True)
class Params:
    input: Annotated[Format, Label("Input", main=True)] = "contiguous"
    weights: Annotated[Format, Label("Weights", main=True)] = "channels_last"
    middle: Annotated[
        Literal["shuffle_by_hand", "channel_shuffle", "layer_norm", "nothing"],
        Label("In the middle", help="Between the two convolutions.", main=True),
    ] = "shuffle_by_hand"
    place: Annotated[
        Literal["nowhere", "at_the_input", "before_the_middle", "after_the_middle", "before_flatten"],
        Label("Convert"),
    ] = "nowhere"
    convert: Annotated[Format, Label("Convert to")] = "channels_last"
    channels: Annotated[Literal[1, 4, 8, 16, 32, 64], Label("Channels")] = 32
    size: Annotated[Literal[1, 8, 16, 32, 56], Label("Height and width")] = 32
    batch: Annotated[int, Interval(ge=1, le=16), Label("Images")] = 4
    pool: Annotated[Literal[1, 2, 4], Label("Pooled to")] = 4
    view: Annotated[
        bool, Label("view instead of flatten", help="x.view(n, -1), which never copies.", group="Mistakes")
    ] = False


@dataclass(frozen=True, kw_only=True)
class Chain(Event):
    """The network, and what is known of each line."""

    kind: Literal["chain"] = "chain"
    stage: Literal["layouts", "copies", "time", "inside", "whole"]
    at: int
    """Which line is looked at"""
    ops: list[Op]
    watched: int
    """Of so many lines the copies are known"""
    tiny: list[int]
    """Channels, height, width of the tensor that is drawn"""
    reads: Int32
    """[numbers] which lies where, before the line: index in the drawn tensor as it was at first"""
    writes: Int32
    """[numbers] after it; empty where nothing of them is left"""
    copies: int
    """In all lines watched so far"""
    copied: int
    """Bytes in them"""
    took: Annotated[Float32, Axes(op="ops.name", quartile=QUARTILES)]
    """[lines, 3] milliseconds; NaN where not yet measured"""
    copying: Annotated[Float32, Axes(op="ops.name", quartile=QUARTILES)]
    """[lines, 3] milliseconds of the copies alone; NaN where there are none, or not yet measured"""
    inside: Annotated[Float32, Axes(format=("contiguous", "channels_last"), quartile=QUARTILES)]
    """[2, 3] milliseconds of the first convolution, all in one format; NaN until measured"""
    whole: Annotated[
        Float32,
        Axes(
            formats=(
                "contiguous contiguous",
                "contiguous channels_last",
                "channels_last contiguous",
                "channels_last channels_last",
            ),
            quartile=QUARTILES,
        ),
    ]
    """[4, 3] milliseconds of all lines, by the formats of input and weights; NaN until measured"""


def run(params: Params) -> Iterator[Chain]:
    import torch

    from native.models.torch_threads import one_thread

    with one_thread(), torch.no_grad():
        yield from walk(params)


def walk(params: Params) -> Iterator[Chain]:
    from native.pytorch.memory_format import cost, told
    from native.pytorch.memory_format.chain import fed, network
    from native.pytorch.memory_format.found import charged, laid
    from native.pytorch.memory_format.tiny import memory, orders
    from native.pytorch.memory_format.watch import watched

    x = fed(params)
    lines = network(params)
    ops, inputs = laid(lines, x)
    results = inputs[1:]
    small = [(memory(a), memory(b)) for a, b in orders(lines[: len(results)], x, results)]
    if len(small) < len(ops):  # the last one fails
        small.append((small[-1][1], np.zeros(0, np.int32)))
    nothing = np.full((len(ops), 3), np.nan, np.float32)
    event = Chain(
        text=Sentence(""),
        stage="layouts",
        at=0,
        ops=ops,
        watched=0,
        tiny=[min(params.channels, 4), min(params.size, 2), min(params.size, 3)],
        reads=small[0][0],
        writes=small[0][1],
        copies=0,
        copied=0,
        took=nothing,
        copying=nothing,
        inside=nothing[:2],
        whole=nothing[:4],
    )
    yield replace(event, text=told.opening(ops))

    # Torch loads a lot when Python first sees its operators: a reader need not wait for that to see the layouts.
    seen = watched(lines[: len(results)], x)
    for at, op in enumerate(ops):
        if at < len(seen):
            op = charged(op, lines[at], inputs[at], seen[at])
        ops = [*ops[:at], op, *ops[at + 1 :]]
        event = replace(
            event,
            stage="copies",
            at=at,
            ops=ops,
            watched=at + 1,
            reads=small[at][0],
            writes=small[at][1],
            copies=sum(len(each.visible) + len(each.inside) for each in seen[: at + 1]),
            copied=sum(each.visible_bytes + each.inside_bytes for each in ops),
        )
        yield replace(event, text=told.walked(op))

    for at in range(len(results)):
        took, copying = event.took.copy(), event.copying.copy()
        took[at], copying[at] = cost.line(lines[at], inputs[at], seen[at])
        event = replace(
            event, stage="time", at=at, reads=small[at][0], writes=small[at][1], took=took, copying=copying
        )
        yield replace(event, text=told.timed(ops[at], took[at, 1], copying[at, 1]))

    def back_to(at: int) -> Chain:
        return replace(event, at=at, reads=small[at][0], writes=small[at][1])

    first_one = next(at for at, line in enumerate(lines) if line.weights is not None)
    event = replace(back_to(first_one), stage="inside", inside=cost.convolution(params))
    first, last = (float(each) for each in event.inside[:, 1])
    text = say(
        "The first convolution takes {} with everything contiguous, {} with everything channels_last.",
        told.time_of(first),
        told.time_of(last),
    )
    yield replace(event, text=text)
    if len(results) == len(ops):
        most = max(range(len(ops)), key=lambda at: ops[at].visible_bytes + ops[at].inside_bytes)
        event = replace(back_to(most), stage="whole", whole=cost.whole(params))
        yield replace(event, text=told.summed(event))
