"""What the pictures of a training step consist of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Precision = Literal["float32", "bfloat16", "float16"]
Scaling = Literal["none", "static", "dynamic"]

LOW, HIGH = -44, 20
"""Binades that are drawn, HIGH left out; what lies outside counts in the nearest one."""


@dataclass(frozen=True)
class Format:
    """Where the numbers of a format lie, as exponents of two."""

    name: Precision
    smallest: int
    """The smallest number above 0"""
    normal: int
    """The smallest number that has all its digits"""
    end: int
    """What no number reaches"""
    low: int
    """Binades that are drawn: the first"""
    high: int
    """And the last, plus one"""


_EXPONENTS: list[tuple[Precision, int, int, int]] = [
    ("float32", -149, -126, 128),
    ("bfloat16", -133, -126, 128),
    ("float16", -24, -14, 16),
]
FORMATS = {name: Format(name, smallest, normal, end, LOW, HIGH) for name, smallest, normal, end in _EXPONENTS}


@dataclass(frozen=True)
class Tally:
    """Numbers of a kind, counted."""

    bins: list[int]
    """[binades] how many there are in each"""
    count: int
    lost: int
    """Zeros where float64 has a number"""
    subnormal: int
    infinite: int
    nan: int


@dataclass(frozen=True)
class Operation:
    key: str
    name: str
    """As ATen calls it"""
    sort: Literal["cast", "lowered", "kept"]
    takes: list[str]
    """The types of its inputs, each once"""
    gives: str
