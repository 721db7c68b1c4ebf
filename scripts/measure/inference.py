"""Continuous batching beside one request at a time, and a token beside the reading of its weights."""

from __future__ import annotations

import numpy as np
from native.models.products import peak
from native.models.roofline_kernel import reading, stride
from native.models.timing import together
from native.speed.inference_server import Params, run, weights
from native.speed.inference_server.shape import BLOCK, BLOCKS
from native.speed.inference_server.step_kernel import NOWHERE_NEAR, Machine, packed

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
    gains, least = bounds(Params().rows)
    return [
        *results,
        Result(f"no step of {Params().rows} rows can gain more", gains, "×"),
        Result("nor have shorter gaps than", least, "×"),
        Result("a token to reading its weights once", token(), "×", "median", TOKEN_BAR),
    ]


def bounds(rows: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The most that so many rows in a step gain over one, and the least that the step takes longer: a step takes as
    long as its weights come from memory, or as its products take at the peak. Nothing else is counted.
    """
    model = packed(weights.matrices(weights.read()))
    far = reading(np.ones(NOWHERE_NEAR // 4 // stride() * stride(), np.float32))
    work, flops = peak()
    gains, gaps = [], []
    for _ in range(TURNS):
        read, full = together((far, work), 5, 0.2)
        arrive, row = model.read / NOWHERE_NEAR * read.median, 2 * (model.read / 4) / flops * full.least
        gaps.append(max(arrive, rows * row) / max(arrive, row))
        gains.append(rows / gaps[-1])
    return tuple(gains), tuple(gaps)


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
