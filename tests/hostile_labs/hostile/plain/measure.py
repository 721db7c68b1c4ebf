"""Measure: its events are never the same, so they are never served from the cache; the last one is remembered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, ImpossibleError, Interval, Label

MEASURES = True
HISTORY = True


@dataclass(frozen=True)
class Params:
    pause: Annotated[float, Interval(ge=0, le=60), Label("Pause", unit="s")] = 0.0
    wrong: Annotated[bool, Label("A clock that goes wrong")] = False


@dataclass(frozen=True)
class Measured(Event):
    kind: Literal["measured"] = "measured"
    nanoseconds: int = 0


def run(params: Params) -> Iterator[Measured]:
    for _ in range(2):
        time.sleep(params.pause)
        yield Measured(text="A time was taken.", nanoseconds=time.perf_counter_ns())
    if params.wrong:
        raise ImpossibleError("That was faster than light.")
