"""What a line takes, and what a copy within it takes alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from labs.contract import Float32
from torch import Tensor

from native.models.timing import Timing, together
from native.pytorch.memory_format.chain import Line, fed, network
from native.pytorch.memory_format.formats import FORMATS, format_of, laid_out
from native.pytorch.memory_format.watch import Copies

if TYPE_CHECKING:
    from native.pytorch.memory_format import Params

REPETITIONS = 9
PATIENCE = 0.03  # seconds for all repetitions of one work, as far as one round allows
LONGER = 0.2  # for what is compared with each other
PAIRS = tuple((x, w) for x in FORMATS for w in FORMATS)
"""Formats of input and weights"""


def milliseconds(works: Sequence[Callable[[], object]], most: float = PATIENCE) -> Float32:
    """[works, 3] low, median, high, taken in turns."""

    def rounds(work: Callable[[], object]) -> Callable[[int], None]:
        def many(count: int) -> None:
            for _ in range(count):
                work()

        return many

    taken = together([rounds(work) for work in works], REPETITIONS, most)
    return np.array([quartiles(each) for each in taken], np.float32)


def quartiles(of: Timing) -> tuple[float, float, float]:
    return 1e3 * of.low, 1e3 * of.median, 1e3 * of.high


def line(one: Line, x: Tensor, copies: Copies) -> Float32:
    """[2, 3] milliseconds of the call, and of the copies in it; NaN where there are none."""
    if one.computes and copies.inside:
        return milliseconds([lambda: one.call(x), lambda: again(one, x)])
    took = milliseconds([lambda: one.call(x)])
    # A line that only changes the layout, and copies, does nothing else.
    return np.concatenate([took, took if copies.visible else np.full_like(took, np.nan)])


def again(one: Line, x: Tensor) -> Tensor:
    """The copy that the operator makes inside."""
    if one.weights is None:
        return laid_out(x, "contiguous")
    source = one.weights if format_of(x) == "channels_last" else x
    return laid_out(source, "channels_last")


def convolution(params: Params) -> Float32:
    """[2, 3] milliseconds of the first convolution, all in one format, all in the other."""
    given = [replace(params, input=form, weights=form, place="nowhere") for form in FORMATS]
    return milliseconds([running(network(each)[:1], fed(each)) for each in given], LONGER)


def whole(params: Params) -> Float32:
    """[4, 3] milliseconds of all lines, by the formats of input and weights as in ``PAIRS``."""
    given = [replace(params, input=x, weights=weights) for x, weights in PAIRS]
    return milliseconds([running(network(each), fed(each)) for each in given], LONGER)


def running(lines: Sequence[Line], x: Tensor) -> Callable[[], object]:
    return lambda: through(lines, x)


def through(lines: Sequence[Line], x: Tensor) -> Tensor:
    for each in lines:
        x = each.call(x)
    return x
