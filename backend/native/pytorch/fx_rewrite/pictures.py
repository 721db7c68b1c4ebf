"""The parts of a picture of a graph that is rewritten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Program = Literal["block", "second_user", "shared_conv", "gate", "equal_terms", "in_place", "noise", "branch"]
Rewrite = Literal["fold", "silu", "dropout", "merge"]
Who = Literal["guarded", "careless", "PyTorch"]
Capture = Literal["symbolic_trace", "torch.compile"]
Dtype = Literal["float32", "bfloat16"]
Stage = Literal["traced", "refused", "matched", "rewritten", "failed", "checked"]


@dataclass(frozen=True)
class Box:
    """A node of the graph."""

    name: str
    says: str
    """What it does, in a word"""
    sort: Literal["input", "weights", "module", "function", "output"]
    line: int
    """Of the program that it comes from; 0 if from none"""
    column: int
    row: int
    graph: int
    """Which of several graphs it is in, from 0"""
    into: str
    """The name of the node that takes it in if it is taken out; empty if none does"""
    source: str
    """The name of the node that it came out of; empty if of none"""


@dataclass(frozen=True)
class Extent:
    """The room that a graph takes, from its first picture on."""

    columns: int
    rows: int


@dataclass(frozen=True)
class Edge:
    """A value on its way from the node that makes it to one that reads it."""

    source: str
    target: str


@dataclass(frozen=True)
class Guard:
    """A condition under which a rewrite keeps the result."""

    asks: str
    holds: bool
    why: str
    """What was found in this program"""
