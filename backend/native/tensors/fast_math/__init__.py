"""Fast math: what each flag behind -ffast-math speeds up, and what it does to the results.

Ten loops are compiled as IEEE 754 has it and with one flag at a time. Where the machine code differs, both are run
on the same numbers, timed in turns, and compared with exact arithmetic, bit for bit. The last picture switches
denormals off in the processor, and shows what Python makes of numbers that have nothing to do with those loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from labs.models.timing import QUARTILES, refuse_impossible

from native.models.peak_kernel import reading_by
from native.models.timing import together
from native.tensors.fast_math import process
from native.tensors.fast_math.compare import Compared, compare
from native.tensors.fast_math.data import data
from native.tensors.fast_math.kernel import FLAGS, LOOPS, Data, Flag, flushing, repeating
from native.tensors.fast_math.listing import source

MEASURES = True
PATIENCE = 0.02  # seconds for all repetitions of a loop
UNKNOWN, SAME_CODE, SAME_RESULTS, OTHER_RESULTS = range(4)
SIDES = ("without", "with")
FIRST_CACHE = 1 << 14  # bytes: nothing is read faster than from there
POSTER = 30


@dataclass(frozen=True)
class Params:
    count: Annotated[
        int, Interval(ge=64, le=65_536), Label("Numbers", help="How many each loop reads.", main=True)
    ] = 4096
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 9
    seed: Annotated[int, Interval(ge=0, le=999), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Pair(Event):
    """One loop without and with a flag that changes its code or its results."""

    kind: Literal["pair"] = "pair"
    stage: str
    flag: str
    source: str
    """The loop in C"""
    loops: list[str]
    flags: list[str]
    found: Annotated[Uint8, Axes(loop="loops", flag="flags")]
    """[loops, flags] not yet known, the same code, other code and the same results, other results: 0 to 3"""
    speed: Annotated[Float32, Axes(loop="loops", flag="flags")]
    """[loops, flags] how many times as fast with the flag, by medians; NaN where nothing changed"""
    changed: int
    """Results with other bits"""
    error: Annotated[Float32, Axes(side=SIDES)]
    """[2] the worst result, in units of the last place"""
    time: Annotated[Float32, Axes(side=SIDES, quartile=QUARTILES)]
    """[2, 3] nanoseconds for a number"""
    results: int
    """Of this loop"""
    without: list[str]
    """Its assembly"""
    with_flag: list[str]
    """Its assembly with the flag"""
    fresh: Uint8
    """[lines without, then lines with] 1 for an instruction that the other has none of"""
    example: list[str]
    """What it reads, its result without and with the flag, and the exact one"""
    beside: list[str]
    """What else it does, without and with the flag: errno, exceptions"""


@dataclass(frozen=True, kw_only=True)
class Process(Event):
    """The same Python before and after somebody has switched denormals off; and what all pairs came to."""

    kind: Literal["process"] = "process"
    stage: str
    lines: list[str]
    before: list[str]
    after: list[str]
    loops: list[str]
    flags: list[str]
    all_changed: Annotated[Int32, Axes(loop="loops", flag="flags")]
    """[loops, flags] results with other bits"""
    all_errors: Annotated[Float32, Axes(loop="loops", flag="flags", side=SIDES)]
    """[loops, flags, 2] the worst result, in units of the last place"""


def run(params: Params) -> Iterator[Pair | Process]:
    shape = len(LOOPS), len(FLAGS)
    found, changed = np.zeros(shape, np.uint8), np.zeros(shape, np.int32)
    speed, error = np.full(shape, np.nan, np.float32), np.full((*shape, 2), np.nan, np.float32)
    clock = Clock(params.repetitions)
    for row, loop in enumerate(LOOPS):
        numbers = data(loop, params.count, params.seed)
        pairs = [compare(loop, flag, numbers) for flag in FLAGS]
        for column, pair in enumerate(pairs):
            changed[row, column] = pair.changed.sum()
            error[row, column] = pair.worst
            found[row, column] = UNKNOWN if pair.differs else SAME_CODE
        for column, (flag, pair) in enumerate(zip(FLAGS, pairs, strict=True)):
            if not pair.differs:
                continue
            times = clock.measure(loop, flag, pair, numbers)
            speed[row, column] = times[0, 1] / times[1, 1]
            found[row, column] = OTHER_RESULTS if pair.changed.any() else SAME_RESULTS
            yield Pair(
                text=tell(loop, flag, pair, times),
                stage=loop,
                flag=flag.name,
                source=source(loop),
                loops=list(LOOPS),
                flags=[each.name for each in FLAGS],
                found=found.copy(),
                speed=speed.copy(),
                changed=int(changed[row, column]),
                error=error[row, column].copy(),
                time=times,
                results=len(pair.changed),
                without=pair.without,
                with_flag=pair.with_flag,
                fresh=np.array(pair.fresh, np.uint8),
                example=pair.example,
                beside=pair.beside,
            )
    yield process_wide(changed, error)


class Clock:
    """Times a loop without and with a flag, and refuses what is faster than its numbers can be read."""

    def __init__(self, repetitions: int) -> None:
        self.repetitions = repetitions
        self.reading, self.bytes = reading_by(1, FIRST_CACHE)

    def measure(self, loop: str, flag: Flag, pair: Compared, numbers: Data) -> Float32:
        """[without and with, 3] nanoseconds for a number: quartiles of the repetitions, taken in turns."""
        with_flag = repeating(flag.on, loop, numbers)

        def flushed(rounds: int) -> None:
            with flushing(flag.flushes):
                with_flag(rounds)

        works = [repeating(flag.off, loop, numbers), flushed, self.reading]
        *taken, limit = together(works, self.repetitions, PATIENCE)
        for side, each, reads in zip(SIDES, taken, pair.reads, strict=True):
            if reads:  # else the compiler has left nothing of the loop that could be too fast
                speed = numbers.x.nbytes / each.median
                refuse_impossible(f"{loop} {side} {flag.name}", speed * limit.least / self.bytes, "processor")
        seconds = np.array([(each.low, each.median, each.high) for each in taken])
        return (seconds * 1e9 / len(numbers.x)).astype(np.float32)


def tell(loop: str, flag: Flag, pair: Compared, times: Float32) -> Sentence:
    return say(
        "{}: {:.2g} ns per number without {}, {:.2g} with it; {:,} of {:,} {} different bits.",
        loop,
        times[0, 1],
        flag.name,
        times[1, 1],
        int(pair.changed.sum()),
        len(pair.changed),
        "result has" if len(pair.changed) == 1 else "results have",
    )


def process_wide(changed: Int32, error: Float32) -> Process:
    lines, before, after = process.told()
    different = sum(one != other for one, other in zip(before, after, strict=True))
    return Process(
        text=say(
            "Denormals are switched off: {} of {} lines of Python give another result.", different, len(lines)
        ),
        stage="whole process",
        lines=lines,
        before=before,
        after=after,
        loops=list(LOOPS),
        flags=[each.name for each in FLAGS],
        all_changed=changed,
        all_errors=error,
    )
