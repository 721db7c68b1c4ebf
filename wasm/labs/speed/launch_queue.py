"""Whose clock?: a GPU is asked for products and works while the host goes on, and five clocks disagree.

Computed for a GPU that you imagine: how long a launch takes the host, how fast products are. A clock that is read
without waiting for the GPU has seen launches, and gives the same for a small product as for a large one.
`speed/gpu_timing` measures it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.models.clock_pictures import Queue, imagined
from labs.models.clocks import Clocks

POSTER = 3


@dataclass(frozen=True)
class Params(Queue):
    """Of what is imagined; nothing is measured."""


def run(params: Params) -> Iterator[Clocks]:
    yield from imagined(params)
