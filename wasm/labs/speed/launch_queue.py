"""Whose clock?: a GPU is asked for products and works while the host goes on, and five clocks disagree.

Reckoned for a GPU that you imagine: how long a launch takes the host, how fast products are. A clock that is read
without waiting for the GPU has seen launches, and gives the same for a small product as for a large one.
`speed/gpu_timing` measures it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from labs.contract import Interval, Label
from labs.models.clock_pictures import imagined
from labs.models.clocks import Clocks

IMAGINED = "The imagined GPU"


@dataclass(frozen=True)
class Params:
    n: Annotated[int, Interval(ge=64, le=8192), Label("Rows and columns")] = 1024
    calls: Annotated[
        int, Interval(ge=1, le=1500), Label("Products asked for", help="The queue holds 1,024 launches.")
    ] = 12
    launch: Annotated[float, Interval(ge=1, le=50), Label("A launch takes the host", unit="µs", group=IMAGINED)] = (
        6.0
    )
    rate: Annotated[float, Interval(ge=1, le=1000), Label("Products run at", unit="TFLOP/s", group=IMAGINED)] = 40.0


def run(params: Params) -> Iterator[Clocks]:
    yield from imagined(params.n, params.calls, params.launch, params.rate)
