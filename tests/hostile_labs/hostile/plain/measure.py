"""Measure: its events are never the same, so they are never served from the cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Interval, Label

MEASURES = True


@dataclass(frozen=True)
class Params:
    pause: Annotated[float, Interval(ge=0, le=60), Label("Pause", unit="s")] = 0.0


@dataclass(frozen=True)
class Measured(Event):
    kind: Literal["measured"] = "measured"
    nanoseconds: int = 0


def run(params: Params) -> Iterator[Measured]:
    time.sleep(params.pause)
    yield Measured(text="A time was taken.", nanoseconds=time.perf_counter_ns())
