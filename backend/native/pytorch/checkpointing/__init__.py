"""Backward and saved state: what a network keeps for its backward pass, and what it costs to keep less.

A chain of layers goes forward and backward in torch. Weak references say after every operator which storages are
alive. Checkpoints drop what lies between their borders and compute it again; the borders follow a rule, are the
reader's, or come from dynamic programming. A selective checkpoint keeps matrix products, and offloading puts all
into files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Interval, Label, Text

from native.pytorch.checkpointing.pictures import Block, Cost, Policy, Segment

POSTER = 35


@dataclass(frozen=True)
class Params:
    policy: Annotated[
        Policy,
        Label("Policy", main=True, help="What is kept between forward and backward."),
    ] = "every"
    length: Annotated[
        int,
        Interval(ge=1, le=16),
        Label("Layers in a segment", main=True, help="For the policies “every” and “selective”."),
    ] = 3
    segments: Annotated[
        str,
        Text(80),
        Label("Your segments", main=True, help="How many layers each has, in order; k2: two layers, all kept."),
    ] = "4 3 k2"
    layers: Annotated[int, Interval(ge=2, le=16), Label("Layers")] = 9
    shape: Annotated[Literal["even", "narrowing", "widening", "hourglass"], Label("Widths")] = "even"
    width: Annotated[int, Interval(ge=16, le=256), Label("Widest layer")] = 64
    rows: Annotated[int, Interval(ge=8, le=256), Label("Rows of a batch")] = 64
    seed: Annotated[int, Interval(ge=0, le=9999), Label("Seed", help="For weights and inputs.")] = 12


@dataclass(frozen=True, kw_only=True)
class Passing(Event):
    """A moment of a forward and a backward pass: an operator has just written its result."""

    kind: Literal["passing"] = "passing"
    stage: Literal["forward", "again", "backward", "compared"]
    layer: int
    """That is computed; 0 at the end"""
    moment: int
    """Of the run, from 0"""
    moments: int
    """How many the run has"""
    widths: list[int]
    """[layers + 1] of the input and of each layer"""
    blocks: list[Block]
    """That are alive, and those in files"""
    segments: list[Segment]
    curve: Float32
    """[moments so far] bytes that were alive"""
    alive: int
    """Bytes now"""
    peak: int
    """Bytes, so far"""
    again: float
    """Share of the work of the matrix products of forward that has been done again"""
    costs: Annotated[list[Cost], Axes(policy="costs.policy")]
    """Of a whole run under each policy; at the first moment only of this one and of the one that keeps all"""
    equal: bool
    """Whether all these policies give the same gradients of weights, bit for bit"""


def run(params: Params) -> Iterator[Passing]:
    from native.models.torch_threads import one_thread
    from native.pytorch.checkpointing.story import Story

    with one_thread():
        story = Story(params)
    for fields in story.tell():
        yield Passing(**fields)
