"""The parts of a picture: the stations of the road, what was tried at one of them, and mistakes to be caught."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Place = Literal["schema", "reference", "meta", "backward", "kernel", "compile", "test", "docs"]
STATIONS: tuple[Place, ...] = get_args(Place)

Schema = Literal["missing", "int cap", "right"]
Reference = Literal["missing", "overflows", "right"]
Meta = Literal["missing", "contiguous", "right"]
Backward = Literal["missing", "times cap", "right"]
Vectorised = Literal["missing", "no tail", "no strides", "right"]
Compiled = Literal["missing", "branches", "overflows", "right"]
Suite = Literal["missing", "plain", "built-in", "ours"]
Docs = Literal["missing", "stale", "right"]

State = Literal["waiting", "works", "missing", "differs", "fails"]
"""Missing: nothing stands there, and the road goes on; differs: something is wrong, and nothing says so"""


@dataclass(frozen=True)
class Cell:
    """One of the things that came out: a number, a shape, a node of a graph."""

    given: str
    """The number that it was made of; empty if there is none"""
    got: str
    """Empty if nothing was written there"""
    expected: str
    right: bool


@dataclass(frozen=True)
class Try:
    name: str
    state: State
    """Of this try"""
    says: str
    """The first sentence of torch, or of doctest"""
    cells: list[Cell]
    """Of the last try at a station alone"""


@dataclass(frozen=True)
class Mutant:
    """The right operator with one mistake, which a test should catch."""

    name: str
    station: Place
    """Where the mistake is"""
    caught: str
    """The first test that fails; empty while none has"""
