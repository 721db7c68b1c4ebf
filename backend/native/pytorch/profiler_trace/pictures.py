"""What the events are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WAYS = ("off", "on", "shapes", "stack")
"""Without a profiler, with it, and with what it can record besides"""
Sort = Literal["annotation", "operator", "backward", "Python"]
Phase = Literal["wait", "warmup", "active", "after"]


@dataclass(frozen=True)
class Step:
    number: int
    """From 1"""
    phase: Phase
    """What the schedule makes of it; "after" is after its end"""
    ms: float
    """Milliseconds by the program's own clock, which also runs where nothing is recorded"""


@dataclass(frozen=True)
class Row:
    """All spans of a name."""

    at: int
    """In the list of names"""
    name: str
    calls: int
    own: float
    """Microseconds in the spans, and in none that lies inside of them"""
    total: float
    """Microseconds from their beginnings to their ends; inner ones of the same name are counted again"""
    share: float
    """Percent of all time that any span has of its own"""


@dataclass(frozen=True)
class Difference:
    """Self time of a name in a step, the least of five runs in turns."""

    name: str
    here: float
    """Microseconds in this program"""
    healthy: float
    """Microseconds in the healthy one"""
