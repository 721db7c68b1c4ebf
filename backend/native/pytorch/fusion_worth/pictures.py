"""What the pictures are made of: steps of a program, and what crosses between memory and processor in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WAYS = ("eager", "apart", "fused", "inductor", "numpy", "one_line")
"""PyTorch as it is; our compiler, each step a kernel; the same in one kernel; and what is measured on demand"""
Over = Literal["numbers", "uses"]


@dataclass(frozen=True)
class Crossing:
    """An array that a step reads or writes."""

    name: str
    bytes: int
    crosses: bool
    """Between memory and processor; else it stays in registers, or its kernel has read it already"""


@dataclass(frozen=True)
class Step:
    code: str
    kernel: int
    """Which kernel computes it, from 0"""
    reads: list[Crossing]
    writes: list[Crossing]
    work: int
    """Operations, in additions: a tanh counts as 14"""
