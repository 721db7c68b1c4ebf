"""Schema, keys, meta: what an operator's schema promises, whether a call keeps the promise, and which paths fail.

Torch's own parser takes a schema apart, and a real call is compared with it: storages, versions, bytes. Then a
program with the operator is run eagerly, backward, on fake tensors, exported, compiled, and put to opcheck. The
operator is one of torch's, one of ours, or has a schema of the reader's; the kernels of these two are as wrong as
the reader wants them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Label, Text

from native.pytorch.operator_schema.pictures import Kernel, Meta, Operator, Place, Registered, Road, Slot

POSTER = 10
OWN = {
    "none": "",
    "out": "add_to(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    "two_results": "spread(Tensor x, float eps=1e-05) -> (Tensor mean, Tensor var)",
    "a_list": "halves(Tensor(a -> *) x) -> Tensor(a)[]",
    "no_result": "log_to(Tensor x, str name) -> ()",
    "counter": "tick(Tensor(a!) counter, Tensor[] parts) -> ()",
}


@dataclass(frozen=True)
class Params:
    operator: Annotated[
        Operator, Label("Operator", help="scaled is ours, with three schemas; the others are torch’s.", main=True)
    ] = "scaled"
    own: Annotated[
        str,
        Text(200, examples=OWN),
        Label(
            "Your own schema",
            help="Replaces the operator. Its kernel adds 1 to what it may write, and doubles the first tensor.",
            main=True,
        ),
    ] = ""
    kernel: Annotated[
        Kernel,
        Label(
            "CPU kernel of scaled, or of yours",
            help="It returns a new tensor, changes x as well, or returns x itself.",
            main=True,
        ),
    ] = "mutates"
    meta: Annotated[
        Meta, Label("Meta kernel of scaled, or of yours", help="What it says about the result’s shape and strides.")
    ] = "right"
    autograd: Annotated[bool, Label("Formula for backward", help="Registers a backward formula for scaled.")] = True


@dataclass(frozen=True, kw_only=True)
class Told(Event):
    """An operator, as far as it has been tried."""

    kind: Literal["told"] = "told"
    stage: str
    """argument, result, call, kernels, or the name of a road"""
    schema: str
    program: list[str]
    """Lines of Python"""
    slots: list[Slot]
    """The arguments, then the results"""
    at: int
    """Which slot is read; -1 if none is"""
    places: list[Place]
    """The storages of the call; before it those of the arguments"""
    keys: list[Registered]
    roads: list[Road]
    road: int
    """Which road was taken last; -1 before the first"""
    lies: int
    """Storages with which the call did what the schema hides"""
    fails: int
    """Roads so far that fail or give another result"""


def run(params: Params) -> Iterator[Told]:
    from native.pytorch.operator_schema.story import story

    for fields in story(params):
        yield Told(**fields)
