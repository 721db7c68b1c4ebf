"""Adding two arrays: what vectors, four sums per step and starting on a cache line gain.

c = a + b in four loops of ours, on arrays from the first cache to memory. Each is timed in turns with all three
arrays at the beginning of a cache line and moved on by some numbers, so that vectors lie across two lines.
Bytes are counted as the program asks for them, 12 for each sum; a processor moves more when it fetches a line
in order to write to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES

from native.models.timing import Timing, together
from native.tensors.simd_elementwise.kernel import WAYS, Floats, adding, lanes

MEASURES = True
POSTER = 5  # all four loops in the first cache
SIZES = {"4 KiB": 1 << 12, "64 KiB": 1 << 16, "1 MiB": 1 << 20, "64 MiB": 1 << 26}
LINE = 64  # bytes
PAGE = 4096
PATIENCE = 0.08  # seconds for all repetitions of a loop, as far as one round allows


@dataclass(frozen=True)
class Params:
    moved: Annotated[
        int,
        Interval(ge=0, le=15),
        Label("Shifted by", unit="numbers", help="Numbers have 4 bytes; 16 of them fill a cache line."),
    ] = 4
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 9


@dataclass(frozen=True, kw_only=True)
class Sums(Event):
    """One more loop is measured on one more size."""

    kind: Literal["sums"] = "sums"
    stage: str
    """The loop that was measured just now; empty before the first."""
    size: str
    """On arrays of this size"""
    ways: list[str]
    sizes: list[str]
    """Of one of the three arrays"""
    speed: Annotated[Float32, Axes(size="sizes", way="ways", start=("aligned", "moved"), quartile=QUARTILES)]
    """[sizes, ways, 2, 3] GB/s: at the beginning of a line and moved; what three, two and one quarter of the
    repetitions reached; NaN where not yet measured"""
    vector: int
    """Bytes"""
    line: int
    """Bytes"""
    moved: int
    """Bytes"""


def run(params: Params) -> Iterator[Sums]:
    speed = np.full((len(SIZES), len(WAYS), 2, 3), np.nan, np.float32)
    vector, moved = 4 * lanes(), 4 * params.moved

    def picture(text: Sentence, stage: str, size: str) -> Sums:
        return Sums(
            text=text,
            stage=stage,
            size=size,
            ways=list(WAYS),
            sizes=list(SIZES),
            speed=speed.copy(),
            vector=vector,
            line=LINE,
            moved=moved,
        )

    share = crossing(vector, moved)
    yield picture(
        say(
            "Vectors of {} bytes that begin {} bytes into a cache line: {:.3g} % straddle two.",
            vector,
            moved,
            100 * share,
        ),
        "",
        "",
    )
    for row, (size, length) in enumerate(SIZES.items()):
        places = [arrays(length // 4, shift) for shift in (0, params.moved)]
        for column, way in enumerate(WAYS):
            taken = together([adding(way, *place) for place in places], params.repetitions, PATIENCE)
            speed[row, column] = [rates(3 * length, each) for each in taken]
            aligned, other = speed[row, column, :, 1]
            yield picture(
                say(
                    "Arrays of {}, {}: {:.3g} GB/s from the start of a line, {:.3g} if shifted, {:.0f} % of it.",
                    size,
                    way,
                    aligned,
                    other,
                    100 * other / aligned,
                ),
                way,
                size,
            )


def arrays(count: int, moved: int) -> tuple[Floats, Floats, Floats]:
    """Three arrays, each ``moved`` numbers after the beginning of a line.

    They begin in different parts of a page: a processor takes a load for one from the address of a store whose last
    12 bits are the same, and waits.
    """
    found = []
    for part in range(3):
        room = np.full(count + (2 * PAGE) // 4, part, np.float32)
        begin = (-room.ctypes.data % PAGE + part * PAGE // 4) // 4 + moved
        found.append(room[begin : begin + count])
    a, b, c = found
    return a, b, c


def crossing(vector: int, moved: int) -> float:
    """The share of vectors that lie across two lines, if the first begins ``moved`` bytes after a line."""
    starts = (moved + vector * np.arange(LINE)) % LINE
    return float((starts + vector > LINE).mean())


def rates(moved: int, taken: Timing) -> list[float]:
    return [moved / each / 1e9 for each in (taken.high, taken.median, taken.low)]
