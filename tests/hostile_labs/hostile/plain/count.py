"""Count: one event for each number, as fast or as slowly as asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Interval, Label


@dataclass(frozen=True)
class Params:
    upto: Annotated[int, Interval(ge=0, le=100_000), Label("Count up to")] = 3
    pause: Annotated[float, Interval(ge=0, le=60), Label("Pause", unit="s")] = 0.0
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


@dataclass(frozen=True)
class Counted(Event):
    kind: Literal["counted"] = "counted"
    n: int = 0


def run(params: Params) -> Iterator[Counted]:
    for n in range(params.upto):
        yield Counted(text=f"Counted to {n}.", n=n)
        time.sleep(params.pause)
