"""Runs a program under torch.profiler: once for its trace, and often for what the profiler itself takes."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
from labs.contract import Float32, Int32
from torch.profiler import ProfilerActivity, profile, schedule

from native.pytorch.profiler_trace.pictures import Difference, Phase, Step
from native.pytorch.profiler_trace.programs import PROGRAMS, Program, Which
from native.pytorch.profiler_trace.spans import plain

if TYPE_CHECKING:
    from native.pytorch.profiler_trace import Params

REPETITIONS = 9
COMPARED = 5  # repetitions of what is parsed as well, which takes longer than the steps
TOGETHER = 3  # steps that are timed under one profiler
FEWEST = 0.5  # microseconds a step: smaller differences are not told


@contextmanager
def profiler(**how: Any) -> Iterator[Any]:
    with warnings.catch_warnings(action="ignore"), profile(activities=[ProfilerActivity.CPU], **how) as found:
        yield found


def phase(at: int, wait: int, warmup: int, active: int) -> Phase:
    """Of the step with this number, from 0."""
    if at < wait:
        return "wait"
    if at < wait + warmup:
        return "warmup"
    return "active" if at < wait + warmup + active else "after"


def traced(params: Params) -> tuple[list[Step], Any]:
    """What each step took by the program's own clock, and the profiler with what it recorded."""
    program = PROGRAMS[params.program]()
    wait, warmup, active = params.wait, params.warmup, params.active
    with warnings.catch_warnings(action="ignore"):  # of schedules that do not warm up: the reader asked for one
        plan = schedule(wait=wait, warmup=warmup, active=active, repeat=1)
    took = []
    with profiler(schedule=plan, record_shapes=params.record_shapes, with_stack=params.with_stack) as found:
        for at in range(params.steps):
            ms = 1e3 * clocked(program)
            took.append(Step(at + 1, phase(at, wait, warmup, active), float(f"{ms:.4g}")))
            found.step()
    return took, found


def clocked(program: Program) -> float:
    begun = time.perf_counter()
    program.step()
    return time.perf_counter() - begun


def cost(which: Which) -> tuple[Float32, Int32]:
    """[ways, 3] milliseconds of a step, low, median and high, and [ways] spans of it. The ways take turns."""
    hows: list[dict[str, Any] | None] = [None, {}, {"record_shapes": True}, {"with_stack": True}]
    taken: list[list[float]] = [[] for _ in hows]
    seen = np.zeros(len(hows), np.int32)
    program = PROGRAMS[which]()
    for _ in range(REPETITIONS):
        for way, how in enumerate(hows):
            program.done = -1  # no step that is timed validates
            with nullcontext() if how is None else profiler(**how) as found:
                program.step()
                taken[way] += [1e3 * clocked(program) for _ in range(TOGETHER)]
            if found is not None and not seen[way]:
                seen[way] = round(len(found.events()) / (1 + TOGETHER))
    return np.percentile(np.array(taken), (25, 50, 75), axis=1).T.astype(np.float32), seen


def differences(which: Which, most: int = 6) -> list[Difference]:
    """Of the self times of names in a step, here and in the healthy program; the largest comes first.

    Of each the least of the repetitions: whatever else wants the processor lengthens a span, and shortens none.
    """
    programs = [PROGRAMS[each]() for each in (which, "healthy")]
    found: list[list[dict[str, float]]] = [[], []]
    for _ in range(COMPARED):
        for program, own in zip(programs, found, strict=True):
            program.done = -1
            program.step()
            with profiler() as seen:
                for _ in range(TOGETHER):
                    program.step()
            own.append({plain(each.key): each.self_cpu_time_total / TOGETHER for each in seen.key_averages()})
    names = {name for own in found for one in own for name in one}
    listed = []
    for name in names:
        here, healthy = (min(one.get(name, 0.0) for one in own) for own in found)
        if abs(here - healthy) >= FEWEST:
            listed.append(Difference(name, round(here, 1), round(healthy, 1)))
    return sorted(listed, key=lambda each: each.healthy - each.here)[:most]
