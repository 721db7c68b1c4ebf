"""The program in NumPy: line by line, and in one line that is said to need no memory in between."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass
from typing import Any

from native.models.timing import Timing, together
from native.pytorch.fusion_worth.clock import NUMPY, calling, tensors, written
from native.pytorch.fusion_worth.programs import Setting

REPETITIONS = 5


@dataclass(frozen=True)
class InNumpy:
    took: list[Timing]
    """Line by line, in one line"""
    peak: list[int]
    """Bytes that were allocated at the same time, beside the inputs; the result among them"""


def in_numpy(setting: Setting) -> InNumpy:
    given = [each.numpy() for each in tensors(setting)]
    ways = [written(source, NUMPY) for source in (setting.python, setting.one_line)]
    peaks = [allocated(way, given) for way in ways]
    return InNumpy(together([calling(way, given) for way in ways], REPETITIONS, 0.05), peaks)


def allocated(way: Any, given: list[Any]) -> int:
    """The most bytes at a time. NumPy tells tracemalloc of its arrays."""
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        kept = way(*given)
        _, most = tracemalloc.get_traced_memory()
        del kept
        return most - before
    finally:
        if not tracing:
            tracemalloc.stop()
