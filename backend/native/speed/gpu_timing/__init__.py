"""Five clocks over one GPU: the same product, timed as an essay did and as it should be.

A launch puts work into a queue and returns. The essay that this series follows read the host's clock right then,
and called a launch a product. Here `a @ b` is timed without waiting, at the very first call, warm and waited for,
by the GPU's own events, and with the way there and back, for six sizes. Before it, the same is computed for a GPU
that you imagine; that needs none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Interval, Label, LabError
from labs.models.clock_pictures import Queue, imagined, picture
from labs.models.clocks import CLOCKS, SIZES, Clocks, Course, Span

from native.models.cuda_products import operands
from native.speed.gpu_timing.readings import by_events, course, median, stamps, with_waiting, without_waiting

MEASURES = True
POSTER = 3
FRONT = "speed/launch_queue"  # computes the first pictures in the browser


@dataclass(frozen=True)
class Params(Queue):
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 11
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    device: Annotated[Literal["cuda"], Label("Run on")] = "cuda"


def run(params: Params) -> Iterator[Clocks]:
    yield from imagined(params)
    import torch

    if not torch.cuda.is_available():
        raise LabError("The rest is measured on an NVIDIA GPU, and there is none here.")
    try:
        yield from measured(params, torch.cuda.get_device_name())
    except torch.OutOfMemoryError:
        raise LabError("The GPU's memory does not hold these matrices; choose fewer rows and columns.") from None


def measured(params: Params, gpu: str) -> Iterator[Clocks]:
    known = np.full((len(CLOCKS), len(SIZES)), np.nan, np.float32)
    cold = first(params.n, params.seed)
    for column, size in enumerate(SIZES):
        known[CLOCKS.index("cold"), column] = says(first(size, params.seed))
    for column, size in enumerate(SIZES):
        for clock, seconds in clocks(size, params).items():
            known[CLOCKS.index(clock), column] = seconds
    own = clocks(params.n, params)
    if own["no wait"] > 2 * own["waited"]:
        raise LabError(
            "Asking took longer than the work that was asked for: something disturbed the host, run it again."
        )
    seen = courses(params) | {"cold": cold}
    for place, clock in enumerate(CLOCKS):
        shown = np.where(np.arange(len(CLOCKS))[:, None] <= place, known, np.float32(np.nan))
        seconds = own.get(clock, says(cold))
        yield picture(clock, seen[clock], shown, params.n, params.calls, gpu, seconds, measured=True)


def says(seen: Course) -> float:
    return seen.read[1] - seen.read[0]


def first(n: int, seed: int) -> Course:
    """A product of a size that this process has not multiplied before, waited for."""
    import torch

    a, b = operands(n, seed)
    torch.cuda.synchronize()
    begun = time.perf_counter()
    torch.mm(a, b)
    back = time.perf_counter() - begun
    torch.cuda.synchronize()
    done = time.perf_counter() - begun
    return Course([Span("load", 0, back), Span("wait", back, done)], [], (0, done))


def clocks(n: int, params: Params) -> dict[str, float]:
    """What each warm clock says of one product: the median of the repetitions."""
    import torch

    a, b = operands(n, params.seed)
    c, wait = torch.empty_like(a), torch.cuda.synchronize

    def work() -> Any:
        return torch.mm(a, b, out=c)

    for _ in range(3):
        work()
    few, times = min(params.calls, 200), params.repetitions
    there = [each.cpu() for each in (a, b)]
    return {
        "no wait": median(lambda: without_waiting(work, few, wait), times),
        "waited": median(lambda: with_waiting(work, few, wait), times),
        "events": median(lambda: by_events(work, few), times),
        "copies": median(lambda: says(copies(there)), times),
    }


def courses(params: Params) -> dict[str, Course]:
    import torch

    a, b = operands(params.n, params.seed)
    c = torch.empty_like(a)
    found = stamps(lambda: torch.mm(a, b, out=c), params.calls)
    return {clock: course(found, clock) for clock in ("no wait", "waited", "events")} | {
        "copies": copies([each.cpu() for each in (a, b)])
    }


def copies(there: list[Any]) -> Course:
    """Both matrices to the GPU, the product, and back, each waited for."""
    import torch

    marks = [time.perf_counter()]

    def mark() -> None:
        torch.cuda.synchronize()
        marks.append(time.perf_counter())

    torch.cuda.synchronize()
    marks[0] = time.perf_counter()
    here = [each.cuda() for each in there]
    mark()
    c = here[0] @ here[1]
    mark()
    c.cpu()
    mark()
    brought, made, done = (each - marks[0] for each in marks[1:])
    way = [Span("copy", 0, brought), Span("wait", brought, made), Span("copy", made, done)]
    device = [Span("copy", 0, brought), Span("product", brought, made), Span("copy", made, done)]
    return Course(way, device, (0, done))
