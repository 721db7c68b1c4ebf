"""What a figure shows of a written function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["waiting", "right", "wrong", "kink"]


@dataclass(frozen=True)
class Point:
    """A place on a curve where backward was asked."""

    key: str
    draw: int
    """Which random inputs it belongs to, from 1; 0 for those of the program"""
    x: float
    y: float
    asked: bool
    """Whether backward has been asked there"""
    claimed: float
    """The slope that backward claims"""
    measured: float
    """The slope that differences show"""
    state: State


@dataclass(frozen=True)
class Check:
    """One question, and what came of it."""

    name: str
    state: Literal["waiting", "passes", "fails"]
    says: str


@dataclass(frozen=True)
class Tiles:
    """A Jacobian twice."""

    rows: list[str]
    columns: list[str]
    claimed: list[list[str]]
    """[rows, columns] as backward claims it; empty where it has not been asked yet"""
    measured: list[list[str]]
    """[rows, columns] as differences show it"""
    wrong: list[list[bool]]
    """[rows, columns] where the two differ"""


@dataclass(frozen=True)
class Life:
    """A storage, and whether it is alive."""

    name: str
    bytes: int
    holders: list[str]
    """Who holds it; "a cycle" if nothing else does"""
    alive: bool
    changed: Literal["", "noticed", "harmless", "wrong"]
    """What comes of a change in place before backward"""
