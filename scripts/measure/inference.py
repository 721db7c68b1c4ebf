"""Continuous batching beside one request at a time, and a token beside the reading of its weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from native.models.products import peak
from native.models.roofline_kernel import reading, stride
from native.models.timing import together
from native.models.transformer import weights
from native.models.transformer.shape import BLOCK, BLOCKS
from native.models.transformer.step_kernel import NOWHERE_NEAR, Machine, packed
from native.speed.inference_server import Params, run

from measure.stats import Result

TURNS = 5
GAIN_BAR, GAPS_BAR, TOKEN_BAR = 3.0, 2.0, 1.3


def inference() -> list[Result]:
    lasts = [list(run(Params()))[-1] for _ in range(TURNS)]  # 16 readers
    results = []
    # Without pages the memory is reserved for six lanes: that way is measured beside, and has no bar.
    for name, bars in (("continuous", (None, None)), ("paged", (GAIN_BAR, GAPS_BAR))):
        way = lasts[0].ways.index(name)
        gain = tuple(float(each.gain[way]) for each in lasts)
        gaps = tuple(float(each.gaps[way, 1] / each.gaps[0, 1]) for each in lasts)
        results += [
            Result(f"16 readers, {name}: tokens a second to one at a time", gain, "×", "score", bars[0]),
            Result("the same, 99 of 100 gaps between tokens", gaps, "×", "median", bars[1]),
        ]
    gains, least = bounds(Params().rows)
    return [
        *results,
        Result(f"no step of {Params().rows} rows can gain more", gains, "×"),
        Result("nor have shorter gaps than", least, "×"),
        *tokens(),
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


def tokens() -> list[Result]:
    """A token that follows a block of others, beside the reading of as many bytes as its weights have.

    The bar is for weights in memory, where the lab has them. From the cache they come three times as fast, and what
    a step costs beside them shows: attention, and Python's part, which a step without a token has, too.
    """
    found = []
    for place, bar in (("memory", TOKEN_BAR), ("cache", None)):
        step, empty = zip(*turns(place == "cache"), strict=True)
        found.append(Result(f"a token to reading its weights once from {place}", step, "×", "median", bar))
        found.append(Result("the same, a step without a token", empty, "×"))
    return found


def turns(cached: bool) -> list[tuple[float, float]]:
    """In each a step of one token and one of none, to the sum of an array that lies where the weights do."""
    model = packed(weights.matrices(weights.read()), cached)
    machine = Machine(model, BLOCKS, 1)
    machine.tables[0] = np.arange(BLOCKS)
    array = np.ones((model.read if cached else NOWHERE_NEAR) // 4 // stride() * stride(), np.float32)

    def steps(rows: list[tuple[int, int, int, bool]]) -> Callable[[int], None]:
        def work(rounds: int) -> None:
            for _ in range(rounds):
                machine.step(rows)

        return work

    works = steps([(ord("a"), BLOCK, 0, True)]), steps([]), reading(array)
    found = []
    for _ in range(TURNS):
        one, none, read = (each.median for each in together(works, 11, 0.2))
        bound = read * model.read / array.nbytes
        found.append((one / bound, none / bound))
    return found
