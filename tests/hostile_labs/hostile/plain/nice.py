"""Nice: says how willingly it yields the processor."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Interval, Label


@dataclass(frozen=True)
class Params:
    seconds: Annotated[float, Interval(ge=0, le=10), Label("Time it takes", unit="s")] = 0.0
    seed: Annotated[int, Interval(ge=0, le=1_000_000), Label("Seed")] = 0


@dataclass(frozen=True)
class Niceness(Event):
    kind: Literal["niceness"] = "niceness"
    nice: int = 0


def run(params: Params) -> Iterator[Niceness]:
    time.sleep(params.seconds)
    yield Niceness(text="The kernel was asked.", nice=os.nice(0))
