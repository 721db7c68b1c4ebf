"""The parts of a picture of ways that are timed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """A way to compute the result."""

    name: str
    says: str
    """The same in words"""
    does: str
    """What is called, as code"""
    seconds: float
    """That compiling took in this run; 0 if nothing was compiled"""
    error: float
    """The largest difference from the result in float64, as a share of the largest number of that"""
