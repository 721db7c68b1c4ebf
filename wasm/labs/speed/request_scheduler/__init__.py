"""Request scheduler: who goes next, and who waits forever.

Requests of three classes come to a server that is busy most of the time, and wait in a queue. Six rules say who
goes next: first in first out, shortest first, priorities, priorities that age, fair queuing, deficit round robin.
Each picture is the whole server after one arrival or departure. The last one sends twenty thousand such requests
through the same queue, beside what queueing theory expects. Time is computed, not measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labs.contract import Axes, Event, Float32, Interval, Label, Text, Uint8
from labs.speed.request_scheduler import theory, words
from labs.speed.request_scheduler.arrivals import Arrivals, Sizes, draw, mean, read
from labs.speed.request_scheduler.fair import DeficitRoundRobin, Fair
from labs.speed.request_scheduler.queues import Heap, Priority, Queue, RebuiltAgeing, Shortest, StaticAgeing
from labs.speed.request_scheduler.request import CLASSES, Request
from labs.speed.request_scheduler.simulate import State, begins, simulate

Seconds = NDArray[np.float64]
Policy = Literal["fifo", "shortest", "priority", "ageing", "fair", "deficit"]

MANY = 20_000
TAIL = 10 ** np.linspace(0, -3, 61)
"""Shares of a class: how long the longest-waiting half, tenth, … of the many waits at least."""
WRITTEN = "0:c4 0.2:c3 0.4:b1 1:a0.5 1.5:a0.5 2:c2 3:a0.5 4.2:b1 5:a0.5 6:a1 7:b2 8:a0.5 9:a0.5"
POSTER = 34


@dataclass(frozen=True)
class Params:
    policy: Annotated[Policy, Label("Who goes next", main=True)] = "priority"
    load: Annotated[
        int,
        Interval(ge=10, le=110),
        Label("Load", unit="%", help="Work that arrives, as a share of what the workers can do.", main=True),
    ] = 90
    arrivals: Annotated[
        Arrivals,
        Label("Arrivals", help="Bursts bring six at once, on average; “written” takes those of the text field."),
    ] = "poisson"
    written: Annotated[
        str, Text(1500), Label("Written", help="2.5:a1 arrives at 2.5 s, of class A, with 1 s of work.")
    ] = WRITTEN
    sizes: Annotated[
        Sizes,
        Label("Work", help="By class: A has 0.5 s, B 1 s, C 2 s on average; in the others each class has 1 s."),
    ] = "by class"
    workers: Annotated[int, Interval(ge=1, le=4), Label("Workers")] = 1
    requests: Annotated[int, Interval(ge=5, le=120), Label("Requests to watch")] = 24
    seed: Annotated[int, Interval(ge=0, le=999), Label("Seed")] = 231
    rate: Annotated[
        float, Interval(ge=0, le=2), Label("Ageing", unit="a second", help="Priority that a waiting request gains.")
    ] = 0.2
    rebuilt: Annotated[
        bool, Label("Rebuild each second", help="Off: a request gets its key on arrival, and keeps it.")
    ] = True
    quantum: Annotated[
        float, Interval(ge=0.1, le=5), Label("Quantum", unit="s", help="Work done in one turn of round robin.")
    ] = 1.0
    whole: Annotated[
        bool,
        Label("int += 0.2f", help="The ageing priority is an int, which drops the fraction.", group="Mistakes"),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The server after one moment, or what many requests came to."""

    kind: Literal["picture"] = "picture"
    stage: Literal["arrives", "leaves", "many"]
    now: float
    """Seconds from the start."""
    horizon: float
    """When the last request that is watched leaves."""
    classes: Uint8
    """[arrived] 0 to 2, in the order of arrival; a request is called by its class and its place here, from 1"""
    sizes: Float32
    """[arrived] seconds of work"""
    arrived: Float32
    """[arrived] seconds"""
    began: Float32
    """[arrived] seconds; NaN for those who wait"""
    worker: Uint8
    """[arrived] who works on it; 0 for those who wait, too"""
    inside: int
    """Requests that wait or are worked on."""
    queue: Uint8
    """[waiting] who they are, counted in the order of arrival from 0, the next one first"""
    keys: Float32
    """[waiting] what they are ordered by; NaN if it is not a number of their own"""
    who: int
    """Who arrives or leaves; -1 for many."""
    next: int
    """Who begins; -1 for none."""
    tails: Annotated[Float32, Axes(kind=CLASSES, share=None)]
    """[classes, shares] of many: seconds of waiting that this share of a class exceeds; empty for a moment"""
    shares: Float32
    """[shares] 1, …, 0.001; empty for a moment"""
    waits: Annotated[Float32, Axes(statistic=("mean", "p99", "longest", "theory"), kind=CLASSES)]
    """[4, classes] seconds of waiting: the mean, what 99 of a hundred stay within, the longest, which counts those
    who still wait, and, for many, the mean by theory. NaN where there is none, or no closed form."""
    length: float
    """The mean number inside, over time: L."""
    throughput: float
    """Arrivals a second: λ."""
    stay: float
    """The mean time inside, so far: W."""
    touched: int
    """Keys of waiting requests that were written again."""


def run(params: Params) -> Iterator[Picture]:
    requests = watched(params)
    horizon = max(now + request.size for request, now in begins(requests, queue(params), params.workers))
    for state in simulate(requests, queue(params), params.workers):
        yield picture(state, requests, horizon)
    if params.arrivals != "written":
        yield many(params)


def watched(params: Params) -> list[Request]:
    if params.arrivals == "written":
        return read(params.written)
    return draw(params.arrivals, params.sizes, frequency(params), params.requests, params.seed)


def frequency(params: Params) -> float:
    """Requests a second that make the load."""
    return params.load / 100 * params.workers / mean(params.sizes)


def queue(params: Params, rebuild: bool = True) -> Queue:
    """An empty one. Without ``rebuild`` none is rebuilt each second, which changes no order: not even with the
    mistake, where each second adds what is left of the rate as an int."""
    match params.policy:
        case "shortest":
            return Shortest()
        case "priority":
            return Priority()
        case "fair":
            return Fair()
        case "deficit":
            return DeficitRoundRobin(params.quantum)
        case "ageing" if params.rebuilt and rebuild:
            return RebuiltAgeing(params.rate, params.whole)
        case "ageing":
            return StaticAgeing(int(params.rate) if params.whole and params.rebuilt else params.rate)
        case _:
            return Heap()


def picture(state: State, requests: list[Request], horizon: float) -> Picture:
    here = requests[: state.arrived]
    kinds = np.array([each.kind for each in here], np.uint8)
    served = [one.request.number for one in state.served]
    began, worker = np.full(len(here), np.nan, np.float32), np.zeros(len(here), np.uint8)
    began[served] = [one.began for one in state.served]
    worker[served] = [one.worker for one in state.served]
    order = state.queue.order(state.now)
    waiting = [each.number for each, _ in order]
    waits = [one.waited for one in state.served]
    ages = [state.now - each.arrived for each, _ in order]
    stays = [min(one.ends, state.now) - one.request.arrived for one in state.served] + ages
    return Picture(
        text=words.moment(state, order),
        stage=state.what,
        now=state.now,
        horizon=horizon,
        classes=kinds,
        sizes=np.array([each.size for each in here], np.float32),
        arrived=np.array([each.arrived for each in here], np.float32),
        began=began,
        worker=worker,
        inside=state.inside,
        queue=np.array(waiting, np.uint8),
        keys=np.array([np.nan if key is None else key for _, key in order], np.float32),
        who=state.who.number,
        next=state.began.request.number if state.began else -1,
        tails=np.empty((len(CLASSES), 0), np.float32),
        shares=np.array([], np.float32),
        waits=statistics(by_class(kinds[served], waits), by_class(kinds[served + waiting], waits + ages), None),
        length=state.area / state.now if state.now else 0.0,
        throughput=state.arrived / state.now if state.now else 0.0,
        stay=sum(stays) / len(stays),
        touched=state.queue.touched,
    )


def many(params: Params) -> Picture:
    requests = draw(params.arrivals, params.sizes, frequency(params), MANY, params.seed + 1)  # not those watched
    served, moments = zip(*begins(requests, queue(params, rebuild=False), params.workers), strict=True)
    began, arrived = np.array(moments), np.array([each.arrived for each in served])
    ends = began + [each.size for each in served]
    over, stays = float(ends.max()), (ends - arrived).tolist()
    waits = by_class(np.array([each.kind for each in served]), began - arrived)
    expected = closed_form(params)
    table = statistics(waits, waits, expected)
    none, nothing = np.array([], np.uint8), np.array([], np.float32)
    return Picture(
        text=words.many(table[0].tolist(), expected, MANY),
        stage="many",
        now=over,
        horizon=over,
        classes=none,
        sizes=nothing,
        arrived=nothing,
        began=nothing,
        worker=none,
        inside=0,
        queue=none,
        keys=nothing,
        who=-1,
        next=-1,
        tails=np.array([np.quantile(line, 1 - TAIL) for line in waits], np.float32),
        shares=TAIL.astype(np.float32),
        waits=table,
        length=area(arrived, ends) / over,
        throughput=MANY / over,
        stay=sum(stays) / len(stays),
        touched=0,
    )


def area(arrived: Seconds, ends: Seconds) -> float:
    """How many are inside, integrated over time: request-seconds."""
    moments = np.concatenate([ends, arrived])
    order = np.argsort(moments)
    inside = np.cumsum(np.repeat([-1, 1], len(arrived))[order])
    return float(np.cumsum(inside[:-1] * np.diff(moments[order]))[-1])


def closed_form(params: Params) -> theory.Means:
    """[classes] the mean wait by theory, where arrivals are Poisson and the rule has one."""
    sizes, load = params.sizes, params.load / 100
    if params.arrivals != "poisson":
        return None
    if params.workers > 1:
        return theory.erlang(load, params.workers) if params.policy == "fifo" and sizes == "alike" else None
    known = {"fifo": theory.fifo, "priority": theory.priority, "shortest": theory.shortest}
    return known[params.policy](sizes, load) if params.policy in known else None


def statistics(waits: list[Seconds], longest: list[Seconds], expected: theory.Means) -> NDArray[np.float32]:
    """[4, classes] as in a picture. Only the longest wait is one of ``longest``."""
    unknown = [np.nan] * len(CLASSES)
    rows = [of_each(np.mean, waits), of_each(p99, waits), of_each(np.max, longest), expected or unknown]
    return np.array(rows, np.float32)


def p99(waits: Seconds) -> float:
    """The smallest of them that 99 of a hundred do not exceed."""
    return float(np.sort(waits)[math.ceil(0.99 * (len(waits) - 1))])


def of_each(what: Callable[[Seconds], float], waits: list[Seconds]) -> list[float]:
    """[classes] of the waits of each class; NaN where there are none."""
    return [what(line) if len(line) else np.nan for line in waits]


def by_class(kinds: NDArray[np.integer], waits: ArrayLike) -> list[Seconds]:
    return [np.asarray(waits, float)[kinds == each] for each in range(len(CLASSES))]
