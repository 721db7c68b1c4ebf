"""The pictures of five clocks over one GPU, imagined by two labs and measured by one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from labs.contract import Float32, Interval, Label, Sentence, say
from labs.models.clocks import CLOCKS, SIZES, Clocks, Course, Gpu, course, says, spans

IMAGINED = "The imagined GPU"
SEES = {
    "no wait": "only how long it takes to ask",
    "cold": "the loading of the library, too",
    "waited": "the product, and one launch and one wait",
    "events": "the product alone",
    "copies": "the trip there and back, too",
}


@dataclass(frozen=True)
class Queue:
    """What is asked of a GPU, and how fast that is."""

    n: Annotated[int, Interval(ge=64, le=8192), Label("Rows and columns")] = 1024
    calls: Annotated[
        int, Interval(ge=1, le=1500), Label("Products asked for", help="The queue holds 1,024 launches.")
    ] = 12
    launch: Annotated[float, Interval(ge=1, le=50), Label("A launch takes the host", unit="µs", group=IMAGINED)] = (
        6.0
    )
    rate: Annotated[float, Interval(ge=1, le=1000), Label("Products run at", unit="TFLOP/s", group=IMAGINED)] = 40.0


def imagined(queue: Queue) -> Iterator[Clocks]:
    """What each clock says of such a GPU."""
    n, calls = queue.n, queue.calls
    gpu = Gpu(queue.launch * 1e-6, queue.rate * 1e12)
    known = np.full((len(CLOCKS), len(SIZES)), np.nan, np.float32)
    whose = f"an imagined GPU: {queue.launch:g} µs a launch, {queue.rate:g} TFLOP/s"
    for place, clock in enumerate(CLOCKS):
        known[place] = [says(course(gpu, clock, size, calls), clock, calls) for size in SIZES]
        seen = course(gpu, clock, n, calls)
        yield picture(clock, seen, known.copy(), n, calls, whose, says(seen, clock, calls))


def picture(
    clock: str, seen: Course, known: Float32, n: int, calls: int, whose: str, seconds: float, measured: bool = False
) -> Clocks:
    host, doing = spans(seen.host)
    device, working = spans(seen.device)
    asked = 1 if clock in ("cold", "copies") else calls
    done = sum(span.what == "product" and span.end <= seen.read[1] * (1 + 1e-9) for span in seen.device)
    seconds_said = say("{} for a product of {:,} × {:,}", said(seconds), n, n)
    done_said = say("when it stops, the GPU has done {:,} of {:,}", done, asked)
    return Clocks(
        text=say("{} sees {}: {}.", NAMED[clock], SEES[clock], seconds_said if measured else done_said),
        stage=clock,
        measured=measured,
        n=n,
        calls=asked,
        done=done,
        host=host,
        doing=doing,
        device=device,
        working=working,
        read=np.array(seen.read, np.float32),
        names=list(CLOCKS),
        sizes=np.array(SIZES, np.int32),
        says=known,
        gpu=whose,
    )


NAMED = {
    "no wait": "The host's clock, read without waiting,",
    "cold": "The host's clock around the very first product",
    "waited": "The host's clock around products that it waits for",
    "events": "The GPU's own clock",
    "copies": "The host's clock around copies and product",
}


def said(seconds: float) -> Sentence:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return say("{:.3g} {}", seconds / size, unit)
    return say("{:.3g} µs", seconds * 1e6)
