"""Buffer pool: where the tensors of a training step lie in memory, and how much of it that takes.

A small network trains on our own tensors, and every request for memory is written down with the moment at which it
is given back. Four pools serve the same requests: one that never reuses a byte, one with blocks of powers of two,
one that takes the best fit, and an arena that was planned with all lifetimes known. None of them can do with less
than what is alive at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from labs.models.arrays import ints
from labs.tensors.buffer_pool.pools import POLICIES, Place, Policy, live, pool, serve
from labs.tensors.buffer_pool.trace import STAGES, Buffer, Network, Stage, end, trace

POSTER = 100


@dataclass(frozen=True)
class Params:
    policy: Annotated[
        Policy,
        Label("Pool", help="The arena is planned beforehand; the others see one request at a time.", main=True),
    ] = "powers of two"
    batch: Annotated[int, Interval(ge=4, le=256), Label("Batch", unit="examples", main=True)] = 129
    width: Annotated[int, Interval(ge=8, le=128), Label("Width", unit="neurons")] = 64
    depth: Annotated[int, Interval(ge=1, le=8), Label("Depth", unit="layers")] = 4
    keep: Annotated[
        int,
        Interval(ge=1, le=4),
        Label("Keep one activation in", help="The others are computed again on the way back."),
    ] = 1
    steps: Annotated[int, Interval(ge=1, le=3), Label("Training steps")] = 2
    last: Annotated[
        int,
        Interval(ge=10, le=100),
        Label("Last batch", unit="%", help="Its size, relative to the others: data often end in a smaller batch."),
    ] = 100
    splits: Annotated[
        bool, Label("Split blocks", help="Best fit keeps free the part of a block that a request does not need.")
    ] = True


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """Memory after one request."""

    kind: Literal["picture"] = "picture"
    stage: Stage
    step: int
    """Of the training, from 1."""
    moment: int
    """Requests before this one."""
    moments: int
    """Requests in the whole run."""
    names: list[str]
    """What the operations are called whose results were asked for"""
    name: Uint8
    """[requests so far] as listed"""
    stages: Uint8
    """[requests so far] forward, backward, update: 0 to 2"""
    died: Int32
    """[requests so far] the first moment without it; -1 while it is alive. It is born with its request"""
    asked: Int32
    """[requests so far] bytes"""
    start: Int32
    """[requests so far] its address in this pool, bytes"""
    held: Int32
    """[requests so far] bytes of the pool that nobody else can have meanwhile"""
    hit: bool
    """This request was served from what the pool had."""
    top: int
    """The end of the picture: the most that this pool or one that reuses memory reserves, bytes"""
    policies: list[str]
    reserved: Annotated[Int32, Axes(policy="policies")]
    """[pools] bytes that each has from the system by now"""
    times: Annotated[Float32, Axes(policy="policies")]
    """[pools] as often as the bound below"""
    hits: Annotated[Int32, Axes(policy="policies")]
    """[pools] requests so far that each served from what it had"""
    alive: int
    """Bytes alive after it"""
    over_time: Int32
    """[requests so far] bytes that this pool has from the system after each"""
    bound: int
    """The most bytes alive at once in the whole run: no pool can do with less"""


def run(params: Params) -> Iterator[Picture]:
    buffers = trace(Network(params.depth, params.width, params.keep), batches(params))
    served = {each: serve(pool(each, buffers, params.splits), buffers) for each in POLICIES}
    alive, mine = live(buffers), served[params.policy]
    names = sorted({each.name for each in buffers})
    needed = {each: one.reserved[-1] for each, one in served.items()}
    top = max(needed[each] for each in POLICIES if each in (params.policy, *POLICIES[1:]))
    bound = max(alive)
    kinds = np.array([names.index(each.name) for each in buffers], np.uint8)
    stages = np.array([STAGES.index(each.stage) for each in buffers], np.uint8)
    deaths, asked = np.array([*map(end, buffers)]), ints(each.size for each in buffers)
    start, held = ints(each.start for each in mine.places), ints(each.held for each in mine.places)
    reserved = np.array([one.reserved for one in served.values()], np.int32)
    hits = np.cumsum([[each.hit for each in one.places] for one in served.values()], axis=1, dtype=np.int32)
    for n, buffer in enumerate(buffers):
        far, place = slice(n + 1), mine.places[n]
        yield Picture(
            text=tell(params.policy, buffer, place, needed[params.policy] / bound, n + 1 == len(buffers)),
            stage=buffer.stage,
            step=buffer.step + 1,
            moment=n,
            moments=len(buffers),
            names=names,
            name=kinds[far],
            stages=stages[far],
            died=np.where(deaths[far] <= n, deaths[far], -1).astype(np.int32),
            asked=asked[far],
            start=start[far],
            held=held[far],
            hit=place.hit,
            top=top,
            policies=list(POLICIES),
            reserved=reserved[:, n],
            times=(reserved[:, n] / bound).astype(np.float32),
            hits=hits[:, n],
            alive=alive[n],
            over_time=reserved[POLICIES.index(params.policy), far],
            bound=bound,
        )


def batches(params: Params) -> list[int]:
    """Examples of each step; the last may be shorter."""
    return [params.batch] * (params.steps - 1) + [max(1, params.batch * params.last // 100)]


def tell(policy: Policy, buffer: Buffer, place: Place, ratio: float, last: bool) -> Sentence:
    if last:
        return say("{}: in the end {:.2f} times as much memory as was ever alive at once.", policy, ratio)
    what = say("Step {}, {}: {} asks for {:,} bytes", buffer.step + 1, buffer.stage, buffer.name, buffer.size)
    if policy == "arena":
        return say("{} and gets its planned place at {:,}.", what, place.start)
    if not place.hit:
        return say("{}; no free block fits, so {:,} come from the system.", what, place.held)
    if place.held > buffer.size:
        return say("{} and takes a free block of {:,} at {:,}.", what, place.held, place.start)
    return say("{} and takes a free block of that size at {:,}.", what, place.start)
