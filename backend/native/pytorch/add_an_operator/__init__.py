"""Adding an operator: eight stations from a schema to its docs, and what torch says when one is missing or wrong.

softcap(x, cap) = cap * tanh(x / cap) is registered with torch as the reader has put it together: a schema, a
reference, a Meta kernel, a formula for backward, a vectorised kernel in C, a rule for the compiler, a test and a
docstring. Each station is tried for real. The tests are put to this operator, and to eight with one mistake each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Label

from native.pytorch.add_an_operator.pictures import (
    Backward,
    Compiled,
    Docs,
    Meta,
    Mutant,
    Place,
    Reference,
    Schema,
    State,
    Suite,
    Try,
    Vectorised,
)  # fmt: skip

POSTER = 12


@dataclass(frozen=True)
class Params:
    kernel: Annotated[
        Vectorised,
        Label("Kernel", help="Eight numbers at once, in C, for float32; without it the reference runs.", main=True),
    ] = "no tail"
    test: Annotated[
        Suite,
        Label("Test", help="16 plain numbers; opcheck and gradcheck; or eight tests of our own.", main=True),
    ] = "built-in"
    schema: Annotated[Schema, Label("Schema", help="With int cap, a cap of 2.5 is refused.")] = "right"
    reference: Annotated[
        Reference,
        Label("Reference", help="The right one is plain and careful; the other computes with exp(2x / cap)."),
    ] = "right"
    meta: Annotated[Meta, Label("Meta", help="Contiguous strides are wrong for a transposed x.")] = "right"
    backward: Annotated[
        Backward, Label("Backward", help="“times cap” has a factor cap that the chain rule cancels.")
    ] = "right"
    compile: Annotated[
        Compiled,
        Label("Compile", help="A decomposition into operators that the compiler knows, or a branch on the values."),
    ] = "right"
    docs: Annotated[Docs, Label("Docs", help="Stale docs were written for another default of cap.")] = "right"


@dataclass(frozen=True, kw_only=True)
class Tried(Event):
    """The road, as far as it has been travelled."""

    kind: Literal["tried"] = "tried"
    stage: Place
    """The station at which the call is"""
    states: list[State]
    """Of the eight stations"""
    code: list[str]
    """Lines of what stands there"""
    tries: list[Try]
    """At this station, the last one just now"""
    mutants: list[Mutant]
    """At the test alone"""
    caught: int
    """Mutants for which a test has failed"""
    works: int
    """Stations that work"""


def run(params: Params) -> Iterator[Tried]:
    from native.pytorch.add_an_operator.story import story

    for fields in story(params):
        yield Tried(**fields)
