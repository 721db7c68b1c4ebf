"""One loop without and with a flag: its code, its results, and what it does beside them."""

from __future__ import annotations

from dataclasses import dataclass
from os import strerror

import numpy as np
from numpy.typing import NDArray

from native.tensors.fast_math.data import changed, errors, exact
from native.tensors.fast_math.kernel import Data, Flag, Floats, flushing, once
from native.tensors.fast_math.listing import fresh, functions, hot, repeats


@dataclass(frozen=True)
class Compared:
    differs: bool
    """In code or results: else there is nothing to show."""
    changed: NDArray[np.bool_]
    """[results] with other bits"""
    worst: tuple[float, float]
    """Units in the last place, without and with."""
    reads: tuple[bool, bool]
    """Whether its code does anything for each number, without and with."""
    without: list[str]
    with_flag: list[str]
    fresh: list[bool]
    """[lines without, then with]"""
    example: list[str]
    beside: list[str]


def compare(loop: str, flag: Flag, numbers: Data) -> Compared:
    before, after = (functions(flags)[loop] for flags in (flag.off, flag.on))
    results, errno, raised = once(flag.off, loop, numbers)
    with flushing(flag.flushes):
        others, errno_then, raised_then = once(flag.on, loop, numbers)
    bits = changed(results, others)
    wrong = errors(loop, numbers, results), errors(loop, numbers, others)
    without, with_flag = hot(before), hot(after)
    return Compared(
        differs=before != after or bool(bits.any()),
        changed=bits,
        worst=(float(wrong[0].max()), float(wrong[1].max())),
        reads=(repeats(before), repeats(after)),
        without=without,
        with_flag=with_flag,
        fresh=[*fresh(without, with_flag), *fresh(with_flag, without)],
        example=example(numbers, results, others, exact(loop, numbers), np.where(bits, 1 + wrong[1], wrong[1])),
        beside=[beside(errno, raised), beside(errno_then, raised_then)],
    )


def example(
    numbers: Data, before: Floats, after: Floats, wanted: NDArray[np.float64], wrong: NDArray[np.float64]
) -> list[str]:
    """Of the result that is furthest off: what it is made from, both results, and the exact one."""
    at = int(np.argmax(wrong))
    reads = written(numbers.x[at]) if len(before) > 1 else ""
    return [reads, written(before[at]), written(after[at]), written(wanted[at])]


def written(number: np.floating) -> str:
    return f"{number:.9g}" if isinstance(number, np.float32) else f"{number:.12g}"


def beside(errno: int, raised: list[str]) -> str:
    """In words; empty if there is nothing."""
    return ", ".join(
        [*([f"errno {errno}: {strerror(errno)}"] if errno else []), *(f"raises {each}" for each in raised)]
    )
