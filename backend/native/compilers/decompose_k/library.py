"""The whole product by somebody else, and what Inductor tried before it picked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    name: str
    low: float
    """Seconds; a quarter of the repetitions took less"""
    median: float
    high: float
    error: float
    """Largest difference from float64, in units of |A| |B| 2⁻²⁴"""
    kernels: list[str]
    """What one call starts on a GPU; empty on a processor"""
    picked: str
    """What Inductor chose, in words; empty for others"""
    seconds: float
    """Of compiling; 0 for others"""


@dataclass(frozen=True)
class Tried:
    """A choice that Inductor timed."""

    splits: int
    """Of Decompose-K; 0 for a product as it is"""
    seconds: float
    """By Inductor's own stopwatch: one call from Python, after the cache was cleared"""
