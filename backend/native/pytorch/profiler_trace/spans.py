"""Spans out of what torch.profiler recorded: how deep each lies, and how much of its time is its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from labs.contract import Int32, Uint8

from native.pytorch.profiler_trace.pictures import Row, Sort
from native.pytorch.profiler_trace.programs import PARTS

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
FOLDERS = re.compile(r"^\S*/([^/]+/[^/]+\.py\()")
MOST = 20_000  # that the chart draws within a frame
MARK = "ProfilerStep"  # torch's own span around a step


@dataclass(frozen=True)
class Spans:
    names: list[str]
    name: Int32
    start: Int32
    took: Int32
    own: Int32
    depth: Uint8
    thread: Uint8
    shapes: list[str]
    shape: Int32
    """Which of the shapes; 0 is none"""
    left_out: int = 0


def spans(events: Iterable[Any]) -> Spans:
    """Those of the recorded steps, by threads and then by time, in nanoseconds from the first one on.

    As torch counts self times, a span that ends after the one it began in does not lie inside of that: torch's mark
    of a step begins in one call of Python's, and ends in another.
    """
    raw = sorted(
        (
            (each.thread, round(1e3 * each.time_range.start), -round(1e3 * each.time_range.end), n, each)
            for n, each in enumerate(during(events))
        ),
        key=lambda one: one[:4],
    )
    zero = min((start for _, start, *_ in raw), default=0)
    names, shapes, threads = dict[str, int](), {"": 0}, dict[int, int]()
    columns: list[tuple[int, ...]] = []
    own: list[int] = []
    open_ones: list[tuple[int, int, int]] = []  # thread, end, place
    for thread, start, negative, _, event in raw:
        end = -negative
        while open_ones and (open_ones[-1][0] != thread or open_ones[-1][1] <= start or open_ones[-1][1] < end):
            open_ones.pop()
        if open_ones:
            own[open_ones[-1][2]] -= end - start
        name = names.setdefault(plain(event.name), len(names))
        shape = shapes.setdefault(inputs(event), len(shapes))
        lane = threads.setdefault(thread, len(threads))
        columns.append((name, start - zero, end - start, len(open_ones), lane, shape))
        own.append(end - start)
        open_ones.append((thread, end, len(own) - 1))
    table = np.array(columns, np.int32).reshape(-1, 6).T
    name_, start_, took, depth, lane_, shape_ = (np.ascontiguousarray(each) for each in table)
    return Spans(
        [*names],
        name_,
        start_,
        took,
        np.array(own, np.int32),
        depth.astype(np.uint8),
        lane_.astype(np.uint8),
        [*shapes],
        shape_,
    )


def during(events: Iterable[Any]) -> list[Any]:
    """What lies in recorded steps: not the profiler at work around them, nor the calls that hold all of them."""
    every = [each for each in events if not each.is_async]
    marks = [each.time_range for each in every if each.name.startswith(MARK)]
    first, last = min(each.start for each in marks), max(each.end for each in marks)
    # The call of the profiler that ends the last step begins in it.
    ending = (each.time_range.start for each in every if first < each.time_range.start < last < each.time_range.end)
    until = min(ending, default=last)
    return [each for each in every if first <= each.time_range.start < until and each.time_range.end <= last]


def plain(name: str) -> str:
    """Without an address, and of a file only its name and its folder."""
    return FOLDERS.sub(r"\1", ADDRESS.sub("", name))[:90]


def sort(name: str) -> Sort:
    if "(" in name or name.startswith(("<", "nn.Module")):
        return "Python"
    if name.startswith("autograd::") or name.endswith(("Backward0", "Backward1", "AccumulateGrad")):
        return "backward"
    return "annotation" if name in PARTS or name.startswith((MARK, "Optimizer.")) else "operator"


def inputs(event: Any) -> str:
    """Types and shapes of the tensors that an operator was given; "" where they were not recorded."""
    pairs = zip(event.input_dtypes or [], event.input_shapes or [], strict=False)
    return ", ".join(f"{dtype} {'×'.join(map(str, shape))}" for dtype, shape in pairs if shape)[:90]


def bounded(of: Spans, most: int = MOST) -> Spans:
    """The longest spans: one that holds another is as long, so what is left still nests."""
    many = len(of.took)
    if many <= most:
        return of
    kept = np.sort(np.lexsort((of.depth, -of.took))[:most])
    columns = {
        column: getattr(of, column)[kept] for column in ("name", "start", "took", "own", "depth", "thread", "shape")
    }
    return replace(of, **columns, left_out=many - most)


def rows(of: Spans) -> list[Row]:
    """A row for each name; the most time of its own comes first."""
    count = len(of.names)
    calls = np.bincount(of.name, minlength=count)
    own = np.bincount(of.name, of.own, count) / 1e3
    total = np.bincount(of.name, of.took, count) / 1e3
    whole = own.sum() or 1.0
    return [
        Row(
            int(at),
            of.names[at],
            int(calls[at]),
            round(float(own[at]), 1),
            round(float(total[at]), 1),
            round(float(100 * own[at] / whole), 1),
        )
        for at in np.argsort(-own, kind="stable")
    ]
