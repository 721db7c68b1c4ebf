"""What all processes clocked in one step, on one time axis, and how much of the network's time was hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from native.pytorch.ddp_overlap.train import Step, Told

WAYS = ("alone", "after", "overlapping")


@dataclass(frozen=True)
class Gradient:
    """Fields as in the lab's event, of one."""

    name: str
    layer: int
    kib: float
    bucket: int
    ready: float


@dataclass(frozen=True)
class Schedule:
    """One step. Fields as in the lab's event."""

    gradients: list[Gradient]
    buckets: list[float]
    compute: NDArray[np.float64]
    network: NDArray[np.float64]
    end: float


def schedule(steps: list[Step], sizes: list[int]) -> Schedule:
    """Of the same step on each process; ``sizes`` are the numbers in each parameter, of which a layer has two."""
    zero = min(step.begin for step in steps)

    def ms(seconds: float) -> float:
        return 1e3 * (seconds - zero)

    first = steps[0]
    home = {number: n for n, each in enumerate(first.exchanges) for number in each.parameters}
    gradients = [
        Gradient(
            name=f"{number // 2 + 1}.{'bias' if number % 2 else 'weight'}",
            layer=number // 2 + 1,
            kib=sizes[number] * 4 / 1024,
            bucket=home[number],
            ready=ms(at),
        )
        for number, at in first.ready
    ]
    layers = len(sizes) // 2
    compute = np.empty((len(steps), 1 + layers, 2))
    for rank, step in enumerate(steps):
        over = [max(at for number, at in step.ready if number // 2 == layer) for layer in reversed(range(layers))]
        edges = [ms(at) for at in (step.begin, step.backward, *over)]
        compute[rank] = np.stack([edges[:-1], edges[1:]], axis=1)
    entered = [max(step.exchanges[n].entered for step in steps) for n in range(len(first.exchanges))]
    network = [
        [
            [ms(each.launched), ms(all_in), ms(each.done)]
            for each, all_in in zip(step.exchanges, entered, strict=True)
        ]
        for step in steps
    ]
    buckets = [each.bytes / 1024 for each in first.exchanges]
    return Schedule(gradients, buckets, compute, np.array(network), max(ms(step.end) for step in steps))


def busy_and_hidden(compute: NDArray[np.float64], network: NDArray[np.float64]) -> NDArray[np.float64]:
    """[processes, 2] how long buckets moved, and how much of that came before backward was over."""
    over = compute[:, -1, 1][:, None]
    start, done = network[..., 1], network[..., 2]
    hidden = np.clip(np.minimum(done, over) - start, 0, None)
    return np.stack([(done - start).sum(1), hidden.sum(1)], axis=1)


def took(told: list[Told], way: str) -> NDArray[np.float64]:
    """[repetitions] milliseconds from when the first process began until the last one ended."""
    together = zip(*(each.steps[way] for each in told), strict=True)
    return np.array([1e3 * (max(s.end for s in steps) - min(s.begin for s in steps)) for steps in together])
