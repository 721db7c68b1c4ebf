"""Continuous batching beside one request at a time, and a token beside the reading of its weights."""

from __future__ import annotations

import numpy as np
from native.models.roofline_kernel import reading, stride
from native.models.timing import together
from native.speed.inference_server import Params, run, weights
from native.speed.inference_server.shape import BLOCK, BLOCKS
from native.speed.inference_server.step_kernel import Machine, packed

from measure.stats import Result

TURNS = 5
GAIN_BAR, GAPS_BAR, TOKEN_BAR = 3.0, 2.0, 1.3


def inference() -> list[Result]:
    lasts = [list(run(Params()))[-1] for _ in range(TURNS)]  # 16 readers
    results = []
    for name in ("continuous", "paged"):
        way = lasts[0].ways.index(name)
        gain = tuple(float(each.gain[way]) for each in lasts)
        gaps = tuple(float(each.gaps[way, 1] / each.gaps[0, 1]) for each in lasts)
        results += [
            Result(f"16 readers, {name}: tokens a second to one at a time", gain, "×", "score", GAIN_BAR),
            Result("the same, 99 of 100 gaps between tokens", gaps, "×", "median", GAPS_BAR),
        ]
    return [*results, Result("a token to reading its weights once", token(), "×", "median", TOKEN_BAR)]


def token() -> tuple[float, ...]:
    """A token that follows a block of others, beside the sum of an array as large as the weights, in turns."""
    model = packed(weights.matrices(weights.read()))
    machine = Machine(model, BLOCKS, 1)
    machine.tables[0] = np.arange(BLOCKS)
    numbers = model.read // 4 // stride() * stride()
    read = reading(np.ones(numbers, np.float32))

    def step(rounds: int) -> None:
        for _ in range(rounds):
            machine.step([(ord("a"), BLOCK, 0, True)])

    return tuple(
        ours.median / bound.median for ours, bound in (together((step, read), 11, 0.2) for _ in range(TURNS))
    )
