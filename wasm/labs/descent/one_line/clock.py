"""Where the time goes: the line that the chapter opens with, measured layer by layer by `descent/line_clock`.

`clock.json` is a recorded run of that lab (`scripts/ask_the_line.py` takes it over, and a test compares).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Clock:
    """One call of the line, in parts that add up."""

    line: str
    layers: list[str]
    took: list[float]
    """[layers] nanoseconds, the median"""
    whole: float
    """Nanoseconds"""
    reached: float
    """Of what one core can do in that time, how much the whole call does, from 0 to 1"""
    arithmetic_reached: float
    """The same of the arithmetic alone"""
    machine: str
    at: str
    """The day on which it was measured"""


@cache
def clock() -> Clock:
    return Clock(**json.loads(files(__package__).joinpath("clock.json").read_text(encoding="utf-8")))
