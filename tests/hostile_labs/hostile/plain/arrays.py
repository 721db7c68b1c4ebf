"""Arrays: one small, one too large to travel inside its event, sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Event, Float32, Interval, Label


@dataclass(frozen=True)
class Params:
    length: Annotated[int, Interval(ge=1, le=2**24), Label("Length")] = 100_000


@dataclass(frozen=True, kw_only=True)
class Filled(Event):
    kind: Literal["filled"] = "filled"
    small: Float32
    large: Float32


def run(params: Params) -> Iterator[Filled]:
    large = np.arange(params.length, dtype=np.float32)
    for _ in range(2):
        yield Filled(text="Filled.", small=large[:4], large=large)
